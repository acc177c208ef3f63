//! Which bytes of a block move as words.

use alloc::vec::Vec;

use crate::steps::{BlockWords, WINDOW};

/// A byte of the destination: the bit of the source for each of its bits, and the moves that have one.
#[derive(Clone, Copy)]
pub(super) struct TracedByte {
    pub(super) at: usize,
    pub(super) bits: [Option<usize>; 8],
    pub(super) moves: u64,
}

impl TracedByte {
    /// The byte of the source, if all bits come from there and stay where they are.
    fn whole(&self) -> Option<usize> {
        let first = self.bits[0].filter(|own| own % 8 == 0)?;
        let is_next = |(i, own): (usize, &Option<usize>)| *own == Some(first + i);
        self.bits.iter().enumerate().all(is_next).then_some(first / 8)
    }
}

/// The bytes that move as words of two bytes or more, or are few, and the others. Words of a shape follow one another.
pub(super) fn words(bytes: &[TracedByte], flips: &[u8]) -> (Vec<BlockWords>, Vec<TracedByte>) {
    let (mut all, mut rest) = (Vec::new(), Vec::new());
    let is_next = |a: &TracedByte, b: &TracedByte| a.at + 1 == b.at && a.moves == b.moves;
    for mut run in bytes.chunk_by(is_next) {
        while !run.is_empty() {
            let (own, others) = run.split_at(1 << run.len().min(WINDOW).ilog2());
            match words_of(own, flips) {
                Some(words) => all.push(words),
                None => rest.extend(own),
            }
            run = others;
        }
    }
    all.sort_by_key(|own: &BlockWords| own.from[0]);
    let mut all = transposed(all);
    all.sort_by_key(|own| (own.bytes, own.count));
    (all, rest)
}

/// Joins four times four words, of which each four follow those before them in the source.
fn transposed(mut all: Vec<BlockWords>) -> Vec<BlockWords> {
    let mut joined = Vec::new();
    while let Some(own) = all.pop() {
        // Those that lie highest come first.
        let place = |i: usize| {
            let is_before = |other: &BlockWords| {
                let mut places = own.from.iter().zip(&other.from).take(4);
                places.all(|(own, other)| *own == other + 4 * i) && other.flip == own.flip
            };
            let is_four = |own: &BlockWords| (own.bytes, own.count) == (4, 4);
            all.iter().position(|other| is_four(&own) && is_four(other) && is_before(other))
        };
        let Some(([c, b], a)) = place(1).zip(place(2)).map(|(c, b)| [c, b]).zip(place(3)) else {
            joined.push(own);
            continue;
        };
        let to = [a, b, c].map(|i| all[i].to[0]);
        joined.push(BlockWords { count: 16, to: [to[0], to[1], to[2], own.to[0]], ..all[a] });
        // They lie in the order of the list.
        for i in [c, b, a] {
            all.remove(i);
        }
    }
    joined
}

/// At most 16 bytes as the longest words that they are, at most eight.
fn words_of(bytes: &[TracedByte], flips: &[u8]) -> Option<BlockWords> {
    let from: Option<Vec<usize>> = bytes.iter().map(TracedByte::whole).collect();
    let (places, to) = (from?, bytes.first()?.at);
    let is_word = |own: &[usize]| own.windows(2).all(|two| two[0] + 1 == two[1]);
    let fits = |size: &usize| places.len() % size == 0 && places.chunks(*size).all(is_word);
    let size = [16, 8, 4, 2, 1].into_iter().find(fits)?;
    let (mut from, mut flip, count) = ([0; 8], [0; WINDOW], places.len() / size);
    from.get_mut(..count)?
        .iter_mut()
        .zip(places.chunks(size))
        .for_each(|(own, word)| *own = word[0]);
    flip.iter_mut().zip(flips.iter().skip(to)).for_each(|(own, flip)| *own = *flip);
    Some(BlockWords { bytes: size, count, from, to: [to; 4], flip })
}
