use tensor_layout::Tensor;

fn wrap() {
    let _ = Tensor::<[f32; 4], _>::new([0.0f32; 4]);
}

fn main() {}
