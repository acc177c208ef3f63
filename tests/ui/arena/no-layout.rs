use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Typed {
        input: [i8; 64],
        half: Half,
    }
    fn run(input) -> half {
        half = pool(input);
    }
}

fn main() {}
