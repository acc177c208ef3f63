//! Numbers of any element type as floats, for types that are known only at run time.

#[cfg(feature = "half")]
use half::{bf16, f16};

use super::elements::HighFirst;
use super::named::{
    f4e2m1, f6e2m3, f6e3m2, f8e3m4, f8e4m3, f8e4m3b11fnuz, f8e4m3fnuz, f8e4m3ieee, f8e5m2,
    f8e5m2fnuz, f8e8m0, i1, i2, i4, u1, u2, u4,
};
use super::number::{Number, Real};
use super::plain;
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
    macro_rules! run {
        (share bytes { $($small:ident $small_type:ident)* } whole { $($(#[$when:meta])? $whole:ident $type:ident)* }) => {
            Some(match element {
                $(ElementType::$small => then.run::<$small_type>(),)*
                $(ElementType::HighFirst(SubByte::$small) => then.run::<HighFirst<$small_type>>(),)*
                $($(#[$when])? ElementType::$whole => then.run::<$type>(),)*
                _ => return None,
            })
        };
    }
    run! {
        share bytes { U1 u1 I1 i1 I2 i2 U2 u2 I4 i4 U4 u4 F4E2M1 f4e2m1 }
        whole {
            Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64
            #[cfg(feature = "half")] F16 f16
            #[cfg(feature = "half")] BF16 bf16
            F32 f32 F64 f64 F8E4M3 f8e4m3 F8E5M2 f8e5m2 F8E4M3FNUZ f8e4m3fnuz F8E5M2FNUZ f8e5m2fnuz
            F8E4M3B11FNUZ f8e4m3b11fnuz F8E3M4 f8e3m4 F8E4M3IEEE f8e4m3ieee F8E8M0 f8e8m0
            F6E2M3 f6e2m3 F6E3M2 f6e3m2
        }
    }
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
        let mut aligned = [plain::zero::<S::Unit>()];
        plain::as_bytes_mut(&mut aligned).copy_from_slice(unit);
        for (i, value) in values.iter_mut().enumerate() {
            if let Some(element) = S::read(&aligned, i) {
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
