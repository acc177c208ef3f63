use tensor_layout::{Tensor, layout};

type Batch = layout!(NCHW<_, 3, 4, 4>, u8);

fn main() {
    let _ = Tensor::<Batch, _>::new([0u8; 96]);
}
