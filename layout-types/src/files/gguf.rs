//! Numbers in .gguf files.

use layout_core::ElementType;

/// The numbers of types that are not records.
pub const GGUF_ELEMENTS: [(u32, ElementType); 8] = [
    (0, ElementType::F32),
    (1, ElementType::F16),
    (24, ElementType::I8),
    (25, ElementType::I16),
    (26, ElementType::I32),
    (27, ElementType::I64),
    (28, ElementType::F64),
    (30, ElementType::BF16),
];

/// The bytes of values, by the numbers of their types. 8 is a text, 9 an array.
pub const GGUF_VALUE_BYTES: [u64; 13] = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];

/// The most axes of a tensor that are read, twice as many as ggml has.
pub const GGUF_MOST_AXES: u32 = 8;
