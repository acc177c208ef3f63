//! Offsets and strides of layouts with extents known at run time.

use super::markers::{ExtentList, Order};
use super::mixed::Mixed;
use super::statics::first;
use crate::numbers::Element;
use layout_core::Digit;
use layout_core::Partial;
use layout_core::spec::{LayoutError, MAX_FACTORS, Rule, broken};

impl<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize, const UNKNOWN: usize>
    Mixed<E, X, O, RANK, UNKNOWN>
{
    /// Returns the offset of `coordinate`, in elements. Strides that depend on no unknown extent are literals. The
    /// others cost one multiplication each, as in code written by hand.
    ///
    /// # Panics
    /// With debug assertions, if an index is not below its extent. Without them, the result is meaningless in this
    /// case. [`checked_offset`](Self::checked_offset) always checks.
    #[inline(always)]
    #[track_caller]
    pub const fn offset(&self, coordinate: [usize; RANK]) -> usize {
        if cfg!(debug_assertions) {
            if let Some(axis) = self.first_outside(&coordinate) {
                self.refuse(axis, coordinate[axis])
            }
        }
        if const { !Self::PARTIAL.is_complete } {
            return self.layout().offset(&coordinate);
        }
        self.place(coordinate)
    }

    /// Returns the offset of `coordinate` in elements, or an error that names the axis that is out of bounds.
    #[inline(always)]
    pub const fn checked_offset(&self, coordinate: [usize; RANK]) -> Result<usize, LayoutError> {
        match self.first_outside(&coordinate) {
            None => Ok(self.offset(coordinate)),
            Some(axis) => Err(self.outside(axis, coordinate[axis])),
        }
    }

    #[inline(always)]
    const fn first_outside(&self, coordinate: &[usize; RANK]) -> Option<usize> {
        layout_core::each!(i, 0..RANK, {
            if coordinate[i] >= self.extent(i) {
                return Some(i);
            }
        });
        None
    }

    /// The error of a coordinate that is out of bounds on `axis`.
    #[cold]
    const fn outside(&self, axis: usize, coordinate: usize) -> LayoutError {
        let letter = X::AXES[axis].letter;
        let (axes, extent) = (Self::LETTERS, self.extent(axis));
        LayoutError(Rule::Coordinate { axes, letter, extent, coordinate })
    }

    /// Panics because a coordinate is out of bounds on `axis`.
    #[cold]
    #[inline(never)]
    #[track_caller]
    const fn refuse(&self, axis: usize, coordinate: usize) -> ! {
        let letter = X::AXES[axis].letter;
        broken::OutOfBounds { letter, extent: self.extent(axis), coordinate }.panic()
    }

    /// The stride of each axis in elements, in coordinate order, or `None` if an axis has no single stride.
    #[inline]
    pub const fn strides(&self) -> Option<[isize; RANK]> {
        // An empty layout has strides of its own, unless they depend on no extent.
        if const { Self::PLACES_ARE_STRIDES }
            && (const { Self::PARTIAL.is_constant(0) } || !self.is_empty())
        {
            let mut strides = [0; RANK];
            layout_core::each!(i, 0..RANK, {
                let mut one = [0; RANK];
                let zero = self.place(one);
                one[i] = 1;
                strides[i] = self.place(one).wrapping_sub(zero) as isize;
            });
            return Some(strides);
        }
        match self.layout().strides() {
            Some(strides) => Some(first(strides.as_slice(), 0)),
            None => None,
        }
    }

    #[inline(always)]
    const fn is_empty(&self) -> bool {
        for_each_axis!(RANK, axis => if self.extent(axis) == 0 {
            return true;
        });
        false
    }

    /// Whether the offsets of coordinates 1 are the strides of a layout that is not empty. Where rows are rounded to
    /// whole bytes, an axis of extent 1 has another stride.
    const PLACES_ARE_STRIDES: bool = Self::PARTIAL.is_complete
        && Self::PARTIAL.is_strided()
        && Self::PARTIAL.swizzle.is_none()
        && (E::TYPE.per_byte() == 1 || O::FILL.is_none());

    /// [`offset`](Self::offset), computed from the digits of [`PARTIAL`](Self::PARTIAL).
    #[allow(unused_assignments, reason = "the last digit has no other to hand a number to")]
    #[inline(always)]
    const fn place(&self, coordinate: [usize; RANK]) -> usize {
        // The number of elements in one step of the digit that others count in.
        let mut steps = [0usize; MAX_FACTORS];
        let mut step = 0usize;
        // The number of such steps that all faster digits take.
        let mut room = 1usize;
        macro_rules! find_steps {
            ($($i:literal)*) => {$(
                if const { Self::PARTIAL.is_counted($i) } {
                    let digit = const { Self::PARTIAL.digit($i) };
                    if const { Self::PARTIAL.is_step($i) } {
                        let rule = const { Self::PARTIAL.step($i) };
                        step = rule.after(room.wrapping_mul(step), self.pitches());
                        steps[$i] = step;
                        room = 1;
                    }
                    let extra = const { Self::PARTIAL.extra($i) };
                    room = room.wrapping_mul(self.size(digit, extra));
                }
            )*};
        }
        find_steps!(15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        let mut offset = match const { Self::PARTIAL.base } {
            Some(base) => base,
            None => 0usize,
        };
        let mut count = 0usize;
        macro_rules! add_digits {
            ($($i:literal)*) => {$(
                let digit = const { Self::PARTIAL.digit($i) };
                let extent = const { Self::PARTIAL.extent($i) };
                if const { Self::PARTIAL.is_counted($i) } {
                    let value = digit.value(coordinate[digit.axis], extent);
                    let extra = const { Self::PARTIAL.extra($i) };
                    count = count.wrapping_mul(self.size(digit, extra)).wrapping_add(value);
                    if const { Self::PARTIAL.is_step($i) } {
                        offset = offset.wrapping_add(count.wrapping_mul(steps[$i]));
                        count = 0;
                    }
                } else if const { Self::PARTIAL.is_constant($i) } {
                    offset = offset.wrapping_add(if digit.stride < 0 && const { Self::PARTIAL.base.is_none() } {
                        // With a negative stride, the last coordinate has the lowest offset.
                        let last = self.extent(digit.axis).wrapping_sub(1);
                        let value = last.wrapping_sub(coordinate[digit.axis]);
                        value.wrapping_mul(digit.stride.unsigned_abs())
                    } else {
                        digit.place(coordinate[digit.axis], extent)
                    });
                }
            )*};
        }
        add_digits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        match const { Self::PARTIAL.swizzle } {
            Some(swizzle) => swizzle.apply(offset),
            None => offset,
        }
    }

    /// The size of a digit. An unknown size is `(extent + extra) / weight`.
    #[inline(always)]
    const fn size(&self, digit: Digit, extra: usize) -> usize {
        match digit.size {
            // It cannot wrap if there are coordinates, since memory holds the whole last block.
            Partial::UNKNOWN => self.extent(digit.axis).wrapping_add(extra) / digit.weight,
            size => size,
        }
    }
}
