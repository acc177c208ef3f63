use tensor_layout::layout;

const LINE: usize = 6;

const LENGTH: usize = <layout!(NCHW<1, 3, 7, 7>, f32, align(H = LINE))>::LEN;

fn main() {}
