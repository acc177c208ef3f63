//! Runs plans along their paths: of bytes, or of 4-bit elements.

use core::mem::MaybeUninit;

use super::drive;
use crate::plan::{BYTES, Nest, PAIRS, Pairs, Path, Plan};
use crate::steps::MAX_LOOPS;

/// Runs a plan. [`Plan::finish`] follows where it streams.
///
/// # Safety
/// `source` has `source_len` bytes, `destination_len` are writable at `destination`, and the two do not overlap;
/// the CPU has the plan's instruction set.
#[inline(always)]
pub(crate) unsafe fn run(plan: &Plan, source: &[u8], destination: *mut u8, stream: bool) {
    match &plan.path {
        // SAFETY: the caller's promise.
        Path::Bytes(plan) => unsafe { drive::run_bytes(plan, source, destination, stream) },
        // SAFETY: the caller's promise.
        Path::Pairs(pairs) => unsafe { pairs.run(source, destination) },
        Path::Elements(nest) if nest.bytes == 0 => {}
        Path::Elements(nest) => {
            // SAFETY: so many bytes are writable, and no other reference covers them, by the caller's promise: the
            // parts of such a move are one.
            let destination =
                unsafe { core::slice::from_raw_parts_mut(destination, plan.destination_end) };
            elements(nest, source, destination);
        }
    }
}

impl Pairs {
    /// # Safety
    /// Both sides hold every element and do not overlap; the CPU has the plan's instruction set.
    unsafe fn run(&self, source: &[u8], destination: *mut u8) {
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

/// Moves element by element.
fn elements(nest: &Nest, source: &[u8], destination: &mut [u8]) {
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
