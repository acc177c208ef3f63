//! From a loop nest of 4-bit elements to jobs of bytes.
//!
//! A layout puts rows of them at whole bytes, so in nearly every nest one loop at most steps by
//! one element on either side, and all others by whole bytes:
//!
//! - one loop steps by one on both sides: two elements stay together and are a byte;
//! - one steps by one in the destination and another in the source: a transpose;
//! - there is only one of the two: elements go one by one.

use super::asked::Loops;
use super::classify;
use crate::kernel::{Job, Kernel, Loop, Stores};

/// The most loops of a nest that becomes a job.
const MOST_LOOPS: usize = Loops::CAPACITY;

/// As [`classify::jobs`].
pub(super) const fn jobs(nest: &Loops, stores: Stores) -> Option<(Job, Option<Job>)> {
    let (whole, last) = nest.whole_bytes();
    let Some(whole) = job(&whole, stores) else { return None };
    let Some(last) = last else { return Some((whole, None)) };
    match job(&last, stores) {
        None => None,
        last => Some((whole, last)),
    }
}

/// The job of a nest that has been cut to whole bytes.
const fn job(nest: &Loops, stores: Stores) -> Option<Job> {
    let Loops { source, destination, list, count } = *nest;
    if source % 2 != 0 || destination % 2 != 0 {
        return None;
    }
    // The loops in bytes, and those that step by less on either side.
    let (mut rows, mut columns) = (None, None);
    let mut loops = [Loop::ONCE; MOST_LOOPS];
    let mut i = 0;
    while i < count {
        let Loop { size, source, destination } = list[i];
        if destination == 1 {
            rows = Some(i);
        } else if destination % 2 != 0 {
            return None;
        }
        if source == 1 {
            columns = Some(i);
        } else if source % 2 != 0 {
            return None;
        }
        loops[i] = Loop { size, source: source / 2, destination: destination / 2 };
        i += 1;
    }
    let mut taken = [false; MOST_LOOPS];
    let kernel = match (rows, columns) {
        (Some(rows), Some(columns)) if rows != columns => {
            (taken[rows], taken[columns]) = (true, true);
            let rows = Loop { destination: 1, ..loops[rows] };
            let columns = Loop { source: 1, ..loops[columns] };
            Kernel::TransposeNibbles { rows, columns }
        }
        (Some(row), Some(_)) => return classify::job(&nest.halved(row), 1, stores),
        (one, None) | (None, one) => {
            let steps = match one {
                Some(one) => one,
                None => count.saturating_sub(1),
            };
            taken[steps] = true;
            Kernel::StridedNibbles(if count == 0 { Loop::ONCE } else { list[steps] })
        }
    };
    let Some(outer) = classify::outer(loops.split_at(count).0, &taken) else { return None };
    let (source, destination) = (source / 2, destination / 2);
    Some(Job { source, destination, unit: 1, kernel, outer, stores })
}
