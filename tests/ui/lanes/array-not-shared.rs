use tensor_layout::layout;

type Bad = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(48));

fn main() {}
