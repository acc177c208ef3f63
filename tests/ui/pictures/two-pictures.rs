const PICTURE: &str = tensor_layout::picture!(MK<32, 4>, f32; memory, rows = K);

fn main() {
    println!("{PICTURE}");
}
