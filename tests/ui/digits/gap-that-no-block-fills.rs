use tensor_layout::layout;

type Scales = layout!(RC32r4r/48 4c<R = 192, C = 4>, u8);

fn main() {}
