use tensor_layout::place;

place! {
    struct Conv in bm1684x {
        INPUT: u8,
    }
}

fn main() {}
