use tensor_layout::layout;

type Scales = layout!(RC4r2r/4<R = 128, C = 4>, u8, broadcast(R));

fn main() {}
