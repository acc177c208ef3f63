use tensor_layout::layout;

fn length<const N: usize>() -> usize {
    <layout!(NCHW<N, { N }, 7, 7>, f32)>::LEN
}

fn main() {
    length::<4294967296>();
}
