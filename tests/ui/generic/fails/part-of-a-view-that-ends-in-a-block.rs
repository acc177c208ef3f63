use tensor_layout::{Tensor, layout};

// Block 1 has one coordinate, and the buffer ends with it.
type Short = layout!(C4c<5>, u8, strides = [4, 1]);

fn main() {
    let tensor = Tensor::<Short, _>::from([0; Short::LEN]);
    println!("{:?}", tensor.part([1]));
}
