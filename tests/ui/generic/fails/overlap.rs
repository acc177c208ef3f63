use tensor_layout::layout;

fn length<const W: usize>() -> usize {
    <layout!(NCHW<1, 3, 7, W>, f32, strides = [147, 49, 5, 1])>::LEN
}

fn main() {
    length::<7>();
}
