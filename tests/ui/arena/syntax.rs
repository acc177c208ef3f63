use tensor_layout::{arena, layout};

type Image = layout!(HW<8, 8>, i8);

arena! {
    struct Attributes {
        /// Comments are welcome.
        input: Image,
        #[cfg(any())]
        output: Image,
    }
    fn run(input) -> output {
        output = copy(input);
    }
}

arena! {
    struct Steps {
        input: Image,
        output: Image,
    }
    fn run(input) -> output {
        /// Comments are welcome.
        #[inline]
        output = copy(input);
    }
}

const fn kib(count: usize) -> usize {
    1024 * count
}

arena! {
    struct Function in kib(8) {
        input: Image,
    }
    fn run(input) -> input {}
}

arena! {
    struct Value in { kib(8) } {
        input: Image,
    }
    fn run(input) -> input {}
}

arena! {
    struct Memories in FAST(64), FAST(64), A(1), B(1), C(1) {
        input: Image,
    }
    fn run(input) -> input {}
}

arena! {
    struct Twice {
        input: Image,
    }
    fn run(input) -> input {}
    fn again(input) -> input {}
}

arena! {
    struct Typed {
        input: Image,
    }
    fn run(input: Image) -> input {}
}

arena! {
    struct Unsized in {
        input: Image,
    }
    fn run(input) -> input {}
}

arena! {
    struct Empty in FAST() {
        input: Image,
    }
    fn run(input) -> input {}
}

arena! {
    struct Address in FAST(64) {
        input: Image = 0 in FAST,
    }
    fn run(input) -> input {}
}

arena! {
    struct State {
        static input: Image,
    }
    fn run(input) -> input {}
}

fn main() {}
