use tensor_layout::{Relayout, Tensor, layout};

type Planes = layout!(NCHW<1, 3, 4, 4>, u8);
type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);
type Packed = layout!(NCHW4<1, 3, 4, 4>, u8, pad);

#[derive(Relayout)]
#[relayout(Image => Packed)]
struct Pack;

fn main() {
    let planes: Tensor<Planes, _> = [0; Planes::LEN].into();
    Pack::array(&planes);
}
