//! Elements of less than a byte that are permuted within words of up to 8 bytes, in the same way in all words. AWQ's
//! order of eight nibbles is an example.
//!
//! A word is treated as a number. All elements that move by the same number of bits in the same direction form one
//! term: a mask keeps them and clears the others, and one shift moves them.

use super::nests::{Move, Nest};
use crate::steps::{Loop, MAX_LOOPS, SubByte};

/// The maximal number of terms. Permutations of the elements of a byte or a word have a few.
const MAX_TERMS: usize = 16;

/// The terms of a word of 8 bytes, or of several shorter words that fill 8 bytes, and the runs of bytes that they
/// change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) of: SubByte,
    terms: [Term; MAX_TERMS],
    count: usize,
    pub(crate) nest: Nest,
}

/// Elements that move by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// The bits of the elements in the source.
    pub(crate) mask: u64,
    /// The number of bits by which they move up, or down if it is negative.
    pub(crate) shift: i32,
}

impl Words {
    /// Returns the words of a nest of elements, if it permutes elements within words.
    pub(crate) const fn of(nest: &Nest, of: SubByte) -> Option<Self> {
        let mut elements = of.per_byte();
        while elements <= 8 * of.per_byte() {
            if let Some(words) = Self::of_size(nest, of, elements) {
                return Some(words);
            }
            elements *= 2;
        }
        None
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().take(self.count)
    }

    /// The same for words of `elements` elements.
    const fn of_size(nest: &Nest, of: SubByte, elements: usize) -> Option<Self> {
        let (size, step) = (elements as isize, of.per_byte() as isize);
        let (mut inner, mut outer) = ([Loop::ONCE; MAX_LOOPS], [Loop::ONCE; MAX_LOOPS]);
        let (mut count, mut i) = (nest.unit, 0);
        while i < nest.count {
            let Loop { size: steps, source, destination } = nest.loops[i];
            if destination < size {
                inner[i] = nest.loops[i];
                count = count.saturating_mul(steps);
            } else if source % size == 0 && destination % size == 0 {
                outer[i] = Loop::new(steps, source / step, destination / step);
            } else {
                return None;
            }
            i += 1;
        }
        if count != elements {
            return None;
        }
        let start = (nest.source % size, nest.destination % size);
        let (from, to) = ((nest.source - start.0) / step, (nest.destination - start.1) / step);
        let of_bytes = Move::new(outer.split_at(nest.count).0, elements / of.per_byte());
        let Ok(bytes) = Nest::new(&of_bytes.from(from as usize, to as usize)) else { return None };
        let term = Term { mask: 0, shift: 0 };
        let mut words = Self { of, terms: [term; MAX_TERMS], count: 0, nest: bytes };
        // The bits of the word that are read and written so far. In the end both must be all bits.
        let (mut read, mut written, mut i) = (0u64, 0u64, 0);
        while i < elements {
            let (own, place) = position(&inner, nest.unit, i, start);
            if own < 0 || own >= size || place < 0 || place >= size {
                return None;
            }
            if (read >> own | written >> place) & 1 == 1 {
                return None;
            }
            (read, written) = (read | 1 << own, written | 1 << place);
            if !words.add(own as usize, place as usize, elements) {
                return None;
            }
            i += 1;
        }
        Some(words)
    }

    /// Adds an element of a word at these positions. Returns false if there are too many terms.
    const fn add(&mut self, own: usize, place: usize, elements: usize) -> bool {
        let of = self.of;
        let from = own / of.per_byte() * 8 + of.source_shift(own);
        let to = place / of.per_byte() * 8 + of.destination_shift(place);
        let shift = to as i32 - from as i32;
        // Repeats the same for all words in 8 bytes.
        let (mut mask, mut at) = (0, from);
        while at < u64::BITS as usize {
            mask |= (of.mask() as u64) << at;
            at += elements * of.bits();
        }
        let mut i = 0;
        while i < self.count && self.terms[i].shift != shift {
            i += 1;
        }
        if i == MAX_TERMS {
            return false;
        }
        if i == self.count {
            self.terms[i].shift = shift;
            self.count += 1;
        }
        self.terms[i].mask |= mask;
        true
    }
}

/// Returns the offsets of element `index` of a unit and the loops around it, on both sides.
const fn position(
    loops: &[Loop; MAX_LOOPS],
    unit: usize,
    index: usize,
    (mut source, mut destination): (isize, isize),
) -> (isize, isize) {
    (source, destination) =
        (source + (index % unit) as isize, destination + (index % unit) as isize);
    let (mut rest, mut i) = (index / unit, 0);
    while i < MAX_LOOPS {
        let at = (rest % loops[i].size) as isize;
        rest /= loops[i].size;
        source += loops[i].source * at;
        destination += loops[i].destination * at;
        i += 1;
    }
    (source, destination)
}
