use tensor_layout::layout;

type Scales = layout!(C32r4r/32R<R = 128, C = 4>, u8);

fn main() {}
