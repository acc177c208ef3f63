use tensor_layout::layout;

type Codes = layout!(KN8n4k/2 4n/32 2k 2k/8<K = 16, N = 128>, u4);

fn main() {}
