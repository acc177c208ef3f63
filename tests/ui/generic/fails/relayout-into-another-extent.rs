use tensor_layout::{Tensor, layout};

fn main() {
    let image = Tensor::<layout!(NCHW<1, 3, 4, 4>, u8), _>::new([0; 48]).unwrap();
    let mut larger = Tensor::<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8), _>::new([0; 60]).unwrap();
    let _ = image.relayout_into(&mut larger);
}
