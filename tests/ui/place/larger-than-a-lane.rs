use tensor_layout::{layout, place};

type Act = layout!(NCHW<8, 64, 192, 192>, i8, bm1684x::aligned(start = 3));

place! {
    struct Conv in bm1684x {
        INPUT: Act,
    }
}

fn main() {}
