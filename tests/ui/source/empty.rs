const TEXT: &str = tensor_layout::source!();

fn main() {
    println!("{TEXT}");
}
