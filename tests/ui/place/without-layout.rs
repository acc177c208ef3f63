use tensor_layout::place;

place! {
    struct Conv in bm1684x {
        INPUT = 0x1000,
    }
}

fn main() {}
