use tensor_layout::{layout, named_format};

named_format!(FRAGMENT = 8m4k KM2k, lanes(32));

type Bad = layout!(FRAGMENT!<M = 8, K = 12>, f16);

fn main() {}
