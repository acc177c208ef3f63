//! Element types in two bytes.

use super::element::{ElementType, SubByte};

/// An element type but for the size of a type of the user's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ElementCode {
    kind: u8,
    /// The alignment of a type of the user's own, as a power of two.
    align: u8,
}

/// The code of a type of the user's own.
const PLAIN: u8 = u8::MAX;

macro_rules! codes {
    ($($code:literal $name:ident)*; $($high:literal $part:ident)*) => {
        impl ElementCode {
            /// The code of an element type, and the size of a type of the user's own in bytes.
            pub(crate) const fn of(element: ElementType) -> (Self, usize) {
                let kind = match element {
                    ElementType::Plain { bytes, align } => {
                        return (Self { kind: PLAIN, align: align.trailing_zeros() as u8 }, bytes);
                    }
                    $(ElementType::$name => $code,)*
                    $(ElementType::HighFirst(SubByte::$part) => $high,)*
                };
                (Self { kind, align: 0 }, 0)
            }

            /// The element type.
            #[inline(always)]
            pub(crate) const fn element(self, bytes: usize) -> ElementType {
                match self.kind {
                    $($code => ElementType::$name,)*
                    $($high => ElementType::HighFirst(SubByte::$part),)*
                    _ => ElementType::Plain { bytes, align: 1 << self.align },
                }
            }
        }
    };
}

codes! {
    0 U1 1 I2 2 U2 3 I4 4 U4 5 Bool 6 I8 7 U8 8 I16 9 U16 10 I32 11 U32 12 I64 13 U64 14 F16 15 BF16 16 F32 17 F64
    18 F8E4M3 19 F8E5M2; 20 U1 21 I2 22 U2 23 I4 24 U4
}
