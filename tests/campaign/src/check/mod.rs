//! What must hold, one kind of case a file. Each check compares the library with tables and bytes that
//! the campaign computed itself.

#[cfg(feature = "moves")]
pub mod converts;
pub mod extremes;
#[cfg(feature = "moves")]
pub mod files;
pub mod forms;
#[cfg(feature = "moves")]
pub mod moves;
#[cfg(feature = "moves")]
pub mod parts;
#[cfg(feature = "moves")]
pub mod statics;
pub mod views;

use crate::element::Element;
#[cfg(feature = "moves")]
use crate::guard::Position;
use test_support::Random;

/// What a case came to, where nothing is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The library did what the case requires.
    Done,
    /// The library refused the case, and said why.
    Refused,
}

/// Fails with a text unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)*) => {
        if !$condition {
            return Err(format!($($text)*));
        }
    };
}
pub(crate) use ensure;

/// Random bytes.
pub fn bytes(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.bits() as u8).collect()
}

/// Somewhere between guard pages, aligned for `align` bytes.
#[cfg(feature = "moves")]
pub fn position(random: &mut Random, align: usize) -> Position {
    let distance = random.pick(&[0, 0, 0, 1, 2, 3, 8, 16, 33, 64]);
    Position { is_at_end: !random.once_in(3), distance, align }
}

/// The element at `offset`, in bits of its own: one byte for elements of less.
pub fn read(buffer: &[u8], element: Element, offset: usize) -> Vec<u8> {
    let bits = element.bits();
    if bits < 8 {
        let (byte, below) = element.place(offset);
        return vec![buffer[byte] >> below & ((1 << bits) - 1)];
    }
    buffer[offset * bits / 8..][..bits / 8].to_vec()
}

/// Stores an element as [`read`] gives it.
pub fn write(buffer: &mut [u8], element: Element, offset: usize, value: &[u8]) {
    let bits = element.bits();
    if bits < 8 {
        let (byte, below) = element.place(offset);
        for bit in below..below + bits {
            buffer[byte] &= !(1 << bit);
        }
        buffer[byte] |= value[0] << below;
        return;
    }
    buffer[offset * bits / 8..][..bits / 8].copy_from_slice(value);
}

/// The element that these bits are, as [`read`] gives it.
pub fn element_of_bits(value: u64, bits: usize) -> Vec<u8> {
    match bits {
        1..8 => vec![value as u8 & ((1 << bits) - 1)],
        8 => vec![value as u8],
        16 => (value as u16).to_ne_bytes().to_vec(),
        32 => (value as u32).to_ne_bytes().to_vec(),
        64 => value.to_ne_bytes().to_vec(),
        _ => vec![0; bits / 8],
    }
}

/// The first byte in which two buffers differ.
pub fn first_difference(found: &[u8], expected: &[u8]) -> Option<String> {
    let at = found.iter().zip(expected).position(|(one, other)| one != other)?;
    Some(format!("byte {at} is {:#04x}, not {:#04x}", found[at], expected[at]))
}
