use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Rgb {
    r: u8,
    g: u8,
    b: u8,
}

impl PlainElement for Rgb {}

const LENGTH: usize = <layout!(NCHW<1, 3, 7, 7>, Rgb, align(H = 64))>::LEN;

fn main() {}
