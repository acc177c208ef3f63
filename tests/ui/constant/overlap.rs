use tensor_layout::layout;

const ROW: usize = 7;

const LENGTH: usize = <layout!(NCHW<1, 3, 7, ROW>, f32, strides = [147, 49, 5, 1])>::LEN;

fn main() {}
