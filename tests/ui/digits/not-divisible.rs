use tensor_layout::layout;

type Scales = layout!(RC32r4r/32 4c<R = 130, C = 4>, u8);

fn main() {}
