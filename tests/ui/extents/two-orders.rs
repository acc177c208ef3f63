use tensor_layout::{layout, named_format};

named_format!(TILED = HWC4c);

type Image = layout!(HWC<480, 640, 3>, u8);

type Heads = layout!(HD<12, 64>, f32);

type Open = layout!(NHWC<_, _, _, _>, u8);

type Named = layout!(TILED!<4, 6, 8>, u8);

type Strided = layout!(HWC<H = 3, W = 3, C = 3>, u8, strides = [9, 3, 1]);

type Swapped = layout!(NCHW<1, 1, W, H>, u8);

fn main() {}
