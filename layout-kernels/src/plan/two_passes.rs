//! Moves in two passes: what no single step makes well goes through a scratch buffer in the first-level cache.
//!
//! Small digits on both sides leave a step short runs, few rows or few columns. The first pass puts one digit next to
//! the unit in the scratch buffer, so that each pass has longer units or more rows:
//!
//! - the fastest digit of the source stays the fastest, and all others get the order of the destination;
//! - or the fastest digit of the destination becomes the fastest, and all others keep the order of the source.
//!
//! **Example.** Bytes of 12 tensors of 9 x 8 x 3 go to 3 x 8 x 9. The first pass exchanges 9 and 8 in units of 3 bytes.
//! The second one separates 72 pixels of 3 bytes into three planes.

use super::byte_move::Move;
use super::choose::Candidates;
use super::code::{Blocked, First};
use super::machine::{self as t, Machine};
use super::nests::Nest;
use super::shapes::scaled;
use crate::isa::Isa;
use crate::steps::{Loop, MAX_LOOPS, OuterLoop, OuterLoops, balanced, each, extended};

/// The maximal bytes of a block of a move in two passes.
pub(crate) const PASS_BLOCK: usize = 8 << 10;

const _: () = assert!(t::ALWAYS_COPIED <= PASS_BLOCK, "a block holds a unit");

/// The digits of a nest that a block has.
struct Block {
    /// How many iterations of each.
    chunks: [usize; MAX_LOOPS],
    bytes: usize,
    /// All loops by their distance in the source.
    by_source: [usize; MAX_LOOPS],
    /// The range of a block in the source, relative to its first unit.
    low: isize,
    high: isize,
    /// The bytes that all blocks move, of which the last may overlap the one before it.
    moved: usize,
}

impl Block {
    const NONE: Self = Self {
        chunks: [1; MAX_LOOPS],
        bytes: 0,
        by_source: [0; MAX_LOOPS],
        low: 0,
        high: 0,
        moved: 0,
    };

    /// Takes the fastest digits of both sides, next of the one with the shorter run so far, until they have
    /// [`PASS_BLOCK`] bytes. Units are shorter, since long ones are copied.
    #[inline(never)]
    const fn set(&mut self, nest: &Nest) {
        (self.bytes, self.high, self.moved) = (nest.unit, nest.unit as isize, nest.unit);
        nest.order_by_source(nest.count, &mut self.by_source);
        // The bytes of the digits of the destination and the source so far, and how many they are.
        let (mut runs, mut digits) = ([nest.unit; 2], [0; 2]);
        loop {
            let is_source = digits[0] == nest.count || digits[1] < nest.count && runs[1] < runs[0];
            let side = is_source as usize;
            if digits[side] == nest.count {
                return;
            }
            let next = if is_source { self.by_source[digits[1]] } else { digits[0] };
            digits[side] += 1;
            if self.chunks[next] == 1 {
                let (size, most) = (nest.loops[next].size, PASS_BLOCK / self.bytes);
                self.chunks[next] = balanced(size, most);
                self.bytes *= self.chunks[next];
                if self.chunks[next] < size {
                    return;
                }
            }
            runs[side] *= self.chunks[next];
        }
    }

    /// Sets the moves of both passes. The fastest digit of one side is the fastest in the scratch buffer; all others
    /// have the order of the other side.
    const fn set_moves(&self, nest: &Nest, source_first: bool, passes: (&mut Move, &mut Move)) {
        let (fastest, mut stride) = (if source_first { self.by_source[0] } else { 0 }, nest.unit);
        each!(i, 0..nest.count + 1, {
            let own = match i {
                0 => fastest,
                _ if source_first => i - 1,
                _ => self.by_source[i - 1],
            };
            if i == 0 || own != fastest {
                let (size, Loop { source, destination, .. }) = (self.chunks[own], nest.loops[own]);
                passes.0.push(Loop::new(size, source, stride as isize));
                passes.1.push(Loop::new(size, stride as isize, destination));
                stride *= size;
            }
        });
    }

    /// Sets the loops around blocks, and what follows from them.
    #[inline(never)]
    const fn set_loops(&mut self, nest: &Nest, loops: &mut OuterLoops) {
        each!(rev i, 0..nest.count, {
            let (own, chunk) = (nest.loops[i], self.chunks[i]);
            let has_room = loops.push(OuterLoop::of(own, chunk));
            debug_assert!(has_room, "there are no more outer loops than loops");
            self.moved = self.moved.saturating_mul(own.size.div_ceil(chunk) * chunk);
            let last = Loop { size: chunk, ..own }.last().0;
            (self.low, self.high) = extended((self.low, self.high), last);
        });
        loops.sort();
    }
}

/// A pass: its nest, and the possible steps.
#[derive(Clone, Copy)]
struct Trial {
    nest: Nest,
    all: Candidates,
}

impl Trial {
    const NONE: Self = Self { nest: Nest::NOTHING, all: Candidates::NONE };

    /// Sets the candidates of a pass, and returns the cost of the cheapest one.
    #[inline(never)]
    const fn set(&mut self, of: &Move, isa: Isa, limit: usize) -> usize {
        if self.nest.set(of).is_err() {
            return usize::MAX;
        }
        self.nest.is_pass = true;
        if !Candidates::are_compared(&self.nest, isa) {
            return Machine::of(isa).copy(self.nest.unit, 0, usize::MAX);
        }
        self.all.set(&self.nest, isa, limit);
        self.all.least()
    }
}

/// Whether two passes are tried for a nest of which the cheapest step costs `cost`.
#[inline]
pub(super) const fn may_be_tried(nest: &Nest, isa: Isa, cost: usize) -> bool {
    // Inlined code has no scratch buffer, and only a byte permute fills padding.
    let is_plain = !nest.may_be_inlined && nest.padding.is_none() && isa.has_vectors();
    let is_dear = cost >= Machine::of(isa).least_passes() && cost < usize::MAX;
    is_plain && is_dear && nest.bytes >= t::LEAST_PASS_BYTES && !repeats(nest)
}

/// Whether a loop repeats values of the source.
const fn repeats(nest: &Nest) -> bool {
    each!(i, 0..nest.count, {
        if nest.loops[i].source == 0 {
            return true;
        }
    });
    false
}

/// The cheapest passes.
pub(super) struct Trials {
    passes: [Trial; 2],
    block: Block,
    /// The loops around blocks.
    loops: OuterLoops,
    cost: usize,
}

impl Trials {
    pub(super) const NONE: Self = Self {
        passes: [Trial::NONE; 2],
        block: Block::NONE,
        loops: OuterLoops::NONE,
        cost: usize::MAX,
    };

    /// Tries passes for a nest of several loops. Returns whether some cost less than `cost`.
    pub(super) const fn find(&mut self, nest: &Nest, isa: Isa, cost: usize) -> bool {
        self.cost = cost;
        self.block.set(nest);
        self.block.set_loops(nest, &mut self.loops);
        self.try_order(nest, true, isa);
        self.try_order(nest, false, isa);
        self.cost < cost
    }

    /// Tries passes with the fastest digit of the source first, or with that of the destination.
    #[inline(never)]
    const fn try_order(&mut self, nest: &Nest, source_first: bool, isa: Isa) {
        let (block, mut passes) = (&self.block, [Trial::NONE; 2]);
        let mut first = Move::new(&[], nest.unit).from((-block.low) as usize, 0);
        let mut second = Move::new(&[], nest.unit);
        block.set_moves(nest, source_first, (&mut first, &mut second));
        let cost = passes[0].set(&first, isa, self.cost);
        let cost = cost.saturating_add(Machine::of(isa).passes(block.bytes));
        if cost.saturating_add(Machine::of(isa).least_pass()) >= self.cost {
            return;
        }
        let cost = cost.saturating_add(passes[1].set(&second, isa, self.cost - cost));
        let cost = scaled(cost, block.moved, nest.bytes);
        if cost < self.cost {
            (self.cost, self.passes) = (cost, passes);
        }
    }

    /// Sets the best passes. Returns false if they have too many outer loops, if the scratch buffer does not hold a
    /// block, or if a pass has no kernel that stores directly; the others are not tried then.
    pub(super) const fn set(&self, nest: &Nest, isa: Isa, own: &mut Blocked) -> bool {
        let Self { passes: [first, second], block, .. } = self;
        if block.bytes > PASS_BLOCK {
            return false;
        }
        (own.isa, own.bytes, own.block) = (isa, nest.bytes, block.bytes);
        (own.source, own.destination) = (nest.source + block.low, nest.destination);
        let First::Pass { pass, length, cost } = &mut own.first else { return false };
        (*length, *cost) = ((block.high - block.low) as usize, self.cost);
        let (mut of_first, mut of_second) = (OuterLoops::NONE, OuterLoops::NONE);
        pass.set(&first.nest, isa, &first.all, &mut of_first);
        own.second.set(&second.nest, isa, &second.all, &mut of_second);
        let are_direct = pass.code.is_direct() && own.second.code.is_direct();
        are_direct && own.push(&self.loops, 0) && own.push(&of_first, 1) && own.push(&of_second, 2)
    }
}
