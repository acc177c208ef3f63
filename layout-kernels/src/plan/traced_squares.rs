//! Squares of words whose bits move: as many vectors of a block as there are vectors of the source that all of them are
//! made of.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::array;
use core::cmp::Reverse;
use core::ops::Range;

use super::block_words::{TracedByte, vector};
use crate::steps::{BitPart, BitSquares, NONE, SquarePart, SquareTable, WINDOW};

/// The lengths of the vectors of a run of more bytes than one has.
const LENGTHS: [usize; 3] = [WINDOW, 12, 8];

/// Where vectors of the source begin, and which bytes of a block are vectors that are made of these.
struct Square {
    from: Vec<usize>,
    to: Vec<Range<usize>>,
}

/// Takes squares out of the bytes of a block. A vector of the source may begin at `last` at most.
pub(super) fn bit_squares(
    bytes: &mut Vec<TracedByte>,
    last: usize,
    flips: &[u8],
) -> Vec<BitSquares> {
    if bytes.iter().all(|byte| byte.whole().is_some()) {
        return Vec::new();
    }
    let covered = |all: &Vec<Square>| -> usize {
        all.iter().flat_map(|own| &own.to).map(ExactSizeIterator::len).sum()
    };
    let mut found = Vec::new();
    for lengths in LENGTHS.into_iter().flat_map(|length| LENGTHS.map(|own| (length, own))) {
        if covered(&found) < bytes.len() {
            let own = squares(bytes, lengths);
            found = if covered(&own) > covered(&found) { own } else { found };
        }
    }
    let shape = |own: &Square| (own.from.len(), own.to[0].len());
    found.sort_by_key(shape);
    let (mut all, mut taken) = (Vec::new(), vec![false; bytes.len()]);
    for run in found.chunk_by(|a, b| shape(a) == shape(b)) {
        // Two of two vectors at once.
        let count = if run[0].from.len() == 2 { 2 } else { 1 };
        for own in run.chunks(count) {
            let Some(steps) = steps(own, count, bytes, last, flips) else { continue };
            all.push(steps);
            own.iter().flat_map(|own| &own.to).for_each(|to| taken[to.clone()].fill(true));
        }
    }
    let mut taken = taken.into_iter();
    bytes.retain(|_| taken.next() == Some(false));
    all
}

/// The parts of numbers that follow one another, those of long runs of equal lengths.
fn parts_of(all: &[usize], length: usize) -> Vec<Range<usize>> {
    let (mut parts, mut first) = (Vec::new(), 0);
    for run in all.chunk_by(|a, b| a + 1 == *b) {
        let own = if run.len() <= WINDOW { run.len() } else { length };
        // Vectors are stored from eight bytes on.
        if run.len() % own == 0 && own >= 8 {
            parts.extend((first..first + run.len()).step_by(own).map(|i| i..i + own));
        }
        first += run.len();
    }
    parts
}

/// The squares of vectors of these lengths.
fn squares(bytes: &[TracedByte], (length, to_length): (usize, usize)) -> Vec<Square> {
    let sources = bytes.iter().flat_map(|byte| byte.bits.into_iter().flatten());
    let mut sources: Vec<usize> = sources.map(|bit| bit / 8).collect();
    sources.sort_unstable();
    sources.dedup();
    let parts = parts_of(&sources, length);
    let start_of = |bit: Option<usize>| {
        let i = sources.binary_search(&(bit? / 8)).ok()?;
        let own = parts.get(parts.partition_point(|own| own.end <= i))?;
        (own.start <= i).then(|| sources[own.start])
    };
    let mut all: BTreeMap<(Vec<usize>, usize), Vec<Range<usize>>> = BTreeMap::new();
    let places: Vec<usize> = bytes.iter().map(|byte| byte.at).collect();
    for to in parts_of(&places, to_length) {
        let from = bytes[to.clone()].iter().flat_map(|byte| byte.bits).map(start_of);
        let Some(mut from) = from.collect::<Option<Vec<_>>>() else { continue };
        from.sort_unstable();
        from.dedup();
        all.entry((from, to.len())).or_default().push(to);
    }
    let all = all.iter().filter(|((from, _), _)| matches!(from.len(), 2 | 4 | 8 | 16));
    let each = all.flat_map(|((from, _), to)| {
        to.chunks_exact(from.len()).map(|to| Square { from: from.clone(), to: to.to_vec() })
    });
    each.collect()
}

/// The steps of one square or two of one shape, if their bits fit words.
fn steps(
    own: &[Square],
    count: usize,
    bytes: &[TracedByte],
    last: usize,
    flips: &[u8],
) -> Option<BitSquares> {
    let (side, stored) = (own[0].from.len(), own[0].to[0].len());
    let square = |i: usize| i.min(own.len() - 1);
    let all: Vec<_> = own.iter().map(|own| arranged(own, bytes)).collect::<Option<_>>()?;
    let mut new = BitSquares { side, count: count * side, bytes: stored, ..BitSquares::default() };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for i in 0..count * side {
        // The first ones of all squares, then the second ones; one square after another.
        let (at, of) = (i / count, square(i % count));
        new.from[i] = own[of].from[at].min(last);
        before.push(parts(&all[of][0][at], new.from[i]));
        let (of, at) = (square(i / side), i % side);
        new.to[i] = bytes[own[of].to[at].start].at;
        after.push(parts(&all[of][1][at], 0));
        let flip = |at: usize| flips.get(new.to[i] + at % WINDOW).copied().unwrap_or(0);
        new.flip.push(array::from_fn(flip));
    }
    (new.before, new.after) = (joined(before), joined(after));
    Some(new)
}

/// Bits of one byte that follow one another in a byte of a vector of a square: the vector, its byte and bit, the bit of the
/// source, and their number.
type BitRun = ([usize; 3], usize, usize);

/// The runs of bits of a square, the longest ones first. `None` if a bit keeps what it is.
fn bit_runs(own: &Square, bytes: &[TracedByte]) -> Option<Vec<BitRun>> {
    let mut all: Vec<BitRun> = Vec::new();
    for (j, to) in own.to.iter().enumerate() {
        for (i, bit) in (0..to.len()).flat_map(|i| (0..8).map(move |bit| (i, bit))) {
            let from = bytes[to.start + i].bits[bit]?;
            match all.last_mut() {
                Some(([.., byte, first], start, count))
                    if (*byte, *first + *count, *start + *count) == (i, bit, from)
                        && from % 8 > 0 =>
                {
                    *count += 1;
                }
                _ => all.push(([j, i, bit], from, 1)),
            }
        }
    }
    all.sort_by_key(|run| Reverse(run.2));
    Some(all)
}

/// The bytes of a square's vectors before they are transposed, and after that, each with the bits that it has: those from
/// one vector to another lie in a word, at their bits of the destination if there is room.
fn arranged(own: &Square, bytes: &[TracedByte]) -> Option<[Vec<Vec<TracedByte>>; 2]> {
    let (side, width) = (own.from.len(), WINDOW / own.from.len());
    let new = |at: usize| TracedByte { at, bits: [None; 8], moves: 0 };
    let vector = |count: usize| (0..count).map(new).collect::<Vec<_>>();
    let mut before = vec![vector(WINDOW); side];
    let mut after: Vec<_> = own.to.iter().map(|to| vector(to.len())).collect();
    for ([j, byte, bit], from, count) in bit_runs(own, bytes)? {
        let i = own.from.iter().rposition(|own| *own <= from / 8)?;
        let word = j * width..(j + 1) * width;
        let places = word.flat_map(|at| (0..=8 - count).map(move |first| (at, first)));
        let is_free = |(at, first): &(usize, usize)| {
            before[i][*at].bits[*first..][..count].iter().all(Option::is_none)
        };
        let (at, first) = places.filter(is_free).min_by_key(|own| own.1.abs_diff(bit))?;
        for n in 0..count {
            before[i][at].bits[first + n] = Some(from + n);
            after[j][byte].bits[bit + n] = Some(8 * (i * width + at - j * width) + first + n);
        }
    }
    Some([before, after])
}

/// The parts of a vector, whose bytes are among the 16 from a place on.
fn parts(bytes: &[TracedByte], from: usize) -> Vec<(i32, SquareTable)> {
    let table = |part: &BitPart| {
        let mut table = [NONE; 64];
        for (window, i) in part.windows.iter().flat_map(|own| (0..64).map(move |i| (own, i))) {
            if window.table[i % WINDOW] != NONE {
                table[i] = (window.offset - from) as u8 + window.table[i % WINDOW];
            }
        }
        (part.shift, (table, array::from_fn(|i| part.mask[i % WINDOW])))
    };
    vector(bytes, usize::MAX, &[]).parts.iter().map(table).collect()
}

/// The parts of all vectors, those of one distance together, or none if all vectors stay as they are.
fn joined(vectors: Vec<Vec<(i32, SquareTable)>>) -> Vec<SquarePart> {
    let (none, same) =
        (([NONE; 64], [0; 64]), (array::from_fn(|i| (i % WINDOW) as u8), [0xff; 64]));
    let (mut all, count): (Vec<SquarePart>, _) = (Vec::new(), vectors.len());
    if vectors.iter().all(|own| matches!(&own[..], [(0, own)] if *own == same)) {
        return all;
    }
    for (i, own) in vectors.into_iter().enumerate() {
        for (shift, table) in own {
            let is_free = |part: &SquarePart| part.shift == shift && part.vectors[i] == none;
            let place = all.iter().position(is_free).unwrap_or_else(|| {
                all.push(SquarePart { shift, vectors: vec![none; count] });
                all.len() - 1
            });
            all[place].vectors[i] = table;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use crate::isa::Isa;
    use crate::plan::bit_moves::tests::one_by_one;
    use crate::plan::{BitLoops, BitPermute};
    use crate::steps::Loop;

    /// Codes of rows in any order within each, words of a vector beside those of other rows, and back.
    #[test]
    fn codes_move_as_squares() {
        let (mut state, mut sides) = (67u64, [false; 17]);
        let mut below = |end: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % end
        };
        for case in 0..400 {
            let (side, blocks, shift) = (2 << (case % 4), 1 + below(40), below(9));
            let word = [128usize, 96][below(2)] / side;
            let bits = [1, 2, 4, 8][below(4)].min(1 << word.trailing_zeros());
            let first = [1, 2, word / bits][below(3)];
            let first = if word / bits % first == 0 { first } else { 1 };
            let sizes = [side, first, word / bits / first];
            let mut order = [0, 1, 2];
            (1..3).for_each(|i| order.swap(i, below(i + 1)));
            let (mut from, mut row) = ([0; 3], bits);
            order.into_iter().for_each(|i| (from[i], row) = (row, row * sizes[i]));
            let inner = if below(2) == 0 { [bits, bits * first] } else { [bits * sizes[2], bits] };
            let codes =
                [0, 1, 2].map(|i| (sizes[i], [from[i], [side * word, inner[0], inner[1]][i]]));
            let (gap, gap_to) = (8 * below(3), 8 * below(3));
            let outer =
                [(blocks, [row + gap, side * row + gap_to]), (side, [blocks * (row + gap), word])];
            let digits = || outer.into_iter().chain(codes).chain([(bits, [1, 1])]);
            for back in [0, 1] {
                let own = |(size, own): (usize, [usize; 2])| {
                    Loop::new(size, own[back] as isize, own[1 - back] as isize)
                };
                let loops = digits().filter(|own| own.0 > 1).map(own).collect();
                let all =
                    BitLoops { loops, starts: [8 * shift; 2], high_first: [below(5) == 0; 2] };
                let length = shift + side * blocks * (row + gap + gap_to) / 8 + 3;
                let from: Vec<u8> = (0..length).map(|_| below(256) as u8).collect();
                let flips = vec![[0, 0x88][below(2)]; length];
                let (mut expected, mut changed) = (vec![0; length], vec![0; length]);
                one_by_one(&all, &from, &mut expected);
                one_by_one(&all, &flips, &mut changed);
                expected.iter_mut().zip(&changed).for_each(|(own, flip)| *own ^= flip);
                for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                    let plan = isa.bit_kernel().and_then(|own| {
                        BitPermute::with_kernel(own, core::slice::from_ref(&all), &changed, length)
                    });
                    let (Some(plan), mut moved) = (plan, vec![0; length]) else { continue };
                    assert!(plan.run(&from, &mut moved));
                    assert_eq!(moved, expected, "{isa}: {plan}, case {case}");
                    plan.steps.bits.iter().for_each(|own| sides[own.side] = true);
                }
            }
        }
        let has_bits = Isa::best().bit_kernel().is_some();
        assert_eq!([2, 4, 8, 16].map(|side| sides[side]), [has_bits; 4]);
    }
}
