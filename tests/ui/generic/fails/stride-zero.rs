use tensor_layout::layout;

fn length<const ROW: isize>() -> usize {
    <layout!(NCHW<1, 3, 7, 7>, f32, strides = [147, 49, ROW, 1])>::LEN
}

fn main() {
    length::<0>();
}
