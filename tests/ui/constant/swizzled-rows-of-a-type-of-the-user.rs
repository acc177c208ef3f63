use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Three([u8; 3]);

impl PlainElement for Three {}

type Bad = layout!(MK<2, 16>, Three, align(M = 60), swizzle(vec = 2, per_phase = 1, max_phase = 4));

const _: usize = Bad::LEN;

fn main() {}
