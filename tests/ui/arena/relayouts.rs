use tensor_layout::{Relayout, arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Turned = layout!(WH<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

#[derive(Relayout)]
#[relayout(Image => Turned)]
struct Turn;

arena! {
    struct Wrong {
        input: Image,
        turned: Half,
    }
    fn run(input) -> turned {
        turned = turn(input) by Turn;
    }
}

fn main() {}
