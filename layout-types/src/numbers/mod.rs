//! Element types as Rust types, and conversions between them.
//!
//! `elements` are the types that a layout can have, `named` those of them that Rust does not have, and `number` those that
//! are numbers. `conversion` describes a conversion, and `arithmetic` converts runs of numbers by plain loops, of which
//! `integers` has those between integers. `fixed_point` multiplies integers, and ends the sums of a quantized layer. `runs`
//! are between buffers and what kernels compute with. `plain` has slices of one type as slices of another, `scales` finds
//! parameters of quantization, and `wide` reads numbers whose type is known only at run time.

mod arithmetic;
mod conversion;
mod elements;
mod fixed_point;
mod integers;
pub mod named;
mod number;
pub mod plain;
mod runs;
mod scales;
mod wide;

pub use arithmetic::{Arithmetic, run};
pub use conversion::{Conversion, Rounding};
pub use elements::{
    ByteOrder, Element, HighFirst, PlainElement, StructField, SubByteElement, WholeElement,
    bits_of, complex_part,
};
pub use fixed_point::{Epilogue, FixedPoint};
pub use integers::Parameters;
pub use number::{Exact, Number, Real, Value};

pub use runs::{convert_elements, read_run, write_run};
pub use scales::{add_sums, count_of, raise_magnitudes, scale_of};
#[doc(hidden)]
pub use wide::{ForNumber, is_convertible, is_wide, read_values, with_number};
