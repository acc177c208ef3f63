use tensor_layout::layout;

fn length() -> usize {
    <layout!(NCHW4<1, 3, 0, 7>, double)>::LEN
}

fn main() {}
