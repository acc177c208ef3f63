use tensor_layout::layout;

type Experts = layout!(4eABCDE<A = 1, B = 1, C = 1, D = 1, E = 8>, f32);

fn main() {}
