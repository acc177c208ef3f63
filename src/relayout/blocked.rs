//! Boxes cut into blocks that fit a scratch buffer, so that a step before it and one after it move each.
//!
//! A block has some iterations of each loop of its box: those that make its elements contiguous on one side or on both.
//! In the scratch buffer they have the order of a side. If the iterations of a block do not divide those of a loop, the
//! last block overlaps the one before it, so that all have one shape.

use layout_kernels::LINE;
use layout_types::nests::{Level, MAX_LEVELS, Nest, Place};

/// One of the two layouts.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Source,
    Destination,
}

impl Side {
    pub(crate) const fn stride(self, level: &Level) -> isize {
        match self {
            Self::Source => level.strides[0],
            Self::Destination => level.strides[1],
        }
    }
}

/// The strides of loops in a scratch buffer, in elements: 0 for those that it does not contain.
pub(crate) type ScratchStrides = [isize; MAX_LEVELS];

/// The loops of a box, and how many iterations of each a block has.
pub(crate) struct BoxBlock<'a> {
    levels: &'a [Level],
    pub(crate) sizes: [usize; MAX_LEVELS],
    /// The elements that a scratch buffer holds.
    most: usize,
}

impl<'a> BoxBlock<'a> {
    /// The maximal number of loops of a block.
    pub(crate) const LOOPS: usize = 8;

    /// A block of one element.
    pub(crate) const fn new(levels: &'a [Level], most: usize) -> Self {
        Self { levels, sizes: [1; MAX_LEVELS], most }
    }

    /// Returns the loops from the fastest to the slowest on a side. Those that do not move there come last.
    pub(crate) const fn order(&self, side: Side) -> [usize; MAX_LEVELS] {
        let mut order = [0; MAX_LEVELS];
        layout_types::each!(i, 0..self.levels.len(), {
            let distance = side.stride(&self.levels[i]).unsigned_abs().wrapping_sub(1);
            let mut at = i;
            while at > 0
                && side.stride(&self.levels[order[at - 1]]).unsigned_abs().wrapping_sub(1)
                    > distance
            {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = i;
        });
        order
    }

    /// Returns the number of elements of a block.
    pub(crate) const fn elements(&self) -> usize {
        let mut elements = 1;
        layout_types::each!(i, 0..self.levels.len(), {
            elements *= self.sizes[i];
        });
        elements
    }

    /// Returns the number of loops of a block.
    const fn loops(&self) -> usize {
        let mut loops = 0;
        layout_types::each!(i, 0..self.levels.len(), {
            loops += (self.sizes[i] > 1) as usize;
        });
        loops
    }

    /// Lengthens the block along a side until its fastest loops there have about `wanted` iterations, or it is full.
    pub(crate) const fn lengthen(&mut self, side: Side, wanted: usize) {
        let order = self.order(side);
        let (mut run, mut i) = (1usize, 0);
        while i < self.levels.len() && run < wanted {
            let (level, size) = (&self.levels[order[i]], self.sizes[order[i]]);
            let space = self.most / (self.elements() / size);
            let longer = part(level.size, wanted.div_ceil(run), space);
            if longer > size && (size > 1 || self.loops() < Self::LOOPS) {
                self.sizes[order[i]] = longer;
            }
            if self.sizes[order[i]] < level.size || side.stride(level) == 0 {
                return;
            }
            run *= level.size;
            i += 1;
        }
    }

    /// Returns the strides of the loops in a scratch buffer in the order of a side.
    pub(crate) const fn in_scratch(&self, side: Side) -> ScratchStrides {
        let (order, mut strides) = (self.order(side), [0; MAX_LEVELS]);
        let mut stride = 1;
        layout_types::each!(i, 0..self.levels.len(), {
            if side.stride(&self.levels[order[i]]) != 0 {
                strides[order[i]] = stride;
                stride *= self.sizes[order[i]] as isize;
            }
        });
        strides
    }

    /// Returns loop `index` of a block, with the strides in scratch buffers of the sides that have one.
    pub(crate) const fn level(
        &self,
        index: usize,
        source: Option<&ScratchStrides>,
        destination: Option<&ScratchStrides>,
    ) -> Level {
        let mut level = Level { size: self.sizes[index], ..self.levels[index] };
        if let Some(strides) = source {
            level.strides[0] = strides[index];
        }
        if let Some(strides) = destination {
            level.strides[1] = strides[index];
        }
        level
    }

    /// Returns the loops of a block between two sides or scratch buffers. It begins on each side after what precedes
    /// its first element there.
    pub(crate) const fn nest(
        &self,
        source: Option<&ScratchStrides>,
        destination: Option<&ScratchStrides>,
    ) -> Nest {
        let mut nest = Nest::at(Place {
            source: if source.is_some() { 0 } else { self.before(Side::Source) },
            destination: if destination.is_some() { 0 } else { self.before(Side::Destination) },
            parameter: 0,
        });
        layout_types::each!(i, 0..self.levels.len(), {
            let level = self.level(i, source, destination);
            if !matches!(level.strides, [0, 0]) {
                nest.push(Level { parameter: 0, ..level });
            }
        });
        nest.merge();
        nest
    }

    /// Returns the number of elements of a side before the first one of a block: 0 unless loops run backwards.
    pub(crate) const fn before(&self, side: Side) -> usize {
        let mut before = 0;
        layout_types::each!(i, 0..self.levels.len(), {
            let stride = side.stride(&self.levels[i]);
            if stride < 0 {
                before += (self.sizes[i] - 1) * stride.unsigned_abs();
            }
        });
        before
    }
}

/// Returns the number of steps of all levels together.
pub(crate) const fn count(levels: &[Level]) -> usize {
    let mut count = 1;
    layout_types::each!(i, 0..levels.len(), {
        count *= levels[i].size;
    });
    count
}

/// Returns how many iterations of a loop of `size` a block has: about `wanted`, at most `most`, and all if these are
/// not more. Blocks have about the same number, a multiple of a power of two up to a cache line of bytes where that
/// makes the last one overlap by little.
const fn part(size: usize, wanted: usize, most: usize) -> usize {
    if size <= most && size < wanted.saturating_mul(2) {
        return size;
    }
    let mut even = size.div_ceil(if wanted < size { size / wanted } else { 1 });
    if even > most {
        even = size.div_ceil(size.div_ceil(most));
    }
    let mut multiple = LINE;
    while multiple > 1 {
        let rounded = even.next_multiple_of(multiple);
        let fits = rounded <= most && rounded <= size && rounded <= even + even / 2;
        if fits && rounded.saturating_mul(size.div_ceil(rounded)) - size <= size / 8 {
            return rounded;
        }
        multiple /= 2;
    }
    even
}

/// The loops around blocks, outermost first, of a box with up to `LOOPS` loops. Offsets count elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockLoops<const LOOPS: usize> {
    /// Where the first block begins.
    pub(crate) start: Place,
    loops: [BlockLoop; LOOPS],
    count: usize,
}

/// A loop around blocks. The last one may overlap the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockLoop {
    /// The number of blocks, and the strides of the loop of the box.
    level: Level,
    /// The iterations of the loop of the box from one block to the next, and from the first to the last.
    step: usize,
    last: usize,
}

impl BlockLoop {
    const ONCE: Self = Self { level: Level::ONCE, step: 0, last: 0 };

    /// Returns the iteration of the loop of the box at which a block begins.
    const fn at(&self, block: usize) -> isize {
        let start = block * self.step;
        (if start < self.last { start } else { self.last }) as isize
    }

    /// Returns the distance of one block from the next, and of the last from the first.
    pub(crate) const fn distances(&self) -> [(isize, isize); 2] {
        let [source, destination] = self.level.strides;
        let (step, last) = (self.step as isize, self.last as isize);
        [(source * step, destination * step), (source * last, destination * last)]
    }
}

impl<const LOOPS: usize> BlockLoops<LOOPS> {
    /// One block.
    pub(crate) const fn once(start: Place) -> Self {
        Self { start, loops: [BlockLoop::ONCE; LOOPS], count: 0 }
    }

    /// Sets the loops around blocks of a box that begins at `start`, of at most `LOOPS` loops, in the order of a side.
    pub(crate) const fn set(&mut self, start: Place, block: &BoxBlock<'_>, side: Side) {
        (self.start, self.count) = (start, 0);
        let order = block.order(side);
        layout_types::each!(rev i, 0..block.levels.len(), {
            let (level, step) = (block.levels[order[i]], block.sizes[order[i]]);
            if step < level.size {
                let (last, size) = (level.size - step, level.size.div_ceil(step));
                self.loops[self.count] = BlockLoop { level: Level { size, ..level }, step, last };
                self.count += 1;
            }
        });
    }

    /// Returns the loops.
    #[inline]
    pub(crate) const fn all(&self) -> &[BlockLoop] {
        self.loops.split_at(self.count).0
    }

    /// Returns the number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.all().iter().map(|outer_loop| outer_loop.level.size).product()
    }

    /// Calls `of` with where each block begins.
    #[inline(always)]
    pub(crate) fn each(&self, mut of: impl FnMut(Place)) {
        let (mut index, mut place) = ([0; LOOPS], self.start);
        loop {
            of(place);
            // Moves on to the next block, as an odometer does.
            let mut is_done = true;
            for (index, outer_loop) in index.iter_mut().zip(self.all()).rev() {
                let before = outer_loop.at(*index);
                *index += 1;
                is_done = *index == outer_loop.level.size;
                if is_done {
                    *index = 0;
                }
                place = place.stepped(&outer_loop.level, outer_loop.at(*index) - before);
                if !is_done {
                    break;
                }
            }
            if is_done {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use layout_types::nests::{Level, MAX_LEVELS, Nest, Place};

    use super::{BlockLoops, BoxBlock, Side};

    /// The strides of three loops in a random order, some of which run backwards, and where they begin.
    fn random_side(
        sizes: [usize; 3],
        below: &mut impl FnMut(usize) -> usize,
    ) -> ([isize; 3], usize) {
        let first = below(3);
        let second = (first + 1 + below(2)) % 3;
        let (mut strides, mut next, mut start) = ([0isize; 3], 1, 0);
        for digit in [first, second, 3 - first - second] {
            strides[digit] = next;
            next *= sizes[digit] as isize;
            if below(4) == 0 {
                start += (sizes[digit] as isize - 1) * strides[digit];
                strides[digit] = -strides[digit];
            }
        }
        (strides, start as usize)
    }

    /// Blocks of boxes of three loops in random orders, some of which run backwards, contain every element and no other
    /// one, and a scratch buffer holds each.
    #[test]
    fn blocks_cover_a_box() {
        let mut random = test_support::Random::new(1, 0);
        let mut below = |end: usize| random.below(end);
        let mut overlaps = 0;
        for _ in 0..2000 {
            let sizes = [1 + below(40), 1 + below(9), 2 + below(100)];
            let (from, source) = random_side(sizes, &mut below);
            let (to, destination) = random_side(sizes, &mut below);
            let mut nest = Nest::at(Place { source, destination, parameter: 0 });
            for (i, size) in sizes.into_iter().enumerate() {
                nest.push(Level::new(size, [from[i], to[i]]));
            }
            let most = 1 + below(500);
            let mut block = BoxBlock::new(nest.levels(), most);
            block.lengthen(Side::Destination, 1 + below(80));
            block.lengthen(Side::Source, usize::MAX);
            assert!(block.elements() <= most, "{sizes:?}: {} of {most}", block.elements());
            let strides = block.in_scratch(Side::Source);
            let (gather, scatter) =
                (block.nest(None, Some(&strides)), block.nest(Some(&strides), None));
            let before = (gather.start().source, scatter.start().destination);
            let mut loops = BlockLoops::<MAX_LEVELS>::once(nest.start());
            loops.set(nest.start(), &block, Side::Destination);
            let all: usize = sizes.into_iter().product();
            let (mut moved, mut visits) = (vec![usize::MAX; all], 0);
            loops.each(|place| {
                let mut scratch = vec![usize::MAX; block.elements()];
                let mut places = gather.places();
                while let Some(inner) = places.next() {
                    scratch[inner.destination] = inner.source + place.source - before.0;
                }
                let mut places = scatter.places();
                while let Some(inner) = places.next() {
                    moved[inner.destination + place.destination - before.1] = scratch[inner.source];
                    visits += 1;
                }
            });
            let mut places = nest.places();
            while let Some(inner) = places.next() {
                assert_eq!(
                    moved[inner.destination], inner.source,
                    "{sizes:?} {from:?} {to:?}, {most}"
                );
            }
            assert!(visits >= all && visits <= loops.blocks() * block.elements());
            overlaps += usize::from(visits > all);
        }
        assert!(overlaps > 200, "{overlaps} boxes with blocks that overlap");
    }
}
