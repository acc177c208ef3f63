//! Which fields of a tile move as bits, several in one pass, instead of by a relayout each.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{BitLoops, BitPermute, Isa, Loop};
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
    pub(super) fn new(
        buffer: usize,
        source: &Layout,
        destination: &Layout,
        flips: &[u8],
    ) -> Option<Self> {
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
        let loops = BitLoops { loops, starts: [first(0), first(1)], high_first, buffer };
        // A relayout leaves bits to a pass that flips them.
        let cycles = relayout_cost(source, destination).ok()? as usize;
        let cycles = cycles.saturating_add(flips.len() / FLIPPED);
        Some(Self { flips: flips.to_vec(), loops, cycles })
    }
}

/// Replaces relayouts by permutes of bits where these take less time: one for all fields that a buffer gets, or for those
/// that it gets from one buffer, if they share loops. The lengths are those of the buffers of the source. Returns the bits
/// that relayouts have left to flip, and the buffers that they are in.
pub(super) fn choose_bits(
    passes: &mut Vec<TilePass>,
    candidates: Vec<Option<BitCandidate>>,
    lengths: &[usize],
) -> Vec<(usize, Vec<u8>)> {
    let (mut all, mut left, mut rest, mut bits) = (vec![], vec![], vec![], vec![]);
    for (pass, own) in passes.drain(..).zip(candidates) {
        let Some(own) = own else {
            rest.push(pass);
            continue;
        };
        // Both are estimates.
        let is_less = |alone: &BitPermute| alone.cycles() / 3 < own.cycles / 4;
        let alone = planned(&[&own], lengths).filter(is_less);
        all.push(((pass.from, pass.to), pass, own, alone));
    }
    if lengths.len() > 1 {
        all = zipped(all, &mut bits, lengths);
    }
    while let Some((place, ..)) = all.last() {
        let place = *place;
        let (same, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|own| own.0 == place);
        all = others;
        let joint_of = |is_in: &dyn Fn(&Option<BitPermute>) -> bool| {
            let all: Vec<_> = same.iter().filter(|own| is_in(&own.3)).map(|own| &own.2).collect();
            planned(&all, lengths)
        };
        let joint = joint_of(&Option::is_some);
        // Others may take less time with these than by themselves.
        let apart = same.iter().filter(|own| own.3.is_none()).map(|own| own.2.cycles);
        let most = joint.as_ref().map_or(0, |own| apart.fold(own.cycles(), usize::saturating_add));
        let whole = joint_of(&|_| true).filter(|own| own.cycles() < most);
        let mut move_bits = |own| bits.push(TilePass::new(place.0, place.1, TileMove::Bits(own)));
        let (is_whole, is_joint) = (whole.is_some(), joint.is_some());
        whole.or(joint).into_iter().for_each(&mut move_bits);
        for (_, pass, own, alone) in same.into_iter().filter(|_| !is_whole) {
            match alone {
                Some(alone) if !is_joint => move_bits(alone),
                Some(_) => {}
                None => {
                    left.push((pass.to, own.flips));
                    rest.push(pass);
                }
            }
        }
    }
    rest.extend(bits);
    *passes = rest;
    left
}

/// A field with its buffers, its pass, how it could move as bits, and the permute of it alone, if that takes less time.
type OwnBits = ((Option<usize>, usize), TilePass, BitCandidate, Option<BitPermute>);

/// Adds a permute for all fields of a buffer from several ones, if it takes less time than one for each field, and returns
/// the other fields.
fn zipped(all: Vec<OwnBits>, bits: &mut Vec<TilePass>, lengths: &[usize]) -> Vec<OwnBits> {
    let (mut rest, mut left) = (all, Vec::new());
    while let Some(((_, to), ..)) = rest.last() {
        let to = *to;
        let (same, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|own| own.0.1 == to);
        rest = others;
        let fields: Vec<_> = same.iter().map(|own| &own.2).collect();
        let cycles = |own: &OwnBits| own.3.as_ref().map_or(own.2.cycles, BitPermute::cycles);
        let most = same.iter().map(cycles).fold(0, usize::saturating_add);
        match planned(&fields, lengths).filter(|own| same.len() > 1 && own.cycles() < most) {
            Some(own) => bits.push(TilePass::new(same[0].0.0, to, TileMove::Bits(own))),
            None => left.extend(same),
        }
    }
    left
}

/// The permute of the bits of all.
fn planned(all: &[&BitCandidate], lengths: &[usize]) -> Option<BitPermute> {
    let loops: Vec<BitLoops> = all.iter().map(|own| own.loops.clone()).collect();
    let mut flips = Vec::new();
    for own in all {
        flips.resize(flips.len().max(own.flips.len()), 0);
        flips.iter_mut().zip(&own.flips).for_each(|(all, own)| *all |= own);
    }
    BitPermute::new(&loops, &flips, lengths, Isa::best())
}
