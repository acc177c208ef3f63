use tensor_layout::layout;

type Many = layout!(A2a2a/2 2a/4 2a/8 2a/16 2a/32 2a/64 2a/128 2a/256 2a/512 2a/1024 2a/2048 2a/4096 2a/8192 2a/16384 2a/32768<A = 65536>, u8);

fn main() {}
