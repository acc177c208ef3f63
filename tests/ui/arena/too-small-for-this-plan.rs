use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Pinned in 127 {
        input: Image = 16,
        half: Half,
        again: Image,
    }
    fn run(input) -> again {
        half = pool(input);
        again = grow(half);
    }
}

fn main() {}
