use tensor_layout::layout;

fn length() -> usize {
    layout!(NCHW<1, 3, 7, 7>, f32)::LEN
}

fn main() {}
