use tensor_layout::Relayout;

#[derive(Relayout)]
struct Move;

fn main() {}
