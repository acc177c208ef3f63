use tensor_layout::access::{Access, Banks, conflicts};

const READ: Access = Access::at(&[0, 128], 4);
const BANKS: Banks = Banks { count: 512, width: 4, phase_bytes: 128 };
const _: () = conflicts(&READ, &BANKS).expect_none();

fn main() {}
