use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Lifetimes {
        input: Image,
        static state: Half,
        half: Half,
        replaced: Half,
        late: Half,
    }
    fn run(input) -> replaced {
        first(late);
        half = pool(input);
        half = pool(input);
        state = pool(input);
        replaced = relu(half in place);
        again(half);
        twice(mut replaced, replaced);
        relu(input in place);
        late = last(state in place);
        both(mut replaced) by Turn;
    }
}

fn main() {}
