//! Loops over the coordinates of several layouts of one shape at once, whatever their formats.
//!
//! As `boxes` does for two layouts, but at run time and for any number: the coordinates are cut into boxes over
//! which all offsets are affine, and the loops of a box nest in the order that suits most of the layouts.

use super::sides::{Side, Weights, least};
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The most loops of a box.
const MAX_LOOPS: usize = 2 * MAX_FACTORS;

/// The steps of a loop that is worth being the innermost.
const SHORT: usize = 16;

/// A loop: how many steps, and the elements of a step in each layout.
#[derive(Clone, Copy, Debug)]
pub struct Loop<const N: usize> {
    /// How many steps.
    pub size: usize,
    /// The elements of a step in each layout.
    pub strides: [isize; N],
}

impl<const N: usize> Loop<N> {
    /// One step.
    const ONCE: Self = Self { size: 1, strides: [0; N] };

    /// Whether the loop belongs outside of `other`: as most of the layouts have it, or the last of them.
    fn is_slower(&self, other: &Self) -> bool {
        let mut votes = 0;
        let mut last = false;
        for (own, other) in self.strides.iter().zip(&other.strides) {
            let (own, other) = (own.unsigned_abs(), other.unsigned_abs());
            // A layout that stays where it is has no say.
            if own != 0 && other != 0 {
                votes += i32::from(own > other) - i32::from(own < other);
            }
            last = own > other;
        }
        votes > 0 || votes == 0 && last
    }

    /// Whether one step is as far as all those of `inner`, in all layouts.
    fn follows(&self, inner: &Self) -> bool {
        let size = inner.size as isize;
        let mut strides = self.strides.iter().zip(&inner.strides);
        strides.all(|(own, inner)| inner.checked_mul(size) == Some(*own))
    }
}

/// The loops over several layouts.
///
/// Law: every coordinate is visited once.
pub struct Several<'a, const N: usize> {
    layouts: [&'a Layout; N],
    /// For each layout, where the axes of the last one are.
    axes: [[usize; MAX_RANK]; N],
    /// Where the next box begins, as a coordinate of the last layout.
    start: [usize; MAX_RANK],
    done: bool,
    /// The loops of the box, slowest first.
    loops: [Loop<N>; MAX_LOOPS],
    count: usize,
}

impl<'a, const N: usize> Several<'a, N> {
    /// The loops over `layouts`, one or more, whose axes are matched by letter.
    ///
    /// # Errors
    /// Different axes or extents.
    pub fn new(layouts: [&'a Layout; N]) -> Result<Self, LayoutError> {
        let last = layouts[N - 1];
        let mut axes = [[0; MAX_RANK]; N];
        for (layout, axes) in layouts.iter().zip(&mut axes) {
            let error = LayoutError(Rule::RelayoutAxes {
                source: layout.letters(),
                destination: last.letters(),
            });
            if layout.rank() != last.rank() {
                return Err(error);
            }
            for (i, axis) in axes[..last.rank()].iter_mut().enumerate() {
                let letter = last.letters().at(i);
                *axis = layout.letters().position(letter).ok_or(error)?;
                let (source, destination) = (layout.extents()[*axis], last.extents()[i]);
                if source != destination {
                    let extents = Rule::RelayoutExtent { letter, source, destination };
                    return Err(LayoutError(extents));
                }
            }
        }
        let (start, done) = ([0; MAX_RANK], last.count() == 0);
        Ok(Self { layouts, axes, start, done, loops: [Loop::ONCE; MAX_LOOPS], count: 0 })
    }

    /// The next box, with the offsets at which it begins and its loops, slowest first.
    pub fn next_box(&mut self) -> Option<([usize; N], &[Loop<N>])> {
        if self.done {
            return None;
        }
        let last = self.layouts[N - 1];
        let rank = last.rank();
        let mut offsets = [0; N];
        for (i, offset) in offsets.iter_mut().enumerate() {
            let mut coordinate = [0; MAX_RANK];
            for axis in 0..rank {
                coordinate[self.axes[i][axis]] = self.start[axis];
            }
            *offset = self.layouts[i].offset(&coordinate[..rank]);
        }
        self.count = 0;
        let mut lengths = [0; MAX_RANK];
        for (axis, length) in lengths[..rank].iter_mut().enumerate() {
            *length = self.add_piece(axis, last.extents()[axis], rank - 1 - axis);
        }
        self.done = true;
        for axis in (0..rank).rev() {
            self.start[axis] += lengths[axis];
            if self.start[axis] < last.extents()[axis] {
                self.done = false;
                break;
            }
            self.start[axis] = 0;
        }
        self.merge();
        Some((offsets, &self.loops[..self.count]))
    }

    /// Adds the loops of the longest affine piece of an axis from where the box begins, and returns how many
    /// coordinates it covers. `others` axes need a loop after it.
    fn add_piece(&mut self, axis: usize, extent: usize, others: usize) -> usize {
        let start = self.start[axis];
        // A swizzle spaces coordinates as it likes.
        if self.layouts.iter().any(|layout| layout.swizzle.is_some()) {
            return 1;
        }
        let rest = extent - start;
        let sides: [Side<'a>; N] =
            core::array::from_fn(|i| Side::of(self.layouts[i], self.axes[i][axis]));
        let mut weights = Weights::ONE;
        let fits = sides.iter().fold(true, |fits, side| fits & weights.add(side));
        let nests = fits && weights.nested() && self.count + weights.count + others <= MAX_LOOPS;
        let stands = |shift: &usize| sides.iter().all(|side| side.stands_at(*shift));
        let Some(shift) = sides.iter().map(Side::shift).find(stands).filter(|_| nests) else {
            // Up to the next end of a block in any layout.
            let ends = sides.iter().map(|side| side.until_end(start));
            let length = ends.fold(rest, least);
            self.push(&sides, length, 1);
            return length;
        };
        let (top, steps) = weights.piece(start + shift, rest);
        self.push(&sides, steps, weights.list[top]);
        for i in (0..top).rev() {
            let weight = weights.list[i];
            self.push(&sides, weights.list[i + 1] / weight, weight);
        }
        steps * weights.list[top]
    }

    /// Adds a loop of `size` steps, each `weight` coordinates of an axis, where it belongs.
    fn push(&mut self, sides: &[Side<'_>; N], size: usize, weight: usize) {
        if size == 1 {
            return;
        }
        let new = Loop { size, strides: core::array::from_fn(|i| sides[i].step(weight)) };
        let mut at = self.count;
        while at > 0 && new.is_slower(&self.loops[at - 1]) {
            self.loops[at] = self.loops[at - 1];
            at -= 1;
        }
        self.loops[at] = new;
        self.count += 1;
    }

    /// Joins loops that follow one another in all layouts.
    fn merge(&mut self) {
        let mut kept = 0;
        for i in 0..self.count {
            let inner = self.loops[i];
            if kept > 0 && self.loops[kept - 1].follows(&inner) {
                let size = self.loops[kept - 1].size * inner.size;
                self.loops[kept - 1] = Loop { size, ..inner };
            } else {
                self.loops[kept] = inner;
                kept += 1;
            }
        }
        self.count = kept;
        // A loop of few steps costs more to begin than to run, and what it leaves out of a cache line is soon
        // asked for.
        if let Some([.., outer, inner]) = self.loops.get_mut(..kept) {
            if inner.size < SHORT && outer.size > inner.size {
                core::mem::swap(outer, inner);
            }
        }
    }
}
