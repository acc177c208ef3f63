use tensor_layout::layout;

type Scales = layout!(RC4r2r/4<R = 4, C = 4>, u8, pad, lanes(R, 8));

fn main() {}
