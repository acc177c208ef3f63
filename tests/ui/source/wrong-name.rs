const TEXT: &str = tensor_layout::source!(C, Act = NCHW4<2, 64, 3, 3>, i8);

fn main() {
    println!("{TEXT}");
}
