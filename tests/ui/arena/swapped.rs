use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);

arena! {
    struct Banks in FAST(64), SLOW(64) {
        input: Image in FAST,
        output: Image in SLOW,
    }
    fn run(input) -> output {
        output = copy(input);
    }
}

arena! {
    struct Other {
        input: Image,
        output: Image,
    }
    fn run(input) -> output {
        output = copy(input);
    }
}

fn main() {
    let (mut fast, mut slow) = (FAST::ZEROED, SLOW::ZEROED);
    Banks::run(&mut slow, &mut fast, |_| ());
    Other::run(&mut fast, |_| ());
}
