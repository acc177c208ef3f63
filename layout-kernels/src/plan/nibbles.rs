//! Moves of 4-bit elements, two of which share a byte, the even position in the low half.
//!
//! A move whose loops and unit are of even numbers of elements is one of bytes. A transpose takes two rows at a time:
//! the low halves of their bytes are the bytes of even columns, the high halves those of odd ones:
//!
//! ```text
//! two rows          01 23 45 ..         even columns  0a 2c 4e ..
//!                   ab cd ef ..         odd columns   1b 3d 5f ..
//! ```
//!
//! So both go to a scratch, and from there a plan of bytes moves them. Anything else moves element by element.

use super::byte_plan::BytePlan;
use super::nests::{Error, Move, Nest};
use crate::isa::Isa;
use crate::sets::HalvesKernel;
use crate::steps::{Halves, Loop, MAX_LOOPS, Round, Rounds, balanced};

/// The most pairs of rows and bytes of a row in the scratch, which lies on the stack.
pub(crate) const PAIRS: usize = if cfg!(vectors) { 64 } else { 8 };
pub(crate) const BYTES: usize = if cfg!(vectors) { 128 } else { 16 };

/// How a move is carried out.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Path {
    /// As bytes.
    Bytes(BytePlan),
    /// 4-bit elements, two rows at a time.
    Pairs(Pairs),
    /// 4-bit elements one by one.
    Elements(Nest),
}

/// A transpose: the halves of some rows, and the plan that moves these from the scratch, with the rounds around both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs {
    pub(crate) halves: Halves,
    pub(crate) kernel: HalvesKernel,
    pub(crate) plan: BytePlan,
    /// The bytes that the elements take.
    pub(crate) nest_bytes: usize,
    /// Where the first byte is on both sides.
    pub(crate) source: isize,
    pub(crate) destination: isize,
}

/// The path of part `index` of a nest of elements. Two elements may share a byte, so that only a nest of whole bytes
/// has parts; of any other all is in the first part.
#[inline(never)]
pub(crate) const fn path(nest: &Nest, isa: Isa, index: usize, parts: usize) -> Result<Path, Error> {
    let (rows, columns) = (fastest(nest, false), fastest(nest, true));
    let mut loops = [Loop::ONCE; MAX_LOOPS];
    let mut is_even = nest.source % 2 == 0 && nest.destination % 2 == 0;
    let mut i = 0;
    while i < nest.count {
        let Loop { size, source, destination } = nest.loops[i];
        let (of_row, of_column) = (i == rows, i == columns);
        is_even = is_even && (of_column || source % 2 == 0) && (of_row || destination % 2 == 0);
        is_even = is_even && !(of_row && of_column) && (!(of_row || of_column) || size % 2 == 0);
        loops[i] = Loop { size, source: source / 2, destination: destination / 2 };
        i += 1;
    }
    if !is_even
        || (nest.unit % 2 == 0) != (rows == MAX_LOOPS)
        || (rows < MAX_LOOPS) != (columns < MAX_LOOPS)
    {
        return Ok(Path::Elements(if index == 0 { *nest } else { Nest::NOTHING }));
    }
    if rows < MAX_LOOPS {
        if index > 0 {
            return Ok(Path::Elements(Nest::NOTHING));
        }
        return match Pairs::new(nest, rows, columns, isa) {
            Ok(pairs) => Ok(Path::Pairs(pairs)),
            // More rounds than a plan has.
            Err(_) => Ok(Path::Elements(*nest)),
        };
    }
    let (from, to) = (nest.source as usize / 2, nest.destination as usize / 2);
    let of = Move::new(loops.split_at(nest.count).0, nest.unit / 2).from(from, to);
    let nest = match Nest::new(&of) {
        Ok(nest) => nest.part(index, parts),
        Err(error) => return Err(error),
    };
    match BytePlan::new(&nest, isa) {
        Ok(plan) => Ok(Path::Bytes(plan)),
        Err(error) => Err(error),
    }
}

/// The loop whose elements share bytes in the source or the destination, or `MAX_LOOPS`.
const fn fastest(nest: &Nest, is_source: bool) -> usize {
    let mut i = 0;
    while i < nest.count {
        let stride = if is_source { nest.loops[i].source } else { nest.loops[i].destination };
        if stride == 1 && nest.unit == 1 {
            return i;
        }
        i += 1;
    }
    MAX_LOOPS
}

impl Pairs {
    /// The transpose of a nest whose elements `rows` and `columns` walk one by one.
    const fn new(nest: &Nest, rows: usize, columns: usize, isa: Isa) -> Result<Self, Error> {
        let (row, column) = (nest.loops[rows], nest.loops[columns]);
        // In bytes: pairs of rows, and bytes of two columns.
        let pairs = Loop { size: row.size / 2, source: row.source, destination: 1 };
        let bytes = Loop { size: column.size / 2, source: 1, destination: column.destination };
        let (height, width) = (balanced(pairs.size, PAIRS), balanced(bytes.size, BYTES));
        let mut rounds = Rounds::NONE;
        let mut i = nest.count;
        while i > 0 {
            i -= 1;
            let own = nest.loops[i];
            let round = if i == rows {
                Round::of(pairs, height)
            } else if i == columns {
                Round::of(bytes, width)
            } else {
                Round::of(
                    Loop { source: own.source / 2, destination: own.destination / 2, ..own },
                    1,
                )
            };
            if !rounds.push(round) {
                return Err(Error::TooManyLoops);
            }
        }
        rounds.sort();
        let own = [
            Loop::new(height, width as isize, 1),
            Loop::new(width, 1, column.destination),
            Loop::new(2, (height * width) as isize, column.destination / 2),
        ];
        let nest_bytes = nest.bytes.div_ceil(2);
        let plan = match Nest::new(&Move::new(&own, 1)) {
            Ok(nest) => BytePlan::new(&nest, isa),
            Err(error) => return Err(error),
        };
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(error) => return Err(error),
        };
        let Some(all) = rounds.around(&plan.rounds) else { return Err(Error::TooManyLoops) };
        plan.rounds = all;
        let halves = Halves { pairs: height, bytes: width, row: row.source / 2, pair: row.source };
        Ok(Self {
            halves,
            kernel: isa.kernels().halves,
            plan,
            nest_bytes,
            source: nest.source / 2,
            destination: nest.destination / 2,
        })
    }
}
