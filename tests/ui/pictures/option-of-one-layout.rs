const PICTURE: &str = tensor_layout::picture!(MK<32, 4>, f32 => KM<32, 4>, f32; memory);

fn main() {
    println!("{PICTURE}");
}
