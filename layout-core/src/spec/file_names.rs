//! Names of the element types in file formats.

use super::element::ElementType::{self, *};
use super::text::same_text;

/// Element types of files: their names in .npy files, without the byte order, and in .safetensors files.
const NAMES: &[(ElementType, Option<&str>, &str)] = &[
    (Bool, Some("b1"), "BOOL"),
    (I8, Some("i1"), "I8"),
    (U8, Some("u1"), "U8"),
    (I16, Some("i2"), "I16"),
    (U16, Some("u2"), "U16"),
    (I32, Some("i4"), "I32"),
    (U32, Some("u4"), "U32"),
    (I64, Some("i8"), "I64"),
    (U64, Some("u8"), "U64"),
    (F16, Some("f2"), "F16"),
    (BF16, None, "BF16"),
    (F32, Some("f4"), "F32"),
    (F64, Some("f8"), "F64"),
    (F8E4M3, None, "F8_E4M3"),
    (F8E5M2, None, "F8_E5M2"),
];

impl ElementType {
    /// NumPy's name of the type, without the byte order, such as `f4`. `None` if NumPy does not have the type.
    pub const fn numpy_name(self) -> Option<&'static str> {
        let mut i = 0;
        while i < NAMES.len() {
            if NAMES[i].0.same(self) {
                return NAMES[i].1;
            }
            i += 1;
        }
        None
    }

    /// Returns the type that NumPy calls `name`, without the byte order.
    pub const fn from_numpy_name(name: &str) -> Option<Self> {
        let mut i = 0;
        while i < NAMES.len() {
            match NAMES[i].1 {
                Some(own) if same_text(own, name) => return Some(NAMES[i].0),
                _ => i += 1,
            }
        }
        None
    }

    /// Returns the type that .safetensors files call `name`.
    pub const fn from_safetensors_name(name: &str) -> Option<Self> {
        let mut i = 0;
        while i < NAMES.len() {
            if same_text(NAMES[i].2, name) {
                return Some(NAMES[i].0);
            }
            i += 1;
        }
        None
    }
}
