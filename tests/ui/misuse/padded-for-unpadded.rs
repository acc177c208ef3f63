use tensor_layout::layout;

type Padded = layout!(M4m<64>, f32, pad);
type Exact = layout!(M4m<64>, f32);

fn add(_: Exact) {}

fn call(input: Padded) {
    add(input);
}

fn main() {}
