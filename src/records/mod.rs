//! Records over buffers: as types, with their fields, their blocks, and moves from one record to another.

#![allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]

mod access;
mod bits;
mod block_iter;
#[cfg(feature = "alloc")]
mod passes;
#[cfg(feature = "alloc")]
mod plan;
#[cfg(feature = "rayon")]
mod plan_parallel;
mod record_buffer;
#[cfg(feature = "alloc")]
mod record_builder;
mod record_type;
mod static_move;
mod struct_check;
#[cfg(feature = "alloc")]
mod values;

#[doc(inline)]
pub use layout_records::*;

pub use access::{FieldOf, FieldOfMut, FieldView, FieldViewMut};
pub use block_iter::{Blocks, BlocksMut};
#[cfg(feature = "alloc")]
pub use passes::FieldChange;
#[cfg(feature = "alloc")]
pub use plan::RecordPlan;
pub use record_buffer::{FieldTensor, RecordBuffer};
#[cfg(feature = "alloc")]
pub use record_builder::RecordBuilder;
pub use record_type::{
    AllKnown, BlockOf, FieldName, FieldPlaces, KnownExtents, MixedRecord, RecordType, RecordWords,
    StaticRecord, TreeWords,
};
#[doc(hidden)]
pub use static_move::{check_records, run_records};
#[doc(hidden)]
pub use struct_check::{check_struct, struct_field};
#[cfg(feature = "alloc")]
pub use values::{Quantizer, ValuePlan, ValueSide};

/// Names a record, with a type and a method for each field.
///
/// ```
/// use tensor_layout::records::{RecordBuffer, RecordType};
/// use tensor_layout::{f16, layout, record};
///
/// record! {
///     /// Rows of bytes with a scale for 32 of them.
///     pub Q8 = MK { d: f16, q: 32k i8 } = d * q
/// }
///
/// type Weights = layout!(MK<2, 64>, Q8!);
///
/// let mut weights = RecordBuffer::<Weights, _>::new([0; Weights::BYTES])?;
/// weights.d_mut().set([1, 32], f16::from_f32(0.5));
/// weights.q_mut().set([1, 40], 3);
/// assert_eq!(weights.d().get([1, 40]).map(f16::to_f32), Some(0.5));
///
/// // In a record of other axes, and with extents that are known at run time.
/// type Pages = layout!(P<P = _, S = 16, D = 64>, { k: S D Q8!(k = d), v: S D Q8!(k = d) });
/// assert_eq!(Pages::new([3])?.record().bytes(0), 3 * 2 * 16 * 2 * 34);
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
///
/// The item is a macro of that name, for `layout!` and other macros, and a module with a type for each field and the traits `Fields` and
/// `FieldsMut`, which give a [`RecordBuffer`](crate::records::RecordBuffer) a method for each. A field `k.d` has the method
/// `k_d`. A field whose method has the name of another field's, or of one of every buffer such as `rows`, is an error.
/// The macro is visible in its crate. Another module imports all of it by `use formats::*`, the methods too.
#[macro_export]
macro_rules! record {
    ($($tokens:tt)*) => { $crate::__private::record! { [$crate] $($tokens)* } };
}
