//! Moves of elements of less than a byte.
//!
//! A move whose loops and unit consist of whole bytes is a move of bytes. If the elements have the opposite order
//! within a byte in the destination, each byte is reversed on the way. A transpose groups rows, one row for each
//! element of a byte. The first elements of the bytes of a group make a byte of the first column, and so on. For
//! 4-bit elements:
//!
//! ```text
//! two rows          01 23 45 ..         even columns  0a 2c 4e ..
//!                   ab cd ef ..         odd columns   1b 3d 5f ..
//! ```
//!
//! All these planes go to a scratch buffer, from which a step moves them. Elements that stay within words
//! are shifted there. All other elements move in runs. If a run begins at different positions of a byte on both
//! sides, each of its bytes is combined from two.

use super::byte_move::{Error, Move};
use super::choose::{Candidates, planned};
#[cfg(vectors)]
use super::code::Pass;
use super::code::{Blocked, BytePlan, First};
use super::nests::Nest;
use crate::isa::Isa;
use crate::steps::{Loop, MAX_LOOPS, OuterLoop, OuterLoops, Planes, SubByte, balanced, each};

/// The maximal number of rows, and of bytes of a row, in the scratch buffer on the stack.
const ROWS: usize = if cfg!(vectors) { 128 } else { 16 };
const BYTES: usize = if cfg!(vectors) { 128 } else { 16 };
pub(crate) const SCRATCH: usize = ROWS * BYTES;

/// How a move is carried out.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Path {
    /// A move of bytes.
    Bytes(BytePlan),
    /// A move of bytes in two passes, or one of elements of less than a byte, in groups of rows that are combined into
    /// whole bytes.
    Blocked(Blocked),
    /// A move of bytes, each of which is reversed.
    Reversed(Reversed),
    /// Elements of less than a byte that stay within words.
    Words(Words),
    /// Elements of less than a byte in runs.
    Elements(Nest, SubByte),
}

/// Bytes whose elements have the opposite order: moved first, then reversed in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reversed {
    pub(crate) of: SubByte,
    pub(crate) plan: BytePlan,
    /// The bytes that are written, as a nest for both sides.
    pub(crate) written: Nest,
}

/// A path takes 3 KiB, so it is set in place of one that moves nothing, by functions of their own: values of 3 KiB that
/// they make are not on the stack while a nest is planned.
impl Path {
    /// Sets the path of part `index` of a nest of elements. Only a nest of whole bytes or words is divided, since
    /// elements of two parts could share a byte. For any other nest the first part has everything.
    pub(super) const fn set_elements(
        &mut self,
        nest: &Nest,
        of: SubByte,
        isa: Isa,
        (index, parts): (usize, usize),
    ) -> Result<(), Error> {
        if let Some(bytes) = whole_bytes(nest, of.per_byte()) {
            return match Nest::new(&bytes) {
                Ok(nest) => self.set_reversed(&nest.part(index, parts), of, isa),
                Err(error) => Err(error),
            };
        }
        if self.set_words(nest, of, (index, parts)) {
            return Ok(());
        }
        if index > 0 {
            *self = Self::Elements(Nest::NOTHING, of);
            return Ok(());
        }
        if let Some((rows, columns)) = transposed(nest, of.per_byte()) {
            // If there are more outer loops than a plan has, elements move one by one.
            if self.set_groups(nest, of, (rows, columns), isa) {
                return Ok(());
            }
        }
        let mut lines = *nest;
        lines.set_longest_first();
        *self = Self::Elements(lines, of);
        Ok(())
    }

    #[cfg(vectors)]
    #[inline]
    pub(super) const fn set_no_bytes(&mut self) {
        *self = Self::Bytes(BytePlan::nothing());
    }

    #[cfg(vectors)]
    #[inline]
    pub(super) const fn set_no_passes(&mut self) {
        *self = Self::Blocked(Blocked::nothing(First::Pass {
            pass: Pass::nothing(),
            length: 0,
            cost: 0,
        }));
    }

    /// Sets the path of a nest of bytes, which are reversed if the order of their elements is.
    #[inline(never)]
    const fn set_reversed(&mut self, nest: &Nest, of: SubByte, isa: Isa) -> Result<(), Error> {
        if of.is_reversed() {
            match written(nest) {
                Ok(written) => self.set_no_reversed(of, &written),
                Err(error) => return Err(error),
            }
        }
        if let Self::Bytes(plan) | Self::Reversed(Reversed { plan, .. }) = self {
            plan.set_best(nest, isa);
        }
        Ok(())
    }

    #[inline]
    const fn set_no_reversed(&mut self, of: SubByte, written: &Nest) {
        *self = Self::Reversed(Reversed { of, plan: BytePlan::nothing(), written: *written });
    }

    /// Sets the words of a part of a nest, if it permutes elements within words.
    #[inline(never)]
    const fn set_words(
        &mut self,
        nest: &Nest,
        of: SubByte,
        (index, parts): (usize, usize),
    ) -> bool {
        let Some(mut words) = Words::of(nest, of) else { return false };
        words.nest = words.nest.part(index, parts);
        *self = Self::Words(words);
        true
    }

    /// Sets the transpose of a nest in which `rows` and `columns` step by one element. Returns false if it has more
    /// outer loops than a plan.
    #[inline(never)]
    const fn set_groups(
        &mut self,
        nest: &Nest,
        of: SubByte,
        (rows, columns): (usize, usize),
        isa: Isa,
    ) -> bool {
        let mut around = OuterLoops::NONE;
        let Some(planes) = planes(nest, of, (rows, columns), &mut around) else {
            return false;
        };
        self.set_no_groups(planes, isa);
        let Self::Blocked(own) = self else { return false };
        let Planes { groups: height, bytes: width, .. } = planes;
        let (per_byte, column) = (of.per_byte(), nest.loops[columns].destination);
        let step = per_byte as isize;
        (own.isa, own.bytes) = (isa, nest.bytes.div_ceil(per_byte));
        own.block = per_byte * height * width;
        (own.source, own.destination) = (nest.source / step, nest.destination / step);
        let loops = [
            Loop::new(height, width as isize, 1),
            Loop::new(width, 1, column),
            Loop::new(per_byte, (height * width) as isize, column / step),
        ];
        let Ok(nest) = Nest::new(&Move::new(&loops, 1)) else { return false };
        let mut of_step = OuterLoops::NONE;
        let mut all = Candidates::NONE;
        all.set(&nest, planned(isa), usize::MAX);
        own.second.set(&nest, isa, &all, &mut of_step);
        own.push(&around, 0) && own.push(&of_step, 2)
    }

    #[inline]
    const fn set_no_groups(&mut self, planes: Planes, isa: Isa) {
        *self = Self::Blocked(Blocked::nothing(First::Planes(planes, isa.kernels().planes)));
    }
}

/// Returns the bytes that a nest of bytes writes, as a nest for both sides.
const fn written(nest: &Nest) -> Result<Nest, Error> {
    let mut loops = [Loop::ONCE; MAX_LOOPS];
    each!(i, 0..nest.count, {
        let Loop { size, destination, .. } = nest.loops[i];
        loops[i] = Loop::new(size, destination, destination);
    });
    let start = nest.destination as usize;
    Nest::new(&Move::new(loops.split_at(nest.count).0, nest.unit).from(start, start))
}

/// Returns the move of bytes that a nest of elements is, if its loops and unit consist of whole bytes.
const fn whole_bytes(nest: &Nest, per_byte: usize) -> Option<Move> {
    let (from, to, step) = (nest.source as usize, nest.destination as usize, per_byte as isize);
    if from % per_byte != 0 || to % per_byte != 0 || nest.unit % per_byte != 0 {
        return None;
    }
    let mut loops = [Loop::ONCE; MAX_LOOPS];
    each!(i, 0..nest.count, {
        let Loop { size, source, destination } = nest.loops[i];
        if source % step != 0 || destination % step != 0 {
            return None;
        }
        loops[i] = Loop { size, source: source / step, destination: destination / step };
    });
    let of = Move::new(loops.split_at(nest.count).0, nest.unit / per_byte);
    Some(of.from(from / per_byte, to / per_byte))
}

/// Returns the loops over rows and over columns of a transpose. Its elements share bytes along the rows in the
/// destination and along the columns in the source, and no other loop has a stride of less than a byte.
const fn transposed(nest: &Nest, per_byte: usize) -> Option<(usize, usize)> {
    let step = per_byte as isize;
    let (rows, columns) = (fastest(nest, false), fastest(nest, true));
    if rows == columns || rows == MAX_LOOPS || columns == MAX_LOOPS {
        return None;
    }
    let mut whole = nest.unit == 1 && nest.source % step == 0 && nest.destination % step == 0;
    each!(i, 0..nest.count, {
        let Loop { size, source, destination } = nest.loops[i];
        whole =
            whole && (i == columns || source % step == 0) && (i == rows || destination % step == 0);
        whole = whole && (i != rows && i != columns || size % per_byte == 0);
    });
    if whole { Some((rows, columns)) } else { None }
}

/// Returns the loop along which elements share bytes in the source or the destination, or `MAX_LOOPS`.
const fn fastest(nest: &Nest, is_source: bool) -> usize {
    each!(i, 0..nest.count, {
        let stride = if is_source { nest.loops[i].source } else { nest.loops[i].destination };
        if stride == 1 {
            return i;
        }
    });
    MAX_LOOPS
}

/// Returns the planes of the transpose of a nest in which `rows` and `columns` step by one element, and sets the
/// loops around them, unless there are more than a plan has.
const fn planes(
    nest: &Nest,
    of: SubByte,
    (rows, columns): (usize, usize),
    loops: &mut OuterLoops,
) -> Option<Planes> {
    let (row, column, per_byte) = (nest.loops[rows], nest.loops[columns], of.per_byte());
    let step = per_byte as isize;
    // In bytes: groups of rows, and the bytes of their columns.
    let groups = Loop { size: row.size / per_byte, source: row.source, destination: 1 };
    let bytes = Loop { size: column.size / per_byte, source: 1, destination: column.destination };
    let (height, width) = (balanced(groups.size, ROWS / per_byte), balanced(bytes.size, BYTES));
    each!(rev i, 0..nest.count, {
        let Loop { size, source, destination } = nest.loops[i];
        let outer = if i == rows {
            OuterLoop::of(groups, height)
        } else if i == columns {
            OuterLoop::of(bytes, width)
        } else {
            OuterLoop::of(Loop { size, source: source / step, destination: destination / step }, 1)
        };
        if !loops.push(outer) {
            return None;
        }
    });
    loops.sort();
    Some(Planes { of, groups: height, bytes: width, row: row.source / step, group: row.source })
}

/// The maximal number of terms. Permutations of the elements of a byte or a word have a few.
const MAX_TERMS: usize = 16;

/// Elements that are permuted within words of up to 8 bytes, in the same way in all words. AWQ's order of eight nibbles
/// is an example.
///
/// A word is treated as a number. All elements that move by the same number of bits in the same direction form one
/// term: a mask keeps them and clears the others, and one shift moves them.
///
/// These are the terms of a word of 8 bytes, or of several shorter words that fill 8 bytes, and the runs of bytes that
/// they change.
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
        let mut count = nest.unit;
        each!(i, 0..nest.count, {
            let Loop { size: steps, source, destination } = nest.loops[i];
            if destination < size {
                inner[i] = nest.loops[i];
                count = count.saturating_mul(steps);
            } else if source % size == 0 && destination % size == 0 {
                outer[i] = Loop::new(steps, source / step, destination / step);
            } else {
                return None;
            }
        });
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
        let (mut read, mut written) = (0u64, 0u64);
        each!(i, 0..elements, {
            let (own, other) = position(&inner, nest.unit, i, start);
            if own < 0 || own >= size || other < 0 || other >= size {
                return None;
            }
            if (read >> own | written >> other) & 1 == 1 {
                return None;
            }
            (read, written) = (read | 1 << own, written | 1 << other);
            if !words.add(own as usize, other as usize, elements) {
                return None;
            }
        });
        Some(words)
    }

    /// Adds an element of a word at these positions. Returns false if there are too many terms.
    const fn add(&mut self, own: usize, other: usize, elements: usize) -> bool {
        let of = self.of;
        let from = own / of.per_byte() * 8 + of.source_shift(own);
        let to = other / of.per_byte() * 8 + of.destination_shift(other);
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
    let mut rest = index / unit;
    each!(i, 0..MAX_LOOPS, {
        let at = (rest % loops[i].size) as isize;
        rest /= loops[i].size;
        source += loops[i].source * at;
        destination += loops[i].destination * at;
    });
    (source, destination)
}
