use tensor_layout::layout;

type Four = layout!(M4m<64>, f32);
type Eight = layout!(M8m<64>, f32);

fn add(_: Four) {}

fn call(input: Eight) {
    add(input);
}

fn main() {}
