//! Which fields of a tile move as bits, several in one pass, instead of by a relayout each.

use alloc::vec::Vec;

use layout_kernels::{BitLoops, BitPermute, Loop};
use layout_types::Layout;
use layout_types::nests::{Boxes, Pair};

use super::tile_move::{TileMove, TilePass};
use crate::relayout::relayout_cost;

/// The bytes that a pass flips in a cycle.
const FLIPPED: usize = 25;

/// A relayout that could move as bits.
pub(super) struct BitCandidate {
    /// The bits of the destination that are flipped, or nothing.
    flips: Vec<u8>,
    loops: BitLoops,
    cycles: usize,
}

impl BitCandidate {
    /// `None` if loops do not say where all bits lie, or addresses have too few bits to count them.
    pub(super) fn new(source: &Layout, destination: &Layout, flips: Vec<u8>) -> Option<Self> {
        let pair = Pair::new(source, destination).ok()?;
        let mut boxes = Boxes::new(&pair, None);
        let nest = *boxes.next()?;
        let counts_bits = |own: &Layout| own.bytes() <= isize::MAX as usize / 8;
        let fits = counts_bits(source) && counts_bits(destination);
        if !fits || !nest.is_affine() || !boxes.is_done() {
            return None;
        }
        let elements = [source, destination].map(|own| own.element());
        let high_first = elements.map(|own| own.is_high_first());
        let bits = elements[0].bits();
        let step = high_first.map(|own| if own { -1 } else { 1 });
        let levels = nest.levels().iter().map(|own| {
            let [source, destination] = own.strides.map(|own| own * bits as isize);
            Loop::new(own.size, source, destination)
        });
        let loops = levels.chain([Loop::new(bits, step[0], step[1])]).collect();
        let first =
            |side: usize| nest.offsets()[side] * bits + if high_first[side] { bits - 1 } else { 0 };
        let loops = BitLoops { loops, starts: [first(0), first(1)], high_first };
        // A relayout leaves bits to a pass that flips them.
        let cycles = relayout_cost(source, destination).ok()? as usize + flips.len() / FLIPPED;
        Some(Self { flips, loops, cycles })
    }
}

/// Replaces relayouts by permutes of bits where these take less time: one for all fields between two buffers, if they share
/// loops. The lengths are those of the buffers of the source. Returns the bits that relayouts have left to flip, and the
/// buffers that they are in.
pub(super) fn choose_bits(
    passes: &mut Vec<TilePass>,
    candidates: Vec<Option<BitCandidate>>,
    lengths: &[usize],
) -> Vec<(usize, Vec<u8>)> {
    let (mut left, mut chosen, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (pass, own) in passes.drain(..).zip(candidates) {
        let (Some(own), Some(from)) = (own, pass.from) else {
            rest.push(pass);
            continue;
        };
        let alone = planned(&[&own], lengths[from]);
        match alone {
            // Both are estimates.
            Some(alone) if alone.cycles() * 4 < own.cycles * 3 => chosen.push((pass, own, alone)),
            _ => {
                left.push((pass.to, own.flips));
                rest.push(pass);
            }
        }
    }
    while let Some((first, own, alone)) = chosen.pop() {
        let place = (first.from, first.to);
        let (mut same, others): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|(pass, ..)| (pass.from, pass.to) == place);
        chosen = others;
        same.push((first, own, alone));
        let all: Vec<_> = same.iter().map(|own| &own.1).collect();
        let joint = place.0.and_then(|from| planned(&all, lengths[from]));
        let moves = match joint {
            Some(joint) => Vec::from([joint]),
            None => same.into_iter().map(|own| own.2).collect(),
        };
        rest.extend(
            moves.into_iter().map(|own| TilePass::new(place.0, place.1, TileMove::Bits(own))),
        );
    }
    *passes = rest;
    left
}

/// The permute of the bits of all.
fn planned(all: &[&BitCandidate], length: usize) -> Option<BitPermute> {
    let loops: Vec<BitLoops> = all.iter().map(|own| own.loops.clone()).collect();
    let mut flips = Vec::new();
    for own in all {
        flips.resize(flips.len().max(own.flips.len()), 0);
        flips.iter_mut().zip(&own.flips).for_each(|(all, own)| *all |= own);
    }
    BitPermute::new(&loops, &flips, length)
}
