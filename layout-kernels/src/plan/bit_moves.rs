//! Plans of bit permutes: loops over bits, traced from their source.

use alloc::vec::Vec;
use core::fmt;

use super::block_words::{TracedByte, vectors, words};
use super::reasons::memory;
use super::traced_squares::bit_squares;
use crate::isa::Isa;
use crate::sets::BitKernel;
use crate::steps::{BitVector, BlockMoves, BlockSquares, Loop, WINDOW};

/// The most bits of a block, each of which is traced.
const MOST_BITS: usize = 32 << 10;

/// The bits of a vector.
const VECTOR: isize = 8 * WINDOW as isize;

/// What squares or words and a vector take besides their blocks, in cycles.
const WORDS: usize = 10;
const VECTOR_START: usize = 25;

/// Loops over bits. Their strides, and both starts, count bits.
#[derive(Clone, Debug)]
pub struct BitLoops {
    /// The loops.
    pub loops: Vec<Loop>,
    /// The first bit of the source, and of the destination.
    pub starts: [usize; 2],
    /// Whether bits of the source, and of the destination, count from the highest one of a byte.
    pub high_first: [bool; 2],
}

/// How to move bits of several fields that share their outer loops: blocks, whose words move as they are, or whose vectors
/// are made of windows of the source by byte permutes, shifts and masks. Other bits of the destination keep what they are.
#[derive(Clone, Debug)]
pub struct BitPermute {
    pub(crate) kernel: BitKernel,
    pub(crate) steps: BlockMoves,
    /// The loops around blocks, slowest first, and that of blocks. Strides count bytes and are not negative.
    pub(crate) loops: Vec<Loop>,
    pub(crate) blocks: Loop,
    /// The bytes of a block that are written.
    pub(crate) block: usize,
    pub(crate) source_end: usize,
    pub(crate) destination_end: usize,
}

impl BitPermute {
    /// Plans the moves for an instruction set. No bit of the destination may be in two of them. `flips` has the bits that
    /// are flipped, for each byte of the destination, or is empty; they must be alike in all iterations of outer loops.
    /// `None` if the moves do not share loops over whole bytes, blocks are large, a window does not fit a source of this
    /// length, the CPU lacks the instruction set, or this has no byte permute.
    pub fn new(moves: &[BitLoops], flips: &[u8], source_length: usize, isa: Isa) -> Option<Self> {
        let kernel = isa.bit_kernel().filter(|_| isa.is_available())?;
        let mut moves = moves.to_vec();
        let mut loops = outer_loops(&mut moves)?;
        let span = |of: fn(&Loop) -> isize| {
            loops.iter().try_fold(0, |all: usize, own| {
                all.checked_add((of(own) as usize).checked_mul(own.size - 1)?)
            })
        };
        let [source, destination] = [span(|own| own.source)?, span(|own| own.destination)?];
        let bytes = traced(&moves);
        // A window at the end begins earlier.
        let last = source_length.checked_sub(source)?.checked_sub(WINDOW)?;
        let sources = bytes.iter().flat_map(|byte| byte.bits.into_iter().flatten());
        if sources.max()? / 8 >= last + WINDOW {
            return None;
        }
        let best = |bytes: &[TracedByte]| {
            let both = [false, true].map(|splits| vectors(bytes, splits, last, flips));
            let cost = |own: &Vec<_>| own.iter().map(vector_cost).sum::<usize>();
            both.into_iter().min_by_key(cost).unwrap_or_default()
        };
        let blocks = loops.pop()?;
        let (mut steps, mut rest) = words(&bytes, flips, blocks.size);
        steps.squares.extend(bit_squares(&mut rest, last, flips));
        steps.vectors = best(&rest);
        let all = BlockMoves { vectors: best(&bytes), ..BlockMoves::default() };
        let steps = if cost(&steps) < cost(&all) { steps } else { all };
        let destination_end = destination.checked_add(bytes.last()?.at + 1)?;
        Some(Self {
            kernel,
            steps,
            loops,
            blocks,
            block: bytes.len(),
            source_end: source + last + WINDOW,
            destination_end,
        })
    }

    /// Returns about how many cycles a run takes.
    pub fn cycles(&self) -> usize {
        let blocks = self.number_of_blocks();
        let bytes = blocks.saturating_mul(self.block);
        let starts = blocks / self.blocks.size.clamp(1, self.most());
        let BlockMoves { squares, words, vectors } = &self.steps;
        let start = WORDS * (squares.len() + words.len()) + VECTOR_START * vectors.len();
        let cycles = blocks.saturating_mul(cost(&self.steps)) / 4;
        let of_memory = (bytes / 1024).saturating_mul(memory(bytes.saturating_mul(2)));
        cycles.saturating_add(starts.saturating_mul(start)).max(of_memory)
    }

    /// More than a `usize` holds are as many as it holds: extents of a plan may be of any size.
    fn number_of_blocks(&self) -> usize {
        self.loops.iter().fold(self.blocks.size, |all, own| all.saturating_mul(own.size))
    }
}

/// The steps of a block.
impl fmt::Display for BitPermute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockMoves { squares, words, vectors } = &self.steps;
        let windows: usize = vectors.iter().map(windows).sum();
        let blocks = self.number_of_blocks();
        let (squares, words, vectors, bytes) =
            (squares.len(), words.len(), vectors.len(), self.block);
        write!(
            f,
            "permute bits: {squares} groups of squares, {words} of words, {windows} windows of 16 bytes for {vectors} vectors, {bytes} bytes, {blocks} times"
        )
    }
}

fn windows(vector: &BitVector) -> usize {
    vector.parts.iter().map(|part| part.windows.len()).sum()
}

/// Returns the time of steps in quarters of a cycle: CPUs load two windows in one, and store a vector.
fn cost(steps: &BlockMoves) -> usize {
    // With bits that move two blocks at once, three instructions in a cycle.
    let square = |own: &BlockSquares| {
        let parts = own.before.len() + own.after.len() + usize::from(own.head > 0);
        own.count * (4 + own.side.ilog2() as usize + 3 * parts) * 2 / 3
    };
    let squares: usize = steps.squares.iter().map(square).sum();
    let words: usize = steps.words.iter().map(|own| 2 * own.count + 2).sum();
    squares + words + steps.vectors.iter().map(vector_cost).sum::<usize>()
}

fn vector_cost(own: &BitVector) -> usize {
    4 * windows(own) + 6 * own.parts.len() + 8
}

/// Takes loops over whole bytes out of all moves, slowest first, until few bits are left, and one at least.
fn outer_loops(moves: &mut [BitLoops]) -> Option<Vec<Loop>> {
    let mut own: Vec<Loop> = Vec::new();
    loop {
        let bits_of =
            |own: &BitLoops| own.loops.iter().map(|own| own.size).try_fold(1, usize::checked_mul);
        let bits = moves.iter().try_fold(0, |all: usize, own| all.checked_add(bits_of(own)?))?;
        if bits == 0 {
            return None;
        }
        if bits <= MOST_BITS && !own.is_empty() {
            break;
        }
        let mut candidates: Vec<Loop> =
            moves.first()?.loops.iter().filter_map(|own| outer_part(*own)).collect();
        candidates.sort_by_key(|own| core::cmp::Reverse(own.size));
        let is_shared = |of: &Loop| moves.iter().all(|own| without(&own.loops, *of).is_some());
        match candidates.into_iter().find(is_shared) {
            Some(found) => {
                for of in moves.iter_mut() {
                    of.loops = without(&of.loops, found)?;
                }
                own.push(Loop::new(found.size, found.source / 8, found.destination / 8));
            }
            None if bits <= MOST_BITS => own.push(Loop::ONCE),
            None => return None,
        }
    }
    // The first one taken is the longest, and runs over blocks.
    own.reverse();
    Some(own)
}

/// The part of a loop that steps over whole bytes, and in the destination over a vector at least.
fn outer_part(own: Loop) -> Option<Loop> {
    let Loop { size, source, destination } = own;
    if source < 0 || destination <= 0 {
        return None;
    }
    let fits = |inner: usize| {
        let inner = inner as isize;
        inner * source % 8 == 0 && inner * destination % 8 == 0 && inner * destination >= VECTOR
    };
    let inner =
        (1..=size / 2).take(VECTOR as usize).find(|inner| size % inner == 0 && fits(*inner))?;
    let step = inner as isize;
    Some(Loop::new(size / inner, step * source, step * destination))
}

/// Loops without one that is part of one of them.
fn without(all: &[Loop], part: Loop) -> Option<Vec<Loop>> {
    let at = all.iter().position(|own| {
        let inner = part.destination.checked_div(own.destination).unwrap_or(0);
        let is_multiple = inner * own.destination == part.destination
            && inner.checked_mul(own.source) == Some(part.source);
        let size = (inner as usize).checked_mul(part.size);
        inner > 0 && is_multiple && size.is_some_and(|size| own.size % size == 0)
    })?;
    let (mut rest, own) = (all.to_vec(), all[at]);
    let inner = part.destination / own.destination;
    rest[at].size = inner as usize;
    let steps = part.size as isize;
    let outer = own.size / (inner as usize * part.size);
    let (source, destination) =
        (steps.checked_mul(part.source)?, steps.checked_mul(part.destination)?);
    rest.push(Loop::new(outer, source, destination));
    Some(rest)
}

/// The bytes of the destination in order.
fn traced(moves: &[BitLoops]) -> Vec<TracedByte> {
    let mut pairs = Vec::new();
    for (i, own) in moves.iter().enumerate() {
        let count: usize = own.loops.iter().map(|own| own.size).product();
        for index in 0..count {
            let (mut at, mut rest) = (own.starts, index);
            for own in &own.loops {
                let step = (rest % own.size) as isize;
                rest /= own.size;
                at = [
                    at[0].wrapping_add_signed(step * own.source),
                    at[1].wrapping_add_signed(step * own.destination),
                ];
            }
            let [source, destination] =
                [0, 1].map(|side| if own.high_first[side] { at[side] ^ 7 } else { at[side] });
            pairs.push((destination, source, i));
        }
    }
    pairs.sort_unstable();
    let mut bytes: Vec<TracedByte> = Vec::new();
    for (to, from, i) in pairs {
        if bytes.last().is_none_or(|last| last.at != to / 8) {
            bytes.push(TracedByte { at: to / 8, bits: [None; 8], moves: 0 });
        }
        if let Some(last) = bytes.last_mut() {
            last.bits[to % 8] = Some(from);
            last.moves |= 1 << (i % 64);
        }
    }
    bytes
}
