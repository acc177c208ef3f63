//! Element types as Rust types, and what happens to elements that change their type.
//!
//! `elements` is what a layout can place; `number` those that are numbers, and `real` the floats that
//! conversions compute in. `arithmetic` converts runs of numbers by plain loops, `conversion` says how, and
//! `elementwise` converts a tensor without kernels, `scales` finds what quantized numbers need, and `wide` reads
//! numbers whose type run time knows.

mod arithmetic;
mod conversion;
mod elements;
mod elementwise;
mod number;
mod real;
mod scales;
mod wide;

pub use arithmetic::{Arithmetic, Parameters, run};
pub use conversion::{Conversion, Rounding};
pub use elements::{
    Element, HighFirst, PlainElement, SubByteElement, f8e4m3, f8e5m2, i2, i4, u1, u2, u4,
};
pub use elementwise::convert_elements;
pub use number::{Exact, Number, Real, Value};
pub use scales::{add_sums, count_of, raise_magnitudes, scale_of};
pub use wide::{is_convertible, is_wide, read_values};
