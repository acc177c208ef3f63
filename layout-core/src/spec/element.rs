//! The element types, one row each.
//!
//! Names, texts, files, macros and source code read this table. A new type is a row here and, in `layout-types`, a line
//! with its Rust type.

/// What the bits of an element mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// 0 is false.
    Bool,
    /// An integer, in two's complement if it is signed.
    Integer {
        /// Whether there are negative values.
        signed: bool,
    },
    /// A sign, an exponent and a mantissa.
    Float(FloatBits),
    /// The exponent of a power of two: no sign, no zero, and all ones are NaN.
    Scale,
    /// A type of the user's own.
    Plain,
}

/// The parts of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatBits {
    /// The number of bits of the exponent.
    pub exponent: u8,
    /// The number of bits of the mantissa.
    pub mantissa: u8,
    /// The exponent of 1.
    pub bias: u16,
    /// Which bits are not numbers.
    pub specials: Specials,
}

/// The bits of a float that are not numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specials {
    /// The largest exponent: infinity, and NaN with any mantissa except 0.
    Ieee,
    /// All ones after the sign are NaN, and there is no infinity.
    Ones,
    /// Negative zero is NaN, and there is no infinity.
    NegativeZero,
    /// All bits are numbers.
    None,
}

/// What there is to know about an element type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The name in `layout!`.
    pub(crate) name: &'static str,
    /// The number of bits of a value.
    pub(crate) bits: u8,
    pub(crate) kind: Kind,
    /// NumPy's name, without the byte order.
    pub(crate) numpy: Option<&'static str>,
    /// The name in .safetensors files.
    pub(crate) safetensors: Option<&'static str>,
    /// The code of the type in DLPack.
    pub(crate) dlpack: Option<u8>,
    /// Names of the type in other systems.
    pub(crate) others: &'static [&'static str],
}

impl Row {
    const fn new(name: &'static str, bits: u8, kind: Kind) -> Self {
        let (numpy, safetensors, dlpack) = (None, None, None);
        Self { name, bits, kind, numpy, safetensors, dlpack, others: &[] }
    }

    const fn signed(name: &'static str, bits: u8) -> Self {
        Self::new(name, bits, Kind::Integer { signed: true })
    }

    const fn unsigned(name: &'static str, bits: u8) -> Self {
        Self::new(name, bits, Kind::Integer { signed: false })
    }

    /// A float with a sign. The bias is half of the range of exponents, as in IEEE 754.
    const fn float(name: &'static str, exponent: u8, mantissa: u8, specials: Specials) -> Self {
        let bias = (1 << (exponent - 1)) - 1;
        let float = FloatBits { exponent, mantissa, bias, specials };
        Self::new(name, 1 + exponent + mantissa, Kind::Float(float))
    }

    /// The same float with another bias.
    const fn bias(mut self, bias: u16) -> Self {
        if let Kind::Float(float) = &mut self.kind {
            float.bias = bias;
        }
        self
    }

    const fn numpy(mut self, name: &'static str) -> Self {
        self.numpy = Some(name);
        self
    }

    const fn safetensors(mut self, name: &'static str) -> Self {
        self.safetensors = Some(name);
        self
    }

    const fn dlpack(mut self, code: u8) -> Self {
        self.dlpack = Some(code);
        self
    }

    const fn others(mut self, names: &'static [&'static str]) -> Self {
        self.others = names;
        self
    }
}

/// The row of integers of a width that has no variant, and of types of the user's own.
pub(crate) const fn unnamed(bits: u8, kind: Kind) -> Row {
    Row::new("", bits, kind)
}

/// The number of bits in which a value of `bits` bits is stored.
const fn stored(bits: u8) -> usize {
    match bits {
        1 | 2 | 4 => bits as usize,
        ..8 => 8,
        _ => (bits as usize).next_power_of_two(),
    }
}

/// Makes enums of the table. A row is a variant, its description, and what there is to know.
macro_rules! elements {
    (
        less than a byte { $($small:ident $small_text:literal = $small_row:expr;)* }
        whole bytes { $($whole:ident $whole_text:literal = $whole_row:expr;)* }
    ) => {
        /// The type of an element.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum ElementType {
            $(#[doc = concat!($small_text, ". Several share a byte, the first in its lowest bits.")] $small,)*
            $(#[doc = concat!($whole_text, ".")] $whole,)*
            /// Elements of less than a byte, with the first one of a byte in its highest bits.
            HighFirst(SubByte),
            /// An integer of 1 to 64 bits whose width has no variant of its own, such as `i24`.
            Integer(IntegerWidth),
            /// A type of your own.
            Plain {
                /// Its size in bytes.
                bytes: usize,
                /// Its alignment in bytes.
                align: usize,
            },
        }

        /// An element type in two bytes, but for the size of a type of the user's own.
        #[doc(hidden)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum ElementCode {
            $(#[doc = $small_text] $small,)*
            $(#[doc = $whole_text] $whole,)*
            /// Elements of less than a byte, the first in the highest bits.
            HighFirst(SubByte),
            /// An integer of another width.
            Integer(IntegerWidth),
            /// The alignment of a type of the user's own, as a power of two.
            Plain(u8),
        }

        impl ElementCode {
            /// The code of an element type, and the size of a type of the user's own in bytes, or 0.
            pub const fn of(element: ElementType) -> (Self, usize) {
                let code = match element {
                    $(ElementType::$small => Self::$small,)*
                    $(ElementType::$whole => Self::$whole,)*
                    ElementType::HighFirst(row) => Self::HighFirst(row),
                    ElementType::Integer(row) => Self::Integer(row),
                    ElementType::Plain { bytes, align } => {
                        return (Self::Plain(align.trailing_zeros() as u8), bytes);
                    }
                };
                (code, 0)
            }

            /// The element type.
            #[inline(always)]
            pub const fn element(self, bytes: usize) -> ElementType {
                match self {
                    $(Self::$small => ElementType::$small,)*
                    $(Self::$whole => ElementType::$whole,)*
                    Self::HighFirst(named) => ElementType::HighFirst(named),
                    Self::Integer(named) => ElementType::Integer(named),
                    Self::Plain(align) => ElementType::Plain { bytes, align: 1 << align },
                }
            }
        }

        /// The element types of less than a byte.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum SubByte {
            $(#[doc = concat!("[`ElementType::", stringify!($small), "`].")] $small,)*
        }

        impl SubByte {
            /// The type with the first element of a byte in its lowest bits.
            pub(crate) const fn low_first(self) -> ElementType {
                match self {
                    $(Self::$small => ElementType::$small,)*
                }
            }
        }

        impl ElementType {
            /// The types that have a variant of their own, with the first element of a byte in its lowest bits.
            pub const NAMED: &'static [Self] = &[$(Self::$small,)* $(Self::$whole,)*];

            /// The type of the same elements of less than a byte, whatever their order. `None` for other elements.
            pub(crate) const fn sub_byte(self) -> Option<SubByte> {
                match self {
                    $(Self::$small => Some(SubByte::$small),)*
                    Self::HighFirst(small) => Some(small),
                    _ => None,
                }
            }

            pub(crate) const fn row(self) -> Row {
                match self {
                    $(Self::$small => const { $small_row },)*
                    $(Self::$whole => const { $whole_row },)*
                    Self::HighFirst(part) => part.low_first().row(),
                    Self::Integer(part) => part.row(),
                    Self::Plain { .. } => const { unnamed(0, Kind::Plain) },
                }
            }

            /// The name, if it is in the table. A program that needs no more of a row has no more of it.
            pub(crate) const fn label(self) -> &'static str {
                match self {
                    $(Self::$small => const { $small_row.name },)*
                    $(Self::$whole => const { $whole_row.name },)*
                    Self::HighFirst(small) => small.low_first().label(),
                    Self::Integer(_) | Self::Plain { .. } => "",
                }
            }

            /// The width in bits: 1, 2, 4, or a multiple of 8. Values of another width are stored in the next power of
            /// two, at least 8: those of `i3` and `f6e2m3` in 8 bits, those of `i24` in 32.
            pub const fn bits(self) -> usize {
                // Const evaluation visits all constants of a function at each call of it, and not its statics.
                static BITS: [u8; ElementType::NAMED.len()] =
                    [$(stored($small_row.bits) as u8,)* $(stored($whole_row.bits) as u8,)*];
                enum Named { $($small,)* $($whole,)* }
                let named = match self {
                    $(Self::$small => Named::$small,)*
                    $(Self::$whole => Named::$whole,)*
                    Self::HighFirst(part) => return part.low_first().bits(),
                    Self::Integer(part) => return stored(part.bits),
                    // `check_element` refuses a size whose bits overflow.
                    Self::Plain { bytes, .. } => return bytes.saturating_mul(8),
                };
                BITS[named as usize] as usize
            }

            /// What the type is.
            #[doc(hidden)]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$small => $small_text,)*
                    $(Self::$whole => $whole_text,)*
                    Self::HighFirst(small) => small.low_first().description(),
                    Self::Integer(_) => "an integer",
                    Self::Plain { .. } => "a type of the program",
                }
            }
        }
    };
}

use Specials::{Ieee, NegativeZero, Ones};

#[rustfmt::skip]
elements! {
    less than a byte {
        U1 "Unsigned 1-bit integer" = Row::unsigned("u1", 1).others(&["uint1"]);
        I1 "Signed 1-bit integer" = Row::signed("i1", 1).others(&["int1", "s1"]);
        I2 "Signed 2-bit integer" = Row::signed("i2", 2).others(&["int2", "s2"]);
        U2 "Unsigned 2-bit integer" = Row::unsigned("u2", 2).others(&["uint2"]);
        I4 "Signed 4-bit integer" = Row::signed("i4", 4).others(&["int4", "s4"]);
        U4 "Unsigned 4-bit integer" = Row::unsigned("u4", 4).others(&["uint4"]);
        F4E2M1 "OCP's 4-bit float with 2 exponent bits and 1 mantissa bit" =
            Row::float("f4e2m1", 2, 1, Specials::None).safetensors("F4").others(&["e2m1", "fp4", "f4", "float4_e2m1fn", "f4e2m1fn"]);
    }
    whole bytes {
        Bool "A byte: 0 is false, every other value is true, and `true` is stored as 1" =
            Row::new("bool", 8, Kind::Bool).numpy("b1").safetensors("BOOL").dlpack(6);
        I8 "Signed 8-bit integer" = Row::signed("i8", 8).numpy("i1").safetensors("I8").dlpack(0)
            .others(&["s8", "int8", "qint8"]);
        U8 "Unsigned 8-bit integer" = Row::unsigned("u8", 8).numpy("u1").safetensors("U8").dlpack(1)
            .others(&["uint8", "quint8", "byte"]);
        I16 "Signed 16-bit integer" = Row::signed("i16", 16).numpy("i2").safetensors("I16").dlpack(0)
            .others(&["int16", "short"]);
        U16 "Unsigned 16-bit integer" = Row::unsigned("u16", 16).numpy("u2").safetensors("U16").dlpack(1)
            .others(&["uint16"]);
        I32 "Signed 32-bit integer" = Row::signed("i32", 32).numpy("i4").safetensors("I32").dlpack(0)
            .others(&["s32", "int32", "int"]);
        U32 "Unsigned 32-bit integer" = Row::unsigned("u32", 32).numpy("u4").safetensors("U32").dlpack(1)
            .others(&["uint32"]);
        I64 "Signed 64-bit integer" = Row::signed("i64", 64).numpy("i8").safetensors("I64").dlpack(0)
            .others(&["int64", "long"]);
        U64 "Unsigned 64-bit integer" = Row::unsigned("u64", 64).numpy("u8").safetensors("U64").dlpack(1)
            .others(&["uint64"]);
        F16 "IEEE 754 binary16" = Row::float("f16", 5, 10, Ieee).numpy("f2").safetensors("F16").dlpack(2)
            .others(&["fp16", "float16", "half"]);
        BF16 "bfloat16, the upper half of binary32" =
            Row::float("bf16", 8, 7, Ieee).safetensors("BF16").dlpack(4).others(&["bfp16", "bfloat16"]);
        F32 "IEEE 754 binary32" = Row::float("f32", 8, 23, Ieee).numpy("f4").safetensors("F32").dlpack(2)
            .others(&["fp32", "float32", "float"]);
        F64 "IEEE 754 binary64" = Row::float("f64", 11, 52, Ieee).numpy("f8").safetensors("F64").dlpack(2)
            .others(&["fp64", "float64", "double"]);
        F8E4M3 "OCP's 8-bit float with 4 exponent and 3 mantissa bits" =
            Row::float("f8e4m3", 4, 3, Ones).safetensors("F8_E4M3").dlpack(10)
            .others(&["f8", "fp8", "float8", "float8_e4m3", "float8_e4m3fn", "f8e4m3fn"]);
        F8E5M2 "OCP's 8-bit float with 5 exponent and 2 mantissa bits" =
            Row::float("f8e5m2", 5, 2, Ieee).safetensors("F8_E5M2").dlpack(12)
            .others(&["f8", "fp8", "float8", "float8_e5m2"]);
        F8E4M3FNUZ "8-bit float with 4 exponent and 3 mantissa bits, bias 8, and NaN in place of negative zero" =
            Row::float("f8e4m3fnuz", 4, 3, NegativeZero).bias(8).safetensors("F8_E4M3FNUZ").dlpack(11)
            .others(&["float8_e4m3fnuz"]);
        F8E5M2FNUZ "8-bit float with 5 exponent and 2 mantissa bits, bias 16, and NaN in place of negative zero" =
            Row::float("f8e5m2fnuz", 5, 2, NegativeZero).bias(16).safetensors("F8_E5M2FNUZ").dlpack(13)
            .others(&["float8_e5m2fnuz"]);
        F8E4M3B11FNUZ "8-bit float with 4 exponent and 3 mantissa bits, bias 11, and NaN in place of negative zero" =
            Row::float("f8e4m3b11fnuz", 4, 3, NegativeZero).bias(11).dlpack(9).others(&["float8_e4m3b11fnuz"]);
        F8E3M4 "8-bit float with 3 exponent and 4 mantissa bits, and infinities as in IEEE 754" =
            Row::float("f8e3m4", 3, 4, Ieee).dlpack(7).others(&["float8_e3m4"]);
        F8E4M3IEEE "8-bit float with 4 exponent and 3 mantissa bits, and infinities as in IEEE 754" =
            Row::float("f8e4m3ieee", 4, 3, Ieee).dlpack(8).others(&["float8_e4m3"]);
        F8E8M0 "OCP's 8-bit scale, a power of two" =
            Row::new("f8e8m0", 8, Kind::Scale).safetensors("F8_E8M0").dlpack(14)
            .others(&["e8m0", "ue8m0", "float8_e8m0fnu", "f8e8m0fnu"]);
        F6E2M3 "OCP's 6-bit float with 2 exponent and 3 mantissa bits, in the low bits of a byte" =
            Row::float("f6e2m3", 2, 3, Specials::None).others(&["e2m3", "fp6", "f6", "float6_e2m3fn", "f6e2m3fn"]);
        F6E3M2 "OCP's 6-bit float with 3 exponent and 2 mantissa bits, in the low bits of a byte" =
            Row::float("f6e3m2", 3, 2, Specials::None).others(&["e3m2", "fp6", "f6", "float6_e3m2fn", "f6e3m2fn"]);
    }
}

/// An integer type whose width has no variant in [`ElementType`]. [`ElementType::integer`] makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct IntegerWidth {
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

impl IntegerWidth {
    const fn row(self) -> Row {
        unnamed(self.bits, Kind::Integer { signed: self.signed })
    }
}
