//! Loop nests: the loops of one box in normal form, the elements and the rows that they visit, and what happens to these
//! where layouts have swizzles.

use crate::layout::distance;
use crate::spec::{MAX_FACTORS, Swizzle, least};

/// The largest number of levels of a nest: the digits of two layouts, and one more for each axis that they divide
/// differently.
pub const MAX_LEVELS: usize = 2 * MAX_FACTORS;

/// One loop: a number of steps, and the strides of a step in each layout and in the parameters of a conversion. The
/// layouts of a pair are the source and the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level<const N: usize = 2> {
    /// The number of steps.
    pub size: usize,
    /// The stride in each layout, in elements.
    pub strides: [isize; N],
    /// The stride in the parameters.
    pub parameter: isize,
}

impl<const N: usize> Level<N> {
    /// A loop of one step.
    pub const ONCE: Self = Self::new(1, [0; N]);

    /// A loop that all its steps give the same parameter.
    pub const fn new(size: usize, strides: [isize; N]) -> Self {
        Self { size, strides, parameter: 0 }
    }

    /// Whether one step of this level equals all steps of `inner`.
    pub const fn follows(&self, inner: &Self) -> bool {
        let mut follows = self.parameter as i128 == inner.parameter as i128 * inner.size as i128;
        let mut i = 0;
        while i < N && follows {
            follows = self.strides[i] as i128 == inner.strides[i] as i128 * inner.size as i128;
            i += 1;
        }
        follows
    }

    /// Whether the loop belongs outside `other`: by the majority of the layouts, or else by the last of them. A layout
    /// that does not move in one of the loops has no vote.
    pub(super) const fn is_slower(&self, other: &Self) -> bool {
        let (last, other_last) = (distance(self.strides[N - 1]), distance(other.strides[N - 1]));
        if N == 2 && last != 0 && other_last != 0 && last != other_last {
            return last > other_last;
        }
        let mut votes = 0;
        each!(i, 0..N, {
            let (stride, other) = (distance(self.strides[i]), distance(other.strides[i]));
            if stride != 0 && other != 0 {
                votes += (stride > other) as i32 - (stride < other) as i32;
            }
        });
        votes > 0 || votes == 0 && last > other_last
    }
}

/// An element of the source, its offset in the destination, and its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset in the source.
    pub source: usize,
    /// The offset in the destination.
    pub destination: usize,
    /// The index of the parameter.
    pub parameter: usize,
}

/// Iterates over the elements that levels visit, the last level fastest.
pub struct Places<'a> {
    levels: &'a [Level],
    index: [usize; MAX_LEVELS],
    next: Option<Place>,
    swizzles: Swizzles<2>,
}

impl<'a> Places<'a> {
    /// Starts at `start`. There are at most [`MAX_LEVELS`] levels, of at least one step each.
    pub const fn new(levels: &'a [Level], start: Place) -> Self {
        Self { levels, index: [0; MAX_LEVELS], next: Some(start), swizzles: [None; 2] }
    }

    /// The same elements with swizzled offsets.
    pub(super) const fn swizzled(mut self, swizzles: Swizzles<2>) -> Self {
        self.swizzles = swizzles;
        self
    }

    /// Returns the next element.
    pub const fn next(&mut self) -> Option<Place> {
        let Some(place) = self.next else { return None };
        let mut after = place;
        self.next = None;
        each!(rev i, 0..self.levels.len(), {
            let level = &self.levels[i];
            self.index[i] += 1;
            if self.index[i] < level.size {
                after = after.stepped(level, 1);
                self.next = Some(after);
                break;
            }
            self.index[i] = 0;
            after = after.stepped(level, 1 - level.size as isize);
        });
        Some(if are_none(&self.swizzles) { place } else { place.swizzled(&self.swizzles) })
    }
}

impl Place {
    /// The element after a number of steps of `level`. It makes no calls, since const evaluation counts them.
    pub const fn stepped(mut self, level: &Level, steps: isize) -> Self {
        self.source = (self.source as isize + level.strides[0] * steps) as usize;
        self.destination = (self.destination as isize + level.strides[1] * steps) as usize;
        self.parameter = (self.parameter as isize + level.parameter * steps) as usize;
        self
    }

    /// The same element with swizzled offsets.
    const fn swizzled(self, swizzles: &Swizzles<2>) -> Self {
        let source = swizzled(swizzles[0], self.source);
        Self { source, destination: swizzled(swizzles[1], self.destination), ..self }
    }
}

/// A loop of fewer steps is not worth being the innermost.
const SHORT: usize = 16;

/// Loops over a box of coordinates of some layouts, slowest first, and their start. Of a pair, the order is that of the
/// destination.
#[derive(Clone, Copy, Debug)]
pub struct Nest<const N: usize = 2> {
    /// The offsets of the first element, before swizzles.
    pub(super) start: [usize; N],
    /// The index of the first parameter.
    pub(super) parameter: usize,
    levels: [Level<N>; MAX_LEVELS],
    pub(super) count: usize,
    pub(super) swizzles: Swizzles<N>,
}

impl<const N: usize> Nest<N> {
    /// One element of each layout, at the start of its buffer.
    pub const EMPTY: Self = Self {
        start: [0; N],
        parameter: 0,
        levels: [Level::ONCE; MAX_LEVELS],
        count: 0,
        swizzles: [None; N],
    };

    /// The offsets of the start, before swizzles.
    pub const fn offsets(&self) -> [usize; N] {
        self.start
    }

    /// Whether levels and start determine the offsets. Otherwise swizzles are applied to them.
    pub const fn is_affine(&self) -> bool {
        are_none(&self.swizzles)
    }

    /// The swizzles of the layouts.
    pub const fn swizzles(&self) -> [Option<Swizzle>; N] {
        self.swizzles
    }

    /// The loops, slowest first.
    pub const fn levels(&self) -> &[Level<N>] {
        self.levels.split_at(self.count).0
    }

    /// The loop that has `inside` loops inside it, or a loop of one step.
    pub const fn loop_around(&self, inside: usize) -> Level<N> {
        if inside < self.count { self.levels[self.count - 1 - inside] } else { Level::ONCE }
    }

    /// Whether one loop visits a whole buffer of layout `i`, of `length` elements, from its start.
    pub(super) const fn is_all_of(&self, i: usize, length: usize) -> bool {
        let row = &self.levels[0];
        self.count == 1 && self.start[i] == 0 && row.strides[i] == 1 && row.size == length
    }

    /// The same loops with a long innermost loop, for rows with strides known at run time. Starting a loop of few
    /// steps costs more than running it, and the rest of its cache lines is used soon.
    pub fn with_long_rows(mut self) -> Self {
        if let Some([.., outer, inner]) = self.levels.get_mut(..self.count) {
            if inner.size < SHORT && outer.size > inner.size {
                core::mem::swap(outer, inner);
            }
        }
        self
    }

    /// Inserts a loop in order. A loop of one step is left out.
    pub const fn push(&mut self, level: Level<N>) {
        if level.size == 1 {
            return;
        }
        let mut at = self.count;
        while at > 0 && level.is_slower(&self.levels[at - 1]) {
            self.levels[at] = self.levels[at - 1];
            at -= 1;
        }
        self.levels[at] = level;
        self.count += 1;
    }

    /// Joins loops that are contiguous in all layouts, if a number can count their steps together.
    pub const fn merge(&mut self) {
        let mut kept = 0;
        each!(i, 0..self.count, {
            let inner = self.levels[i];
            let mut joined = None;
            if kept > 0 && self.levels[kept - 1].follows(&inner) {
                joined = self.levels[kept - 1].size.checked_mul(inner.size);
            }
            match joined {
                Some(size) => self.levels[kept - 1] = Level { size, ..inner },
                None => {
                    self.levels[kept] = inner;
                    kept += 1;
                }
            }
        });
        self.count = kept;
    }
}

impl Nest {
    /// A nest of one element.
    pub const fn at(Place { source, destination, parameter }: Place) -> Self {
        Self { start: [source, destination], parameter, ..Self::EMPTY }
    }

    /// The start, before swizzles.
    pub const fn start(&self) -> Place {
        let [source, destination] = self.start;
        Place { source, destination, parameter: self.parameter }
    }

    /// The largest number of rows.
    pub const fn row_count(&self) -> usize {
        let mut rows = 1;
        let mut i = 0;
        // With a swizzle, a row may be one element.
        while i + (self.is_affine() as usize) < self.count {
            rows *= self.levels[i].size;
            i += 1;
        }
        rows
    }

    /// The same loops with the longest one last, so that there are fewer [`rows`](Self::rows). The result is for these
    /// alone: its loops are no longer in the order of the destination.
    #[must_use]
    pub const fn with_longest_rows(mut self) -> Self {
        let mut longest = 0;
        each!(i, 0..self.count, {
            if self.levels[i].size >= self.levels[longest].size {
                longest = i;
            }
        });
        if self.count > 0 {
            (self.levels[longest], self.levels[self.count - 1]) =
                (self.levels[self.count - 1], self.levels[longest]);
        }
        self
    }

    /// Every element of the nest.
    pub const fn places(&self) -> Places<'_> {
        Places::new(self.levels(), self.start()).swizzled(self.swizzles)
    }

    /// The rows of the nest in the order of the destination.
    pub const fn rows(&self) -> Rows<'_> {
        let rows = self.linear_rows();
        Rows { swizzles: self.swizzles, ..rows }
    }

    /// The rows with offsets before swizzles.
    pub const fn linear_rows(&self) -> Rows<'_> {
        let (outer, innermost) = match self.levels().split_last() {
            Some((innermost, outer)) => (outer, *innermost),
            None => (self.levels(), Level::ONCE),
        };
        let places = Places::new(outer, self.start());
        Rows { places, innermost, swizzles: [None; 2], rest: None }
    }
}

/// A row: evenly spaced elements of the source that move to evenly spaced offsets of the destination. All fields count
/// elements.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of elements.
    pub size: usize,
    /// The offset of the first element in the source.
    pub source: usize,
    /// The distance between elements in the source.
    pub source_step: isize,
    /// The offset of the first element in the destination.
    pub destination: usize,
    /// The distance between elements in the destination.
    pub destination_step: isize,
}

impl Row {
    /// The rest of the row from this element.
    const fn from(&self, first: usize) -> Self {
        let steps = first as isize;
        let source = self.source_step.wrapping_mul(steps);
        let destination = self.destination_step.wrapping_mul(steps);
        Self {
            size: self.size - first,
            source: self.source.wrapping_add_signed(source),
            destination: self.destination.wrapping_add_signed(destination),
            ..*self
        }
    }
}

/// Iterates over the rows of a nest.
pub struct Rows<'a> {
    places: Places<'a>,
    innermost: Level,
    swizzles: Swizzles<2>,
    /// The rest of a row before swizzles.
    rest: Option<Row>,
}

impl Rows<'_> {
    /// Returns the next row.
    pub const fn next(&mut self) -> Option<Row> {
        if let Some(row) = self.rest {
            return Some(self.cut(row));
        }
        let Some(place) = self.places.next() else { return None };
        let row = Row {
            size: self.innermost.size,
            source: place.source,
            source_step: self.innermost.strides[0],
            destination: place.destination,
            destination_step: self.innermost.strides[1],
        };
        Some(if are_none(&self.swizzles) { row } else { self.cut(row) })
    }

    /// The first part of a row that stays evenly spaced on both sides, with swizzled offsets. The rest comes next.
    const fn cut(&mut self, row: Row) -> Row {
        let (from, to) = ((row.source, row.source_step), (row.destination, row.destination_step));
        let size = least(together(&self.swizzles, from, to), row.size);
        self.rest = if size == row.size { None } else { Some(row.from(size)) };
        let source = swizzled(self.swizzles[0], row.source);
        let destination = swizzled(self.swizzles[1], row.destination);
        Row { size, source, destination, ..row }
    }
}

/// The swizzles of some layouts.
pub(super) type Swizzles<const N: usize> = [Option<Swizzle>; N];

pub(super) const fn are_none<const N: usize>(swizzles: &Swizzles<N>) -> bool {
    let mut i = 0;
    while i < N && swizzles[i].is_none() {
        i += 1;
    }
    i == N
}

/// The swizzled offset.
pub(super) const fn swizzled(swizzle: Option<Swizzle>, offset: usize) -> usize {
    match swizzle {
        Some(swizzle) => swizzle.apply(offset),
        None => offset,
    }
}

/// The number of elements, from these offsets and at these distances, that stay in one group of each swizzle. A
/// swizzle moves all elements of a group by the same distance.
pub(super) const fn together(
    swizzles: &Swizzles<2>,
    source: (usize, isize),
    destination: (usize, isize),
) -> usize {
    let source = steps_in_group(swizzles[0], source.0, source.1);
    least(source, steps_in_group(swizzles[1], destination.0, destination.1))
}

/// The number of steps from `offset` that stay in its group.
const fn steps_in_group(swizzle: Option<Swizzle>, offset: usize, step: isize) -> usize {
    let Some(swizzle) = swizzle else { return usize::MAX };
    let place = offset & ((1 << swizzle.base()) - 1);
    match step {
        0 => usize::MAX,
        1.. => ((1 << swizzle.base()) - place).div_ceil(step as usize),
        _ => place / step.unsigned_abs() + 1,
    }
}
