use tensor_layout::{layout, typed::divisible};

#[divisible]
type Packed<const C: usize> = layout!(NCHW4<1, C, 8, 8>, u8);

fn main() {}
