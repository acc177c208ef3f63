use tensor_layout::layout;

struct Complex {
    re: f32,
    im: f32,
}

type Bad = layout!(NCHW<1, 3, 7, 7>, Complex);
const LENGTH: usize = Bad::LEN;

fn main() {}
