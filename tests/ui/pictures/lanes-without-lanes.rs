const PICTURE: &str = tensor_layout::picture!(NCHW4<2, 64, 3, 3>, f16; lanes);

fn main() {
    println!("{PICTURE}");
}
