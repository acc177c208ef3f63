use tensor_layout::layout;

fn length<const C: usize>() -> usize {
    <layout!(OIHW4i16o4i<64, C, 3, 3>, i8)>::LEN
}

fn main() {
    length::<60>();
}
