//! Tables of the lowest positions of cycles, for relayouts that are constants.

use super::cycles::Cycles;
use crate::relayout::run::Relayout;

/// The most positions whose cycles are followed in a constant: with an operating system, more of them move in stages.
const POSITIONS: usize = if cfg!(target_os = "none") { 1 << 14 } else { 192 };

/// The most starts of a table. Where there are more, cycles are short, so that to follow one for its lowest position
/// is cheap.
const MOST: usize = 1024;

/// The cycles of a relayout between static layouts.
pub(super) trait StaticCycles: Relayout {
    /// The lowest position of each cycle of at least two, if they are few.
    const STARTS: Option<&'static [u16]> = match Self::FOUND.1 {
        count @ 0..=16 => Some(Self::FEW.split_at(count).0),
        count @ 17..=64 => Some(Self::MORE.split_at(count).0),
        count @ 65..=256 => Some(Self::MANY.split_at(count).0),
        count @ 257..=MOST => Some(Self::FOUND.0.split_at(count).0),
        _ => None,
    };
    /// The starts, and their number. A relayout that is not a permutation is an error elsewhere.
    const FOUND: &'static ([u16; MOST], usize) = &match Cycles::of(Self::PLAN) {
        Ok(cycles) => starts(&cycles),
        Err(_) => ([0; MOST], usize::MAX),
    };
    /// The first starts, so that a program has a table of about the length that it needs.
    const FEW: &'static [u16; 16] = &first(&Self::FOUND.0);
    /// The same.
    const MORE: &'static [u16; 64] = &first(&Self::FOUND.0);
    /// The same.
    const MANY: &'static [u16; 256] = &first(&Self::FOUND.0);
}

impl<R: Relayout> StaticCycles for R {}

/// Returns the lowest position of each cycle, and their number, which is larger than a table if they are not followed.
const fn starts(cycles: &Cycles) -> ([u16; MOST], usize) {
    let (mut starts, mut count, mut first) = ([0; MOST], 0, 0);
    if cycles.count > POSITIONS {
        return (starts, usize::MAX);
    }
    let mut is_seen = [false; POSITIONS];
    while first < cycles.count {
        let mut at = cycles.source_of(first);
        if !is_seen[first] && at != first {
            if count < MOST {
                starts[count] = first as u16;
            }
            count += 1;
            while at != first {
                is_seen[at] = true;
                at = cycles.source_of(at);
            }
        }
        first += 1;
    }
    (starts, count)
}

const fn first<const LENGTH: usize>(all: &[u16; MOST]) -> [u16; LENGTH] {
    let mut first = [0; LENGTH];
    layout_types::each!(i, 0..LENGTH, {
        first[i] = all[i];
    });
    first
}
