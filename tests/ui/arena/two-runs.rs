use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);
type Half = layout!(HW<4, 8>, i8);

arena! {
    struct Runs {
        input: Image,
        half: Half,
    }
    fn run(input) -> half {
        half = pool(input);
    }
}

fn main() {
    let mut memory = RunsMemory::ZEROED;
    let first = Runs::run(&mut memory, |_| ()).pool(|_, _| ()).finish();
    let second = Runs::run(&mut memory, |_| ()).pool(|_, _| ()).finish();
    assert_eq!(first, second);
}
