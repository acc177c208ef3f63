use tensor_layout::layout;

type Scales = layout!(RC32r4r/1 4c<R = 128, C = 4>, u8);

fn main() {}
