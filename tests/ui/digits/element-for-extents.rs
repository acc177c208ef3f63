use tensor_layout::layout;

type Scales = layout!(RC32r4r/32 4c, u8);

fn main() {}
