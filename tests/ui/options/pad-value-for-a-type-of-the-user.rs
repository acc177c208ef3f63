use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

impl PlainElement for Complex {}

type Bad = layout!(NCHW4<1, 3, 7, 7>, Complex, pad = 1.0);

fn main() {}
