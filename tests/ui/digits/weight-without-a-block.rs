use tensor_layout::layout;

type Scales = layout!(/32 RC<R = 128, C = 4>, u8);

fn main() {}
