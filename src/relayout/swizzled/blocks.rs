//! A box between swizzles, cut into blocks that fit a scratch buffer.
//!
//! Before its swizzle, a side is a side like any other. A swizzled source is copied to a scratch buffer group by group,
//! in the order of its offsets before the swizzle; a kernel moves the block from there; and a swizzled destination is
//! copied out of a scratch buffer group by group.

use core::mem::MaybeUninit;

use layout_kernels::{LINE, Loop, Move, Plan, SubByte};
use layout_types::nests::{Level, Nest, Pair, Place};

use super::groups::{Groups, MAX_LOOPS, as_uninit};
use super::xor::Xor;

/// The bytes of a scratch buffer. Boards have no memory for one.
const SCRATCH: usize = match (cfg!(target_os = "none"), cfg!(feature = "std")) {
    (true, _) => 0,
    (false, true) => 8 << 10,
    (false, false) => 2 << 10,
};

/// One of the two sides.
#[derive(Clone, Copy)]
enum Side {
    Source,
    Destination,
}

impl Side {
    const fn stride(self, level: &Level) -> isize {
        match self {
            Self::Source => level.source,
            Self::Destination => level.destination,
        }
    }
}

/// A loop over blocks: the distances of its steps and of the last one in bytes. The last block may overlap the one
/// before it.
#[derive(Clone, Copy, Debug)]
struct OuterLoop {
    count: usize,
    step: (isize, isize),
    last: (isize, isize),
}

/// Blocks of a box. Offsets count bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Blocks {
    /// Where the first element of the first block is.
    start: Place,
    loops: [OuterLoop; MAX_LOOPS],
    count: usize,
    /// The copies from the source to a scratch buffer, and from a scratch buffer to the destination.
    gather: Option<Groups>,
    scatter: Option<Groups>,
    /// The bytes before the first element of a block, of a side without a swizzle.
    before: (usize, usize),
    /// The bytes of a block, and of the part of the source that it is made of.
    bytes: usize,
    gathered: usize,
    /// Whether elements have less than a byte.
    shares_bytes: bool,
}

/// The loops of a box, and the steps of each that a block has.
struct Cut<'a> {
    levels: &'a [Level],
    sizes: [usize; MAX_LOOPS],
    bits: usize,
}

impl Cut<'_> {
    /// The loops from the fastest on a side. Those that do not move there come last.
    const fn order(&self, side: Side) -> [usize; MAX_LOOPS] {
        let mut order = [0; MAX_LOOPS];
        let mut i = 0;
        while i < self.levels.len() {
            let own = side.stride(&self.levels[i]).unsigned_abs().wrapping_sub(1);
            let mut at = i;
            while at > 0
                && side.stride(&self.levels[order[at - 1]]).unsigned_abs().wrapping_sub(1) > own
            {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = i;
            i += 1;
        }
        order
    }

    /// The elements of a block.
    const fn elements(&self) -> usize {
        let (mut elements, mut i) = (1, 0);
        while i < self.levels.len() {
            elements *= self.sizes[i];
            i += 1;
        }
        elements
    }

    /// Lengthens the block along a side until it has `wanted` contiguous elements there, or is full.
    const fn lengthen(&mut self, side: Side, wanted: usize) {
        let (order, most) = (self.order(side), SCRATCH * 8 / self.bits);
        let (mut run, mut i) = (1, 0);
        while i < self.levels.len() && run < wanted {
            let (level, size) = (&self.levels[order[i]], self.sizes[order[i]]);
            let space = most / (self.elements() / size);
            let own = part(level.size, least(space, wanted.div_ceil(run)), space);
            if own > size {
                self.sizes[order[i]] = own;
            }
            if self.sizes[order[i]] < level.size || side.stride(level) == 0 {
                return;
            }
            run *= level.size;
            i += 1;
        }
    }

    /// The strides of the loops in a scratch buffer in the order of a side.
    const fn in_scratch(&self, side: Side) -> [isize; MAX_LOOPS] {
        let (order, mut strides) = (self.order(side), [0; MAX_LOOPS]);
        let (mut stride, mut i) = (1, 0);
        while i < self.levels.len() {
            if side.stride(&self.levels[order[i]]) != 0 {
                strides[order[i]] = stride;
                stride *= self.sizes[order[i]] as isize;
            }
            i += 1;
        }
        strides
    }

    /// The loops of a block between a side and a scratch buffer, in which they have these strides.
    const fn to_scratch(&self, side: Side, strides: &[isize; MAX_LOOPS]) -> Nest {
        let mut nest = Nest::at(Place { source: 0, destination: 0, parameter: 0 });
        let mut i = 0;
        while i < self.levels.len() {
            let (size, own) = (self.sizes[i], strides[i]);
            let (source, destination) = match side {
                Side::Source => (self.levels[i].source, own),
                Side::Destination => (own, self.levels[i].destination),
            };
            if own != 0 {
                nest.push(Level { size, source, destination, parameter: 0 });
            }
            i += 1;
        }
        nest.merge();
        nest
    }

    /// The elements of a side before the first one of a block: 0 unless loops run backwards.
    const fn before(&self, side: Side) -> usize {
        let (mut before, mut i) = (0, 0);
        while i < self.levels.len() {
            let stride = side.stride(&self.levels[i]);
            if stride < 0 {
                before += (self.sizes[i] - 1) * stride.unsigned_abs();
            }
            i += 1;
        }
        before
    }

    /// The move of a block by a kernel. `strides` are those in the scratch buffers of the sides that have one, and
    /// `before` the elements before the first one.
    const fn move_of_block(
        &self,
        pair: &Pair,
        strides: (Option<&[isize; MAX_LOOPS]>, Option<&[isize; MAX_LOOPS]>),
        before: (usize, usize),
    ) -> Move {
        let unit = self.bits.div_ceil(8);
        let mut of = match SubByte::new(self.bits) {
            Some(elements) => {
                let source = pair.source().element().is_high_first();
                let destination = pair.destination().element().is_high_first();
                Move::of_elements(elements.high_first(source, destination), &[], 1)
            }
            None => Move::new(&[], unit),
        };
        let mut i = 0;
        while i < self.levels.len() {
            let Level { mut source, mut destination, .. } = self.levels[i];
            if let Some(strides) = strides.0 {
                source = strides[i];
            }
            if let Some(strides) = strides.1 {
                destination = strides[i];
            }
            let unit = unit as isize;
            of = of.and(Loop::new(self.sizes[i], source * unit, destination * unit));
            i += 1;
        }
        of.from(before.0 * unit, before.1 * unit)
    }
}

/// The steps of all loops together.
const fn count(levels: &[Level]) -> usize {
    let (mut count, mut i) = (1, 0);
    while i < levels.len() {
        count *= levels[i].size;
        i += 1;
    }
    count
}

/// The steps of a loop of `size` that a block has: about `wanted`, at most `most`, and all if these are not more.
const fn part(size: usize, wanted: usize, most: usize) -> usize {
    if size <= most && size < 2 * wanted {
        return size;
    }
    let even = size.div_ceil(if wanted < size { size / wanted } else { 1 });
    let lines = even.next_multiple_of(LINE);
    if lines <= most && lines <= size && even > LINE / 2 {
        lines
    } else if wanted < even {
        wanted
    } else {
        even
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// A number of elements of `bits` bits in bytes. Returns `None` if they end inside of a byte.
pub(super) const fn bytes(elements: isize, bits: usize) -> Option<isize> {
    // A storage may have more bits than a number counts.
    if bits >= 8 {
        return Some(elements * (bits / 8) as isize);
    }
    let per_byte = (8 / bits) as isize;
    if elements % per_byte == 0 { Some(elements / per_byte) } else { None }
}

/// [`bytes`] of a source and of a destination.
pub(super) const fn both(elements: (isize, isize), bits: usize) -> Option<(isize, isize)> {
    match (bytes(elements.0, bits), bytes(elements.1, bits)) {
        (Some(source), Some(destination)) => Some((source, destination)),
        _ => None,
    }
}

/// The groups of a box, or of a part of it: loops over elements of `bits` bits. Returns `None` if runs end inside of a
/// byte, or if there are too many loops.
pub(super) const fn groups(levels: &[Level], bits: usize, from: Xor, to: Xor) -> Option<Groups> {
    let mut groups = Groups::between(from, to);
    let mut i = 0;
    while i < levels.len() {
        let Level { size, source, destination, .. } = levels[i];
        let level = if i + 1 == levels.len() && source == 1 && destination == 1 {
            let Some(size) = bytes(size as isize, bits) else { return None };
            Level { size: size as usize, source, destination, parameter: 0 }
        } else {
            let Some((source, destination)) = both((source, destination), bits) else {
                return None;
            };
            Level { size, source, destination, parameter: 0 }
        };
        if !groups.push(level) {
            return None;
        }
        i += 1;
    }
    if !groups.has_runs() {
        // An element is a run.
        let Some(size) = bytes(1, bits) else { return None };
        let run = Level { size: size as usize, source: 1, destination: 1, parameter: 0 };
        if !groups.push(run) {
            return None;
        }
    }
    Some(groups)
}

impl Blocks {
    /// Cuts a box into blocks. Returns them and the move of a block by a kernel, or `None` if swizzles move parts of
    /// bytes, a block ends inside of a byte, or there are too many loops.
    pub(super) const fn of(nest: &Nest, pair: &Pair) -> Option<(Self, Move)> {
        let (levels, bits) = (nest.levels(), pair.source().element().bits());
        if levels.len() > MAX_LOOPS || SCRATCH * 8 / LINE < bits {
            return None;
        }
        let (from, to) = nest.swizzles();
        let (Some(from), Some(to)) = (Xor::of_bytes(from, bits), Xor::of_bytes(to, bits)) else {
            return None;
        };
        let mut cut = Cut { levels, sizes: [1; MAX_LOOPS], bits };
        cut.lengthen(Side::Destination, LINE * 8 / bits);
        cut.lengthen(Side::Source, LINE * 8 / bits);
        cut.lengthen(if to.is_some() { Side::Destination } else { Side::Source }, usize::MAX / 2);
        let (gather, scatter) = (from.is_some(), to.is_some());
        let mut own = Self {
            start: nest.start(),
            loops: [OuterLoop { count: 1, step: (0, 0), last: (0, 0) }; MAX_LOOPS],
            count: 0,
            gather: None,
            scatter: None,
            before: (0, 0),
            bytes: (cut.elements() * bits).div_ceil(8),
            gathered: 0,
            shares_bytes: bits < 8,
        };
        let strides = (cut.in_scratch(Side::Source), cut.in_scratch(Side::Destination));
        let mut before = (0, 0);
        if gather {
            let nest = cut.to_scratch(Side::Source, &strides.0);
            own.gather = groups(nest.levels(), bits, from, Xor::NONE);
            own.gathered = (count(nest.levels()) * bits).div_ceil(8);
        } else {
            before.0 = cut.before(Side::Source);
        }
        if scatter {
            let nest = cut.to_scratch(Side::Destination, &strides.1);
            own.scatter = groups(nest.levels(), bits, Xor::NONE, to);
        } else {
            before.1 = cut.before(Side::Destination);
        }
        if own.gather.is_some() != gather || own.scatter.is_some() != scatter {
            return None;
        }
        if !own.place(&cut, before) {
            return None;
        }
        let inner = (
            if gather { Some(&strides.0) } else { None },
            if scatter { Some(&strides.1) } else { None },
        );
        Some((own, cut.move_of_block(pair, inner, before)))
    }

    /// Sets the loops over blocks, and what precedes a block. Returns false if a block begins inside of a byte.
    const fn place(&mut self, cut: &Cut<'_>, before: (usize, usize)) -> bool {
        let Place { source, destination, .. } = self.start;
        let start = both((source as isize, destination as isize), cut.bits);
        let before = both((before.0 as isize, before.1 as isize), cut.bits);
        let (Some(start), Some(before)) = (start, before) else { return false };
        self.start =
            Place { source: start.0 as usize, destination: start.1 as usize, parameter: 0 };
        self.before = (before.0 as usize, before.1 as usize);
        self.align(start);
        let mut i = 0;
        while i < cut.levels.len() {
            let (Level { size, source, destination, .. }, own) = (cut.levels[i], cut.sizes[i]);
            if own < size {
                let (step, rest) = (own as isize, (size - own) as isize);
                let step = both((source * step, destination * step), cut.bits);
                let last = both((source * rest, destination * rest), cut.bits);
                let (Some(step), Some(last)) = (step, last) else { return false };
                self.align(step);
                self.align(last);
                self.loops[self.count] = OuterLoop { count: size.div_ceil(own), step, last };
                self.count += 1;
            }
            i += 1;
        }
        true
    }

    /// Shortens the chunks of both copies such that blocks can be moved by these distances.
    const fn align(&mut self, distance: (isize, isize)) {
        if let Some(gather) = &mut self.gather {
            gather.align(distance.0, distance.1);
        }
        if let Some(scatter) = &mut self.scatter {
            scatter.align(distance.0, distance.1);
        }
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.loops.iter().take(self.count).map(|own| own.count).product()
    }

    /// The bytes of a block.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The copies to and from scratch buffers.
    pub(super) const fn copies(&self) -> (Option<&Groups>, Option<&Groups>) {
        (self.gather.as_ref(), self.scatter.as_ref())
    }

    /// Where a block begins.
    fn at(&self, number: usize) -> Place {
        let (mut place, mut rest) = (self.start, number);
        for own in self.loops.iter().take(self.count).rev() {
            let (index, slower) = (rest % own.count, rest / own.count);
            let (source, destination) = match index + 1 == own.count {
                true => own.last,
                false => {
                    let steps = index as isize;
                    (own.step.0 * steps, own.step.1 * steps)
                }
            };
            place.source = place.source.wrapping_add_signed(source);
            place.destination = place.destination.wrapping_add_signed(destination);
            rest = slower;
        }
        place
    }

    /// Moves all blocks. `kernel` moves one of them.
    ///
    /// # Safety
    /// All offsets of the box lie in `source` and in `destination`. `kernel` is a plan of the move that
    /// [`of`](Self::of) returned with this.
    pub(super) unsafe fn run(&self, kernel: &Plan, source: &[u8], destination: &mut [u8]) {
        debug_assert!(self.bytes <= SCRATCH, "a scratch buffer holds a block");
        let mut near = Scratch::UNINIT;
        let mut done = Scratch::UNINIT;
        if self.shares_bytes {
            // Elements of less than a byte are written into the bytes that they find.
            done.0.fill(MaybeUninit::new(0));
        }
        for number in 0..self.blocks() {
            let place = self.at(number);
            let from = match &self.gather {
                Some(groups) => {
                    let place = Place { destination: 0, ..place };
                    // SAFETY: these are offsets of the box, and the scratch buffer holds a block.
                    unsafe { groups.copy(place, source, &mut near.0) };
                    // SAFETY: the groups wrote these bytes.
                    unsafe { near.bytes(self.gathered) }
                }
                None => source.get(place.source - self.before.0..).unwrap_or(&[]),
            };
            let Some(groups) = &self.scatter else {
                let start = place.destination - self.before.1;
                let to = destination.get_mut(start..).unwrap_or(&mut []);
                let done = kernel.run(from, to);
                debug_assert!(done, "{self:?} leaves its buffers");
                continue;
            };
            if !kernel.fits(from.len(), SCRATCH) {
                debug_assert!(false, "{self:?} leaves its buffers");
                return;
            }
            // SAFETY: both sides hold a block, and the CPU has the instruction set.
            unsafe { kernel.run_unchecked(from, done.0.as_mut_ptr().cast()) };
            // SAFETY: the kernel wrote these bytes.
            let moved = unsafe { done.bytes(self.bytes) };
            let place = Place { source: 0, ..place };
            // SAFETY: groups copy initialized bytes.
            let to = unsafe { as_uninit(destination) };
            // SAFETY: these are offsets of the box, and the scratch buffer holds a block.
            unsafe { groups.copy(place, moved, to) };
        }
    }
}

/// A scratch buffer, which begins at a cache line.
#[repr(align(64))]
struct Scratch([MaybeUninit<u8>; SCRATCH]);

impl Scratch {
    /// A constant: a debug build would make a value elsewhere on the stack, and copy it.
    const UNINIT: Self = Self([MaybeUninit::uninit(); SCRATCH]);

    /// # Safety
    /// `count` is at most the number of bytes, and the first `count` are written.
    unsafe fn bytes(&self, count: usize) -> &[u8] {
        debug_assert!(count <= SCRATCH, "{count} bytes");
        // SAFETY: the caller's promise.
        unsafe { core::slice::from_raw_parts(self.0.as_ptr().cast(), count) }
    }
}
