use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Unused {
        input: Image,
        half: Half,
        unread: Half,
    }
    fn run(input) {
        unread = pool(input);
    }
}

fn main() {}
