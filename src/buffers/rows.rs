//! Copies rows of elements that no kernel copies.

use layout_types::nests::Row;

/// Whether every element of the row lies in buffers of these lengths.
const fn fits(row: &Row, source: usize, destination: usize) -> bool {
    lies_in(row.source, row.source_step, row.size, source)
        && lies_in(row.destination, row.destination_step, row.size, destination)
}

/// Whether `size` elements from `start` on, `step` apart, all have offsets less than `length`.
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
/// Every element of the row lies in `source` and in `destination`, so the row `fits` their lengths.
pub(crate) unsafe fn copy_row<U: Copy>(source: &[U], destination: &mut [U], row: Row) {
    debug_assert!(
        fits(&row, source.len(), destination.len()),
        "{row:?} leaves buffers of {} and {} units",
        source.len(),
        destination.len(),
    );
    let mut from = row.source;
    let mut to = row.destination;
    for _ in 0..row.size {
        // SAFETY: `from` is the offset of an element of the row in the source, and the caller promises that it lies
        // there.
        let element = unsafe { *source.get_unchecked(from) };
        // SAFETY: `to` is the offset of an element of the row in the destination, and the caller promises that it
        // lies there.
        unsafe { *destination.get_unchecked_mut(to) = element };
        from = from.wrapping_add_signed(row.source_step);
        to = to.wrapping_add_signed(row.destination_step);
    }
}
