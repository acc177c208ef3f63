use tensor_layout::layout;

fn length<const ROW: isize>() -> usize {
    <layout!(MK<4, 4>, i4, strides = [ROW, 1])>::LEN
}

fn main() {
    length::<5>();
}
