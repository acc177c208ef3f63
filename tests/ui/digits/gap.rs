use tensor_layout::layout;

type Scales = layout!(RC32r4r/64 4c<R = 256, C = 4>, u8);

fn main() {}
