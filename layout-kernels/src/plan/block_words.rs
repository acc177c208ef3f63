//! Which bytes of a block move as squares, which as words, and of which windows the others are made.

use alloc::vec;
use alloc::vec::Vec;
use core::array;
use core::cmp::Reverse;
use core::ops::Range;

use crate::steps::{
    BitPart, BitVector, BitWindow, BlockMoves, BlockSquares, BlockWords, LEAST_BLOCKS, NONE, WINDOW,
};

/// The least number of blocks for which squares are worth their start.
const LEAST_SQUARES: usize = LEAST_BLOCKS / 2;

/// A byte of the destination: the bit of the source for each of its bits, and the moves that have one.
#[derive(Clone, Copy)]
pub(super) struct TracedByte {
    pub(super) at: usize,
    pub(super) bits: [Option<usize>; 8],
    pub(super) moves: u64,
}

impl TracedByte {
    /// The byte of the source, if all bits come from there and stay where they are.
    pub(super) fn whole(&self) -> Option<usize> {
        let first = self.bits[0].filter(|own| own % 8 == 0)?;
        let is_next = |(i, own): (usize, &Option<usize>)| *own == Some(first + i);
        self.bits.iter().enumerate().all(is_next).then_some(first / 8)
    }
}

/// Words, and the bytes that they are.
type TracedWords<'a> = (BlockWords, &'a [TracedByte]);

/// The squares and words of bytes of some blocks, and the bytes that are neither. Words of a shape follow one another.
pub(super) fn words(
    bytes: &[TracedByte],
    flips: &[u8],
    blocks: usize,
) -> (BlockMoves, Vec<TracedByte>) {
    let (mut all, mut rest) = (Vec::new(), Vec::new());
    // Bytes of a field whose bits move stay together.
    let cut = bytes.iter().filter(|own| own.whole().is_none()).fold(0, |all, own| all | own.moves);
    let is_next = |a: &TracedByte, b: &TracedByte| a.at + 1 == b.at && a.moves == b.moves;
    for mut run in bytes.chunk_by(is_next) {
        while !run.is_empty() {
            let (own, others) = run.split_at(1 << run.len().min(WINDOW).ilog2());
            match words_of(own, flips).filter(|_| own[0].moves & cut == 0) {
                Some(words) => all.push((words, own)),
                None => rest.extend(own),
            }
            run = others;
        }
    }
    all.sort_by_key(|(own, _)| (own.bytes, own.count, own.from[0]));
    let (squares, mut words) = (squares(&mut all, blocks), Vec::new());
    for (own, bytes) in all {
        match own.count {
            0 => {}
            WINDOW => rest.extend(bytes),
            _ => words.push(own),
        }
    }
    rest.sort_unstable_by_key(|own: &TracedByte| own.at);
    // Words by themselves, four in one step.
    let is_single = |own: &BlockWords| own.count == 1 && own.bytes < WINDOW && own.flip == [0; 16];
    let runs = words.chunk_by(|a, b| is_single(a) && is_single(b) && a.bytes == b.bytes);
    let four = |own: &[BlockWords]| {
        let [a, b, c, d] = *own else { return own.to_vec() };
        let mut new = BlockWords { count: 4, apart: Some([a.to, b.to, c.to, d.to]), ..a };
        new.from[..4].copy_from_slice(&[a, b, c, d].map(|own| own.from[0]));
        vec![new]
    };
    let words = runs.flat_map(|run| run.chunks(4)).flat_map(four).collect();
    (BlockMoves { squares, words, ..BlockMoves::default() }, rest)
}

/// Takes squares out of words: as many groups as each has words, of which each follow those before them in the source, with
/// the word of one or two bytes before each vector, if all have one. No word is left of what is taken.
fn squares(all: &mut [TracedWords<'_>], blocks: usize) -> Vec<BlockSquares> {
    let mut squares = Vec::new();
    for i in 0..all.len() {
        let BlockWords { bytes, count: side, from, flip, .. } = all[i].0;
        let place = |i: usize| {
            let mut next = from;
            next.iter_mut().take(side).for_each(|own| *own += i * bytes);
            let form = |own: &BlockWords| (own.bytes, own.count, own.from, own.flip);
            all.iter().position(|(own, _)| form(own) == (bytes, side, next, flip))
        };
        let is_square = side > 1 && side * bytes == WINDOW && blocks >= LEAST_SQUARES;
        let places = (0..side).map(place).collect::<Option<Vec<_>>>().filter(|_| is_square);
        let Some(places) = places else { continue };
        let flip = vec![array::from_fn(|i| flip[i % WINDOW]); side];
        let mut new = BlockSquares {
            side,
            count: side,
            from,
            bytes: WINDOW,
            flip,
            ..BlockSquares::default()
        };
        for (to, i) in new.to.iter_mut().zip(places) {
            (*to, all[i].0.count) = (all[i].0.to, 0);
        }
        squares.push(new);
    }
    for own in &mut squares {
        for bytes in [1, 2] {
            let place = |to: &usize| {
                all.iter().position(|(own, _)| {
                    let form = (own.count, own.bytes, own.to + bytes, own.flip);
                    form == (1, bytes, *to, [0; WINDOW])
                })
            };
            let places: Option<Vec<_>> = own.to[..own.side].iter().map(place).collect();
            for (head, i) in own.heads.iter_mut().zip(places.unwrap_or_default()) {
                (*head, own.head, all[i].0.count) = (all[i].0.from[0], bytes, 0);
            }
        }
    }
    joined(squares)
}

/// Joins squares of one form, those of two vectors in fours. Those with heads come first, and prefetch for others.
fn joined(mut all: Vec<BlockSquares>) -> Vec<BlockSquares> {
    let form = |own: &BlockSquares| (own.side, Reverse(own.head), own.flip[0]);
    all.sort_by_key(|own| (form(own), own.to[0]));
    let mut joined = Vec::new();
    for mut run in all.chunk_by(|a, b| form(a) == form(b)) {
        while let [first, ..] = run {
            let most = if first.side == 2 { 4 } else { 1 };
            let (own, others) = run.split_at(1 << run.len().min(most).ilog2());
            let mut new = BlockSquares { count: first.side * own.len(), ..first.clone() };
            new.flip.resize(new.count, first.flip[0]);
            for i in 0..new.count {
                let (at, own) = (i / own.len(), &own[i % own.len()]);
                (new.from[i], new.to[i], new.heads[i]) = (own.from[at], own.to[at], own.heads[at]);
            }
            joined.push(new);
            run = others;
        }
    }
    joined
}

/// At most 16 bytes as the longest words that they are.
fn words_of(bytes: &[TracedByte], flips: &[u8]) -> Option<BlockWords> {
    let from: Option<Vec<usize>> = bytes.iter().map(TracedByte::whole).collect();
    let (places, to) = (from?, bytes.first()?.at);
    let is_word = |own: &[usize]| own.windows(2).all(|two| two[0] + 1 == two[1]);
    let fits = |size: &usize| places.len() % size == 0 && places.chunks(*size).all(is_word);
    let size = [16, 8, 4, 2, 1].into_iter().find(fits)?;
    let (mut from, mut flip, count) = ([0; WINDOW], [0; WINDOW], places.len() / size);
    from.iter_mut().zip(places.chunks(size)).for_each(|(own, word)| *own = word[0]);
    flip[..places.len()].iter_mut().zip(flips.iter().skip(to)).for_each(|(own, flip)| *own = *flip);
    Some(BlockWords { bytes: size, count, from, to, flip, apart: None })
}

/// The bytes of a window, and those of each source, one after another.
pub(super) type Windows<'a> = (usize, &'a [Range<usize>]);

/// The vectors of bytes, which end where bytes are missing, or with `splits` where other moves begin.
pub(super) fn vectors(
    bytes: &[TracedByte],
    splits: bool,
    of: Windows<'_>,
    flips: &[u8],
) -> Vec<BitVector> {
    let lane = of.0;
    let mut all = Vec::new();
    let is_next =
        |a: &TracedByte, b: &TracedByte| a.at + 1 == b.at && (!splits || a.moves == b.moves);
    for run in bytes.chunk_by(is_next) {
        let mut first = 0;
        while first < run.len() {
            let left = run.len() - first;
            // Longer vectors have any number of bytes.
            let count = if lane > WINDOW { left.min(lane) } else { 1 << left.min(lane).ilog2() };
            // The last bytes with some before them, if they took several vectors.
            let is_rest = left < lane && count < left && run.len() >= lane;
            let own = match is_rest {
                true => &run[run.len() - lane..],
                false => &run[first..first + count],
            };
            all.push(vector(own, of, flips));
            first += if is_rest { left } else { count };
        }
    }
    all
}

/// The vector of these bytes.
pub(super) fn vector(bytes: &[TracedByte], of: Windows<'_>, flips: &[u8]) -> BitVector {
    let mut own = BitVector {
        destination: bytes[0].at,
        bytes: bytes.len(),
        keep: [0; 64],
        flip: [0; 64],
        parts: Vec::new(),
    };
    // For each part the byte of the source for each byte of the vector.
    let mut sources: Vec<[Option<usize>; 64]> = Vec::new();
    for (i, byte) in bytes.iter().enumerate() {
        own.flip[i] = flips.get(byte.at).copied().unwrap_or(0);
        for (bit, from) in byte.bits.iter().enumerate() {
            let Some(from) = from else {
                own.keep[i] |= 1 << bit;
                continue;
            };
            let shift = bit as i32 - (from % 8) as i32;
            let is_free = |at: Option<usize>| at.is_none_or(|at| at == from / 8);
            let found = own
                .parts
                .iter()
                .zip(&sources)
                .position(|(part, source)| part.shift == shift && is_free(source[i]));
            let part = found.unwrap_or_else(|| {
                let (mask, windows) = ([0; 64], Vec::new());
                own.parts.push(BitPart { shift, mask, is_whole: false, windows });
                sources.push([None; 64]);
                sources.len() - 1
            });
            own.parts[part].mask[i] |= 1 << bit;
            sources[part][i] = Some(from / 8);
        }
        own.flip[i] &= !own.keep[i];
    }
    for (part, sources) in own.parts.iter_mut().zip(sources) {
        part.windows = windows_of(&sources, of);
        let is_whole = |own: &u8| matches!(own, 0 | 0xff);
        part.is_whole = part.shift == 0 && own.flip == [0; 64] && part.mask.iter().all(is_whole);
        // Bytes that the vector does not have are not stored.
        part.mask[bytes.len()..].fill(0xff);
    }
    own
}

/// The windows that have these bytes, none beyond the end of a source.
fn windows_of(sources: &[Option<usize>; 64], (lane, ranges): Windows<'_>) -> Vec<BitWindow> {
    let mut order: Vec<usize> = sources.iter().flatten().copied().collect();
    order.sort_unstable();
    let mut all = Vec::new();
    let mut next = 0;
    for from in order {
        if from < next {
            continue;
        }
        let source = ranges.partition_point(|own| own.end <= from).min(ranges.len() - 1);
        let Range { start, end } = ranges[source];
        let offset = from.min(end - lane);
        next = offset + lane;
        let mut table = [NONE; 64];
        for (byte, own) in table.iter_mut().zip(sources) {
            *byte = own
                .filter(|own| (from..next).contains(own))
                .map_or(NONE, |own| (own - offset) as u8);
        }
        all.push(BitWindow { source, offset: offset - start, table });
    }
    all
}
