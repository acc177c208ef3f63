use tensor_layout::{layout, place};

type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);

type Filters = layout!(OIHW<64, 64, 3, 3>, i8);

place! {
    struct Conv in bm1684x {
        WEIGHTS: Filters,
        INPUT: Act = 0x1020,
        OUTPUT: Act = 0x2000,
        RESIDUAL: Act = 0x3f800,
        apart(OUTPUT, RESIDUAL),
        apart(INPUT, OUTPUT),
    }
}

fn main() {}
