use tensor_layout::{Relayout, Tensor, layout};

type Images = layout!(NHWC<N = _, C = 3, H = 4, W = 4>, u8);
type Batch = layout!(NCHW<_, 3, 4, 4>, u8);

#[derive(Relayout)]
#[relayout(Images => Batch)]
struct Pack;

fn pack(images: &Tensor<Images, &[u8]>, batch: &mut Tensor<Batch, &mut [u8]>) {
    Pack::run(images, batch);
}

fn main() {}
