//! Rust types as elements, and the units that buffers of them are made of.

use core::fmt;

use bytemuck::{Pod, Zeroable};
#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::spec::ElementType;
use crate::spec::half_floats::f16_to_f32;

/// A type that a layout can place: `bool`, `i8` to `i64`, `u8` to `u64`, [`f16`](struct@f16), [`bf16`], `f32`, `f64`,
/// [`f8e4m3`], [`f8e5m2`], [`i4`], [`u4`], and every [`PlainElement`]. Nothing else implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    label = "not an element type",
    note = "element types are bool, i4, u4, i8 to i64, u8 to u64, f16, bf16, f32, f64, f8e4m3 and f8e5m2",
    note = "for a type of your own, derive `bytemuck::Pod` and write `impl PlainElement for {Self} {{}}`"
)]
pub trait Element: Copy + sealed::Element + 'static {
    /// What a buffer is made of: the element itself, or `u8` for two 4-bit elements.
    type Unit: Pod;

    /// The element type as a value.
    const TYPE: ElementType;

    /// The element at `offset` (in elements), or `None` past the end.
    fn read(units: &[Self::Unit], offset: usize) -> Option<Self>;

    /// Stores the element at `offset` (in elements); `None` past the end.
    fn write(units: &mut [Self::Unit], offset: usize, element: Self) -> Option<()>;
}

/// A plain-old-data type of the user's own as an element. One line makes it one:
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use tensor_layout::PlainElement;
///
/// #[derive(Clone, Copy, Pod, Zeroable)]
/// #[repr(C)]
/// struct Complex {
///     re: f32,
///     im: f32,
/// }
///
/// impl PlainElement for Complex {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    note = "derive `bytemuck::Pod` and write `impl PlainElement for {Self} {{}}`"
)]
pub trait PlainElement: Pod {}

macro_rules! whole_element {
    ($({$($generics:tt)*})? $type:ty, $name:expr) => {
        impl $(<$($generics)*>)? sealed::Element for $type {}

        impl $(<$($generics)*>)? Element for $type {
            type Unit = Self;
            const TYPE: ElementType = $name;

            #[inline]
            fn read(units: &[Self], offset: usize) -> Option<Self> {
                units.get(offset).copied()
            }

            #[inline]
            fn write(units: &mut [Self], offset: usize, element: Self) -> Option<()> {
                units.get_mut(offset).map(|unit| *unit = element)
            }
        }
    };
}

whole_element!(i8, ElementType::I8);
whole_element!(u8, ElementType::U8);
whole_element!(i16, ElementType::I16);
whole_element!(u16, ElementType::U16);
whole_element!(i32, ElementType::I32);
whole_element!(u32, ElementType::U32);
whole_element!(i64, ElementType::I64);
whole_element!(u64, ElementType::U64);
#[cfg(feature = "half")]
whole_element!(f16, ElementType::F16);
#[cfg(feature = "half")]
whole_element!(bf16, ElementType::BF16);
whole_element!(f32, ElementType::F32);
whole_element!(f64, ElementType::F64);
whole_element!(f8e4m3, ElementType::F8E4M3);
whole_element!(f8e5m2, ElementType::F8E5M2);
whole_element!({T: PlainElement} T, ElementType::Plain { bytes: size_of::<T>(), align: align_of::<T>() });

impl sealed::Element for bool {}

/// A buffer of them is made of `u8`, since bytes from elsewhere need not be 0 or 1: every byte but 0 is `true`, and
/// `true` is stored as 1. A slice of `bool` is one of `u8` for `bytemuck::cast_slice`.
impl Element for bool {
    type Unit = u8;
    const TYPE: ElementType = ElementType::Bool;

    #[inline]
    fn read(units: &[u8], offset: usize) -> Option<Self> {
        units.get(offset).map(|&byte| byte != 0)
    }

    #[inline]
    fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
        units.get_mut(offset).map(|unit| *unit = u8::from(element))
    }
}

/// Pairs of numbers, real part first.
#[cfg(feature = "num-complex")]
impl<T> PlainElement for num_complex::Complex<T> where num_complex::Complex<T>: Pod {}

/// Unsafe code relies on what elements say of themselves, so there are no others.
mod sealed {
    pub trait Element {}
}

/// A number prints as its value does.
macro_rules! prints_as_number {
    ($name:ident, $value:expr) => {
        /// The value.
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&$value(self), formatter)
            }
        }

        /// The value.
        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&$value(self), formatter)
            }
        }
    };
}

macro_rules! byte_float {
    ($name:ident, $text:literal, $value:expr) => {
        #[doc = concat!("An 8-bit float, ", $text, ", held as its bits.")]
        #[allow(non_camel_case_types, reason = "written like the primitive types it stands beside")]
        #[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            /// The float with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// The value, which `f32` holds exactly.
            pub fn to_f32(self) -> f32 {
                $value(self.0)
            }
        }

        prints_as_number!($name, |float: &$name| float.to_f32());

        #[expect(unsafe_code, reason = "only its author can say which bit patterns are values")]
        // SAFETY: a transparent wrapper of `u8`, for which zero is a value.
        unsafe impl Zeroable for $name {}

        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: a transparent wrapper of `u8`, which is `Pod`; every bit pattern is a value.
        unsafe impl Pod for $name {}
    };
}

/// OCP's E4M3: the exponent counts from -7, all ones are no number, and there is no infinity.
fn value_of_e4m3(bits: u8) -> f32 {
    let (exponent, mantissa) = (bits >> 3 & 15, bits & 7);
    let magnitude = match (exponent, mantissa) {
        (15, 7) => f32::NAN,
        (0, _) => f32::from(mantissa) / 512.0,
        // The exponent of f32 counts from -127.
        _ => f32::from_bits((u32::from(exponent) + 120) << 23 | u32::from(mantissa) << 20),
    };
    if bits >> 7 == 1 { -magnitude } else { magnitude }
}

/// OCP's E5M2: the upper half of a 16-bit float.
fn value_of_e5m2(bits: u8) -> f32 {
    f16_to_f32(u16::from(bits) << 8)
}

byte_float!(f8e4m3, "4 exponent and 3 mantissa bits", value_of_e4m3);
byte_float!(f8e5m2, "5 exponent and 2 mantissa bits", value_of_e5m2);

macro_rules! nibble_element {
    ($name:ident, $value:ty, $element:expr, $text:literal, $extend:expr) => {
        #[doc = $text]
        ///
        /// Two of them share a byte, the one with the even offset in the low half, so buffers of
        /// them are made of `u8`.
        #[allow(non_camel_case_types, reason = "written like the primitive types it stands beside")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
        pub struct $name($value);

        impl $name {
            /// The smallest value.
            pub const MIN: Self = Self($extend(if <$value>::MIN == 0 { 0 } else { 8 }));
            /// The largest value.
            pub const MAX: Self = Self($extend(if <$value>::MIN == 0 { 15 } else { 7 }));

            /// The element with this value, or `None` where 4 bits cannot hold it.
            pub const fn new(value: $value) -> Option<Self> {
                if value >= Self::MIN.0 && value <= Self::MAX.0 { Some(Self(value)) } else { None }
            }

            /// The element that the low half of `bits` holds.
            pub const fn from_bits(bits: u8) -> Self {
                Self($extend(bits & 0xf))
            }

            /// The element in the low half of a byte, the high half 0.
            pub const fn to_bits(self) -> u8 {
                self.0 as u8 & 0xf
            }

            /// The value.
            pub const fn get(self) -> $value {
                self.0
            }
        }

        prints_as_number!($name, |number: &$name| number.0);

        impl sealed::Element for $name {}

        impl Element for $name {
            type Unit = u8;
            const TYPE: ElementType = $element;

            #[inline]
            fn read(units: &[u8], offset: usize) -> Option<Self> {
                units.get(offset / 2).map(|pair| Self::from_bits(pair >> (offset % 2 * 4)))
            }

            #[inline]
            fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
                let shift = offset % 2 * 4;
                let keep = 0xf0u8.rotate_left(shift as u32);
                units
                    .get_mut(offset / 2)
                    .map(|pair| *pair = *pair & keep | element.to_bits() << shift)
            }
        }
    };
}

const fn sign_extended(nibble: u8) -> i8 {
    ((nibble << 4) as i8) >> 4
}

const fn unchanged(nibble: u8) -> u8 {
    nibble
}

nibble_element!(i4, i8, ElementType::I4, "A signed 4-bit integer, -8 to 7.", sign_extended);
nibble_element!(u4, u8, ElementType::U4, "An unsigned 4-bit integer, 0 to 15.", unchanged);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibbles_share_bytes_without_touching_each_other() {
        let mut bytes = [0xff; 2];
        i4::write(&mut bytes, 1, i4::new(-8).unwrap()).unwrap();
        i4::write(&mut bytes, 2, i4::new(7).unwrap()).unwrap();
        assert_eq!(bytes, [0x8f, 0xf7]);
        let values = [0, 1, 2, 3].map(|offset| i4::read(&bytes, offset).unwrap().get());
        assert_eq!(values, [-1, -8, 7, -1]);
        assert_eq!(u4::read(&bytes, 0).unwrap().get(), 15);
        assert_eq!(i4::read(&bytes, 4), None);
        assert_eq!((i4::new(8), i4::new(-9), u4::new(16)), (None, None, None));
        assert_eq!((i4::MIN.get(), i4::MAX.get(), u4::MAX.get()), (-8, 7, 15));
    }

    #[test]
    fn numbers_print_as_their_values() {
        use std::format;
        assert_eq!(format!("{:?} {:3?} {}", i4::MIN, u4::MAX, i4::MAX), "-8  15 7");
        // The table of OCP's specification: zero, the smallest, the largest, one and no number.
        for (bits, text) in [
            (0, "0"),
            (1, "0.001953125"),
            (7, "0.013671875"),
            (8, "0.015625"),
            (0x38, "1"),
            (0x7e, "448"),
            (0xfe, "-448"),
            (0xc2, "-2.5"),
            (0x7f, "NaN"),
        ] {
            assert_eq!(format!("{}", f8e4m3::from_bits(bits)), text);
        }
        for (bits, text) in [
            (0x80, "-0"),
            (1, "0.000015258789"),
            (4, "0.000061035156"),
            (0x3c, "1"),
            (0x7b, "57344"),
            (0xfc, "-inf"),
            (0x7d, "NaN"),
            (0xc1, "-2.5"),
        ] {
            assert_eq!(format!("{}", f8e5m2::from_bits(bits)), text);
        }
        assert_eq!(
            format!("{:?} {:.1}", f8e5m2::from_bits(0x3e), f8e4m3::from_bits(0x3c)),
            "1.5 1.5"
        );
    }
}
