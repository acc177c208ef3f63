use tensor_layout::chip::{CHIPS, Chip};
use tensor_layout::layout;

const MINE: Chip = Chip { alignment: 24, ..CHIPS[0] };

type Bad = layout!(NCHW<1, 3, 7, 7>, i8, MINE::aligned);

const _: usize = <Bad>::LEN;

fn main() {}
