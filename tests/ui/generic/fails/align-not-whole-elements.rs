use tensor_layout::layout;

fn length<const LINE: usize>() -> usize {
    <layout!(NCHW<1, 3, 7, 7>, f32, align(H = LINE))>::LEN
}

fn main() {
    length::<6>();
}
