//! The padding of a layout, which is filled before elements are moved.

use core::num::NonZeroUsize;

use crate::layout::Layout;

/// Equally spaced parts of a buffer that contain all padding. They may contain elements too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// The distance from one part to the next, in units.
    pub every: NonZeroUsize,
    /// The start of the first part.
    pub start: usize,
    /// The number of units of a part.
    pub length: usize,
    /// The number of elements of all parts.
    pub elements: usize,
}

impl Padding {
    /// Returns the padding of a layout, if it has any.
    ///
    /// If only one axis has padding, in its last block, the parts are the last blocks, with all their units. Otherwise
    /// the part is the whole buffer.
    pub const fn of(layout: &Layout) -> Option<Self> {
        let Some(all) = NonZeroUsize::new(layout.units()) else { return None };
        if !layout.has_padding() {
            return None;
        }
        let count = layout.numel();
        let anywhere = Self { every: all, start: 0, length: all.get(), elements: count };
        if layout.swizzle().is_some() {
            return Some(anywhere);
        }
        let digits = layout.digits();
        let mut together = 1;
        let mut found = anywhere;
        each!(rev i, 0..digits.count, {
            let digit = &digits.list[i];
            if digit.stride != together as isize || digit.shift != 0 {
                return Some(anywhere);
            }
            let last = (digit.size - 1) * digit.weight;
            let extent = layout.extent(digit.axis);
            // The slowest digit of its axis, whose last step is incomplete.
            if extent > last && extent < last + digit.weight {
                // The last blocks of only one axis, which has several steps. Otherwise parts would be adjacent.
                if digit.size == 1 || found.length < all.get() {
                    return Some(anywhere);
                }
                let Some(every) = NonZeroUsize::new(together * digit.size) else { return None };
                let elements = count / extent * (extent - last);
                let start = (digit.size - 1) * together;
                found = Self { every, start, length: together, elements };
            }
            together *= digit.size;
        });
        let whole_bytes = layout.element().bits() >= 8;
        Some(if whole_bytes && layout.base() == 0 && together == all.get() {
            found
        } else {
            anywhere
        })
    }

    /// Whether the part is the whole buffer.
    pub const fn is_everywhere(&self) -> bool {
        self.length == self.every.get()
    }

    /// Fills the padding.
    pub fn fill<U: Copy>(&self, destination: &mut [U], unit: U) {
        for units in destination.chunks_mut(self.every.get()) {
            let rest = units.get_mut(self.start..);
            if let Some(part) = rest.and_then(|rest| rest.get_mut(..self.length)) {
                part.fill(unit);
            }
        }
    }
}
