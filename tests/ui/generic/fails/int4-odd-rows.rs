use tensor_layout::layout;

fn length<const W: usize>() -> usize {
    <layout!(NCHW<1, 3, 7, W>, i4)>::LEN
}

fn main() {
    length::<7>();
}
