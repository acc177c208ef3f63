use tensor_layout::access::Access;
use tensor_layout::layout;

type Row = layout!(X<X = 32>, f32);

const READ: Access = Access::of(&Row::LAYOUT, "L");

fn main() {}
