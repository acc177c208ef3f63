//! Rust types as elements, and the units of their buffers.

use core::fmt;

use bytemuck::{Pod, Zeroable};
#[cfg(feature = "half")]
use half::{bf16, f16};

use layout_core::spec::half_floats::f16_to_f32;
use layout_core::spec::{ElementType, SubByte};

/// A type that can be an element of a layout: `bool`, `i8` to `i64`, `u8` to `u64`, [`f16`](struct@f16), [`bf16`],
/// `f32`, `f64`, [`f8e4m3`], [`f8e5m2`], [`u1`], [`i2`], [`u2`], [`i4`], [`u4`], the last five in [`HighFirst`], and
/// every [`PlainElement`]. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    label = "not an element type",
    note = "element types are bool, u1, i2, u2, i4, u4, i8 to i64, u8 to u64, f16, bf16, f32, f64, f8e4m3 and f8e5m2",
    note = "for a type of your own, derive `bytemuck::Pod` and write `impl PlainElement for {Self} {{}}`"
)]
pub trait Element: Copy + sealed::Element + 'static {
    /// The unit of a buffer: the element itself, or `u8` for `bool` and for elements of less than a byte.
    type Unit: Pod;

    /// The element type as a value.
    const TYPE: ElementType;

    /// Reads the element at `offset` (in elements). Returns `None` beyond the end.
    fn read(units: &[Self::Unit], offset: usize) -> Option<Self>;

    /// Writes the element at `offset` (in elements). Returns `None` beyond the end.
    fn write(units: &mut [Self::Unit], offset: usize, element: Self) -> Option<()>;
}

/// A plain-old-data type of your own as an element. One line implements it:
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

/// An element that is a whole unit of its buffer, so that references and slices can point to it. All elements are, except
/// `bool` and elements of less than a byte.
#[diagnostic::on_unimplemented(
    message = "a buffer holds `{Self}` as bytes, so no reference can point to an element",
    label = "not a whole unit of its buffer",
    note = "read and write such elements with `Tensor::get`, `set`, `iter` and `for_each_mut`"
)]
pub trait WholeElement: Element<Unit = Self> {}

#[diagnostic::do_not_recommend]
impl<E: Element<Unit = E>> WholeElement for E {}

impl sealed::Element for bool {}

/// Its buffers consist of `u8`, since bytes from elsewhere need not be 0 or 1. Every byte except 0 is `true`, and
/// `true` is stored as 1. `bytemuck::cast_slice` converts a slice of `bool` to a slice of `u8`.
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

/// Unsafe code relies on the implementations of `Element`, so the trait is sealed.
mod sealed {
    pub trait Element {}
}

/// Prints a number as its value.
macro_rules! prints_as_number {
    ($name:ident, $value:expr) => {
        /// Writes the value.
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&$value(self), formatter)
            }
        }

        /// Writes the value.
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
        #[allow(non_camel_case_types, reason = "named like the primitive types")]
        #[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            /// Returns the float with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// Returns the bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Returns the value, which `f32` holds exactly.
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

/// OCP's E4M3: the exponent has bias 7, all ones are NaN, and there is no infinity.
fn value_of_e4m3(bits: u8) -> f32 {
    let (exponent, mantissa) = (bits >> 3 & 15, bits & 7);
    let magnitude = match (exponent, mantissa) {
        (15, 7) => f32::NAN,
        (0, _) => f32::from(mantissa) / 512.0,
        // The exponent of f32 has bias 127.
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

/// An element of less than a byte: [`u1`], [`i2`], [`u2`], [`i4`] or [`u4`]. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not share bytes, so its elements have no order within one",
    label = "not an element of less than a byte",
    note = "`high_first` is for u1, i2, u2, i4 and u4"
)]
pub trait SubByteElement: Element<Unit = u8> {
    /// The element type with the first element of a byte in its highest bits.
    #[doc(hidden)]
    const HIGH_FIRST: ElementType;

    /// Returns the element in the lowest bits.
    fn from_bits(bits: u8) -> Self;

    /// Returns the element in the lowest bits of a byte. The other bits are 0.
    fn to_bits(self) -> u8;
}

/// An element type with the first element of a byte in its highest bits. `layout!` makes it from `u4, high_first`.
/// Without this wrapper, the first element is in the lowest bits.
///
/// ```
/// use tensor_layout::{HighFirst, Tensor, layout, u4};
///
/// type Packed = layout!(MK<1, 4>, u4, high_first);
/// let packed = Tensor::<Packed, _>::new([0x12u8, 0x34])?;
/// assert_eq!(packed.get([0, 1]), Some(HighFirst(u4::from_bits(2))));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct HighFirst<E>(pub E);

impl<E> core::ops::Deref for HighFirst<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.0
    }
}

impl<E> From<E> for HighFirst<E> {
    fn from(element: E) -> Self {
        Self(element)
    }
}

/// Writes the value.
impl<E: fmt::Display> fmt::Display for HighFirst<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Writes the value.
impl<E: fmt::Debug> fmt::Debug for HighFirst<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<E: SubByteElement> sealed::Element for HighFirst<E> {}

impl<E: SubByteElement> Element for HighFirst<E> {
    type Unit = u8;
    const TYPE: ElementType = E::HIGH_FIRST;

    #[inline]
    fn read(units: &[u8], offset: usize) -> Option<Self> {
        read_bits(E::HIGH_FIRST, units, offset).map(|bits| Self(E::from_bits(bits)))
    }

    #[inline]
    fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
        write_bits(E::HIGH_FIRST, units, offset, element.0.to_bits())
    }
}

/// The bits of the element at `offset`, and those above it in its byte.
#[inline(always)]
fn read_bits(element: ElementType, units: &[u8], offset: usize) -> Option<u8> {
    let (byte, shift) = element.bits_at(offset);
    units.get(byte).map(|unit| unit >> shift)
}

/// Stores the bits of an element at `offset`. Higher bits must be 0.
#[inline(always)]
fn write_bits(element: ElementType, units: &mut [u8], offset: usize, bits: u8) -> Option<()> {
    let (byte, shift) = element.bits_at(offset);
    let mask = 0xff >> (8 - element.bits());
    units.get_mut(byte).map(|unit| *unit = *unit & !(mask << shift) | bits << shift)
}

macro_rules! sub_byte_element {
    ($name:ident, $value:ty, $bits:literal, $element:ident, $text:literal, $sharing:literal, $extend:expr) => {
        #[doc = $text]
        ///
        #[doc = $sharing]
        #[allow(non_camel_case_types, reason = "named like the primitive types")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
        pub struct $name($value);

        impl $name {
            const MASK: u8 = 0xff >> (8 - $bits);

            /// The smallest value.
            pub const MIN: Self =
                Self::from_bits(if <$value>::MIN == 0 { 0 } else { 1 << ($bits - 1) });
            /// The largest value.
            pub const MAX: Self = Self::from_bits(!Self::MIN.to_bits());

            #[doc = concat!("The element with this value, or `None` where ", $bits, " bits cannot hold it.")]
            pub const fn new(value: $value) -> Option<Self> {
                if value >= Self::MIN.0 && value <= Self::MAX.0 { Some(Self(value)) } else { None }
            }

            /// Returns the element in the lowest bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self($extend(bits & Self::MASK, $bits))
            }

            /// Returns the element in the lowest bits of a byte. The other bits are 0.
            pub const fn to_bits(self) -> u8 {
                self.0 as u8 & Self::MASK
            }

            /// Returns the value.
            pub const fn get(self) -> $value {
                self.0
            }
        }

        prints_as_number!($name, |number: &$name| number.0);

        impl sealed::Element for $name {}

        impl Element for $name {
            type Unit = u8;
            const TYPE: ElementType = ElementType::$element;

            #[inline]
            fn read(units: &[u8], offset: usize) -> Option<Self> {
                read_bits(Self::TYPE, units, offset).map(Self::from_bits)
            }

            #[inline]
            fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
                write_bits(Self::TYPE, units, offset, element.to_bits())
            }
        }

        impl SubByteElement for $name {
            const HIGH_FIRST: ElementType = ElementType::HighFirst(SubByte::$element);

            #[inline(always)]
            fn from_bits(bits: u8) -> Self {
                Self::from_bits(bits)
            }

            #[inline(always)]
            fn to_bits(self) -> u8 {
                self.to_bits()
            }
        }
    };
}

const fn sign_extended(value: u8, bits: u32) -> i8 {
    ((value << (8 - bits)) as i8) >> (8 - bits)
}

const fn unchanged(value: u8, _: u32) -> u8 {
    value
}

sub_byte_element!(
    u1,
    u8,
    1,
    U1,
    "An unsigned 1-bit integer, 0 or 1.",
    "Eight of them share a byte, the first in the lowest bit, so their buffers consist of `u8`.",
    unchanged
);
sub_byte_element!(
    i2,
    i8,
    2,
    I2,
    "A signed 2-bit integer, -2 to 1.",
    "Four of them share a byte, the first in the lowest bits, so their buffers consist of `u8`.",
    sign_extended
);
sub_byte_element!(
    u2,
    u8,
    2,
    U2,
    "An unsigned 2-bit integer, 0 to 3.",
    "Four of them share a byte, the first in the lowest bits, so their buffers consist of `u8`.",
    unchanged
);
sub_byte_element!(
    i4,
    i8,
    4,
    I4,
    "A signed 4-bit integer, -8 to 7.",
    "Two of them share a byte, the one with the even offset in the low half, so their buffers consist of `u8`.",
    sign_extended
);
sub_byte_element!(
    u4,
    u8,
    4,
    U4,
    "An unsigned 4-bit integer, 0 to 15.",
    "Two of them share a byte, the one with the even offset in the low half, so their buffers consist of `u8`.",
    unchanged
);

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
        assert_eq!((i2::MIN.get(), i2::MAX.get(), u2::MAX.get(), u1::MAX.get()), (-2, 1, 3, 1));
        let mut bytes = [0xff; 2];
        u2::write(&mut bytes, 6, u2::MIN).unwrap();
        HighFirst::<u1>::write(&mut bytes, 1, HighFirst(u1::MIN)).unwrap();
        assert_eq!(bytes, [0b1011_1111, 0b1100_1111]);
        let twos = [0, 1, 6, 7].map(|offset| i2::read(&bytes, offset).unwrap().get());
        assert_eq!(twos, [-1, -1, 0, -1]);
        assert_eq!(HighFirst::<u1>::read(&bytes, 1).unwrap().get(), 0);
    }

    #[test]
    fn numbers_print_as_their_values() {
        use std::format;
        assert_eq!(format!("{:?} {:3?} {}", i4::MIN, u4::MAX, i4::MAX), "-8  15 7");
        // The table of OCP's specification: zero, the smallest, the largest, one and NaN.
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
