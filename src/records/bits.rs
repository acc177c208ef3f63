//! Elements in bytes, at any bit, in little-endian order.

use layout_records::RecordField;
use layout_types::Element;
use layout_types::plain;

/// The number of bits of an element.
const fn width_of<E: Element>() -> usize {
    E::TYPE.value_bits()
}

/// The element with these bits.
#[inline(always)]
fn element_of<E: Element>(bits: u64) -> Option<E> {
    let mut units = [plain::zero::<E::Unit>()];
    let bytes = plain::as_bytes_mut(&mut units);
    let count = bytes.len();
    let source = bits.to_le_bytes();
    bytes.copy_from_slice(source.get(..count)?);
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    E::read(&units, 0)
}

/// Reads the element of a field whose first bit is `bit`. `None` past the end of the bytes.
#[inline(always)]
pub(super) fn read<E: Element>(bytes: &[u8], bit: u64, field: &RecordField) -> Option<E> {
    let (width, first) = (const { width_of::<E>() }, (bit / 8) as usize);
    if const { matches!(width_of::<E>(), 1 | 2 | 4) } && !field.is_high_first() {
        // Whole within a byte, as those before it are.
        let within = u64::from(*bytes.get(first)?) >> (bit % 8);
        let next = if (bit % 8) as usize + width > 8 {
            u64::from(*bytes.get(first + 1)?) << (8 - bit % 8)
        } else {
            0
        };
        return element_of((within | next) & ((1 << width) - 1));
    }
    element_of(field.bits_at(bytes, bit)?)
}
