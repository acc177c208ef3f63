use tensor_layout::{layout, typed::divisible};

#[divisible]
fn padded<const C: usize>() -> usize {
    <layout!(NCHW4<1, C, 8, 8>, u8, pad)>::LEN
}

fn main() {
    padded::<6>();
}
