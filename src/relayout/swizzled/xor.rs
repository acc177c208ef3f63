//! The effect of a swizzle on offsets, and elements moved one by one between swizzles, if neither groups nor blocks of a
//! box can be copied.

use layout_types::Swizzle;
use layout_types::nests::Nest;
use layout_types::plain::Plain;

/// The effect of a swizzle on an offset. Without a swizzle, the offset stays as it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Xor {
    read: usize,
    mask: usize,
    changed: usize,
    /// The number of elements that stay contiguous.
    group: usize,
}

impl Xor {
    /// Changes nothing.
    pub(super) const NONE: Self =
        Self { read: usize::BITS as usize - 1, mask: 0, changed: 0, group: 1 << (usize::BITS - 1) };

    /// The effect on offsets in elements.
    pub(in crate::relayout) const fn of(swizzle: Option<Swizzle>) -> Self {
        let Some(swizzle) = swizzle else { return Self::NONE };
        let (base, far) = (swizzle.base(), swizzle.base() + swizzle.shift().unsigned_abs());
        let (read, changed) = if swizzle.shift() > 0 { (far, base) } else { (base, far) };
        Self { read, mask: (1 << swizzle.bits()) - 1, changed, group: 1 << base }
    }

    /// The same of units of `2^unit` bits or bytes instead of elements of `2^element`: no more than a group.
    pub(in crate::relayout) const fn of_units(self, element: usize, unit: usize) -> Self {
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

    /// The effect on offsets in bytes, of elements of `bits` bits. Returns `None` if bytes do not move as a whole.
    pub(super) const fn of_bytes(swizzle: Option<Swizzle>, bits: usize) -> Option<Self> {
        let Some(swizzle) = swizzle else { return Some(Self::NONE) };
        let log = bits.trailing_zeros() as usize;
        if !bits.is_power_of_two() || swizzle.base() + log < 3 {
            return None;
        }
        Some(Self::of(Some(swizzle)).of_units(log, 3))
    }

    /// Whether there is a swizzle.
    pub(in crate::relayout) const fn is_some(self) -> bool {
        self.mask > 0
    }

    /// The number of elements that stay contiguous.
    pub(super) const fn group(self) -> usize {
        self.group
    }

    /// The bytes of a group, of elements of this many bytes.
    pub(in crate::relayout) const fn group_bytes(self, element: usize) -> usize {
        self.group.saturating_mul(element)
    }

    /// What the swizzle XORs an offset with.
    #[inline(always)]
    pub(super) const fn value(self, offset: usize) -> usize {
        (offset >> self.read & self.mask) << self.changed
    }

    /// The number of offsets, from this one on, that are XORed with the same value.
    #[inline(always)]
    pub(super) const fn until(self, offset: usize) -> usize {
        (1 << self.read) - (offset & ((1 << self.read) - 1))
    }

    #[inline(always)]
    pub(in crate::relayout) const fn apply(self, offset: usize) -> usize {
        offset ^ self.value(offset)
    }
}

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
