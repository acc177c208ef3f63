//! Loops over the coordinates of several layouts of one shape, whatever their formats.
//!
//! The coordinates are divided into boxes in which all offsets are affine, and the loops of a box have the order that
//! suits most of the layouts.
//!
//! An axis has no single stride for each loop if its extent is not a multiple of its blocks, or if the blocks of two
//! layouts do not divide each other. Such an axis is divided into pieces that have one, and the boxes are the products
//! of the pieces of all axes.

use super::levels::is_way;
use super::pair::{Pair, matched_axes};
use super::sides::Weights;
use crate::layout::{Axis, Layout};
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule, Swizzle, least};

/// The largest number of loops of a box.
const MAX_LOOPS: usize = 2 * MAX_FACTORS;

/// A loop of fewer steps is not worth being the innermost.
const SHORT: usize = 16;

/// A loop: the number of steps, and the stride in each layout.
#[derive(Clone, Copy, Debug)]
pub struct Loop<const N: usize> {
    /// The number of steps.
    pub size: usize,
    /// The stride in each layout, in elements.
    pub strides: [isize; N],
    /// The stride in the parameters of a conversion.
    pub parameter: isize,
}

impl<const N: usize> Loop<N> {
    /// A loop of one step.
    pub const ONCE: Self = Self { size: 1, strides: [0; N], parameter: 0 };

    /// Whether the loop belongs outside `other`: by the majority of the layouts, or else by the last of them.
    const fn is_slower(&self, other: &Self) -> bool {
        // Const evaluation pays for each call, so there are none here. Most nests have two layouts, of which the last
        // one decides unless it does not move.
        let (own, last) = (self.strides[N - 1], other.strides[N - 1]);
        let own = if own < 0 { own.wrapping_neg() as usize } else { own as usize };
        let last = if last < 0 { last.wrapping_neg() as usize } else { last as usize };
        if N == 2 && own != 0 && last != 0 && own != last {
            return own > last;
        }
        let (mut votes, mut slower, mut i) = (0, false, 0);
        while i < N {
            let (own, other) = (self.strides[i], other.strides[i]);
            let own = if own < 0 { own.wrapping_neg() as usize } else { own as usize };
            let other = if other < 0 { other.wrapping_neg() as usize } else { other as usize };
            // A layout that does not move in one of the loops has no vote.
            if own != 0 && other != 0 {
                votes += (own > other) as i32 - (own < other) as i32;
            }
            slower = own > other;
            i += 1;
        }
        votes > 0 || votes == 0 && slower
    }

    /// Whether one step equals all steps of `inner`, in all layouts.
    const fn follows(&self, inner: &Self) -> bool {
        let mut follows = is_way(self.parameter, inner.parameter, inner.size);
        let mut i = 0;
        while i < N {
            follows = follows && is_way(self.strides[i], inner.strides[i], inner.size);
            i += 1;
        }
        follows
    }
}

/// The loops over a box of coordinates, slowest first, and the offsets of their start, before swizzles.
#[derive(Clone, Copy, Debug)]
pub struct Loops<const N: usize> {
    pub(super) start: [usize; N],
    /// The index of the first parameter.
    pub(super) parameter: usize,
    pub(super) list: [Loop<N>; MAX_LOOPS],
    pub(super) count: usize,
}

impl<const N: usize> Loops<N> {
    /// One element of each layout, at the start of its buffer.
    pub const EMPTY: Self =
        Self { start: [0; N], parameter: 0, list: [Loop::ONCE; MAX_LOOPS], count: 0 };

    /// The offsets of the start.
    pub const fn start(&self) -> [usize; N] {
        self.start
    }

    /// The loops, slowest first.
    pub const fn list(&self) -> &[Loop<N>] {
        self.list.split_at(self.count).0
    }

    /// Whether one loop visits a whole buffer of layout `i`, of `length` elements, from its start.
    const fn is_all_of(&self, i: usize, length: usize) -> bool {
        let row = self.loop_around(0);
        self.count == 1 && self.start[i] == 0 && row.strides[i] == 1 && row.size == length
    }

    /// The loop that has `inside` loops inside it, or a loop of one step.
    pub const fn loop_around(&self, inside: usize) -> Loop<N> {
        if inside < self.count { self.list[self.count - 1 - inside] } else { Loop::ONCE }
    }

    /// The same loops with a long innermost loop, for rows with strides known at run time. Starting a loop of few
    /// steps costs more than running it, and the rest of its cache lines is used soon.
    pub fn with_long_rows(mut self) -> Self {
        if let Some([.., outer, inner]) = self.list.get_mut(..self.count) {
            if inner.size < SHORT && outer.size > inner.size {
                core::mem::swap(outer, inner);
            }
        }
        self
    }

    /// Inserts a loop in order. A loop of one step is left out.
    const fn push(&mut self, new: Loop<N>) {
        if new.size == 1 {
            return;
        }
        let mut at = self.count;
        while at > 0 && new.is_slower(&self.list[at - 1]) {
            self.list[at] = self.list[at - 1];
            at -= 1;
        }
        self.list[at] = new;
        self.count += 1;
    }

    /// Joins loops that are contiguous in all layouts, if a number can count their steps together.
    const fn merge(&mut self) {
        let mut kept = 0;
        let mut i = 0;
        while i < self.count {
            let inner = self.list[i];
            let joined = match kept {
                0 => None,
                _ if self.list[kept - 1].follows(&inner) => {
                    self.list[kept - 1].size.checked_mul(inner.size)
                }
                _ => None,
            };
            match joined {
                Some(size) => self.list[kept - 1] = Loop { size, ..inner },
                None => {
                    self.list[kept] = inner;
                    kept += 1;
                }
            }
            i += 1;
        }
        self.count = kept;
    }
}

/// Iterates over the loops over several layouts, one box after the other.
///
/// Law: every coordinate is visited once.
pub struct Several<'a, const N: usize> {
    layouts: [&'a Layout; N],
    /// For each layout, the positions of the axes of the last one.
    axes: [[usize; MAX_RANK]; N],
    /// The start of the next box, as a coordinate of the last layout.
    start: [usize; MAX_RANK],
    /// The axis of the last layout whose coordinates index parameters.
    parameters: Option<usize>,
    done: bool,
    loops: Loops<N>,
}

impl<'a> Several<'a, 2> {
    /// Returns the loops over a pair of layouts. The coordinates of axis `parameters` of the destination index
    /// parameters.
    pub(super) const fn of_pair(pair: &'a Pair, parameters: Option<usize>) -> Self {
        const SAME: [usize; MAX_RANK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        let layouts = [&pair.source, &pair.destination];
        Self::between(layouts, [pair.axes, SAME], parameters)
    }
}

impl<'a, const N: usize> Several<'a, N> {
    /// Returns the loops over `layouts`, with axes matched by letter. There must be at least one.
    ///
    /// # Errors
    /// Axes or extents differ.
    pub const fn new(layouts: [&'a Layout; N]) -> Result<Self, LayoutError> {
        let last = layouts[N - 1];
        let to = last.axes_and_extents();
        let mut axes = [[0; MAX_RANK]; N];
        let mut i = 0;
        while i < N {
            let from = layouts[i].axes_and_extents();
            let (from, to) = (from.split_at(layouts[i].rank()).0, to.split_at(last.rank()).0);
            axes[i] = match matched_axes(from, to) {
                Ok(axes) => axes,
                Err(error) => return Err(of_zip(error, i + 1)),
            };
            i += 1;
        }
        Ok(Self::between(layouts, axes, None))
    }

    #[inline(always)]
    const fn between(
        layouts: [&'a Layout; N],
        axes: [[usize; MAX_RANK]; N],
        parameters: Option<usize>,
    ) -> Self {
        let (start, done) = ([0; MAX_RANK], layouts[N - 1].numel() == 0);
        Self { layouts, axes, start, parameters, done, loops: Loops::EMPTY }
    }

    /// Whether there is no further box.
    pub(super) const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the loops of the next box, or `None` at the end.
    pub const fn next_box(&mut self) -> Option<&Loops<N>> {
        if self.done {
            return None;
        }
        let last = self.layouts[N - 1];
        let rank = last.rank();
        self.loops.count = 0;
        if let Some(axis) = self.parameters {
            self.loops.parameter = self.start[axis];
        }
        let mut i = 0;
        while i < N {
            self.loops.start[i] = self.offset_of_start(i);
            i += 1;
        }
        let mut lengths = [0; MAX_RANK];
        let mut axis = 0;
        while axis < rank {
            lengths[axis] = self.add_piece(axis, last.extents()[axis], rank - 1 - axis);
            axis += 1;
        }
        self.done = true;
        let mut axis = rank;
        while axis > 0 && self.done {
            axis -= 1;
            self.start[axis] += lengths[axis];
            if self.start[axis] < last.extents()[axis] {
                self.done = false;
            } else {
                self.start[axis] = 0;
            }
        }
        self.loops.merge();
        Some(&self.loops)
    }

    /// The offset of the next box's start in layout `i`, before swizzles.
    ///
    /// Most relayouts are one box, which starts at coordinate 0, and const evaluation pays for every call. So digits
    /// that are 0 there are left out.
    const fn offset_of_start(&self, i: usize) -> usize {
        let layout = self.layouts[i];
        let (mut offset, rank, mut axis) = (layout.base(), layout.rank(), 0);
        let shifted = layout.has_shift();
        while axis < rank {
            let start = self.start[axis];
            if start > 0 || shifted {
                offset = offset.wrapping_add(layout.stored(self.axes[i][axis]).place(start));
            }
            axis += 1;
        }
        offset
    }

    /// Adds the loops of the longest affine piece of an axis from the start of the box. Returns the number of its
    /// coordinates. `others` is the number of axes that still need a loop.
    const fn add_piece(&mut self, axis: usize, extent: usize, others: usize) -> usize {
        let start = self.start[axis];
        let rest = extent - start;
        if rest == 1 {
            // One coordinate has no loop.
            return 1;
        }
        let mut sides = [self.layouts[0].stored(self.axes[0][axis]); N];
        let (mut blocks, mut i) = (sides[0].blocks, 1);
        while i < N {
            sides[i] = self.layouts[i].stored(self.axes[i][axis]);
            blocks |= sides[i].blocks;
            i += 1;
        }
        if blocks == 0 {
            self.push(axis, &sides, rest, 1);
            return rest;
        }
        // Added here, since weights that a function returns are copied.
        let mut weights = Weights::one();
        let (mut fits, mut i) = (true, 0);
        while i < N {
            fits &= sides[i].blocks == 0 || weights.add(&sides[i]);
            i += 1;
        }
        let nests =
            fits && weights.nested() && self.loops.count + weights.count + others <= MAX_LOOPS;
        let shift = match common_shift(&sides) {
            Some(shift) if nests => shift,
            _ => {
                // Up to the next end of a block in any layout.
                let (mut length, mut i) = (rest, 0);
                while i < N {
                    length = least(length, sides[i].until_end(start));
                    i += 1;
                }
                self.push(axis, &sides, length, 1);
                return length;
            }
        };
        let (top, steps) = weights.piece(start + shift, rest);
        self.push(axis, &sides, steps, weights.list[top]);
        let mut i = top;
        while i > 0 {
            i -= 1;
            let weight = weights.list[i];
            self.push(axis, &sides, weights.list[i + 1] / weight, weight);
        }
        steps * weights.list[top]
    }

    /// Adds a loop of `size` steps, each of `weight` coordinates of an axis.
    const fn push(&mut self, axis: usize, sides: &[Axis<'_>; N], size: usize, weight: usize) {
        if size == 1 {
            return;
        }
        let mut strides = [0; N];
        let mut i = 0;
        while i < N {
            let side = &sides[i];
            strides[i] =
                if side.blocks == 0 && weight == 1 { side.stride(0) } else { side.step(weight) };
            i += 1;
        }
        let parameter = match self.parameters {
            Some(own) if own == axis => weight as isize,
            _ => 0,
        };
        self.loops.push(Loop { size, strides, parameter });
    }

    /// The swizzles of the offsets of loops. There are none if all layouts have the same swizzle and `loops` visit
    /// every offset in turn, as the only box.
    pub const fn swizzles(&self, loops: &Loops<N>) -> [Option<Swizzle>; N] {
        let mut swizzles = [None; N];
        let mut torn = false;
        let mut i = 0;
        while i < N {
            swizzles[i] = self.layouts[i].swizzle();
            torn |= !same(swizzles[i], swizzles[0]) || !loops.is_all_of(i, self.layouts[i].len());
            i += 1;
        }
        if torn { swizzles } else { [None; N] }
    }
}

const fn same(a: Option<Swizzle>, b: Option<Swizzle>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same(b),
        (None, None) => true,
        _ => false,
    }
}

/// The position of coordinate 0 of an axis, if it is the same in all digits.
const fn common_shift<const N: usize>(sides: &[Axis<'_>; N]) -> Option<usize> {
    let mut i = 1;
    while i < N && sides[i].shift == sides[0].shift {
        i += 1;
    }
    if i >= N {
        return Some(sides[0].shift);
    }
    i = 0;
    while i < N {
        let shift = sides[i].shift;
        let mut stands = true;
        let mut other = 0;
        while other < N {
            stands &= sides[other].stands_at(shift);
            other += 1;
        }
        if stands {
            return Some(shift);
        }
        i += 1;
    }
    None
}

/// The error of [`matched_axes`], whose source is tensor `number`, counted from 1, and whose destination is the last
/// one.
const fn of_zip(error: LayoutError, number: usize) -> LayoutError {
    LayoutError(match error.0 {
        Rule::RelayoutAxes { source, destination } => {
            Rule::ZipAxes { number, given: source, last: destination }
        }
        Rule::RelayoutExtent { letter, source, destination, .. } => {
            Rule::ZipExtent { letter, number, given: source, last: destination }
        }
        other => other,
    })
}
