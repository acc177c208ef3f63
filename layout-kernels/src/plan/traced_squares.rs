//! Squares of words whose bits move: as many vectors of a block as there are vectors of the source that all of them are
//! made of.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::array;
use core::cmp::Reverse;
use core::ops::Range;

use super::block_words::{TracedByte, vector};
use crate::steps::{BitPart, BlockSquares, NONE, SquarePart, SquareTable, WINDOW};

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
) -> Vec<BlockSquares> {
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
    let (mut all, mut taken) = (Vec::new(), vec![false; bytes.len()]);
    for own in &found {
        let Some(steps) = steps(own, bytes, last, flips) else { continue };
        all.push(steps);
        own.to.iter().for_each(|to| taken[to.clone()].fill(true));
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

/// The steps of a square, if its bits fit words.
fn steps(own: &Square, bytes: &[TracedByte], last: usize, flips: &[u8]) -> Option<BlockSquares> {
    let side = own.from.len();
    let [before, after] = arranged(own, bytes)?;
    let mut new = BlockSquares {
        side,
        count: side,
        bytes: own.to[0].len(),
        has_bits: true,
        ..BlockSquares::default()
    };
    for i in 0..side {
        (new.from[i], new.to[i]) = (own.from[i].min(last), bytes[own.to[i].start].at);
        let flip = |at: usize| flips.get(new.to[i] + at % WINDOW).copied().unwrap_or(0);
        new.flip.push(array::from_fn(flip));
    }
    let before = before.iter().zip(new.from).map(|(own, from)| parts(own, from));
    new.before = joined(before.collect());
    new.after = joined(after.iter().map(|own| parts(own, 0)).collect());
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
    let all = core::slice::from_ref(&(0..usize::MAX));
    vector(bytes, (WINDOW, all), &[]).parts.iter().map(table).collect()
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
