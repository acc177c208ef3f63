use tensor_layout::layout;

type Half = layout!(M<64>, f16);
type Brain = layout!(M<64>, bf16);

fn add(_: Half) {}

fn call(input: Brain) {
    add(input);
}

fn main() {}
