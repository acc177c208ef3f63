//! The fill value of padding as bits, which a type can carry.

macro_rules! bits_of {
    ($($name:ident: $type:ty, $value:ident => $bits:expr;)*) => {$(
        /// Returns the bits of a value.
        pub const fn $name($value: $type) -> u64 {
            $bits
        }
    )*};
}

bits_of! {
    u1: crate::u1, value => value.to_bits() as u64;
    i2: crate::i2, value => value.to_bits() as u64;
    u2: crate::u2, value => value.to_bits() as u64;
    i4: crate::i4, value => value.to_bits() as u64;
    u4: crate::u4, value => value.to_bits() as u64;
    bool: bool, value => value as u64;
    i8: i8, value => value as u8 as u64;
    u8: u8, value => value as u64;
    i16: i16, value => value as u16 as u64;
    u16: u16, value => value as u64;
    i32: i32, value => value as u32 as u64;
    u32: u32, value => value as u64;
    i64: i64, value => value as u64;
    u64: u64, value => value;
    f32: f32, value => value.to_bits() as u64;
    f64: f64, value => value.to_bits();
    f8e4m3: crate::f8e4m3, value => value.to_bits() as u64;
    f8e5m2: crate::f8e5m2, value => value.to_bits() as u64;
}

#[cfg(feature = "half")]
bits_of! {
    f16: crate::f16, value => value.to_bits() as u64;
    bf16: crate::bf16, value => value.to_bits() as u64;
}
