use tensor_layout::access::{Access, Banks, conflicts};
use tensor_layout::{layout, view};

type Tile = layout!(MK<128, 64>, f16);

const ROWS: Access = Access::of(&view!(Tile::LAYOUT, slice('M', 0, 1, 8), slice('K', 0, 1, 8)), "M");
const _: () = conflicts(&ROWS, &Banks::NVIDIA).expect_none();

fn main() {}
