use tensor_layout::{arena, layout};

type Large = layout!(C<C = 0x4000_0000_0000_0000>, i8);

arena! {
    struct Sum {
        input: Large,
        output: Large,
    }
    fn run(input) -> output {
        output = copy(input);
    }
}

fn main() {}
