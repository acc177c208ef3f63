use tensor_layout::access::{Access, Segments, coalescing};

const READ: Access = Access::at(&[0, 128], 4);
const _: () = assert!(coalescing(&READ, &Segments { sector: 0, line: 128 }).sectors() == 2);

fn main() {}
