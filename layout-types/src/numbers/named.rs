//! The element types that Rust does not have.
//!
//! This module has nothing else, so that others export all of it.

use core::fmt;

use layout_core::spec::{ElementType, SubByte};

use super::elements::{
    Element, SubByteElement, places_of, read_bits, sealed, whole_element, write_bits,
};
use super::plain::wrapper;

/// Prints a number as its value.
macro_rules! prints_as_number {
    ({$($generics:tt)*} $name:ty, $value:expr) => {
        /// Writes the value.
        impl<$($generics)*> fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&$value(self), formatter)
            }
        }

        /// Writes the value.
        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&$value(self), formatter)
            }
        }
    };
}

/// A float or a scale in a byte.
macro_rules! byte_floats {
    ($($name:ident $element:ident $text:literal;)*) => {$(
        #[doc = concat!($text, ", held as its bits.")]
        #[allow(non_camel_case_types, reason = "named like the primitive types")]
        #[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            /// Returns the element with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// Returns the bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Returns the value, which `f32` holds exactly.
            #[inline(always)]
            pub const fn to_f32(self) -> f32 {
                const { ElementType::$element.kind() }.small_float(self.0)
            }

            /// Returns the nearest number: see [`Conversion`](crate::Conversion#arithmetic).
            #[inline(always)]
            pub const fn from_f32(value: f32) -> Self {
                Self(const { ElementType::$element.kind() }.nearest_small_float(value))
            }
        }

        prints_as_number!({} $name, |float: &$name| float.to_f32());
        whole_element!($name, ElementType::$element);

        wrapper!($name);
    )*};
}

byte_floats! {
    f8e4m3 F8E4M3 "An 8-bit float, 4 exponent and 3 mantissa bits";
    f8e5m2 F8E5M2 "An 8-bit float, 5 exponent and 2 mantissa bits";
    f8e4m3fnuz F8E4M3FNUZ "An 8-bit float, 4 exponent and 3 mantissa bits; bias 8, NaN in place of negative zero";
    f8e5m2fnuz F8E5M2FNUZ "An 8-bit float, 5 exponent and 2 mantissa bits; bias 16, NaN in place of negative zero";
    f8e4m3b11fnuz F8E4M3B11FNUZ
        "An 8-bit float, 4 exponent and 3 mantissa bits; bias 11, NaN in place of negative zero";
    f8e3m4 F8E3M4 "An 8-bit float, 3 exponent and 4 mantissa bits, with infinities";
    f8e4m3ieee F8E4M3IEEE "An 8-bit float, 4 exponent and 3 mantissa bits, with infinities";
    f8e8m0 F8E8M0 "A power of two in 8 bits, a scale of other elements";
    f6e2m3 F6E2M3 "A 6-bit float, 2 exponent and 3 mantissa bits, in the low bits of a byte whose others mean nothing";
    f6e3m2 F6E3M2 "A 6-bit float, 3 exponent and 2 mantissa bits, in the low bits of a byte whose others mean nothing";
}

/// Elements that share bytes, with `from_bits` and `to_bits`.
macro_rules! shares_bytes {
    ($name:ident, $element:ident) => {
        impl sealed::Element for $name {}

        impl Element for $name {
            type Unit = u8;
            const TYPE: ElementType = ElementType::$element;

            #[inline]
            fn read(units: &[u8], offset: usize) -> Option<Self> {
                read_bits(const { Self::TYPE.in_bytes() }, units, offset).map(Self::from_bits)
            }

            #[inline]
            fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
                write_bits(const { places_of(Self::TYPE) }, units, offset, element.to_bits())
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

/// Integers of less than a byte.
macro_rules! small_integers {
    ($($name:ident $element:ident $value:ty, $bits:literal $text:literal $sharing:literal;)*) => {$(
        #[doc = $text]
        ///
        #[doc = concat!($sharing, ", so their buffers consist of `u8`.")]
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
                // A shift to the right copies the sign, if the type has one.
                Self(((bits << (8 - $bits)) as $value) >> (8 - $bits))
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

        prints_as_number!({} $name, |number: &$name| number.0);
        shares_bytes!($name, $element);
    )*};
}

small_integers! {
    u1 U1 u8, 1 "An unsigned 1-bit integer, 0 or 1." "Eight of them share a byte, the first in the lowest bit";
    i1 I1 i8, 1 "A signed 1-bit integer, -1 or 0." "Eight of them share a byte, the first in the lowest bit";
    i2 I2 i8, 2 "A signed 2-bit integer, -2 to 1." "Four of them share a byte, the first in the lowest bits";
    u2 U2 u8, 2 "An unsigned 2-bit integer, 0 to 3." "Four of them share a byte, the first in the lowest bits";
    i4 I4 i8, 4 "A signed 4-bit integer, -8 to 7."
        "Two of them share a byte, the one with the even offset in the low half";
    u4 U4 u8, 4 "An unsigned 4-bit integer, 0 to 15."
        "Two of them share a byte, the one with the even offset in the low half";
}

/// A 4-bit float, 2 exponent bits and 1 mantissa bit, held as its bits.
///
/// Two of them share a byte, the one with the even offset in the low half, so their buffers consist of `u8`.
#[allow(non_camel_case_types, reason = "named like the primitive types")]
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct f4e2m1(u8);

impl f4e2m1 {
    /// Returns the element in the lowest bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Returns the element in the lowest bits of a byte. The other bits are 0.
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// Returns the value, which `f32` holds exactly.
    #[inline(always)]
    pub const fn to_f32(self) -> f32 {
        const { ElementType::F4E2M1.kind() }.small_float(self.0)
    }

    /// Returns the nearest number: see [`Conversion`](crate::Conversion#arithmetic).
    #[inline(always)]
    pub const fn from_f32(value: f32) -> Self {
        Self(const { ElementType::F4E2M1.kind() }.nearest_small_float(value))
    }
}

prints_as_number!({} f4e2m1, |float: &f4e2m1| float.to_f32());
shares_bytes!(f4e2m1, F4E2M1);

/// An integer of `BITS` bits that is stored in an `S`, the smallest of Rust's integers that holds it: `i24` of
/// `layout!` is `Int<i32, 24>`, and `u3` is `Int<u8, 3>`.
///
/// Writing stores the value as an `S` has it. Reading ignores the bits above the lowest `BITS`, whatever a buffer from
/// elsewhere has there. Samples without such bits, 3 bytes each, are an axis of 3 `u8`.
///
/// ```
/// use tensor_layout::{Int, Tensor, layout};
///
/// type Samples = layout!(CT<C = 2, T = 4>, i24);
///
/// let mut samples = Tensor::<Samples, _>::new(vec![Int::default(); Samples::LEN])?;
/// samples[[1, 3]] = Int::<i32, 24>::new(-5).expect("24 bits hold it");
/// assert_eq!((samples[[1, 3]].get(), Samples::BYTES), (-5, 32));
/// assert_eq!(Int::<i32, 24>::new(1 << 23), None);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Int<S, const BITS: usize>(S);

macro_rules! integers {
    ($($stored:ident)*) => {$(
        impl<const BITS: usize> Int<$stored, BITS> {
            /// The bits above a value.
            const ABOVE: u32 = {
                let stored = $stored::BITS as usize;
                assert!(
                    (stored / 2 < BITS || stored == 8) && BITS < stored,
                    "an `Int` is stored in the smallest integer that holds it, and is not one of Rust's integers"
                );
                (stored - BITS) as u32
            };

            /// The element with this value, or `None` where `BITS` bits cannot hold it.
            pub const fn new(value: $stored) -> Option<Self> {
                if Self(value).get() == value { Some(Self(value)) } else { None }
            }

            /// Returns the value.
            pub const fn get(self) -> $stored {
                // A shift to the right copies the sign, if the type has one.
                self.0 << Self::ABOVE >> Self::ABOVE
            }
        }

        impl<const BITS: usize> PartialEq for Int<$stored, BITS> {
            fn eq(&self, other: &Self) -> bool {
                self.get() == other.get()
            }
        }

        impl<const BITS: usize> Eq for Int<$stored, BITS> {}

        wrapper!({const BITS: usize} Int<$stored, BITS>);

        prints_as_number!({const BITS: usize} Int<$stored, BITS>, |number: &Int<$stored, BITS>| number.get());
        whole_element!({const BITS: usize} Int<$stored, BITS>, {
            let _ = Self::ABOVE;
            match ElementType::integer(BITS, $stored::MIN != 0) {
                Some(element) if matches!(element, ElementType::Integer(_)) => element,
                _ => panic!("integers of 1, 2 and 4 bits share bytes; write them as `u4`"),
            }
        });
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HighFirst;

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
