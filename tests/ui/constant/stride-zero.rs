use tensor_layout::layout;

const ROW: isize = 0;

const LENGTH: usize = <layout!(NCHW<1, 3, 7, 7>, f32, strides = [147, 49, ROW, 1])>::LEN;

fn main() {}
