//! Which loops are a shuffle: those that lie together in the destination and come from near each other, and padding
//! between them.

use super::asked::Loops;
use super::padded::Fill;
use crate::kernel::{Job, Kernel, Loop, Shuffle};

/// The most loops of a nest that becomes a job.
const MOST_LOOPS: usize = Loops::CAPACITY;

/// A shuffle that the fastest loops are.
#[derive(Clone, Copy)]
pub(super) struct Found {
    shuffle: Shuffle,
    /// How many of the loops it takes over.
    loops: usize,
    /// The bytes of the destination that a vector of one lane brings.
    bytes: usize,
    /// How many parts of the source they come from.
    parts: usize,
}

/// The bytes of a lane.
const LANE: usize = 16;

/// The bytes from which tiny matrices take less time with tables, which are made when they run: on a Zen 5 324 bytes
/// took 1.3 times as long with them, 540 as long, 1080 .7 times.
const TABLES: usize = 512;

/// What a run of steps costs before it begins, in look-ups.
const BEGINNING: usize = 4;

/// The shuffle that moves what `job` moves and fills the padding of the destination too: where each step ends with some,
/// and the steps lie together in the parts that hold it. The job moves all elements there, so what it leaves out is
/// padding.
pub(super) const fn padded(job: &Job, fill: &Fill) -> Option<Job> {
    let bytes = fill.bits / 8;
    if !matches!(bytes, 1 | 2 | 4 | 8) {
        return None;
    }
    let all_elements = job.bytes() == fill.elements * bytes;
    if !all_elements || job.destination != fill.start * bytes {
        return None;
    }
    let unit = job.unit;
    let [.., last] = job.outer;
    // The units of a step, the steps, and whether they are a loop of the job.
    let (units, steps, is_outer) = match job.kernel {
        Kernel::Copy(bytes) => {
            let (size, step) = (bytes / unit, unit as isize);
            (Loop { size, source: step, destination: step }, last, true)
        }
        Kernel::Transpose { rows, columns } => (rows, columns, false),
        Kernel::Strided(units) if units.destination == unit as isize => (units, last, true),
        Kernel::Strided(steps) => (Loop::ONCE, steps, false),
        _ => return None,
    };
    let mut outer = job.outer;
    if is_outer {
        outer[Job::CAPACITY - 1] = Loop::ONCE;
    }
    // Loops lie together up to the end of a part, and from part to part behind it.
    let (all, part, every) = (fill.bytes, fill.length * bytes, fill.every * bytes);
    let mut together = steps.size * steps.destination as usize;
    let mut end = part;
    let mut i = Job::CAPACITY;
    while i > 0 && together <= end {
        i -= 1;
        if outer[i].size > 1 {
            if together == part {
                (together, end) = (every, all);
            }
            if outer[i].destination != together as isize {
                return None;
            }
            together *= outer[i].size;
        }
    }
    let is_everywhere = together == if every == all { part } else { all };
    if i > 0 || together > end || !is_everywhere {
        return None;
    }
    let fill = repeated(fill.value, bytes);
    let shuffle = Shuffle { unit, inner: [Loop::ONCE, units], steps, fill };
    let is_padded = unit < 16 && steps.destination > 0 && shuffle.pads();
    if !is_padded || shuffle.gain().is_none() {
        return None;
    }
    Some(Job { kernel: Kernel::Shuffle(shuffle), outer, ..*job })
}

/// So many of the lowest bytes, over and over: as an element lies in memory, for only CPUs that begin with the lowest
/// byte look up.
const fn repeated(bits: u64, bytes: usize) -> u64 {
    let mut repeated = [0; 8];
    let mut i = 0;
    while i < 8 {
        repeated[i] = bits.to_le_bytes()[i % bytes];
        i += 1;
    }
    u64::from_ne_bytes(repeated)
}

/// What a copy costs that is not known when its kernel is compiled, in look-ups.
const COPY: usize = 3;

impl Found {
    /// Instead of copies of so many bytes.
    pub(super) const fn pieces(
        loops: &[Loop; MOST_LOOPS],
        count: usize,
        unit: isize,
        bytes: usize,
    ) -> Option<Self> {
        if bytes >= LANE {
            return None;
        }
        match Self::best(loops, count, unit) {
            Some(best) if best.loops > 1 && best.beats_pieces(bytes, COPY) => Some(best),
            _ => None,
        }
    }

    /// Instead of interleaves of so many bytes of each of three or four rows, or the way back: less than a vector has,
    /// so that units would be moved one by one, but three rows of a lane of known matrices.
    pub(super) const fn less_than_a_vector(
        loops: &[Loop; MOST_LOOPS],
        count: usize,
        unit: isize,
        rows: usize,
        bytes: isize,
    ) -> Option<Self> {
        // Lanes take turns by fours, and by threes where they look up: on x86-64 vectors of two lanes do.
        let lanes = if rows == 3 && cfg!(target_arch = "x86_64") { 2 } else { 1 };
        if bytes < (lanes * LANE) as isize { Self::tiny(loops, count, unit) } else { None }
    }

    /// Instead of units one by one of tiny matrices, whose loops cost as much as they do if there are many. Few
    /// matrices are sooner moved than tables are made.
    const fn tiny(loops: &[Loop; MOST_LOOPS], count: usize, unit: isize) -> Option<Self> {
        let (mut bytes, mut i) = (unit as usize, 0);
        while i < count {
            bytes = bytes.saturating_mul(loops[i].size);
            i += 1;
        }
        if bytes < TABLES {
            return None;
        }
        let cost = if unit <= 2 { 2 } else { 1 };
        match Self::best(loops, count, unit) {
            Some(best) if best.loops > 1 && best.beats_pieces(unit as usize, cost) => Some(best),
            _ => None,
        }
    }

    /// Instead of units one by one.
    pub(super) const fn units(
        loops: &[Loop; MOST_LOOPS],
        count: usize,
        unit: isize,
    ) -> Option<Self> {
        match Self::best(loops, count, unit) {
            Some(best) if best.beats_pieces(unit as usize, 1) => Some(best),
            _ => None,
        }
    }

    /// Instead of tiles of which a part is wanted: of so few rows, or of so few columns that rows lie near each other.
    /// 16 bits out of 8 bytes or 32 of 8 took less time so, 32 of 12 more.
    pub(super) const fn few_rows_or_columns(
        loops: &[Loop; MOST_LOOPS],
        count: usize,
        unit: isize,
        rows: usize,
        columns: usize,
    ) -> Option<Self> {
        let bytes = unit as usize;
        if rows * bytes < LANE {
            return match columns * bytes < LANE {
                true => Self::tiny(loops, count, unit),
                false => Self::units(loops, count, unit),
            };
        }
        let from_row_to_row = loops[count - 1].source.unsigned_abs();
        let near = bytes <= from_row_to_row && from_row_to_row <= 8 && from_row_to_row <= 4 * bytes;
        if near && columns * bytes < LANE { Self::best(loops, count, unit) } else { None }
    }

    /// The best shuffle of the fastest loops over units of so many bytes.
    const fn best(loops: &[Loop; MOST_LOOPS], count: usize, unit: isize) -> Option<Self> {
        let unit = unit as usize;
        let mut best: Option<Self> = None;
        let mut inner = [Loop::ONCE; 2];
        let mut step = unit;
        let mut taken = 0;
        while taken < 3 && taken < count && step <= LANE && unit < LANE {
            let steps = loops[count - 1 - taken];
            if steps.destination != step as isize {
                break;
            }
            taken += 1;
            let shuffle = Shuffle { unit, inner, steps, fill: 0 };
            step *= steps.size;
            if step >= LANE {
                if let Some((bytes, parts)) = shuffle.gain() {
                    let found = Self { shuffle, loops: taken, bytes, parts };
                    best = match best {
                        Some(best) if best.is_as_good_as(&found) => Some(best),
                        _ => Some(found),
                    };
                }
            }
            inner = if taken == 1 { [Loop::ONCE, steps] } else { [steps, inner[1]] };
        }
        best
    }

    /// What all steps cost, in look-ups and stores.
    const fn cost(&self) -> usize {
        self.shuffle.bytes().div_ceil(self.bytes) * (1 + self.parts) + BEGINNING
    }

    /// Whether it takes no longer for a byte than another.
    const fn is_as_good_as(&self, other: &Self) -> bool {
        let (own, others) = (self.shuffle.bytes(), other.shuffle.bytes());
        self.cost().saturating_mul(others) <= other.cost().saturating_mul(own)
    }

    /// The kernel, and which of so many loops it takes over.
    pub(super) const fn kernel(&self, count: usize) -> (Kernel, [bool; MOST_LOOPS]) {
        let mut taken = [false; MOST_LOOPS];
        let mut i = 1;
        while i <= self.loops {
            taken[count - i] = true;
            i += 1;
        }
        (Kernel::Shuffle(self.shuffle), taken)
    }

    /// Whether it costs less than to move pieces of so many bytes each for itself, of which one costs so much.
    const fn beats_pieces(&self, bytes: usize, cost: usize) -> bool {
        self.cost() < self.shuffle.bytes() / bytes * cost
    }
}
