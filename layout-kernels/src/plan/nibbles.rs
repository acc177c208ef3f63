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

use core::mem::MaybeUninit;

use crate::drive;
use crate::isa::{HalvesKernel, Isa};
use crate::nest::{Error, Loop, MAX_LOOPS, Move, Nest};
use crate::plan::round::{Round, Rounds};
use crate::plan::{BytePlan, Path, balanced};

/// The most pairs of rows and bytes of a row in the scratch, which lies on the stack.
const PAIRS: usize = if cfg!(vectors) { 64 } else { 8 };
const BYTES: usize = if cfg!(vectors) { 128 } else { 16 };

/// A transpose: the halves of some rows, and the plan that moves these from the scratch, with the rounds around both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs {
    halves: Halves,
    kernel: HalvesKernel,
    pub(crate) plan: BytePlan,
    /// The bytes that the elements take.
    pub(crate) nest_bytes: usize,
    /// Where the first byte is on both sides.
    source: isize,
    destination: isize,
}

/// Pairs of rows whose bytes are contiguous: the low halves of both go to `to`, the high halves behind all of those.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halves {
    pairs: usize,
    bytes: usize,
    /// From one row to the next, and from one pair to the next.
    row: isize,
    pair: isize,
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

    /// # Safety
    /// Both sides hold every element and do not overlap; the CPU has the plan's instruction set.
    pub(crate) unsafe fn run(&self, source: &[u8], destination: *mut u8) {
        let mut scratch = MaybeUninit::<[u8; 2 * PAIRS * BYTES]>::uninit();
        let scratch = scratch.as_mut_ptr().cast::<u8>();
        let from = source.as_ptr().wrapping_offset(self.source);
        let to = destination.wrapping_offset(self.destination);
        let bytes = 2 * self.halves.pairs * self.halves.bytes;
        drive::each(self.plan.rounds.outside(), from, to, |from, to| {
            // SAFETY: the bytes of these rows are readable, and the scratch has room for their halves.
            unsafe { (self.kernel)(&self.halves, from, scratch) };
            // SAFETY: the kernel wrote these bytes.
            let halves = unsafe { core::slice::from_raw_parts(scratch, bytes) };
            // SAFETY: the scratch holds what the plan moves, to bytes of the destination that hold these elements.
            unsafe { drive::run_bytes(&self.plan, halves, to, false) };
        });
    }
}

/// The halves of pairs of rows. The compiler makes vectors of the loop.
///
/// # Safety
/// The bytes of all rows are readable from `from` on, and twice those of one row of each pair writable from `to` on.
#[inline(always)]
pub(crate) unsafe fn halves(of: &Halves, from: *const u8, to: *mut u8) {
    let Halves { pairs, bytes, row, pair } = *of;
    for i in 0..pairs {
        let first = from.wrapping_offset(pair.wrapping_mul(i as isize));
        let (low, high) = (to.wrapping_add(i * bytes), to.wrapping_add((pairs + i) * bytes));
        // SAFETY: a row.
        let first = unsafe { core::slice::from_raw_parts(first, bytes) };
        // SAFETY: the other row of the pair.
        let second = unsafe {
            core::slice::from_raw_parts(
                from.wrapping_offset(pair.wrapping_mul(i as isize).wrapping_add(row)),
                bytes,
            )
        };
        // SAFETY: the row's part of the low halves, which nothing else uses meanwhile.
        let low = unsafe { core::slice::from_raw_parts_mut(low.cast::<MaybeUninit<u8>>(), bytes) };
        // SAFETY: as above, of the high halves, which are behind all low ones.
        let high =
            unsafe { core::slice::from_raw_parts_mut(high.cast::<MaybeUninit<u8>>(), bytes) };
        let both = first.iter().zip(second).zip(low.iter_mut().zip(high));
        for ((a, b), (low, high)) in both {
            low.write(a & 0xf | b << 4);
            high.write(a >> 4 | b & 0xf0);
        }
    }
}

/// Moves element by element.
pub(crate) fn elements(nest: &Nest, source: &[u8], destination: &mut [u8]) {
    if nest.bytes == 0 {
        return;
    }
    let mut at = [0usize; MAX_LOOPS];
    let (mut from, mut to) = (nest.source, nest.destination);
    loop {
        for element in 0..nest.unit {
            let (from, to) = (from as usize + element, to as usize + element);
            // Indexing would bring a panic along; both sides are long enough.
            let (Some(byte), Some(own)) = (source.get(from / 2), destination.get_mut(to / 2))
            else {
                debug_assert!(false, "element {from} to {to}");
                return;
            };
            let value = byte >> (from % 2 * 4) & 0xf;
            *own = *own & !(0xf << (to % 2 * 4)) | value << (to % 2 * 4);
        }
        let mut is_done = true;
        for (at, own) in at.iter_mut().zip(&nest.loops).take(nest.count) {
            *at += 1;
            (from, to) = (from + own.source, to + own.destination);
            if *at < own.size {
                is_done = false;
                break;
            }
            *at = 0;
            let all = own.size as isize;
            (from, to) = (from - own.source * all, to - own.destination * all);
        }
        if is_done {
            return;
        }
    }
}
