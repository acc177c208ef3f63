use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Three([u8; 3]);

impl PlainElement for Three {}

type Bad = layout!(MK<128, 64>, Three, swizzle_bytes(3, 4, 3));

const _: usize = Bad::LEN;

fn main() {}
