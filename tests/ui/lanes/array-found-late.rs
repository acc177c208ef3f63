use tensor_layout::layout;

const LANES: usize = 48;

type Bad = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(LANES));

const _: usize = Bad::LEN;

fn main() {}
