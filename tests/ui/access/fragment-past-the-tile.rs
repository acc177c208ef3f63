use tensor_layout::access::Access;
use tensor_layout::layout;

type Tile = layout!(MK<128, 64>, f16);
type A = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32));

const READ: Access = Access::of_fragment(&Tile::LAYOUT, &[124, 0], &A::LAYOUT, 0..2);

fn main() {}
