use tensor_layout::layout;

type Codes = layout!(KN3n5n/3<K = 2, N = 15>, u4);

fn main() {}
