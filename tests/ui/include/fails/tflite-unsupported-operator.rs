use tensor_layout::include_tensor;

include_tensor! {
    struct Weights = "tests/files/small.tflite", "added", C => C<C = 4>, i8
}

fn main() {
}
