//! Plans of bit permutes: loops over bits, traced from their source.

use alloc::vec::Vec;
use core::fmt;

use super::block_words::{TracedByte, vectors, words};
use super::reasons::memory;
use super::traced_squares::bit_squares;
use crate::isa::Isa;
use crate::sets::BitKernel;
use crate::steps::{BitSquares, BitVector, BlockMoves, BlockSquares, Loop, WINDOW};

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
    /// Plans the moves for this CPU. No bit of the destination may be in two of them. `flips` has the bits that are
    /// flipped, for each byte of the destination, or is empty; they must be alike in all iterations of outer loops.
    /// `None` if the moves do not share loops over whole bytes, blocks are large, a window does not fit a source of this
    /// length, or the CPU has no byte permute.
    pub fn new(moves: &[BitLoops], flips: &[u8], source_length: usize) -> Option<Self> {
        Self::with_kernel(Isa::best().bit_kernel()?, moves, flips, source_length)
    }

    pub(super) fn with_kernel(
        kernel: BitKernel,
        moves: &[BitLoops],
        flips: &[u8],
        source_length: usize,
    ) -> Option<Self> {
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
        steps.bits = bit_squares(&mut rest, last, flips);
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
        let BlockMoves { squares, bits, words, vectors } = &self.steps;
        let groups = squares.len() + bits.len() + words.len();
        let start = WORDS * groups + VECTOR_START * vectors.len();
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
        let BlockMoves { squares, bits, words, vectors } = &self.steps;
        let windows: usize = vectors.iter().map(windows).sum();
        let blocks = self.number_of_blocks();
        let (squares, words, vectors, bytes) =
            (squares.len() + bits.len(), words.len(), vectors.len(), self.block);
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
    let square = |own: &BlockSquares| {
        let shuffles = own.side.ilog2() as usize;
        own.count * (7 + shuffles + 4 * usize::from(own.head > 0)) / 2
    };
    // Two blocks at once, three instructions in a cycle.
    let of_bits = |own: &BitSquares| {
        let parts = own.before.len() + own.after.len();
        own.count * (4 + own.side.ilog2() as usize + 3 * parts) * 2 / 3
    };
    let bits: usize = steps.bits.iter().map(of_bits).sum();
    let squares = bits + steps.squares.iter().map(square).sum::<usize>();
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

#[cfg(test)]
pub(super) mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::{BitLoops, BitPermute, BlockMoves};
    use crate::isa::Isa;
    use crate::steps::Loop;

    /// Loops in random orders on both sides, whose bits are moved one by one.
    #[test]
    fn bits_move_as_one_by_one() {
        let mut state = 59u64;
        let mut below = |end: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % end
        };
        for _ in 0..100 {
            let count = 1 + below(4);
            let mut sizes: Vec<usize> = (0..count).map(|_| 2 + below(9)).collect();
            sizes.push(8 << below(3));
            // The strides of a side: loops in a random order, each around those before it, with gaps.
            let mut side = |unit: usize| {
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                (1..order.len()).for_each(|i| order.swap(i, below(i + 1)));
                let (mut strides, mut own) = (vec![0; sizes.len()], unit);
                for i in order {
                    strides[i] = own as isize;
                    own = own * sizes[i] + [0, 8, 3][below(3)];
                }
                (strides, own)
            };
            let (source, bits) = side(1);
            let (destination, to_bits) = side(1);
            let all = sizes.iter().zip(source).zip(destination);
            let loops =
                all.map(|((size, source), destination)| Loop::new(*size, source, destination));
            let (starts, high_first) = ([0; 2].map(|_| below(20)), [0; 2].map(|_| below(4) == 0));
            let own = BitLoops { loops: loops.collect(), starts, high_first };
            let from: Vec<u8> = (0..bits.div_ceil(8) + 4).map(|_| below(256) as u8).collect();
            let to: Vec<u8> = (0..to_bits.div_ceil(8) + 4).map(|_| below(256) as u8).collect();
            let mut expected = to.clone();
            one_by_one(&own, &from, &mut expected);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let Some(kernel) = isa.bit_kernel() else { continue };
                let plan =
                    BitPermute::with_kernel(kernel, core::slice::from_ref(&own), &[], from.len());
                let Some(plan) = plan else { continue };
                let mut moved = to.clone();
                assert!(plan.run(&from, &mut moved));
                assert_eq!(moved, expected, "{isa}: {own:?}");
                let short = from.len() - 1;
                assert!(!plan.run(&from[..short], &mut moved));
            }
        }
    }

    /// Rows of scales and codes beside one another in blocks, and back. Codes are flipped.
    #[test]
    fn fields_move_as_words() {
        let (mut counts, mut shapes) = ([false; 17], Vec::new());
        for case in 0..400 {
            let [scale, word] = [case % 5, case / 5 % 5].map(|power| 1 << power);
            let columns = [1, 5, 16 / word, 32 / word][case / 25 % 4];
            let (rows, blocks, shift) = ([4, 6, 8, 16][case / 100], 31 + case % 7, case % 9);
            let of_row = scale + columns * word;
            let of = |back: usize, start: [usize; 2], loops: [(usize, [usize; 2]); 3]| {
                let loops = [(blocks, [of_row, rows * of_row])].into_iter().chain(loops);
                let bits = |(size, own): (usize, [usize; 2])| {
                    Loop::new(size, 8 * own[back] as isize, 8 * own[1 - back] as isize)
                };
                let loops = loops.map(bits).chain([Loop::new(8, 1, 1)]).collect();
                let starts = [8 * start[back], 8 * start[1 - back]];
                BitLoops { loops, starts, high_first: [false; 2] }
            };
            let (row, group) = (blocks * of_row, rows * word);
            let scales = [(1, [0, 0]), (rows, [row, scale]), (scale, [1, 1])];
            let codes = [(columns, [word, group]), (rows, [row, word]), (word, [1, 1])];
            let all: Vec<u8> = (0..shift + rows * row).map(|i| (i * 7 + i / 251) as u8).collect();
            for back in [0, 1] {
                let from = &all[shift..];
                let moves = [of(back, [0, 0], scales), of(back, [scale, rows * scale], codes)];
                let (mut flips, mut expected) = (vec![0; from.len()], vec![1; from.len()]);
                one_by_one(&moves[1], &vec![0x88; from.len()], &mut flips);
                moves.iter().for_each(|own| one_by_one(own, from, &mut expected));
                expected.iter_mut().zip(&flips).for_each(|(own, flip)| *own ^= flip);
                for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                    let plan = isa
                        .bit_kernel()
                        .and_then(|own| BitPermute::with_kernel(own, &moves, &flips, from.len()));
                    let Some(plan) = plan else { continue };
                    let mut moved = vec![1; 2 * shift + from.len()];
                    assert!(plan.run(from, &mut moved[shift..][..from.len()]));
                    let (start, end) = (&moved[..shift], &moved[shift + from.len()..]);
                    assert_eq!((start, end), (&vec![1; shift][..], &vec![1; shift][..]), "{plan}");
                    assert_eq!(
                        moved[shift..][..from.len()],
                        expected,
                        "{isa}: {plan}, case {case}"
                    );
                    let BlockMoves { squares, words, .. } = &plan.steps;
                    words.iter().for_each(|own| counts[own.count] = true);
                    shapes.extend(squares.iter().map(|own| (own.side, own.count, own.head)));
                }
            }
        }
        let has_words = Isa::best().bit_kernel().is_some();
        assert_eq!([1, 2, 4, 8].map(|count| counts[count]), [has_words; 4]);
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), if has_words { 18 } else { 0 }, "{shapes:?}");
    }

    /// Fields of any bits in any order on both sides, some of them flipped, in buffers at any address.
    #[test]
    fn fields_move_from_any_bits_to_any_bits() {
        let mut state = 61u64;
        let mut below = |end: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % end
        };
        for case in 0..100 {
            let (count, blocks, shift) = (1 + below(4), 1 + below(40), below(7));
            let sizes =
                [0; 4].map(|_| (1 + below(6), 1 + below(6), [1, 3, 4, 8, 8, 8, 16, 32][below(8)]));
            // Fields follow one another, each with its rows or its columns together, in blocks of a vector or more.
            let mut side = || {
                let (mut places, mut next, first) = ([(0, 0, 0); 4], 0, below(count));
                for i in (first..count).chain(0..first) {
                    let ((rows, columns, bits), unit) = (sizes[i], [1, 8][below(2)]);
                    next = usize::next_multiple_of(next, unit) + unit * (below(4) / 3);
                    let (row, column) = [(columns, 1), (1, rows)][below(2)];
                    places[i] = (next, (row * bits) as isize, (column * bits) as isize);
                    next += rows * columns * bits;
                }
                (places, next.div_ceil(8).max(16) + below(3))
            };
            let ([(from, step), (to, step_to)], high_first) =
                ([side(), side()], [below(4) == 0; 2]);
            let field = |i: usize| {
                let ((rows, columns, bits), (start, row, column)) = (sizes[i], from[i]);
                let ((start_to, row_to, column_to), step) = (to[i], 8 * step as isize);
                let outer =
                    [Loop::new(blocks, step, 8 * step_to as isize), Loop::new(rows, row, row_to)];
                let inner = [Loop::new(columns, column, column_to), Loop::new(bits, 1, 1)];
                BitLoops { loops: [outer, inner].concat(), starts: [start, start_to], high_first }
            };
            let moves: Vec<BitLoops> = (0..count).map(field).collect();
            let [source, before] = [step, step_to]
                .map(|own| (0..blocks * own + 14).map(|_| below(256) as u8).collect::<Vec<_>>());
            let (source, mut expected, mut flips) =
                (&source[shift..], before.clone(), vec![0; before.len()]);
            moves.iter().for_each(|own| one_by_one(own, source, &mut expected[shift..]));
            one_by_one(&moves[0], &vec![[0x88, 0xff][below(2)]; source.len()], &mut flips);
            expected[shift..].iter_mut().zip(&flips).for_each(|(own, flip)| *own ^= flip);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let plan = isa
                    .bit_kernel()
                    .and_then(|own| BitPermute::with_kernel(own, &moves, &flips, source.len()));
                let (Some(plan), mut moved) = (plan, before.clone()) else { continue };
                assert!(plan.run(source, &mut moved[shift..]));
                assert_eq!(moved, expected, "{isa}: {plan}, case {case}");
            }
        }
    }

    pub(in crate::plan) fn one_by_one(own: &BitLoops, from: &[u8], to: &mut [u8]) {
        let mut places = vec![own.starts.map(|start| start as isize)];
        for Loop { size, source, destination } in &own.loops {
            let steps = |[a, b]: [isize; 2]| {
                (0..*size as isize).map(move |i| [a + i * source, b + i * destination])
            };
            places = places.into_iter().flat_map(steps).collect();
        }
        for place in places {
            let [(a, bit), (b, to_bit)] = [0, 1].map(|side| {
                let within = place[side] as usize % 8;
                (place[side] as usize / 8, if own.high_first[side] { 7 - within } else { within })
            });
            to[b] = to[b] & !(1 << to_bit) | (from[a] >> bit & 1) << to_bit;
        }
    }
}
