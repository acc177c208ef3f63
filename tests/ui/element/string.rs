use tensor_layout::layout;

const LENGTH: usize = <layout!(NCHW<1, 3, 7, 7>, String)>::LEN;

fn main() {}
