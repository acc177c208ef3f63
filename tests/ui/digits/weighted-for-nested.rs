use tensor_layout::{Tensor, layout};

type Nested = layout!(RC4r2r<R = 8, C = 3>, f32);
type Digits = layout!(RC4r2r/4<R = 8, C = 3>, f32);

fn take(_: &Tensor<Nested, [f32; 24]>) {}

pub fn call(digits: &Tensor<Digits, [f32; 24]>) {
    take(digits);
}

fn main() {}
