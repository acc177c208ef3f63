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

type Rows = layout!(HW<8, 16>, i8);
type Aligned = layout!(HW<2, 16>, i8, align(H = 64));

arena! {
    struct Inherited {
        input: Rows = 272,
        aligned: Aligned,
        image: Image = 0,
        kept: Image,
        other: Half = 0,
        sum: Half,
    }
    fn run(input, image) -> sum {
        aligned = widen(input in place);
        kept = relu(image in place);
        other = narrow(aligned);
        sum = add(kept, other);
    }
}

fn main() {}
