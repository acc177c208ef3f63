const PICTURE: &str = tensor_layout::picture!(MK<32, 4>, f32; access = Q);

fn main() {
    println!("{PICTURE}");
}
