use tensor_layout::{layout, place};

type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);

place! {
    struct Conv in bm1684x {
        INPUT: Act = 0x1000,
        OUTPUT: Act = 0x1c00,
    }
}

fn main() {}
