//! Moves tensors element by element: in const evaluation, and where there are no kernels.

use super::boxes::Boxes;
use super::nest::Row;
use super::pair::Pair;

/// Moves every element of the source to its place in the destination.
///
/// # Panics
/// If a buffer is shorter than its layout.
pub const fn move_elements<U: Copy>(pair: &Pair, source: &[U], destination: &mut [U]) {
    let mut boxes = Boxes::new(pair, None);
    while let Some(nest) = boxes.next() {
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            // No call for each element: const evaluation counts them, and a lint stops it after two
            // million.
            let (mut from, mut to) = (row.source as isize, row.destination as isize);
            let mut i = 0;
            while i < row.size {
                destination[to as usize] = source[from as usize];
                from += row.source_step;
                to += row.destination_step;
                i += 1;
            }
        }
    }
}

/// [`move_elements`] for 4-bit elements, two of which share a byte.
///
/// # Panics
/// If a buffer is shorter than its layout.
pub const fn move_nibbles(pair: &Pair, source: &[u8], destination: &mut [u8]) {
    let mut boxes = Boxes::new(pair, None);
    while let Some(nest) = boxes.next() {
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            row.copy_nibbles(source, destination);
        }
    }
}

impl Row {
    /// Copies a row of 4-bit elements, one at a time.
    ///
    /// # Panics
    /// If an element of the row lies outside its buffer.
    pub const fn copy_nibbles(&self, source: &[u8], destination: &mut [u8]) {
        let (mut from, mut to) = (self.source, self.destination);
        let mut i = 0;
        while i < self.size {
            let element = source[from / 2] >> (from % 2 * 4) & 0xf;
            let shift = to % 2 * 4;
            destination[to / 2] = destination[to / 2] & !(0xf << shift) | element << shift;
            from = from.wrapping_add_signed(self.source_step);
            to = to.wrapping_add_signed(self.destination_step);
            i += 1;
        }
    }
}
