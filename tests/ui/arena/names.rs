use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Names {
        input: Image,
        input: Half,
        half: Half in Fast,
    }
    fn run(imput) -> out {
        half = pool(input, other);
    }
}

fn main() {}
