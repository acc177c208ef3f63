use tensor_layout::layout;

fn length<T>() -> usize {
    <layout!(NCHW<1, 3, 7, 7>, T)>::LEN
}

fn main() {
    length::<f32>();
}
