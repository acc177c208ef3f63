use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Small in 64 + 16 {
        input: Image,
        half: Half,
    }
    fn run(input) -> half {
        half = pool(input);
    }
}

arena! {
    struct Several in FAST(96), SLOW(96) {
        image: Image,
        other: Image,
        half: Half,
        scaled: Half,
    }
    fn run(image, other, half, scaled) -> (image, other, half, scaled) {
        grow(mut half, scaled);
        grow_again(half, mut scaled);
        show(half, scaled);
    }
}

fn main() {}
