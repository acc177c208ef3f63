use tensor_layout::{layout, typed::divisible};

#[divisible]
fn blocks<const C: usize>() -> usize {
    <layout!(NCHW4<1, C, 8, 8>, u8)>::LEN / 256
}

fn both<const C: usize>() -> usize {
    blocks::<C>() * 2
}

fn main() {
    both::<8>();
}
