//! Moves elements one by one between swizzles, if neither groups nor blocks of a box can be copied.

use layout_types::nests::Nest;
use layout_types::plain::Plain;

use super::xor::Xor;

/// Copies elements one by one.
///
/// # Safety
/// Every place of the nest lies in `source` and in `destination`.
pub(in crate::relayout) unsafe fn copy_elements<U: Plain>(
    nest: &Nest,
    source: &[U],
    destination: &mut [U],
) {
    let [from, to] = nest.swizzles();
    let (is_from, is_to) = (from.is_some(), to.is_some());
    let (from, to) = (Xor::of(from), Xor::of(to));
    // The side without a swizzle takes no time for one: half of what an element takes.
    match (is_from, is_to) {
        // SAFETY: the caller's promise.
        (true, false) => unsafe {
            copy_each(nest, source, destination, |at| from.apply(at), |at| at)
        },
        // SAFETY: the caller's promise.
        (false, true) => unsafe {
            copy_each(nest, source, destination, |at| at, |at| to.apply(at))
        },
        // SAFETY: the caller's promise.
        _ => unsafe {
            copy_each(nest, source, destination, |at| from.apply(at), |at| to.apply(at));
        },
    }
}

/// Copies elements one by one between the places that `from` and `to` make of the offsets of a nest.
///
/// # Safety
/// These lie in `source` and in `destination`.
unsafe fn copy_each<U: Plain>(
    nest: &Nest,
    source: &[U],
    destination: &mut [U],
    from: impl Fn(usize) -> usize,
    to: impl Fn(usize) -> usize,
) {
    let mut rows = nest.linear_rows();
    while let Some(row) = rows.next() {
        let (mut read, mut written) = (row.source, row.destination);
        for _ in 0..row.size {
            let (at, place) = (from(read), to(written));
            debug_assert!(at < source.len(), "{row:?} leaves its source");
            debug_assert!(place < destination.len(), "{row:?} leaves its destination");
            // SAFETY: the caller's promise.
            let element = unsafe { source.get_unchecked(at) };
            // SAFETY: the caller's promise.
            let place = unsafe { destination.get_unchecked_mut(place) };
            *place = *element;
            read = read.wrapping_add_signed(row.source_step);
            written = written.wrapping_add_signed(row.destination_step);
        }
    }
}
