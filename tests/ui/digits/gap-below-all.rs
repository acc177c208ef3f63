use tensor_layout::layout;

type Weights = layout!(KN4n/2<K = 2, N = 16>, u4);

fn main() {}
