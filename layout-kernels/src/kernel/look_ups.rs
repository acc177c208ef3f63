//! What a vector of the destination of a shuffle is looked up in: parts of the source, with a table for each.

use super::loops::Loop;
use super::shuffle::Shuffle;

/// The most parts of the source that a vector of the destination is looked up in.
pub(super) const PARTS: usize = 6;

/// The bytes of the longest vector that looks up.
pub(super) const LONGEST: usize = 64;

/// A byte of no part: it looks up 0.
const NOWHERE: u8 = 0x80;

/// What a vector of the destination is made of: of so many steps, each vector of the same.
///
/// Indices are remainders, which are no other numbers: nothing here panics, for that would bring its message into
/// firmware.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookUps {
    /// How many steps it takes.
    pub(super) steps: usize,
    /// The steps before the first of which less than a vector is left, as many as whole vectors take.
    pub(super) whole: usize,
    /// 0 where it cannot be looked up.
    pub(super) parts: usize,
    /// Where each part begins, from where the first step does; ascending.
    pub(super) offsets: [isize; PARTS],
    /// Where each byte lies in a part.
    pub(super) tables: [[u8; LONGEST]; PARTS],
    /// What padding holds, and 0 where there is none.
    pub(super) padding: [u8; LONGEST],
}

impl LookUps {
    /// None.
    pub(super) const NONE: Self = Self {
        steps: 0,
        whole: 0,
        parts: 0,
        offsets: [0; PARTS],
        tables: [[NOWHERE; LONGEST]; PARTS],
        padding: [0; LONGEST],
    };

    /// For vectors of so many bytes, at most [`LONGEST`].
    pub(super) const fn of(shuffle: &Shuffle, bytes: usize) -> Self {
        let Loop { size, source, .. } = shuffle.steps;
        // As many steps as fill a vector, and as many as one part holds.
        let mut steps = 0;
        while steps < size && (steps + 1) * shuffle.step() <= bytes {
            steps += 1;
        }
        let (distance, span) = (source.unsigned_abs(), span(shuffle));
        let mut of_one_part = 0;
        while of_one_part < steps && span + of_one_part * distance <= bytes {
            of_one_part += 1;
        }
        while steps > of_one_part {
            // Steps that are farther apart than a vector is long have a part each.
            let too_many = distance >= bytes && steps > PARTS;
            let found = if too_many { Self::NONE } else { Self::of_steps(shuffle, bytes, steps) };
            if found.parts > 0 {
                // A vector costs a store, and a look-up for each part.
                if 2 * steps >= of_one_part * (1 + found.parts) {
                    return found;
                }
                break;
            }
            steps /= 2;
        }
        Self::of_steps(shuffle, bytes, of_one_part)
    }

    /// For a vector of so many steps.
    const fn of_steps(shuffle: &Shuffle, bytes: usize, steps: usize) -> Self {
        let mut new = Self::NONE;
        if steps == 0 {
            return new;
        }
        let Units { mut offsets, mut places, count: mut left, lowest: mut next } =
            Units::of(shuffle, steps);
        // Each part begins at the lowest unit that is left.
        while left > 0 {
            if new.parts == PARTS {
                return Self::NONE;
            }
            let (lowest, count) = (next, left);
            (left, next) = (0, isize::MAX);
            let mut i = 0;
            while i < count {
                let (offset, place) = (offsets[i % LONGEST], places[i % LONGEST]);
                if offset - lowest <= bytes as isize - shuffle.unit as isize {
                    let mut byte = 0;
                    while byte < shuffle.unit {
                        let from = (offset - lowest) as usize + byte;
                        new.tables[new.parts % PARTS][(place as usize + byte) % LONGEST] =
                            from as u8;
                        byte += 1;
                    }
                } else {
                    (offsets[left % LONGEST], places[left % LONGEST]) = (offset, place);
                    next = if offset < next { offset } else { next };
                    left += 1;
                }
                i += 1;
            }
            new.offsets[new.parts % PARTS] = lowest;
            new.parts += 1;
        }
        let count = steps * shuffle.step();
        if shuffle.pads() {
            let mut step = 0;
            while step < count {
                let mut byte = shuffle.moved();
                while byte < shuffle.step() {
                    let fill = shuffle.fill.to_ne_bytes()[byte % 8];
                    new.padding[(step + byte) % LONGEST] = fill;
                    byte += 1;
                }
                step += shuffle.step();
            }
        }
        new.steps = steps;
        let before_last = match shuffle.bytes().checked_sub(bytes) {
            Some(before_last) => before_last.checked_div(count),
            None => None,
        };
        if let Some(vectors) = before_last {
            new.whole = (vectors + 1) * steps;
        }
        new
    }
}

/// The bytes of the source from the lowest of a step to its highest.
pub(super) const fn span(shuffle: &Shuffle) -> usize {
    let [a, b] = shuffle.inner;
    let (a, b) = ((a.size - 1) * a.source.unsigned_abs(), (b.size - 1) * b.source.unsigned_abs());
    a + b + shuffle.unit
}

/// The units of some steps, which have at most [`LONGEST`] bytes.
struct Units {
    /// Where each comes from, from where the first step begins in the source.
    offsets: [isize; LONGEST],
    /// Its byte among those of the steps in the destination.
    places: [u8; LONGEST],
    count: usize,
    /// The least offset.
    lowest: isize,
}

impl Units {
    const fn of(shuffle: &Shuffle, steps: usize) -> Self {
        let [a, b] = shuffle.inner;
        let mut units =
            Self { offsets: [0; LONGEST], places: [0; LONGEST], count: 0, lowest: isize::MAX };
        let mut step = 0;
        while step < steps {
            let mut place = step * shuffle.step();
            let mut i = 0;
            while i < a.size {
                let mut offset = step as isize * shuffle.steps.source + i as isize * a.source;
                let mut j = 0;
                while j < b.size {
                    units.offsets[units.count % LONGEST] = offset;
                    units.places[units.count % LONGEST] = place as u8;
                    units.lowest = if offset < units.lowest { offset } else { units.lowest };
                    units.count += 1;
                    place += shuffle.unit;
                    offset += b.source;
                    j += 1;
                }
                i += 1;
            }
            step += 1;
        }
        units
    }
}
