use tensor_layout::layout;

type Small = layout!(M<63>, f32);
type Large = layout!(M<64>, f32);

fn add(_: Large) {}

fn call(input: Small) {
    add(input);
}

fn main() {}
