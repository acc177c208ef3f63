use tensor_layout::{Tensor, layout};

type RowMajor = layout!(MK<4, 8>, f32);
type ColumnMajor = layout!(KM<M = 4, K = 8>, f32);

fn multiply(_: &Tensor<RowMajor, [f32; 32]>) {}

fn call(weights: &Tensor<ColumnMajor, [f32; 32]>) {
    multiply(weights);
}

fn main() {}
