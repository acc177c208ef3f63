//! Divides the coordinates of some layouts of one shape into boxes in which all offsets are affine. Most relayouts are
//! one box.
//!
//! The loops of a box have the order that suits most of the layouts.
//!
//! An axis has no single stride for each loop if its extent is not a multiple of its blocks, or if the blocks of two
//! layouts do not divide each other. Such an axis is divided into pieces that have one, and the boxes are the products
//! of the pieces of all axes.

use super::nest::{Level, MAX_LEVELS, Nest};
use super::pair::{Pair, matched_axes};
use crate::layout::{Layout, StoredAxis};
use crate::spec::{LayoutError, Letters, MAX_FACTORS, MAX_RANK, Rule, Swizzle, least, permuted};

/// Iterates over the boxes of some layouts, each a nest of loops.
///
/// Law: every coordinate is in exactly one box.
pub struct Boxes<'a, const N: usize = 2> {
    layouts: [&'a Layout; N],
    /// For each layout, the positions of the axes of the last one.
    axes: [[usize; MAX_RANK]; N],
    /// The start of the next box, as a coordinate of the last layout.
    start: [usize; MAX_RANK],
    /// The axis of the last layout whose coordinates index parameters.
    parameters: Option<usize>,
    done: bool,
    /// The current box.
    nest: Nest<N>,
}

impl<'a> Boxes<'a> {
    /// Returns the boxes of `pair`. The coordinates of axis `parameters` of the destination index the parameters of a
    /// conversion.
    pub const fn new(pair: &'a Pair, parameters: Option<usize>) -> Self {
        const SAME: [usize; MAX_RANK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        let layouts = [&pair.source, &pair.destination];
        let mut new = Self::between(layouts, [pair.axes, SAME], parameters);
        new.nest.swizzles = [pair.source.swizzle(), pair.destination.swizzle()];
        new
    }
}

impl<'a, const N: usize> Boxes<'a, N> {
    /// Returns the boxes of `layouts`, with axes matched by letter. There must be at least one. Their nests have no
    /// swizzles: [`swizzles`](Self::swizzles) are those of all of them.
    ///
    /// # Errors
    /// Axes or extents differ.
    pub const fn over(layouts: [&'a Layout; N]) -> Result<Self, LayoutError> {
        let last = layouts[N - 1];
        let to = last.axes_and_extents();
        let mut axes = [[0; MAX_RANK]; N];
        each!(i, 0..N, {
            let from = layouts[i].axes_and_extents();
            let (from, to) = (from.split_at(layouts[i].rank()).0, to.split_at(last.rank()).0);
            axes[i] = match matched_axes(from, to) {
                Ok(axes) => axes,
                Err(error) => return Err(of_zip(error, i + 1, permuted(from, to))),
            };
        });
        Ok(Self::between(layouts, axes, None))
    }

    #[inline(always)]
    const fn between(
        layouts: [&'a Layout; N],
        axes: [[usize; MAX_RANK]; N],
        parameters: Option<usize>,
    ) -> Self {
        let (start, done) = ([0; MAX_RANK], layouts[N - 1].numel() == 0);
        Self { layouts, axes, start, parameters, done, nest: Nest::EMPTY }
    }

    /// Whether there is no further box.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the next box as a loop nest, or `None` at the end. It is borrowed because it takes a kilobyte.
    pub const fn next(&mut self) -> Option<&Nest<N>> {
        if self.done {
            return None;
        }
        let last = self.layouts[N - 1];
        let rank = last.rank();
        self.nest.count = 0;
        if let Some(axis) = self.parameters {
            self.nest.parameter = self.start[axis];
        }
        each!(i, 0..N, {
            self.nest.start[i] = self.offset_of_start(i);
        });
        let mut lengths = [0; MAX_RANK];
        each!(axis, 0..rank, {
            lengths[axis] = self.add_piece(axis, last.extent(axis), rank - 1 - axis);
        });
        self.done = true;
        let mut axis = rank;
        while axis > 0 && self.done {
            axis -= 1;
            self.start[axis] += lengths[axis];
            if self.start[axis] < last.extent(axis) {
                self.done = false;
            } else {
                self.start[axis] = 0;
            }
        }
        self.nest.merge();
        Some(&self.nest)
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
        let mut blocks = sides[0].blocks;
        each!(i, 1..N, {
            sides[i] = self.layouts[i].stored(self.axes[i][axis]);
            blocks |= sides[i].blocks;
        });
        if blocks == 0 {
            self.push(axis, &sides, rest, 1);
            return rest;
        }
        // Added here, since weights that a function returns are copied.
        let mut weights = Weights::one();
        let mut fits = true;
        each!(i, 0..N, {
            fits &= sides[i].blocks == 0 || weights.add(&sides[i]);
        });
        let nests =
            fits && weights.nested() && self.nest.count + weights.count + others <= MAX_LEVELS;
        let shift = match common_shift(&sides) {
            Some(shift) if nests => shift,
            _ => {
                // Up to the next end of a block in any layout.
                let mut length = rest;
                each!(i, 0..N, {
                    length = least(length, sides[i].until_end(start));
                });
                self.push(axis, &sides, length, 1);
                return length;
            }
        };
        let (top, steps) = weights.piece(start + shift, rest);
        self.push(axis, &sides, steps, weights.list[top]);
        each!(rev i, 0..top, {
            let weight = weights.list[i];
            self.push(axis, &sides, weights.list[i + 1] / weight, weight);
        });
        steps * weights.list[top]
    }

    /// Adds a loop of `size` steps, each of `weight` coordinates of an axis.
    const fn push(&mut self, axis: usize, sides: &[StoredAxis<'_>; N], size: usize, weight: usize) {
        if size == 1 {
            return;
        }
        let mut strides = [0; N];
        each!(i, 0..N, {
            let side = &sides[i];
            strides[i] =
                if side.blocks == 0 && weight == 1 { side.stride(0) } else { side.step(weight) };
        });
        let parameter = match self.parameters {
            Some(varied) if varied == axis => weight as isize,
            _ => 0,
        };
        self.nest.push(Level { size, strides, parameter });
    }

    /// The swizzles of the offsets of loops. There are none if all layouts have the same swizzle and `nest` visits
    /// every offset in turn, as the only box.
    pub const fn swizzles(&self, nest: &Nest<N>) -> [Option<Swizzle>; N] {
        let mut swizzles = [None; N];
        let mut torn = false;
        each!(i, 0..N, {
            swizzles[i] = self.layouts[i].swizzle();
            torn |= !self.layouts[i].buffer.after.same(self.layouts[0].buffer.after)
                || !nest.is_all_of(i, self.layouts[i].len());
        });
        if torn { swizzles } else { [None; N] }
    }

    /// An axis with blocks that do not divide each other, and the sizes of two such blocks in coordinates.
    pub const fn unlike_blocks(&self) -> Option<(char, [usize; 2])> {
        let last = self.layouts[N - 1];
        each!(axis, 0..last.rank(), {
            let mut weights = Weights::one();
            each!(i, 0..N, {
                weights.add(&self.layouts[i].stored(self.axes[i][axis]));
            });
            if let Some(blocks) = weights.unlike() {
                return Some((last.letters().at(axis), blocks));
            }
        });
        None
    }
}

/// The position of coordinate 0 of an axis, if it is the same in all digits.
const fn common_shift<const N: usize>(sides: &[StoredAxis<'_>; N]) -> Option<usize> {
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
        each!(other, 0..N, {
            stands &= sides[other].stands_at(shift);
        });
        if stands {
            return Some(shift);
        }
        i += 1;
    }
    None
}

/// The error of [`matched_axes`], whose source is tensor `number`, counted from 1, and whose destination is the last
/// one. `order` has the axes of the last with the extents of the tensor, if these are the same.
const fn of_zip(error: LayoutError, number: usize, order: Letters) -> LayoutError {
    LayoutError(match error.0 {
        Rule::RelayoutAxes { source, destination } => {
            Rule::ZipAxes { number, given: source, last: destination }
        }
        Rule::RelayoutExtent { letter, source, destination, .. } => {
            Rule::ZipExtent { letter, number, given: source, last: destination, order }
        }
        other => other,
    })
}

impl StoredAxis<'_> {
    /// Whether blocks end at the same coordinates if coordinate 0 has position `shift`.
    pub(super) const fn stands_at(&self, shift: usize) -> bool {
        let (mut same, mut weight) = (true, 1);
        each!(i, 0..self.blocks, {
            weight *= self.block(i);
            // Divisions are most of the cost of an axis at run time.
            same &= self.shift == shift || self.shift % weight == shift % weight;
        });
        same
    }

    /// The number of coordinates from `start` to the next end of a block.
    pub(super) const fn until_end(&self, start: usize) -> usize {
        match self.blocks {
            0 => usize::MAX,
            // Blocks end where the fastest one does.
            _ => self.block(0) - (start + self.shift) % self.block(0),
        }
    }

    /// The distance of `weight` coordinates, within the digit of which they are a multiple.
    pub(super) const fn step(&self, weight: usize) -> isize {
        let (mut passed, mut i) = (1, 0);
        while i < self.blocks && passed * self.block(i) <= weight {
            passed *= self.block(i);
            i += 1;
        }
        self.stride(i) * (weight / passed) as isize
    }
}

/// The weights of an axis on all sides, ascending, without duplicates. The first is 1.
pub(super) struct Weights {
    pub(super) list: [usize; 2 * MAX_FACTORS],
    pub(super) count: usize,
}

impl Weights {
    /// The weight 1. Inlined, since a constant would be copied whole.
    #[inline(always)]
    pub(super) const fn one() -> Self {
        Self { list: [1; 2 * MAX_FACTORS], count: 1 }
    }

    /// Adds the weights of another side. Returns false if there are too many.
    pub(super) const fn add(&mut self, side: &StoredAxis<'_>) -> bool {
        let (mut all, mut weight) = (true, 1);
        each!(i, 0..side.blocks, {
            weight *= side.block(i);
            all &= self.insert(weight);
        });
        all
    }

    const fn insert(&mut self, weight: usize) -> bool {
        let mut at = self.count;
        while at > 0 && self.list[at - 1] > weight {
            at -= 1;
        }
        if at > 0 && self.list[at - 1] == weight {
            return true;
        }
        if self.count == self.list.len() {
            return false;
        }
        let mut i = self.count;
        while i > at {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[at] = weight;
        self.count += 1;
        true
    }

    /// The longest piece from a position, with `rest` coordinates left. Returns the largest weight that divides the
    /// position and of which a whole step is left, and the number of its steps before the next larger weight. The
    /// digits below follow.
    pub(super) const fn piece(&self, position: usize, rest: usize) -> (usize, usize) {
        let mut top = self.count - 1;
        while self.list[top] > rest || position % self.list[top] != 0 {
            top -= 1;
        }
        let weight = self.list[top];
        let mut steps = rest / weight;
        if top + 1 < self.count {
            let larger = self.list[top + 1];
            steps = least(steps, (larger - position % larger) / weight);
        }
        (top, steps)
    }

    /// Whether each weight divides the next.
    pub(super) const fn nested(&self) -> bool {
        self.unlike().is_none()
    }

    /// Two adjacent weights of which the first does not divide the second.
    pub(super) const fn unlike(&self) -> Option<[usize; 2]> {
        each!(i, 1..self.count, {
            if self.list[i] % self.list[i - 1] != 0 {
                return Some([self.list[i - 1], self.list[i]]);
            }
        });
        None
    }
}
