const TEXT: &str = tensor_layout::source!(C, act = NCHW4<2, 63, 3, 3>, i8);

fn main() {
    println!("{TEXT}");
}
