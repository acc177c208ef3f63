//! Byte permutes as data: loads, and a table for each.

use super::loops::{Loop, Round};
use super::thresholds::LINE;

/// The most parts of a permutation. Where words pad and permute nothing else, one.
pub(crate) const MAX_PARTS: usize = if cfg!(vectors) { 8 } else { 1 };

/// The most windows: four for each part.
pub(crate) const MAX_WINDOWS: usize = 4 * MAX_PARTS;

/// The most vectors that the same loads make.
pub(crate) const MAX_OUTPUTS: usize = 4;

/// The most tables; one where words pad and permute nothing else.
pub(crate) const MAX_TABLES: usize = if cfg!(vectors) { 3 * MAX_OUTPUTS } else { 1 };

/// The index of a byte that a part does not bring: what `pshufb` makes 0.
pub(crate) const NONE: u8 = 0x80;

/// A vector of the destination out of several loads, in three rounds.
#[derive(Clone, Copy)]
pub(crate) struct Permutation {
    pub(crate) parts: usize,
    /// Whether a part is 16 bytes from each of four places, else a vector from one.
    pub(crate) lanes: bool,
    /// The bytes of the vector that are stored.
    pub(crate) valid: usize,
    /// Whether some of them are padding.
    pub(crate) pads: bool,
    /// The vectors that the same loads hold, and where each is stored.
    pub(crate) outputs: usize,
    pub(crate) output_offsets: [isize; MAX_OUTPUTS],
    /// The bytes of each that are stored, where loads are of lanes.
    pub(crate) stored: usize,
    /// Whether every vector is whole.
    pub(crate) is_whole: bool,
    pub(crate) align: Align,
    /// Whether loads are as long as `lengths` says, else whole vectors.
    pub(crate) is_short: bool,
    pub(crate) lengths: [u8; MAX_PARTS],
    pub(crate) inner: Round,
    pub(crate) next: Round,
    pub(crate) outer: Round,
    /// The rounds of `next` in which whole vectors may be stored, since later ones store over what is behind.
    pub(crate) whole_runs: usize,
    /// In other rounds of `next`, the rounds of `inner` in which they may.
    pub(crate) whole_rounds: usize,
    /// Where windows begin.
    pub(crate) offsets: [i32; MAX_WINDOWS],
    /// One for each part; with several outputs, [`MAX_OUTPUTS`] for each part.
    pub(crate) tables: [[u8; 64]; MAX_TABLES],
    /// The bytes that no part brings.
    pub(crate) fill: [u8; 64],
}

impl core::fmt::Debug for Permutation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { parts, lanes, valid, inner, next, .. } = self;
        write!(f, "{parts} parts, lanes {lanes}, {valid} bytes, {inner:?}, {next:?}")
    }
}

/// How vectors of a run come to lines of the destination: after some iterations of the loop of the run.
#[cfg_attr(not(vectors), allow(dead_code, reason = "words align nothing"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Align {
    /// From one iteration of the loop to the next; 0 in the destination if vectors stay where they are.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    /// The power of two in the destination's, at most that of a line, and the inverse of what is left of it.
    power: u32,
    inverse: usize,
}

#[cfg_attr(not(vectors), allow(dead_code, reason = "words align nothing"))]
impl Align {
    pub(crate) const NEVER: Self = Self { source: 0, destination: 0, power: 0, inverse: 0 };

    /// Of vectors of `valid` bytes. They hold whole iterations, so that less than a vector comes before a line.
    pub(crate) const fn of(of_run: Loop, valid: usize) -> Self {
        let Loop { source, destination, .. } = of_run;
        if destination <= 0 || valid % destination as usize != 0 {
            return Self::NEVER;
        }
        let power = destination.trailing_zeros();
        let power = if power < LINE.trailing_zeros() { power } else { LINE.trailing_zeros() };
        let odd = destination as usize >> power;
        // Newton: every step doubles the bits that are right, of which an odd number's own are three.
        let inverse = odd.wrapping_mul(2usize.wrapping_sub(odd.wrapping_mul(odd)));
        Self { source, destination, power, inverse }
    }

    /// The iterations before a vector begins at a line, from `to` on; 0 if none does.
    #[inline(always)]
    pub(crate) const fn shift(&self, to: usize) -> isize {
        // First what is the same for every run: a branch by the address is often mispredicted.
        if self.destination == 0 {
            return 0;
        }
        let before = to.wrapping_neg() % LINE;
        // Powers of two, by masks: a division could panic.
        if before == 0 || before & ((1 << self.power) - 1) != 0 {
            return 0;
        }
        ((before >> self.power).wrapping_mul(self.inverse) & ((LINE >> self.power) - 1)) as isize
    }
}

impl Permutation {
    /// No parts.
    pub(crate) const NONE: Self = Self {
        parts: 0,
        lanes: false,
        valid: 0,
        pads: false,
        outputs: 1,
        output_offsets: [0; MAX_OUTPUTS],
        stored: 0,
        is_whole: false,
        align: Align::NEVER,
        is_short: false,
        lengths: [0; MAX_PARTS],
        inner: Round::ONCE,
        next: Round::ONCE,
        outer: Round::ONCE,
        whole_runs: 0,
        whole_rounds: 0,
        offsets: [0; MAX_WINDOWS],
        tables: [[NONE; 64]; MAX_TABLES],
        fill: [0; 64],
    };

    /// Whether several outputs are one run of the destination: rows in turn or a block, else planes.
    pub(crate) fn is_run(&self) -> bool {
        self.outputs > 1 && self.output_offsets.iter().all(|offset| *offset < self.valid as isize)
    }

    /// Whether several outputs are one part of the destination: rows in turn, else planes.
    pub(crate) const fn is_of_rows(&self) -> bool {
        self.outputs > 1 && self.output_offsets[1] * self.outputs as isize == self.valid as isize
    }
}
