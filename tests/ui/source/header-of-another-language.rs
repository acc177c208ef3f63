const TEXT: &str = tensor_layout::source!(Cuda, act = NCHW4<2, 64, 3, 3>, i8; header);

fn main() {
    println!("{TEXT}");
}
