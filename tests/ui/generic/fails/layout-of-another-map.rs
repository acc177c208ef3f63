use tensor_layout::{Tensor, layout};

type Planes = layout!(NCHW<1, 3, 4, 4>, u8);
type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);

fn main() {
    let planes: Tensor<Planes, _> = [0; Planes::LEN].into();
    let _ = planes.into_layout::<Image>();
}
