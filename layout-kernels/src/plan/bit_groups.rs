//! Long vectors of whole bytes, in groups that share what they load.

use alloc::vec;
use alloc::vec::Vec;

use crate::steps::{BitGroup, LONG, LongVector, MOST_SOURCES, MOST_VECTORS, NOWHERE};

/// A byte of the destination, and the one of the source that it is.
pub(super) type MovedByte = (usize, usize);

/// The last groups that a vector may belong to.
const LAST_GROUPS: usize = 4;

/// Vectors that load the same windows.
struct LongDraft<'a> {
    vectors: Vec<&'a [MovedByte]>,
    /// The bytes of the source that they have, in order.
    needed: Vec<usize>,
    windows: BitWindows,
}

/// Windows of the source, and the time of vectors that load them, in quarters of a cycle.
struct BitWindows {
    bytes: usize,
    offsets: Vec<usize>,
    cost: usize,
}

/// The vectors of bytes in groups, and their time in quarters of a cycle. `readable` bytes of the source are readable in every
/// block. `None` if a window does not fit the source.
pub(super) fn groups(
    bytes: &[MovedByte],
    readable: usize,
    flips: &[u8],
) -> Option<(usize, Vec<BitGroup>)> {
    let mut drafts: Vec<LongDraft<'_>> = Vec::new();
    for run in bytes.chunk_by(|a, b| a.0 + 1 == b.0) {
        for vector in run.chunks(LONG) {
            push(&mut drafts, vector, readable)?;
        }
    }
    let cost = drafts.iter().map(|own| own.windows.cost).sum();
    Some((cost, drafts.into_iter().map(|own| own.made(flips)).collect()))
}

/// Adds a vector to one of the last groups, or as a group of its own; or both halves if it loads too much.
fn push<'a>(
    drafts: &mut Vec<LongDraft<'a>>,
    vector: &'a [MovedByte],
    readable: usize,
) -> Option<()> {
    let mut needed: Vec<usize> = vector.iter().map(|own| own.1).collect();
    needed.sort_unstable();
    needed.dedup();
    if readable < LONG / 2 || *needed.last()? >= readable {
        return None;
    }
    let Some(alone) = windows(&needed, readable, 1) else {
        let (first, second) = vector.split_at(vector.len() / 2);
        push(drafts, first, readable)?;
        return push(drafts, second, readable);
    };
    for draft in drafts.iter_mut().rev().take(LAST_GROUPS) {
        let of = &draft.windows;
        let has_first = |window: &usize| (*window..*window + of.bytes).contains(&needed[0]);
        if draft.vectors.len() == MOST_VECTORS || !of.offsets.iter().any(has_first) {
            continue;
        }
        let mut both = [&draft.needed[..], &needed].concat();
        both.sort();
        both.dedup();
        match windows(&both, readable, draft.vectors.len() + 1) {
            Some(joint) if joint.cost < alone.cost + of.cost => {
                (draft.needed, draft.windows) = (both, joint);
                draft.vectors.push(vector);
                return Some(());
            }
            _ => {}
        }
    }
    drafts.push(LongDraft { vectors: Vec::from([vector]), needed, windows: alone });
    Some(())
}

/// The windows of the least cost that have these bytes, if they take few sources.
fn windows(needed: &[usize], readable: usize, vectors: usize) -> Option<BitWindows> {
    let sizes = [LONG / 2, LONG].into_iter().filter(|bytes| *bytes <= readable);
    let all = sizes.filter_map(|bytes| {
        let mut offsets: Vec<usize> = Vec::new();
        for from in needed {
            if offsets.last().is_none_or(|last| last + bytes <= *from) {
                offsets.push((*from).min(readable - bytes));
            }
        }
        let sources = offsets.len().div_ceil(2);
        let load = if bytes == LONG { 6 } else { 2 };
        let cost = 4 + sources * (load + 3 * vectors) + 6 * vectors;
        let is_one = vectors == 1 && bytes < LONG;
        let most = if is_one { MOST_SOURCES } else { MOST_SOURCES / 2 };
        (sources <= most).then_some(BitWindows { bytes, offsets, cost })
    });
    all.min_by_key(|own| own.cost)
}

impl LongDraft<'_> {
    /// The group with its tables.
    fn made(self, flips: &[u8]) -> BitGroup {
        let BitWindows { bytes, offsets, .. } = self.windows;
        let sources: Vec<_> = offsets.chunks(2).map(|own| [own[0], own[own.len() - 1]]).collect();
        let vector = |all: &[MovedByte]| {
            let mut tables = vec![[NOWHERE; LONG]; sources.len()];
            let mut flip = [0; LONG];
            for (i, (at, from)) in all.iter().enumerate() {
                let own = offsets.partition_point(|offset| offset <= from) - 1;
                tables[own / 2][i] = (own % 2 * LONG + from - offsets[own]) as u8;
                flip[i] = flips.get(*at).copied().unwrap_or(0);
            }
            LongVector { destination: all[0].0, bytes: all.len(), flip, tables }
        };
        let vectors = self.vectors.iter().map(|own| vector(own)).collect();
        BitGroup { is_wide: bytes == LONG, vectors, sources }
    }
}
