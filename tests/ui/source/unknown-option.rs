const TEXT: &str = tensor_layout::source!(C, act = NCHW4<2, 64, 3, 3>, i8; narrow);

fn main() {
    println!("{TEXT}");
}
