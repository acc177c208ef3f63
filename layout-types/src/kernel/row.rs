//! Rows: evenly spaced elements of the source to evenly spaced places of the destination.

/// So many elements, from where in either buffer, and how far apart; all in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) size: usize,
    pub(crate) source: usize,
    pub(crate) source_step: isize,
    pub(crate) destination: usize,
    pub(crate) destination_step: isize,
}

impl Row {
    /// Whether every element of the row lies in buffers of these lengths.
    pub(crate) const fn fits(&self, source: usize, destination: usize) -> bool {
        lies_in(self.source, self.source_step, self.size, source)
            && lies_in(self.destination, self.destination_step, self.size, destination)
    }
}

/// Whether `size` elements from `start` on, `step` apart, are all below `length`.
const fn lies_in(start: usize, step: isize, size: usize, length: usize) -> bool {
    if size == 0 {
        return true;
    }
    let way = (size - 1) as i128 * step as i128;
    let last = start as i128 + way;
    start < length && last >= 0 && last < length as i128
}

/// Copies a row.
///
/// # Safety
/// Every element of the row lies in `source` and in `destination`: it `fits` their lengths.
pub(crate) unsafe fn copy_row<U: Copy>(source: &[U], destination: &mut [U], row: Row) {
    debug_assert!(
        row.fits(source.len(), destination.len()),
        "{row:?} leaves buffers of {} and {} units",
        source.len(),
        destination.len(),
    );
    let mut from = row.source;
    let mut to = row.destination;
    for _ in 0..row.size {
        // SAFETY: `from` is the offset of an element of the row in the source, which by the
        // caller's promise lies in it.
        let element = unsafe { *source.get_unchecked(from) };
        // SAFETY: `to` is the offset of an element of the row in the destination, which by the
        // caller's promise lies in it.
        unsafe { *destination.get_unchecked_mut(to) = element };
        from = from.wrapping_add_signed(row.source_step);
        to = to.wrapping_add_signed(row.destination_step);
    }
}
