use tensor_layout::{PlainElement, layout};

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Nothing {}

impl PlainElement for Nothing {}

const LENGTH: usize = <layout!(NCHW<1, 3, 7, 7>, Nothing)>::LEN;

fn main() {}
