use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Three([u8; 3]);

impl PlainElement for Three {}

type Bad = layout!(N<N = 0x3000_0000_0000_0000>, Three);

const _: usize = Bad::LEN;

fn main() {}
