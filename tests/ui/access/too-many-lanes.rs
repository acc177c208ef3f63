use tensor_layout::access::Access;
use tensor_layout::{layout, view};

type Tile = layout!(MK<128, 64>, f16);

const COLUMN: Access = Access::of(&view!(Tile::LAYOUT, index('K', 0)), "M");

fn main() {}
