use tensor_layout::layout;

type Codes = layout!(KN8n4k/2 4n/16 2k2n/4 2k/8<K = 16, N = 64>, u4);

fn main() {}
