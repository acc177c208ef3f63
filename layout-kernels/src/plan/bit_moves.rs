//! Plans of bit permutes: loops over bits, traced from their source.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::bit_loops::{BitLoops, outer_loops, span};
use super::block_words::{TracedByte, vectors, words};
use super::reasons::memory;
use super::traced_squares::bit_squares;
use crate::isa::Isa;
use crate::sets::BitKernel;
use crate::steps::{BitVector, BlockMoves, BlockSquares, Loop, MOST_SOURCES, WINDOW};

/// How many vectors fill blocks of several sources.
const VECTORS: [usize; 2] = [1, 4];

/// What squares or words and a vector take besides their blocks, in cycles.
const WORDS: usize = 10;
const VECTOR_START: usize = 25;

/// A source of blocks: bytes of a buffer that step on by distances of their own.
#[derive(Clone, Debug)]
pub(crate) struct BitSource {
    pub(crate) buffer: usize,
    /// The bytes that the buffer must have.
    pub(crate) length: usize,
    /// The loops around blocks, slowest first, and that of blocks. Strides count bytes and are not negative. All sources
    /// have the same iterations and destinations.
    pub(crate) loops: Vec<Loop>,
}

/// How to move bits of several fields that share their outer loops: blocks, whose words move as they are, or whose vectors
/// are made of windows of the source by byte permutes, shifts and masks. Other bits of the destination keep what they are.
#[derive(Clone, Debug)]
pub struct BitPermute {
    pub(crate) kernel: BitKernel,
    pub(crate) steps: BlockMoves,
    /// At least one.
    pub(crate) sources: Vec<BitSource>,
    /// The bytes of a block that are written.
    pub(crate) block: usize,
    pub(crate) destination_end: usize,
}

impl BitPermute {
    /// Plans the moves for an instruction set, out of buffers of these lengths. No bit of the destination may be in two of
    /// them. `flips` has the bits that are flipped, for each byte of the destination, or is empty; they must be alike in all
    /// iterations of outer loops. `None` if the moves do not share loops over whole bytes, blocks are large, a window does
    /// not fit its buffer, the CPU lacks the instruction set, or this has no byte permute.
    pub fn new(moves: &[BitLoops], flips: &[u8], lengths: &[usize], isa: Isa) -> Option<Self> {
        let kernel = isa.bit_kernel().filter(|_| isa.is_available())?;
        let alike = Self::of_lanes(kernel, moves, flips, lengths, None);
        // In long blocks, windows of the shortest source fit.
        let apart = |own| Self::of_lanes(kernel, moves, flips, lengths, Some(own));
        alike.or_else(|| VECTORS.into_iter().find_map(apart))
    }

    /// Moves of one source, or of several, whose blocks are this number of vectors of the longest lanes, or a multiple.
    fn of_lanes(
        kernel: BitKernel,
        moves: &[BitLoops],
        flips: &[u8],
        lengths: &[usize],
        apart: Option<usize>,
    ) -> Option<Self> {
        let (mut moves, lane) = (moves.to_vec(), apart.map_or(WINDOW, |_| kernel.lane));
        let mut sources: Vec<BitSource> = Vec::new();
        // The bytes of each in the first iteration of all loops, one source after another.
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (i, loops) in
            outer_loops(&mut moves, apart.map(|own| own * lane))?.into_iter().enumerate()
        {
            let BitLoops { buffer, starts, .. } = &mut moves[i];
            let is_same = |own: &BitSource| own.buffer == *buffer && own.loops == loops;
            let source = sources.iter().position(is_same).unwrap_or(sources.len());
            if source == sources.len() {
                let (length, first) =
                    (*lengths.get(*buffer)?, ranges.last().map_or(0, |own| own.end));
                let bytes = length.checked_sub(span(&loops, |own| own.source)?)?;
                ranges.push(first..first.checked_add(bytes).filter(|_| bytes >= lane)?);
                sources.push(BitSource { buffer: *buffer, length, loops });
            }
            starts[0] = starts[0].checked_add(ranges[source].start.checked_mul(8)?)?;
        }
        if sources.len() > apart.map_or(1, |_| MOST_SOURCES) {
            return None;
        }
        let bytes = traced(&moves);
        let mut from = bytes.iter().flat_map(|byte| byte.bits.into_iter().flatten());
        if from.any(|bit| bit / 8 >= ranges[ranges.len() - 1].end) {
            return None;
        }
        let best = |bytes: &[TracedByte]| {
            let both = [false, true].map(|splits| vectors(bytes, splits, (lane, &ranges), flips));
            let cost = |own: &Vec<_>| own.iter().map(vector_cost).sum::<usize>();
            both.into_iter().min_by_key(cost).unwrap_or_default()
        };
        let mut steps = BlockMoves {
            vectors: best(&bytes),
            are_apart: apart.is_some(),
            ..BlockMoves::default()
        };
        if apart.is_none() {
            let (mut own, mut rest) = words(&bytes, flips, sources[0].loops.last()?.size);
            own.squares.extend(bit_squares(&mut rest, ranges[0].end - WINDOW, flips));
            own.vectors = best(&rest);
            steps = if cost(&own) < cost(&steps) { own } else { steps };
        }
        let destination = span(&sources[0].loops, |own| own.destination)?;
        let destination_end = destination.checked_add(bytes.last()?.at + 1)?;
        Some(Self { kernel, steps, sources, block: bytes.len(), destination_end })
    }

    /// Returns about how many cycles a run takes.
    pub fn cycles(&self) -> usize {
        let blocks = self.number_of_blocks();
        let bytes = blocks.saturating_mul(self.block);
        let along = self.sources[0].loops.last().map_or(1, |own| own.size);
        let starts = blocks / along.clamp(1, self.most());
        let BlockMoves { squares, words, vectors, .. } = &self.steps;
        let start = WORDS * (squares.len() + words.len()) + VECTOR_START * vectors.len();
        let cycles = blocks.saturating_mul(cost(&self.steps)) / 4;
        let of_memory = (bytes / 1024).saturating_mul(memory(bytes.saturating_mul(2)));
        cycles.saturating_add(starts.saturating_mul(start)).max(of_memory)
    }

    /// More than a `usize` holds are as many as it holds: extents of a plan may be of any size.
    fn number_of_blocks(&self) -> usize {
        self.sources[0].loops.iter().fold(1, |all, own| all.saturating_mul(own.size))
    }
}

/// The steps of a block.
impl fmt::Display for BitPermute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockMoves { squares, words, vectors, are_apart } = &self.steps;
        let lane = if *are_apart { self.kernel.lane } else { WINDOW };
        let windows: usize = vectors.iter().map(windows).sum();
        let blocks = self.number_of_blocks();
        let (squares, words, vectors, bytes) =
            (squares.len(), words.len(), vectors.len(), self.block);
        write!(
            f,
            "permute bits: {squares} groups of squares, {words} of words, {windows} windows of {lane} bytes for {vectors} vectors, {bytes} bytes, {blocks} times"
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
