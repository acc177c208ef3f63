use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Addresses {
        input: Image = 8,
        half: Half = 32,
        grown: Image,
    }
    fn run(input) -> grown {
        half = pool(input);
        grown = grow(half in place);
    }
}

fn main() {}
