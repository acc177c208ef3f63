//! Moves tensors element by element, in const evaluation and where there are no kernels.

use super::boxes::Boxes;
use super::nest::Row;
use super::pair::Pair;
use crate::spec::ElementType;

/// Moves every element of the source to its offset in the destination.
///
/// # Panics
/// If a buffer is shorter than its layout.
pub const fn move_elements<U: Copy>(pair: &Pair, source: &[U], destination: &mut [U]) {
    let mut boxes = Boxes::new(pair, None);
    while let Some(nest) = boxes.next() {
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            // This makes no call for each element: const evaluation counts calls, and a lint stops it after two
            // million.
            let (mut from, mut to) = (row.source as isize, row.destination as isize);
            each!(_, 0..row.size, {
                destination[to as usize] = source[from as usize];
                from += row.source_step;
                to += row.destination_step;
            });
        }
    }
}

/// [`move_elements`] for elements of less than a byte.
///
/// # Panics
/// If a buffer is shorter than its layout.
pub const fn move_bits(pair: &Pair, source: &[u8], destination: &mut [u8]) {
    let elements = (pair.source.element(), pair.destination.element());
    let mut boxes = Boxes::new(pair, None);
    while let Some(nest) = boxes.next() {
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            row.copy_bits(elements, source, destination);
        }
    }
}

impl Row {
    /// Copies a row of elements of less than a byte, one at a time. Both element types have the same number of bits.
    ///
    /// # Panics
    /// If an element of the row is outside its buffer.
    pub const fn copy_bits(
        &self,
        (read, written): (ElementType, ElementType),
        source: &[u8],
        destination: &mut [u8],
    ) {
        let (mask, read, written) =
            (0xff >> (8 - read.bits()), read.in_bytes(), written.in_bytes());
        let (mut from, mut to) = (self.source, self.destination);
        each!(_, 0..self.size, {
            let ((byte, shift), (to_byte, place)) = (read.at(from), written.at(to));
            let element = source[byte] >> shift & mask;
            destination[to_byte] = destination[to_byte] & !(mask << place) | element << place;
            from = from.wrapping_add_signed(self.source_step);
            to = to.wrapping_add_signed(self.destination_step);
        });
    }
}
