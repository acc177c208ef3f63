use bytemuck::{Pod, Zeroable};
use tensor_layout::{PlainElement, StaticLayout, layout};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Pixel([u8; 3]);

impl PlainElement for Pixel {}

type Bad = layout!(HW<4, 8>, Pixel, high_first);

fn main() {
    let _ = Bad::LAYOUT;
}
