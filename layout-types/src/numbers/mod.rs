//! Element types as Rust types, and conversions between them.
//!
//! `elements` are the types that a layout can have, `named` those of them that Rust does not have, `complex` those that
//! are complex numbers, `number` those that are numbers, and `real` the floats that conversions compute in.
//! `byte_order` is the order of a number's bytes. `conversion` describes a conversion, and `arithmetic` converts runs
//! of numbers by plain loops, of which `integers` has those between integers, and `parameters` what they take. `fixed_point` multiplies integers, and `epilogue` ends the sums of a quantized layer. `runs` are between buffers and what kernels compute with. `elementwise` converts a tensor
//! without kernels, `plain` has slices of one type as slices of another, `scales` finds parameters of quantization, and `wide` reads numbers whose type is known only at run
//! time.

mod arithmetic;
mod byte_order;
mod complex;
mod conversion;
mod elements;
mod elementwise;
mod epilogue;
mod fixed_point;
mod integers;
pub mod named;
mod number;
mod parameters;
pub mod plain;
mod real;
mod runs;
mod scales;
mod struct_field;
mod wide;

pub use arithmetic::{Arithmetic, run};
pub use byte_order::ByteOrder;
pub use complex::complex_part;
pub use conversion::{Conversion, Rounding};
pub use elements::{Element, HighFirst, PlainElement, SubByteElement, WholeElement, bits_of};
pub use elementwise::convert_elements;
pub use epilogue::Epilogue;
pub use fixed_point::FixedPoint;
pub use number::{Exact, Number, Real, Value};
pub use parameters::Parameters;

pub use runs::{read_run, write_run};
pub use scales::{add_sums, count_of, raise_magnitudes, scale_of};
#[doc(hidden)]
pub use struct_field::StructField;
pub use wide::{ForNumber, is_convertible, is_wide, read_values, with_number};
