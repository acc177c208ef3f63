use tensor_layout::layout;

type Plain = layout!(NC<1, 64>, f16);
type Blocked = layout!(NC4c<1, 64>, f16);

fn convolve(_: Plain) {}

fn call(input: Blocked) {
    convolve(input);
}

fn main() {}
