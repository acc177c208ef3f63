//! Numbers of any element type as floats, for types that are known only at run time.

use bytemuck::pod_read_unaligned;
#[cfg(feature = "half")]
use half::{bf16, f16};

use super::elements::{HighFirst, i2, i4, u1, u2, u4};
use super::number::{Number, Real};
use layout_core::spec::{ElementType, SubByte};

/// Whether `f32` does not hold all numbers of the element type, so that `f64` is closer.
pub fn is_wide(element: ElementType) -> bool {
    element == ElementType::F64 || element.integer_range().is_some() && element.bits() >= 32
}

/// Whether a conversion through floats gives the same result as a direct one. Between integers of 64 bits, it does
/// not.
pub fn is_convertible(from: ElementType, to: ElementType) -> bool {
    let is_long = |one: ElementType| one.integer_range().is_some() && one.bits() == 64;
    is_number(from) && is_number(to) && !(is_long(from) && is_long(to))
}

fn is_number(element: ElementType) -> bool {
    use ElementType::{F8E4M3, F8E5M2, Plain};
    !matches!(element, F8E4M3 | F8E5M2 | Plain { .. })
}

/// Fills `values` with the elements of `bytes`, in native byte order. Values without bytes, and values of elements
/// that are not numbers, are left unchanged.
pub fn read_values<F: Real>(element: ElementType, bytes: &[u8], values: &mut [F]) {
    match element {
        ElementType::Bool => read::<bool, F>(bytes, values),
        ElementType::U1 => read::<u1, F>(bytes, values),
        ElementType::I2 => read::<i2, F>(bytes, values),
        ElementType::U2 => read::<u2, F>(bytes, values),
        ElementType::I4 => read::<i4, F>(bytes, values),
        ElementType::U4 => read::<u4, F>(bytes, values),
        ElementType::HighFirst(SubByte::U1) => read::<HighFirst<u1>, F>(bytes, values),
        ElementType::HighFirst(SubByte::I2) => read::<HighFirst<i2>, F>(bytes, values),
        ElementType::HighFirst(SubByte::U2) => read::<HighFirst<u2>, F>(bytes, values),
        ElementType::HighFirst(SubByte::I4) => read::<HighFirst<i4>, F>(bytes, values),
        ElementType::HighFirst(SubByte::U4) => read::<HighFirst<u4>, F>(bytes, values),
        ElementType::I8 => read::<i8, F>(bytes, values),
        ElementType::U8 => read::<u8, F>(bytes, values),
        ElementType::I16 => read::<i16, F>(bytes, values),
        ElementType::U16 => read::<u16, F>(bytes, values),
        ElementType::I32 => read::<i32, F>(bytes, values),
        ElementType::U32 => read::<u32, F>(bytes, values),
        ElementType::I64 => read::<i64, F>(bytes, values),
        ElementType::U64 => read::<u64, F>(bytes, values),
        #[cfg(feature = "half")]
        ElementType::F16 => read::<f16, F>(bytes, values),
        #[cfg(feature = "half")]
        ElementType::BF16 => read::<bf16, F>(bytes, values),
        ElementType::F32 => read::<f32, F>(bytes, values),
        ElementType::F64 => read::<f64, F>(bytes, values),
        _ => {}
    }
}

fn read<S: Number, F: Real>(bytes: &[u8], values: &mut [F]) {
    let in_unit = S::TYPE.per_byte();
    let units = bytes.chunks_exact(size_of::<S::Unit>());
    for (unit, values) in units.zip(values.chunks_mut(in_unit)) {
        let unit: [S::Unit; 1] = [pod_read_unaligned(unit)];
        for (i, value) in values.iter_mut().enumerate() {
            if let Some(element) = S::read(&unit, i) {
                *value = F::of::<S>(element.hold());
            }
        }
    }
}
