//! A box between swizzles, cut into blocks that fit a scratch buffer.
//!
//! Before its swizzle, a side is a side like any other. A swizzled source is copied to a scratch buffer group by group,
//! in the order of its offsets before the swizzle; a kernel moves the block from there; and a swizzled destination is
//! copied out of a scratch buffer group by group.

use core::mem::MaybeUninit;

use layout_kernels::{LINE, Move, Plan};
use layout_types::nests::{Level, Nest, Pair, Place};

use super::groups::{Groups, MAX_LOOPS, as_uninit};
use super::xor::Xor;
use crate::relayout::blocked::{BlockLoops, BoxBlock, Side, count};
use crate::relayout::lowering::moved_between;

/// The bytes of a scratch buffer. Boards have no memory for one.
const SCRATCH: usize = match (cfg!(target_os = "none"), cfg!(feature = "std")) {
    (true, _) => 0,
    (false, true) => 8 << 10,
    (false, false) => 2 << 10,
};

/// Blocks of a box. Offsets in bytes are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct SwizzledBlocks {
    loops: BlockLoops<MAX_LOOPS>,
    bits: usize,
    /// The copies from the source to a scratch buffer, and from a scratch buffer to the destination.
    gather: Option<Groups>,
    scatter: Option<Groups>,
    /// The bytes before the first element of a block, of a side without a swizzle.
    before: (usize, usize),
    /// The bytes of a block, and of the part of the source that it is made of.
    bytes: usize,
    gathered: usize,
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
    layout_types::each!(i, 0..levels.len(), {
        let Level { size, strides: [source, destination], .. } = levels[i];
        let level = if i + 1 == levels.len() && source == 1 && destination == 1 {
            let Some(size) = bytes(size as isize, bits) else { return None };
            Level::new(size as usize, [source, destination])
        } else {
            let Some((source, destination)) = both((source, destination), bits) else {
                return None;
            };
            Level::new(size, [source, destination])
        };
        if !groups.push(level) {
            return None;
        }
    });
    if !groups.has_runs() {
        // An element is a run.
        let Some(size) = bytes(1, bits) else { return None };
        if !groups.push(Level::new(size as usize, [1, 1])) {
            return None;
        }
    }
    Some(groups)
}

impl SwizzledBlocks {
    /// Cuts a box into blocks. Returns them and the move of a block by a kernel, or `None` if swizzles move parts of
    /// bytes, a block ends inside of a byte, or there are too many loops.
    pub(super) const fn of(nest: &Nest, pair: &Pair) -> Option<(Self, Move)> {
        let (levels, bits) = (nest.levels(), pair.source().element().bits());
        if levels.len() > MAX_LOOPS || SCRATCH * 8 / LINE < bits {
            return None;
        }
        let [from, to] = nest.swizzles();
        let (Some(from), Some(to)) = (Xor::of_bytes(from, bits), Xor::of_bytes(to, bits)) else {
            return None;
        };
        let mut block = BoxBlock::new(levels, SCRATCH * 8 / bits);
        block.lengthen(Side::Destination, LINE * 8 / bits);
        block.lengthen(Side::Source, LINE * 8 / bits);
        let (gathers, scatters) = (from.is_some(), to.is_some());
        block.lengthen(if scatters { Side::Destination } else { Side::Source }, usize::MAX);
        let mut blocks = Self {
            loops: BlockLoops::once(nest.start()),
            bits,
            gather: None,
            scatter: None,
            before: (0, 0),
            bytes: (block.elements() * bits).div_ceil(8),
            gathered: 0,
        };
        blocks.loops.set(nest.start(), &block, Side::Destination);
        let strides = (block.in_scratch(Side::Source), block.in_scratch(Side::Destination));
        let strides = (
            if gathers { Some(&strides.0) } else { None },
            if scatters { Some(&strides.1) } else { None },
        );
        if gathers {
            let nest = block.nest(None, strides.0);
            blocks.gather = groups(nest.levels(), bits, from, Xor::NONE);
            blocks.gathered = (count(nest.levels()) * bits).div_ceil(8);
        }
        if scatters {
            let nest = block.nest(strides.1, None);
            blocks.scatter = groups(nest.levels(), bits, Xor::NONE, to);
        }
        let moved = block.nest(strides.0, strides.1);
        let before = (moved.start().source as isize, moved.start().destination as isize);
        let Some(before) = both(before, bits) else { return None };
        blocks.before = (before.0 as usize, before.1 as usize);
        let are_set = blocks.gather.is_some() == gathers && blocks.scatter.is_some() == scatters;
        match moved_between(&moved, pair) {
            Some(of) if are_set && blocks.aligns() => Some((blocks, of)),
            _ => None,
        }
    }

    /// Shortens the chunks of both copies such that they fit every block. Returns false if a block begins inside of a
    /// byte.
    const fn aligns(&mut self) -> bool {
        let Place { source, destination, .. } = self.loops.start;
        let Some(start) = both((source as isize, destination as isize), self.bits) else {
            return false;
        };
        self.align(start);
        let loops = self.loops;
        layout_types::each!(i, 0..loops.all().len(), {
            let [step, last] = loops.all()[i].distances();
            let (Some(step), Some(last)) = (both(step, self.bits), both(last, self.bits)) else {
                return false;
            };
            self.align(step);
            self.align(last);
        });
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
        self.loops.blocks()
    }

    /// The bytes of a block.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The copies to and from scratch buffers.
    pub(super) const fn copies(&self) -> (Option<&Groups>, Option<&Groups>) {
        (self.gather.as_ref(), self.scatter.as_ref())
    }

    /// Moves all blocks. `kernel` moves one of them.
    ///
    /// # Safety
    /// All offsets of the box lie in `source` and in `destination`. `kernel` is a plan of the move that
    /// [`of`](Self::of) returned with this.
    pub(super) unsafe fn run(&self, kernel: &Plan, source: &[u8], destination: &mut [u8]) {
        debug_assert!(self.bytes <= SCRATCH, "a scratch buffer holds a block");
        let mut near = SwizzleScratch::UNINIT;
        let mut done = SwizzleScratch::UNINIT;
        if self.bits < 8 {
            // Elements of less than a byte are written into the bytes that they find.
            done.0.fill(MaybeUninit::new(0));
        }
        self.loops.each(|place| {
            // SAFETY: the caller's promise.
            unsafe { self.block(place, kernel, (&mut near, &mut done), source, destination) }
        });
    }

    /// Moves the block that begins at an element before the swizzles.
    ///
    /// # Safety
    /// The same as [`run`](Self::run), for this block.
    unsafe fn block(
        &self,
        place: Place,
        kernel: &Plan,
        (near, done): (&mut SwizzleScratch, &mut SwizzleScratch),
        source: &[u8],
        destination: &mut [u8],
    ) {
        let of_bytes = |elements: usize| {
            if self.bits < 8 { elements / (8 / self.bits) } else { elements * (self.bits / 8) }
        };
        let (first, to_first) = (of_bytes(place.source), of_bytes(place.destination));
        let from = match &self.gather {
            Some(groups) => {
                let place = Place { source: first, destination: 0, parameter: 0 };
                // SAFETY: these are offsets of the box, and the scratch buffer holds a block.
                unsafe { groups.copy(place, source, &mut near.0) };
                // SAFETY: the groups wrote these bytes.
                unsafe { near.bytes(self.gathered) }
            }
            None => source.get(first - self.before.0..).unwrap_or(&[]),
        };
        let Some(groups) = &self.scatter else {
            let to = destination.get_mut(to_first - self.before.1..).unwrap_or(&mut []);
            let done = kernel.run(from, to);
            debug_assert!(done, "{self:?} leaves its buffers");
            return;
        };
        if !kernel.fits(from.len(), SCRATCH) {
            debug_assert!(false, "{self:?} leaves its buffers");
            return;
        }
        // SAFETY: both sides hold a block, and the CPU has the instruction set.
        unsafe { kernel.run_unchecked(from, done.0.as_mut_ptr().cast()) };
        // SAFETY: the kernel wrote these bytes.
        let moved = unsafe { done.bytes(self.bytes) };
        let place = Place { source: 0, destination: to_first, parameter: 0 };
        // SAFETY: groups copy initialized bytes.
        let to = unsafe { as_uninit(destination) };
        // SAFETY: these are offsets of the box, and the scratch buffer holds a block.
        unsafe { groups.copy(place, moved, to) };
    }
}

/// A scratch buffer, which begins at a cache line.
#[repr(align(64))]
struct SwizzleScratch([MaybeUninit<u8>; SCRATCH]);

impl SwizzleScratch {
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
