//! Element types as Rust types, and what happens to elements that change their type.
//!
//! `elements` is what a layout can place; `number` those that are numbers, and `real` the floats that
//! conversions compute in. `arithmetic` converts runs of numbers by plain loops, `conversion` says how, and
//! `elementwise` converts a tensor without kernels.

mod arithmetic;
mod conversion;
mod elements;
mod elementwise;
mod number;
mod real;

pub use arithmetic::{Arithmetic, Parameters, run};
pub use conversion::{Conversion, Rounding};
pub use elements::{
    Element, HighFirst, PlainElement, SubByteElement, f8e4m3, f8e5m2, i2, i4, u1, u2, u4,
};
pub use elementwise::convert_elements;
pub use number::{Exact, Number, Real, Value};
