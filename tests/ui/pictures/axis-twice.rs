const PICTURE: &str = tensor_layout::picture!(MK<32, 4>, f32; rows = M, columns = MK);

fn main() {
    println!("{PICTURE}");
}
