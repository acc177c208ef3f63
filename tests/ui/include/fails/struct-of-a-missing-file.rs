use tensor_layout::include_tensor;

include_tensor! {
    /// Weights.
    pub struct Conv = "tests/files/no-such-file.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32
}

fn main() {}
