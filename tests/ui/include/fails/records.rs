use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/record.npy", A => A<A = 2>, u8);
}
