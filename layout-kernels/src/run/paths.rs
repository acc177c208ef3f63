//! Runs the paths of plans: moves of bytes, at once or in blocks that fit a scratch buffer, or of elements of less than a
//! byte.

use core::mem::MaybeUninit;

use super::drive::{self, Stage, run_stage};
use super::scratch::{Scratch, each};
use crate::isa::Isa;
#[cfg(all(feature = "alloc", feature = "records"))]
use crate::plan::BitPermute;
#[cfg(vectors)]
use crate::plan::PASS_BLOCK;
use crate::plan::{Blocked, First, Nest, Pass, Path, Plan, Reversed, SCRATCH, Words};
#[cfg(all(feature = "alloc", feature = "records"))]
use crate::steps::MOST_SOURCES;
use crate::steps::{Loop, MAX_LOOPS, OuterLoop, SubByte};

/// Runs a plan. If it stores non-temporally, the caller must call [`Plan::finish`] afterwards.
///
/// # Safety
/// `source` must have `source_len` bytes, `destination_len` bytes must be writable at `destination`, and the two must
/// not overlap. The CPU must have the plan's instruction set.
#[inline(always)]
pub(crate) unsafe fn run(plan: &Plan, source: &[u8], destination: *mut u8, stream: bool) {
    match &plan.path {
        // SAFETY: the caller's promise.
        Path::Bytes(plan) => unsafe { drive::run_bytes(plan, source, destination, stream) },
        // SAFETY: the caller's promise.
        Path::Blocked(own) => unsafe { run_blocked(own, source, destination) },
        // SAFETY: the caller's promise.
        Path::Reversed(reversed) => unsafe { reversed.run(source, destination) },
        // SAFETY: the caller's promise.
        Path::Words(words) => unsafe { words.run(source, destination) },
        Path::Elements(nest, _) if nest.bytes == 0 => {}
        Path::Elements(nest, of) => {
            // SAFETY: these bytes are writable, and no other reference covers them, by the caller's promise: such a
            // move is never divided into parts.
            let destination =
                unsafe { core::slice::from_raw_parts_mut(destination, plan.destination_end) };
            if nest.unit < of.per_byte() {
                // The first elements of all runs of a loop, then the second ones.
                each_line(nest, |(from, to), along| {
                    for i in 0..nest.unit as isize {
                        copy_ones(*of, source, destination, (from + i, to + i), along);
                    }
                });
            } else {
                each_unit(nest, |from, to| {
                    copy(*of, (source, from), (destination, to), nest.unit);
                });
            }
        }
    }
}

/// The bytes of the destination that are written by all steps before the next ones, so that these and the source stay in
/// the first-level cache.
#[cfg(all(feature = "alloc", feature = "records"))]
const CACHED: usize = 5 << 10;

#[cfg(all(feature = "alloc", feature = "records"))]
impl BitPermute {
    /// The most blocks of a step.
    pub(crate) fn most(&self) -> usize {
        (CACHED / self.block.max(1) + 1).next_multiple_of(crate::steps::LEAST_BLOCKS)
    }

    /// Moves the bits out of buffers. Returns false, without moving anything, if one or the destination is too short.
    #[must_use]
    pub fn run<'a>(&self, buffers: impl Fn(usize) -> &'a [u8], destination: &mut [u8]) -> bool {
        let Some((blocks, around)) = self.sources[0].loops.split_last() else { return false };
        // Each buffer is asked for once, since those of a second call might be shorter.
        let mut buffer_of = [&[][..]; MOST_SOURCES];
        for (buffer, source) in buffer_of.iter_mut().zip(&self.sources) {
            *buffer = buffers(source.buffer);
            if buffer.len() < source.length {
                return false;
            }
        }
        if destination.len() < self.destination_end {
            return false;
        }
        let (mut sources, most) = ([(core::ptr::null(), 0); MOST_SOURCES], self.most());
        for i in 0..around.iter().map(|own| own.size).product() {
            // Where an iteration of all loops begins, from its number along blocks.
            let place = |loops: &[Loop], first: usize, of: fn(&Loop) -> isize| {
                let (mut at, mut rest) = (0, i * blocks.size + first);
                for own in loops.iter().rev() {
                    at += (rest % own.size) as isize * of(own);
                    rest /= own.size;
                }
                at
            };
            let mut first = 0;
            while first < blocks.size {
                let own = Loop { size: (blocks.size - first).min(most), ..*blocks };
                let of_buffers = self.sources.iter().zip(&buffer_of);
                for (from, (source, buffer)) in sources.iter_mut().zip(of_buffers) {
                    let start = place(&source.loops, first, |own| own.source);
                    let step = source.loops[around.len()].source;
                    *from = (buffer.as_ptr().wrapping_offset(start), step);
                }
                let to = place(&self.sources[0].loops, first, |own| own.destination);
                let to = destination.as_mut_ptr().wrapping_offset(to);
                // SAFETY: in the last iteration of all loops, whose strides are not negative, squares, words and windows end within
                // their source, and what is made of them within the destination, which is borrowed mutably. The CPU has the
                // instruction set, or there is no plan.
                unsafe { (self.kernel.run)(&self.steps, own, &sources, to) };
                first += own.size;
            }
        }
        true
    }
}

/// Runs a move in blocks.
///
/// # Safety
/// The same as [`run_bytes`](drive::run_bytes).
unsafe fn run_blocked(blocked: &Blocked, source: &[u8], destination: *mut u8) {
    match blocked.first {
        // SAFETY: the caller's promise, and the planner makes no block longer than the scratch buffer.
        First::Planes(..) => unsafe { run_in::<SCRATCH>(blocked, source, destination) },
        #[cfg(vectors)]
        // SAFETY: as above.
        First::Pass { .. } => unsafe { run_in::<PASS_BLOCK>(blocked, source, destination) },
    }
}

/// [`run_blocked`] with a scratch buffer of `BYTES` bytes.
///
/// # Safety
/// The same as [`run_blocked`], and a block must not be longer than the scratch buffer.
#[inline(never)]
unsafe fn run_in<const BYTES: usize>(blocked: &Blocked, source: &[u8], destination: *mut u8) {
    let mut scratch = MaybeUninit::<Scratch<BYTES>>::uninit();
    let from = source.as_ptr().wrapping_offset(blocked.source);
    let to = destination.wrapping_offset(blocked.destination);
    let [around, ..] = blocked.loops();
    let between = scratch.as_mut_ptr().cast();
    each(around, from, to, |from, to| {
        // SAFETY: the planner keeps every block inside both sides, and the scratch buffer holds it.
        unsafe { block(blocked, from, between, to) }
    });
}

/// Moves a block by both steps. It is not inlined, since loops around it would repeat it.
///
/// # Safety
/// The block must be readable at `from` and writable at `between` and at `to`, and these must not overlap. The CPU must
/// have the instruction set of the steps.
#[inline(never)]
unsafe fn block(blocked: &Blocked, from: *const u8, between: *mut u8, to: *mut u8) {
    let (isa, loops) = (blocked.isa, blocked.loops());
    match &blocked.first {
        // SAFETY: the bytes of these rows are readable, and the scratch buffer holds their planes.
        First::Planes(planes, kernel) => unsafe { kernel(planes, from, between) },
        #[cfg(vectors)]
        First::Pass { pass, length, .. } => {
            // SAFETY: the block is readable, by the caller's promise.
            let own = unsafe { core::slice::from_raw_parts(from, *length) };
            // SAFETY: the block is writable there.
            unsafe { run_pass(pass, (isa, loops[1]), own, between) };
        }
    }
    // SAFETY: the first step, which has a kernel, wrote all bytes of the block.
    let own = unsafe { core::slice::from_raw_parts(between, blocked.block) };
    // SAFETY: as above.
    unsafe { run_pass(&blocked.second, (isa, loops[2]), own, to) };
}

/// Runs a pass from a slice to bytes that begin at `to`.
///
/// # Safety
/// The same as [`run_stage`].
#[inline(never)]
unsafe fn run_pass(pass: &Pass, (isa, loops): (Isa, &[OuterLoop]), source: &[u8], to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { run_stage(&Stage { isa, loops, pass, streamed: None }, source, to) }
}

impl Reversed {
    /// # Safety
    /// Both sides must hold every byte and must not overlap. The CPU must have the plan's instruction set.
    unsafe fn run(&self, source: &[u8], destination: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { drive::run_bytes(&self.plan, source, destination, false) };
        each_unit(&self.written, |_, to| {
            let own = destination.wrapping_add(to);
            // SAFETY: the plan has written these bytes, and nothing else uses them at the same time.
            let bytes = unsafe { core::slice::from_raw_parts_mut(own, self.written.unit) };
            reverse(self.of, bytes);
        });
    }
}

impl Words {
    /// # Safety
    /// Both sides must hold every word and must not overlap.
    unsafe fn run(&self, source: &[u8], destination: *mut u8) {
        each_unit(&self.nest, |from, to| {
            let own = destination.wrapping_add(to);
            // SAFETY: it is a run of words of the destination, which nothing else uses at the same time.
            let written = unsafe { core::slice::from_raw_parts_mut(own, self.nest.unit) };
            let Some(bytes) = source.get(from..).and_then(|rest| rest.get(..written.len())) else {
                debug_assert!(false, "{from} and {} bytes more", self.nest.unit);
                return;
            };
            self.permute(bytes, written);
        });
    }

    /// Permutes a run of words. It handles many at a time, so that the compiler vectorizes the loops. The last word may
    /// have fewer bytes.
    fn permute(&self, bytes: &[u8], written: &mut [u8]) {
        const WORDS: usize = 16;
        for (bytes, written) in bytes.chunks(8 * WORDS).zip(written.chunks_mut(8 * WORDS)) {
            let (mut words, mut permuted) = ([[0u8; 8]; WORDS], [0u64; WORDS]);
            words.as_flattened_mut().iter_mut().zip(bytes).for_each(|(own, byte)| *own = *byte);
            let words = words.map(u64::from_le_bytes);
            for term in self.terms() {
                let each = permuted.iter_mut().zip(&words);
                let (mask, far) = (term.mask, term.shift.unsigned_abs());
                match term.shift < 0 {
                    true => each.for_each(|(own, word)| *own |= (word & mask) >> far),
                    false => each.for_each(|(own, word)| *own |= (word & mask) << far),
                }
            }
            let permuted = permuted.map(u64::to_le_bytes);
            written.iter_mut().zip(permuted.as_flattened()).for_each(|(own, byte)| *own = *byte);
        }
    }
}

/// Calls `step` with the offsets of each unit on both sides. The nest must move something.
fn each_unit(nest: &Nest, mut step: impl FnMut(usize, usize)) {
    each_line(nest, |(mut from, mut to), along| {
        for _ in 0..along.size {
            step(from as usize, to as usize);
            (from, to) = (from + along.source, to + along.destination);
        }
    });
}

/// Calls `step` with the offsets of the first unit of each innermost loop, and the loop. The nest must move something.
fn each_line(nest: &Nest, mut step: impl FnMut((isize, isize), Loop)) {
    if nest.bytes == 0 {
        return;
    }
    let loops = nest.loops.get(..nest.count).unwrap_or(&[]);
    let (along, around) = match loops.split_first() {
        Some((along, around)) => (*along, around),
        None => (Loop::new(1, 0, 0), loops),
    };
    let mut at = [0usize; MAX_LOOPS];
    let (mut from, mut to) = (nest.source, nest.destination);
    loop {
        step((from, to), along);
        let mut is_done = true;
        for (at, own) in at.iter_mut().zip(around) {
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

/// Copies the elements of a loop that stand alone.
fn copy_ones(
    of: SubByte,
    source: &[u8],
    destination: &mut [u8],
    (from, to): (isize, isize),
    along: Loop,
) {
    let (mut from, mut to) = (from as usize, to as usize);
    let (per_byte, mask) = (of.per_byte().trailing_zeros(), of.mask());
    for _ in 0..along.size {
        // `get` instead of indexing, which could panic. Both sides are long enough.
        let (Some(byte), Some(own)) =
            (source.get(from >> per_byte), destination.get_mut(to >> per_byte))
        else {
            debug_assert!(false, "element {from} to {to}");
            return;
        };
        let shift = of.destination_shift(to);
        *own = *own & !(mask << shift) | (byte >> of.source_shift(from) & mask) << shift;
        from = from.wrapping_add_signed(along.source);
        to = to.wrapping_add_signed(along.destination);
    }
}

/// Copies a run of elements: one by one up to the next byte of the destination, then whole bytes, then the rest.
fn copy(
    of: SubByte,
    (source, from): (&[u8], usize),
    (destination, to): (&mut [u8], usize),
    count: usize,
) {
    let per_byte = of.per_byte();
    let first = (to.next_multiple_of(per_byte) - to).min(count);
    let (bytes, last) = ((count - first) / per_byte, (count - first) % per_byte);
    let ones = |destination: &mut [u8], past: usize, count| {
        let at = ((from + past) as isize, (to + past) as isize);
        copy_ones(of, source, destination, at, Loop::new(count, 1, 1));
    };
    ones(destination, 0, first);
    let (at, own) = (from + first, (to + first) / per_byte);
    let written = destination.get_mut(own..).and_then(|rest| rest.get_mut(..bytes));
    if let (Some(written), Some(rest)) = (written, source.get(at / per_byte..)) {
        copy_bytes(of, rest, at % per_byte * of.bits(), written);
    }
    ones(destination, count - last, last);
}

/// Copies whole bytes of the destination, whose elements begin `after` bits after the start of a source byte. The
/// compiler vectorizes the loops.
fn copy_bytes(of: SubByte, source: &[u8], after: usize, destination: &mut [u8]) {
    // The bits of the next byte. It is read only if it is needed, since it may not exist.
    let next = source.get(1..).unwrap_or(&[]);
    if after == 0 {
        destination.iter_mut().zip(source).for_each(|(to, &byte)| *to = byte);
    } else {
        // Of the two bytes, the one whose bits come lower in the destination, and by how much they move down.
        let (low, high, by) = match of.source_high_first {
            true => (next, source, 8 - after),
            false => (source, next, after),
        };
        for ((to, &low), &high) in destination.iter_mut().zip(low).zip(high) {
            *to = low >> by | high << (8 - by);
        }
    }
    if of.is_reversed() {
        reverse(of, destination);
    }
}

/// Reverses the elements of each byte. The compiler vectorizes the loop for each number of bits.
#[inline(never)]
fn reverse(of: SubByte, bytes: &mut [u8]) {
    bytes.iter_mut().for_each(|byte| *byte = of.reversed(*byte));
}
