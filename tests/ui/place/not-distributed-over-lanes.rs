use tensor_layout::{layout, place};

type Filters = layout!(OIHW<64, 64, 3, 3>, i8);

place! {
    struct Conv in bm1684x {
        WEIGHTS: Filters,
    }
}

fn main() {}
