use tensor_layout::chip::Chip;
use tensor_layout::layout;

const MINE: Chip =
    Chip { name: "mine", lanes: 4, lane_bytes: 1024, banks: 4, alignment: 8, kernel_bytes: 8 };

const START: usize = 4;
const WIDE: usize = 41;

const _: usize = <layout!(NCHW<1, 3, 7, 7>, i8, MINE::aligned(start = 4))>::LEN;
const _: usize = <layout!(NCHW<1, 3, 7, 7>, i8, lanes(C, 4, start = START))>::LEN;
const _: usize = <layout!(MN<2, 40>, i8, MINE::matrix(w = WIDE))>::LEN;

fn main() {}
