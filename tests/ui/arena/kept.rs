use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Uses {
        input: Image,
        half: Half,
        again: Half,
    }
    fn run(input) -> again {
        half = pool(input);
        again = relu(half);
    }
}

fn main() {
    let mut memory = UsesMemory::ZEROED;
    // A tensor that leaves its step.
    let mut kept = None;
    let step = Uses::run(&mut memory, |_| ()).pool(|_, half| kept = Some(half));
    // The same step twice.
    let _ = step.relu(|_, _| ());
    let _ = step.relu(|_, _| ());
}
