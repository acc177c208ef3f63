//! Structs of C that are blocks of records.

use layout_records::{RecordTemplate, UseFault};
use layout_types::numbers::StructField;

use super::record_buffer::fault;
use super::record_type::{FieldName, field};

/// A field of a struct: its name in the record, its first byte, and its bytes.
#[doc(hidden)]
pub const fn struct_field<F: FieldName, S, T: StructField<F::Element>>(
    start: usize,
    _: fn(&S) -> &T,
) -> (&'static str, usize, usize) {
    (F::NAME, start, size_of::<T>())
}

/// Panics unless a block of the record of a text has the bytes of a struct, and its fields those of the struct.
#[doc(hidden)]
pub const fn check_struct(text: &str, size: usize, fields: &[(&str, usize, usize)]) {
    let block = match RecordTemplate::parse(text) {
        Ok(template) => template.block(),
        Err(error) => Err(error),
    };
    let block = match block {
        Ok(block) => block,
        Err(error) => error.panic(),
    };
    if block.field_count() != fields.len() {
        fault(UseFault::StructFields(fields.len(), block.field_count())).panic();
    }
    let mut i = 0;
    while i < fields.len() {
        let (name, start, bytes) = fields[i];
        let end = start + bytes;
        match field(&block, name).byte_range() {
            Some((own, own_end)) if own == start && own_end == end => {}
            Some((own, own_end)) => {
                fault(UseFault::StructField(name, start, end, own, own_end)).panic()
            }
            None => fault(UseFault::StructBits(name)).panic(),
        }
        i += 1;
    }
    if size != block.bytes(0) {
        fault(UseFault::StructSize(size, block.bytes(0))).panic();
    }
}

/// Checks at compile time that a `#[repr(C)]` struct is a block of a record that [`record!`](crate::record) names: the
/// same fields of the same types at the same bytes.
///
/// ```
/// use tensor_layout::{check_struct, f16, record};
///
/// record! { pub Particles = N { x: f32 align(4), flags: u16 align(2), kind: u8 } }
///
/// #[repr(C)]
/// pub struct Particle {
///     x: f32,
///     flags: u16,
///     kind: u8,
/// }
///
/// check_struct!(Particle = Particles { x, flags, kind });
///
/// // Arrays are several elements, and elements of less than a byte are bytes.
/// record! { pub Q4_0 = MK { d: f16, q: 16k 2k/16 u4 } = d * (q - 8) }
///
/// #[repr(C)]
/// pub struct Block {
///     d: f16,
///     q: [u8; 16],
/// }
///
/// check_struct!(Block = Q4_0 { d, q });
/// ```
///
/// A field of another type or at other bytes is a compile error, and so is a struct with more fields or bytes.
#[macro_export]
macro_rules! check_struct {
    ($struct:path = $record:path { $($field:ident),* $(,)? }) => {
        const _: () = {
            use $record as record;
            // All fields of the struct are named.
            let _ = |$struct { $($field: _),* }: &$struct| ();
            $crate::records::check_struct(
                record::Name::TEXT,
                ::core::mem::size_of::<$struct>(),
                &[$($crate::records::struct_field::<record::$field, $struct, _>(
                    ::core::mem::offset_of!($struct, $field),
                    |of| &of.$field,
                )),*],
            );
        };
    };
}
