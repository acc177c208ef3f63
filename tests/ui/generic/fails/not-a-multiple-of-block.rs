use tensor_layout::layout;

fn length<const C: usize>() -> usize {
    <layout!(NCHW4<1, C, 7, 7>, f32)>::LEN
}

fn main() {
    length::<3>();
}
