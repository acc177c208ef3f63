//! Numbers of any element type as floats, for types that are known only at run time.

use bytemuck::pod_read_unaligned;
#[cfg(feature = "half")]
use half::{bf16, f16};

use super::elements::HighFirst;
use super::named::{i2, i4, u1, u2, u4};
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
    from.is_number() && to.is_number() && !(is_long(from) && is_long(to))
}

/// What [`with_number`] does with a number.
pub trait ForNumber {
    /// What it returns.
    type Output;

    /// Does it.
    fn run<N: Number>(self) -> Self::Output;
}

/// Runs something with the Rust type of an element. `None` if the element is not a number.
pub fn with_number<F: ForNumber>(element: ElementType, then: F) -> Option<F::Output> {
    Some(match element {
        ElementType::Bool => then.run::<bool>(),
        ElementType::U1 => then.run::<u1>(),
        ElementType::I2 => then.run::<i2>(),
        ElementType::U2 => then.run::<u2>(),
        ElementType::I4 => then.run::<i4>(),
        ElementType::U4 => then.run::<u4>(),
        ElementType::HighFirst(SubByte::U1) => then.run::<HighFirst<u1>>(),
        ElementType::HighFirst(SubByte::I2) => then.run::<HighFirst<i2>>(),
        ElementType::HighFirst(SubByte::U2) => then.run::<HighFirst<u2>>(),
        ElementType::HighFirst(SubByte::I4) => then.run::<HighFirst<i4>>(),
        ElementType::HighFirst(SubByte::U4) => then.run::<HighFirst<u4>>(),
        ElementType::I8 => then.run::<i8>(),
        ElementType::U8 => then.run::<u8>(),
        ElementType::I16 => then.run::<i16>(),
        ElementType::U16 => then.run::<u16>(),
        ElementType::I32 => then.run::<i32>(),
        ElementType::U32 => then.run::<u32>(),
        ElementType::I64 => then.run::<i64>(),
        ElementType::U64 => then.run::<u64>(),
        #[cfg(feature = "half")]
        ElementType::F16 => then.run::<f16>(),
        #[cfg(feature = "half")]
        ElementType::BF16 => then.run::<bf16>(),
        ElementType::F32 => then.run::<f32>(),
        ElementType::F64 => then.run::<f64>(),
        _ => return None,
    })
}

/// Fills `values` with the elements of `bytes`, in native byte order. Values without bytes, and values of elements
/// that are not numbers, are left unchanged.
pub fn read_values<F: Real>(element: ElementType, bytes: &[u8], values: &mut [F]) {
    struct Read<'a, F>(&'a [u8], &'a mut [F]);

    impl<F: Real> ForNumber for Read<'_, F> {
        type Output = ();

        fn run<N: Number>(self) {
            read::<N, F>(self.0, self.1);
        }
    }

    // Elements that are not numbers have no values.
    let _ = with_number(element, Read(bytes, values));
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Type;

    impl ForNumber for Type {
        type Output = ElementType;

        fn run<N: Number>(self) -> ElementType {
            N::TYPE
        }
    }

    #[test]
    fn each_number_has_its_own_type() {
        for &element in ElementType::NAMED {
            for element in [Some(element), element.high_first().ok()].into_iter().flatten() {
                let found = with_number(element, Type);
                // Without `half`, the library has no arithmetic of 16-bit floats.
                let is_half = matches!(element, ElementType::F16 | ElementType::BF16);
                if is_half && cfg!(not(feature = "half")) {
                    continue;
                }
                assert_eq!(found, Some(element).filter(|element| element.is_number()));
            }
        }
    }
}
