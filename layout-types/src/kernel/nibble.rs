//! Rows of 4-bit elements, two of which share a byte, the even offset in the low half.

use super::row::Row;

/// Copies a row, one element at a time. Offsets and steps count elements.
///
/// # Panics
/// If an element of the row lies outside its buffer.
pub(crate) const fn copy_nibbles(source: &[u8], destination: &mut [u8], row: Row) {
    let mut from = row.source;
    let mut to = row.destination;
    let mut i = 0;
    while i < row.size {
        let nibble = source[from / 2] >> (from % 2 * 4) & 0xf;
        let shift = to % 2 * 4;
        let pair = destination[to / 2];
        destination[to / 2] = pair & !(0xf << shift) | nibble << shift;
        from = from.wrapping_add_signed(row.source_step);
        to = to.wrapping_add_signed(row.destination_step);
        i += 1;
    }
}
