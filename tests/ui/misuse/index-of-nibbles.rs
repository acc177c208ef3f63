use tensor_layout::{Tensor, layout};

type Nibbles = layout!(M<4>, i4);

fn first(tensor: &Tensor<Nibbles, [u8; 2]>) -> i8 {
    tensor[[0]].get()
}

fn main() {}
