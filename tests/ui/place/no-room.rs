use tensor_layout::{layout, place};

type Act = layout!(NCHW<1, 64, 384, 384>, i8, bm1684x::aligned);

place! {
    struct Conv in bm1684x {
        INPUT: Act,
        OUTPUT: Act,
    }
}

fn main() {}
