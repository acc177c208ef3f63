const TEXT: &str = tensor_layout::source!(C, act = NCHW4<_, 64, 3, 3>, i8);

fn main() {
    println!("{TEXT}");
}
