//! The loops around a step.

use crate::steps::{MAX_OUTER_LOOPS, OuterLoop};

/// Calls `step` for every iteration of the loops.
#[inline(always)]
pub(super) fn each(
    loops: &[OuterLoop],
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(*const u8, *mut u8),
) {
    let Some((inner, outer)) = loops.split_last() else { return step(from, to) };
    let mut all_of_inner = |from: *const u8, to: *mut u8| {
        for i in 0..inner.count {
            let (source, destination) = inner.at(i);
            step(from.wrapping_offset(source), to.wrapping_offset(destination));
        }
    };
    if outer.is_empty() {
        return all_of_inner(from, to);
    }
    let mut at = [0usize; MAX_OUTER_LOOPS];
    let (mut from, mut to) = (from, to);
    loop {
        all_of_inner(from, to);
        // Moves on to the next iteration of the outer loops, as an odometer does.
        let mut is_done = true;
        for (at, own) in at.iter_mut().zip(outer).rev() {
            let (source, destination) = own.at(*at);
            (from, to) = (from.wrapping_offset(-source), to.wrapping_offset(-destination));
            *at += 1;
            if *at < own.count {
                let (source, destination) = own.at(*at);
                (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                is_done = false;
                break;
            }
            *at = 0;
        }
        if is_done {
            return;
        }
    }
}
