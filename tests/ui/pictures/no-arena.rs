type Act = tensor_layout::layout!(NCHW4<2, 64, 3, 3>, f16);

fn main() {
    println!("{}", tensor_layout::picture!(Act).to_text());
}
