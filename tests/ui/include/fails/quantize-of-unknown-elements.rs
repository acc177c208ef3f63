use tensor_layout::include_tensor;

include_tensor! {
    struct Weights = "tests/files/weights_f32.bin", OIHW => OIHW4i4o<8, 4, 3, 3>, i8, quantize(O)
}

fn main() {}
