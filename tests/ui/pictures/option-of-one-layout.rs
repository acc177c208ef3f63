const PICTURE: &str = tensor_layout::picture!(MK<32, 4>, f32 => KM<M = 32, K = 4>, f32; memory);

fn main() {
    println!("{PICTURE}");
}
