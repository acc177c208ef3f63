//! The passes of a tile: a relayout of each field, the padding beside it, and constants.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};
use layout_records::{
    FieldMove, FieldUnit, MatchedFields, MovedPart, Record, RecordError, RecordField, UseFault,
    constant,
};

use super::bit_passes::{BitCandidate, choose_bits};
use super::field_change::{FieldChange, is_computed};
use super::tile_move::{TileMove, TilePass};
use crate::records::record_buffer::fault;
use crate::relayout::Plan;

/// The passes of a tile.
#[derive(Default)]
pub(crate) struct TilePasses {
    passes: Vec<TilePass>,
    /// Elements that are written everywhere.
    constants: Vec<u8>,
    /// The bits that are flipped after all passes, for each buffer of the destination: bytes that repeat.
    masks: Vec<Vec<u8>>,
    /// The bits that passes write.
    bits: usize,
    /// For each pass, how it could move as bits.
    candidates: Vec<Option<BitCandidate>>,
}

impl TilePasses {
    pub(crate) fn new(
        from: &Record,
        to: &Record,
        changes: &[FieldChange<'_>],
    ) -> Result<Self, RecordError> {
        let mut new = Self::default();
        for i in 0..to.field_count() {
            let name = to.field_name(i);
            let own = to.field(name.as_str())?;
            let added = changes.iter().find_map(|change| match change {
                FieldChange::Add(field, _, bits) if *field == name.as_str() => Some(*bits),
                _ => None,
            });
            if let Some(bits) = added {
                new.push_whole(to, &own, Err(bits))?;
                continue;
            }
            if is_computed(from, changes, name.as_str()) {
                // Computed after the passes, by its rule.
                match to.field_value(name.as_str())? {
                    Some(_) => continue,
                    None => return Err(fault(UseFault::Missing(name.as_str()))),
                }
            }
            new.push_whole(to, &own, Ok(&MatchedFields::new([from, to], name.as_str())?))?;
        }
        new.choose(from, to);
        Ok(new)
    }

    /// The passes that write the padding of some fields of a record, from its own last elements.
    pub(crate) fn of_padding(
        to: &Record,
        is_written: impl Fn(usize) -> bool,
    ) -> Result<Self, RecordError> {
        let mut new = Self::default();
        for i in (0..to.field_count()).filter(|i| is_written(*i)) {
            let own = to.field(to.field_name(i).as_str())?;
            if own.with_padding().extents() != own.extents() {
                let matched = MatchedFields { from: own, to: own, flipped: 0 };
                match own.moved_unit(&own) {
                    Ok(unit) => new.push_parts(to, &own, Ok(&matched), unit, 1)?,
                    Err(_) => new.push_whole(to, &own, Ok(&matched))?,
                }
            }
        }
        Ok(new)
    }

    /// Writes padding in the buffers of a record.
    pub(crate) fn write_padding(&self, buffers: &mut [&mut [u8]]) -> Result<(), RecordError> {
        let repeats = self.passes.iter().any(|pass| pass.from.is_some());
        let copies = buffers.iter().filter(|_| repeats).map(|own| own.to_vec());
        let copies: Vec<Vec<u8>> = copies.collect();
        for pass in &self.passes {
            pass.run(|own| &copies[own], &self.constants, &mut *buffers[pass.to])?;
        }
        Ok(())
    }

    pub(crate) fn all(&self) -> &[TilePass] {
        &self.passes
    }

    pub(crate) fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub(crate) const fn bits(&self) -> usize {
        self.bits
    }

    pub(crate) fn masks(&self) -> &[Vec<u8>] {
        &self.masks
    }

    /// Chooses how each pass moves.
    fn choose(&mut self, from: &Record, to: &Record) {
        let lengths: Vec<_> = (0..from.buffers()).map(|buffer| from.bytes(buffer)).collect();
        let candidates = core::mem::take(&mut self.candidates);
        for (buffer, flips) in choose_bits(&mut self.passes, candidates, &lengths) {
            self.flip(to, buffer, &flips);
        }
        self.masks.iter_mut().for_each(shorten);
    }

    /// Adds bits that are flipped after all passes.
    fn flip(&mut self, to: &Record, buffer: usize, flips: &[u8]) {
        if self.masks.is_empty() && !flips.is_empty() {
            self.masks = (0..to.buffers()).map(|buffer| vec![0; to.bytes(buffer)]).collect();
        }
        flips.iter().enumerate().for_each(|(i, bits)| self.masks[buffer][i] |= bits);
    }

    /// Adds what moves a field, which is matched or has these bits everywhere, and what writes its padding: element by element
    /// if no strides express where they lie.
    fn push_whole(
        &mut self,
        to: &Record,
        own: &RecordField,
        field: Result<&MatchedFields, u64>,
    ) -> Result<(), RecordError> {
        let source = field.map_or(own, |own| &own.from);
        let Ok(unit) = own.moved_unit(source) else {
            let (from, bits) = match field {
                Ok(field) => (Some(field.from), field.flipped),
                Err(bits) => (None, bits),
            };
            let buffer = from.map(|own| own.buffer());
            let how = TileMove::Each(FieldMove::new(to, own, from, bits)?);
            self.passes.push(TilePass::new(buffer, own.buffer(), how));
            self.candidates.push(None);
            return Ok(());
        };
        self.push_parts(to, own, field, unit, 0)
    }

    /// Adds moves of the parts of a field, from that of its elements, 0, or of its padding, 1, on: with the constant between
    /// its elements on both sides, or of one element to all coordinates.
    fn push_parts(
        &mut self,
        to: &Record,
        own: &RecordField,
        field: Result<&MatchedFields, u64>,
        unit: FieldUnit,
        first: usize,
    ) -> Result<(), RecordError> {
        for set in first..1 << own.letters().count() {
            let part = MovedPart::new(to, own, field, unit, set)?;
            let Some(MovedPart { source, destination, from, bits }) = part else { continue };
            let plan = Plan::new(&source, &destination)?;
            let (mut flips, start) = (Vec::new(), self.constants.len());
            if from.is_none() {
                self.constants.extend(&bits.to_le_bytes()[..source.units()]);
            } else if bits > 0 {
                flips.resize(to.bytes(own.buffer()), 0);
                let source = constant(own, &destination)?;
                let bytes = &bits.to_le_bytes()[..source.units()];
                Plan::new(&source, &destination)?.run(bytes, &mut flips)?;
            }
            let how = TileMove::Relayout(plan);
            self.passes.push(TilePass { from, to: own.buffer(), how, start });
            self.bits += destination.numel() * destination.element().bits();
            let candidate =
                from.and_then(|from| BitCandidate::new(from, &source, &destination, &flips));
            if candidate.is_none() {
                self.flip(to, own.buffer(), &flips);
            }
            self.candidates.push(candidate);
        }
        Ok(())
    }
}

/// Leaves some repetitions of a mask that repeats, so that it stays in the first-level cache.
fn shorten(mask: &mut Vec<u8>) {
    const LEAST: usize = 1024;

    let length = mask.len();
    let repeats =
        |period: &usize| length % period == 0 && mask[*period..] == mask[..length - period];
    let period = (LEAST..=length / 2).find(repeats);
    mask.truncate(period.unwrap_or(length));
}

/// Flips the bits of a mask, which repeats.
pub(crate) fn xor(destination: &mut [u8], mask: &[u8]) {
    work_on_best(Flipped(destination, mask));
}

/// Bytes, and the bits of them that are flipped.
struct Flipped<'a>(&'a mut [u8], &'a [u8]);

impl Work for Flipped<'_> {
    #[inline(always)]
    fn run(self) {
        for bytes in self.0.chunks_mut(self.1.len().max(1)) {
            for (byte, mask) in bytes.iter_mut().zip(self.1) {
                *byte ^= mask;
            }
        }
    }
}
