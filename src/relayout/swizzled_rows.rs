//! Rows between layouts with swizzles, moved in groups of elements that stay contiguous, or one by one.

use bytemuck::Pod;

use layout_types::Swizzle;
use layout_types::nests::{Nest, Row};

/// The effect of a swizzle on an offset. Without a swizzle, the offset stays as it is.
#[derive(Clone, Copy)]
pub(super) struct Xor {
    read: usize,
    mask: usize,
    changed: usize,
    /// The number of elements that stay contiguous.
    group: usize,
}

impl Xor {
    pub(super) const fn of(swizzle: Option<Swizzle>) -> Self {
        let Some(swizzle) = swizzle else {
            return Self { read: 0, mask: 0, changed: 0, group: 1 << (usize::BITS - 1) };
        };
        let (base, far) = (swizzle.base(), swizzle.base() + swizzle.shift().unsigned_abs());
        let (read, changed) = if swizzle.shift() > 0 { (far, base) } else { (base, far) };
        Self { read, mask: (1 << swizzle.bits()) - 1, changed, group: 1 << base }
    }

    /// The same of units of `2^unit` bytes instead of elements of `2^element`: no more than a group.
    pub(super) const fn of_units(self, element: usize, unit: usize) -> Self {
        match self.mask {
            0 => self,
            _ => Self {
                read: self.read + element - unit,
                changed: self.changed + element - unit,
                group: (self.group << element) >> unit,
                ..self
            },
        }
    }

    /// The bytes of a group, of elements of this many bytes.
    pub(super) const fn group_bytes(self, element: usize) -> usize {
        self.group.saturating_mul(element)
    }

    #[inline(always)]
    pub(super) const fn apply(self, offset: usize) -> usize {
        offset ^ (offset >> self.read & self.mask) << self.changed
    }
}

/// Copies rows that are contiguous on both sides before the swizzles, group by group.
///
/// # Safety
/// Every offset of the nest lies in `source` and in `destination`.
pub(super) unsafe fn copy_groups<U: Pod>(nest: &Nest, source: &[U], destination: &mut [U]) {
    let (from, to) = nest.swizzles();
    let (from, to) = (Xor::of(from), Xor::of(to));
    let group = from.group.min(to.group);
    let bytes = from.group_bytes(size_of::<U>()).min(to.group_bytes(size_of::<U>()));
    let mut rows = nest.linear_rows();
    while let Some(row) = rows.next() {
        let is_whole = (row.source | row.destination | row.size) & (group - 1) == 0;
        let (from, to) = ((from, source), (to, &mut *destination));
        match bytes {
            // SAFETY: the caller's promise.
            2 if is_whole => unsafe { copy_chunks::<U, 2>(&row, from, to) },
            // SAFETY: the caller's promise.
            4 if is_whole => unsafe { copy_chunks::<U, 4>(&row, from, to) },
            // SAFETY: the caller's promise.
            8 if is_whole => unsafe { copy_chunks::<U, 8>(&row, from, to) },
            // SAFETY: the caller's promise.
            16 if is_whole => unsafe { copy_chunks::<U, 16>(&row, from, to) },
            // SAFETY: the caller's promise.
            32 if is_whole => unsafe { copy_chunks::<U, 32>(&row, from, to) },
            // SAFETY: the caller's promise.
            64 if is_whole => unsafe { copy_chunks::<U, 64>(&row, from, to) },
            _ => copy_pieces(&row, from, to),
        }
    }
}

/// Copies a row of whole groups of `BYTES` bytes.
///
/// # Safety
/// Every element of the row, swizzled, lies in `source` and in `destination`.
unsafe fn copy_chunks<U: Pod, const BYTES: usize>(
    row: &Row,
    (from, source): (Xor, &[U]),
    (to, destination): (Xor, &mut [U]),
) {
    let group = BYTES / size_of::<U>();
    for first in (0..row.size).step_by(group) {
        let read = from.apply(row.source + first);
        let written = to.apply(row.destination + first);
        debug_assert!(read + group <= source.len(), "{row:?} leaves its source");
        debug_assert!(written + group <= destination.len(), "{row:?} leaves its destination");
        let chunk = source.as_ptr().wrapping_add(read).cast::<[u8; BYTES]>();
        let place = destination.as_mut_ptr().wrapping_add(written).cast::<[u8; BYTES]>();
        // SAFETY: a swizzle keeps the elements of a group contiguous. All elements of this group are in the row, and
        // the caller promises that these lie in the source.
        let chunk = unsafe { chunk.read_unaligned() };
        // SAFETY: the same proof, for the destination.
        unsafe { place.write_unaligned(chunk) };
    }
}

/// Copies a row that begins or ends inside a group.
fn copy_pieces<U: Pod>(row: &Row, (from, source): (Xor, &[U]), (to, destination): (Xor, &mut [U])) {
    let rest = |xor: Xor, offset: usize| xor.group - offset % xor.group;
    let mut first = 0;
    while first < row.size {
        let (read, written) = (row.source + first, row.destination + first);
        let size = (row.size - first).min(rest(from, read)).min(rest(to, written));
        let piece = source.get(from.apply(read)..).and_then(|rest| rest.get(..size));
        let place = destination.get_mut(to.apply(written)..).and_then(|rest| rest.get_mut(..size));
        debug_assert!(piece.is_some() && place.is_some(), "{row:?} leaves its buffers");
        if let (Some(piece), Some(place)) = (piece, place) {
            place.copy_from_slice(piece);
        }
        first += size;
    }
}

/// Copies elements one by one.
///
/// # Safety
/// Every place of the nest lies in `source` and in `destination`.
pub(super) unsafe fn copy_elements<U: Pod>(nest: &Nest, source: &[U], destination: &mut [U]) {
    let (from, to) = nest.swizzles();
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
unsafe fn copy_each<U: Pod>(
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
