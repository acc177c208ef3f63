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

fn of_halves(_: &tensor_layout::Tensor<Half, &[i8; 32]>) {}

fn main() {
    let mut memory = UsesMemory::ZEROED;
    // In another order.
    Uses::run(&mut memory, |_| ()).relu(|_, _| ());
    // Of another layout.
    Uses::run(&mut memory, |_| ()).pool(|input, _| of_halves(input));
}
