use tensor_layout::chip::{CHIPS, Chip};
use tensor_layout::{layout, place};

type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);

const MINE: Chip = Chip { banks: 7, ..CHIPS[0] };

place! {
    struct Conv in MINE {
        INPUT: Act,
        OUTPUT: Act = 0,
        apart(INPUT, OUTPUT),
    }
}

fn main() {}
