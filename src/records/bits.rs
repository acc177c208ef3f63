//! Elements in bytes, at any bit, in little-endian order.

use layout_records::RecordField;
use layout_types::Element;
use layout_types::plain;

/// The element with these bits.
#[inline(always)]
fn element_of<E: Element>(bits: u64) -> Option<E> {
    E::read(&[plain::from_bits::<E::Unit>(bits)], 0)
}

/// Reads the element of a field whose first bit is `bit`. `None` past the end of the bytes.
#[inline(always)]
pub(super) fn read<E: Element>(bytes: &[u8], bit: u64, field: &RecordField) -> Option<E> {
    let (width, first) = (const { E::TYPE.value_bits() }, (bit / 8) as usize);
    if const { matches!(E::TYPE.value_bits(), 1 | 2 | 4) }
        && !field.is_high_first()
        && field.words().is_none()
    {
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
