const TEXT: &str = tensor_layout::source!(Wgsl, act = NCHW4<2, 64, 65536, 65536>, i8);

fn main() {
    println!("{TEXT}");
}
