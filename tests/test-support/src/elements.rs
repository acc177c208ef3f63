//! Element types, written by hand from the specifications: Rust and IEEE 754, OCP's 8-bit floats and microscaling
//! formats, and the headers of NumPy, safetensors, DLPack, XLA and MLIR. The empty text is a type that a system does
//! not have.

/// What the specifications say of an element type.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The name in the notation.
    pub name: &'static str,
    /// The bits of a value, and those that store it.
    pub bits: (usize, usize),
    /// The kind: `b` for bool, `i`, `u`, `f`, or `e` for a power of two.
    pub kind: char,
    /// NumPy's name.
    pub numpy: &'static str,
    /// The name in .safetensors files.
    pub safetensors: &'static str,
    /// The code in DLPack.
    pub dlpack: Option<u8>,
    /// XLA's name.
    pub xla: &'static str,
    /// MLIR's name.
    pub mlir: &'static str,
    /// The type in C.
    pub c: &'static str,
}

type Row = (&'static str, (usize, usize), char, [&'static str; 2], Option<u8>, [&'static str; 3]);

#[rustfmt::skip]
const ROWS: [Row; 28] = [
    ("u1",   (1, 1),   'u', ["", ""],         None,     ["u1",   "i1",   "uint8_t"]),
    ("i1",   (1, 1),   'i', ["", ""],         None,     ["s1",   "i1",   "uint8_t"]),
    ("i2",   (2, 2),   'i', ["", ""],         None,     ["s2",   "i2",   "uint8_t"]),
    ("u2",   (2, 2),   'u', ["", ""],         None,     ["u2",   "i2",   "uint8_t"]),
    ("i4",   (4, 4),   'i', ["", ""],         None,     ["s4",   "i4",   "uint8_t"]),
    ("u4",   (4, 4),   'u', ["", ""],         None,     ["u4",   "i4",   "uint8_t"]),
    ("bool", (8, 8),   'b', ["b1", "BOOL"],   Some(6),  ["pred", "i1",   "uint8_t"]),
    ("i8",   (8, 8),   'i', ["i1", "I8"],     Some(0),  ["s8",   "i8",   "int8_t"]),
    ("u8",   (8, 8),   'u', ["u1", "U8"],     Some(1),  ["u8",   "i8",   "uint8_t"]),
    ("i16",  (16, 16), 'i', ["i2", "I16"],    Some(0),  ["s16",  "i16",  "int16_t"]),
    ("u16",  (16, 16), 'u', ["u2", "U16"],    Some(1),  ["u16",  "i16",  "uint16_t"]),
    ("i32",  (32, 32), 'i', ["i4", "I32"],    Some(0),  ["s32",  "i32",  "int32_t"]),
    ("u32",  (32, 32), 'u', ["u4", "U32"],    Some(1),  ["u32",  "i32",  "uint32_t"]),
    ("i64",  (64, 64), 'i', ["i8", "I64"],    Some(0),  ["s64",  "i64",  "int64_t"]),
    ("u64",  (64, 64), 'u', ["u8", "U64"],    Some(1),  ["u64",  "i64",  "uint64_t"]),
    ("f16",  (16, 16), 'f', ["f2", "F16"],    Some(2),  ["f16",  "f16",  "uint16_t"]),
    ("bf16", (16, 16), 'f', ["", "BF16"],     Some(4),  ["bf16", "bf16", "uint16_t"]),
    ("f32",  (32, 32), 'f', ["f4", "F32"],    Some(2),  ["f32",  "f32",  "float"]),
    ("f64",  (64, 64), 'f', ["f8", "F64"],    Some(2),  ["f64",  "f64",  "double"]),
    ("f8e4m3",        (8, 8), 'f', ["", "F8_E4M3"],     Some(10), ["f8e4m3fn", "f8E4M3FN", "uint8_t"]),
    ("f8e5m2",        (8, 8), 'f', ["", "F8_E5M2"],     Some(12), ["f8e5m2", "f8E5M2", "uint8_t"]),
    ("f8e4m3fnuz",    (8, 8), 'f', ["", "F8_E4M3FNUZ"], Some(11), ["f8e4m3fnuz", "f8E4M3FNUZ", "uint8_t"]),
    ("f8e5m2fnuz",    (8, 8), 'f', ["", "F8_E5M2FNUZ"], Some(13), ["f8e5m2fnuz", "f8E5M2FNUZ", "uint8_t"]),
    ("f8e4m3b11fnuz", (8, 8), 'f', ["", ""],            Some(9),  ["f8e4m3b11fnuz", "f8E4M3B11FNUZ", "uint8_t"]),
    ("f8e3m4",        (8, 8), 'f', ["", ""],            Some(7),  ["f8e3m4", "f8E3M4", "uint8_t"]),
    ("f8e4m3ieee",    (8, 8), 'f', ["", ""],            Some(8),  ["f8e4m3", "f8E4M3", "uint8_t"]),
    ("f8e8m0",        (8, 8), 'e', ["", "F8_E8M0"],     Some(14), ["f8e8m0fnu", "f8E8M0FNU", "uint8_t"]),
    ("f4e2m1",        (4, 4), 'f', ["", "F4"],            None,     ["f4e2m1fn", "f4E2M1FN", "uint8_t"]),
];

/// Floats of 6 bits, which XLA does not have.
const SIX: [Row; 2] = [
    ("f6e2m3", (6, 8), 'f', ["", ""], None, ["", "f6E2M3FN", "uint8_t"]),
    ("f6e3m2", (6, 8), 'f', ["", ""], None, ["", "f6E3M2FN", "uint8_t"]),
];

/// All element types with a name, without integers of other widths.
pub fn elements() -> impl Iterator<Item = Element> {
    ROWS.iter().chain(&SIX).map(|&(name, bits, kind, files, dlpack, systems)| {
        let ([numpy, safetensors], [xla, mlir, c]) = (files, systems);
        Element { name, bits, kind, numpy, safetensors, dlpack, xla, mlir, c }
    })
}

/// The smallest and the largest integer of this kind.
pub fn range(kind: char, bits: usize) -> Option<(i128, i128)> {
    match kind {
        'i' => Some((-(1 << bits) / 2, (1 << bits) / 2 - 1)),
        'u' => Some((0, (1 << bits) - 1)),
        'b' => Some((0, 1)),
        _ => None,
    }
}
