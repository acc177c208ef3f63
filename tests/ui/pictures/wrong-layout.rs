// After an error, rustc says that the value is not a literal: of `compile_error!` and missing files too.

#[doc = tensor_layout::picture!(NCHW4<2, 63, 3, 3>, f16)]
pub struct Documented;

fn main() {}
