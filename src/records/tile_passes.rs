//! The passes of a tile: a relayout of each field, the padding beside it, and constants.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};
use layout_records::{
    FieldMove, FieldPadding, FieldUnit, MatchedFields, Record, RecordError, RecordField, UseFault,
};
use layout_types::spec::{AxisExtent, Factor, Spec};
use layout_types::{ElementType, Layout, LayoutError};

use super::bit_passes::{BitCandidate, choose_bits};
use super::field_change::{FieldChange, is_computed};
use super::record_buffer::fault;
use super::tile_move::{TileMove, TilePass};
use crate::relayout::Plan;

/// The passes of a tile.
#[derive(Default)]
pub(super) struct TilePasses {
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
    pub(super) fn new(
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
    pub(super) fn of_padding(
        to: &Record,
        is_written: impl Fn(usize) -> bool,
    ) -> Result<Self, RecordError> {
        let mut new = Self::default();
        for i in (0..to.field_count()).filter(|i| is_written(*i)) {
            let own = to.field(to.field_name(i).as_str())?;
            if own.with_padding().extents() != own.extents() {
                let matched = MatchedFields { from: own, to: own, flipped: 0 };
                match moved_unit([&own, &own]) {
                    Ok(unit) => new.push_padding(to, &own, unit, Ok(&matched))?,
                    Err(_) => new.push_whole(to, &own, Ok(&matched))?,
                }
            }
        }
        Ok(new)
    }

    /// Writes padding in the buffers of a record.
    pub(super) fn write_padding(&self, buffers: &mut [&mut [u8]]) -> Result<(), RecordError> {
        let repeats = self.passes.iter().any(|pass| pass.from.is_some());
        let copies = buffers.iter().filter(|_| repeats).map(|own| own.to_vec());
        let copies: Vec<Vec<u8>> = copies.collect();
        for pass in &self.passes {
            let source = pass.from.map_or(&self.constants, |own| &copies[own]);
            pass.run(source, &mut *buffers[pass.to])?;
        }
        Ok(())
    }

    pub(super) fn all(&self) -> &[TilePass] {
        &self.passes
    }

    pub(super) fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub(super) const fn bits(&self) -> usize {
        self.bits
    }

    pub(super) fn masks(&self) -> &[Vec<u8>] {
        &self.masks
    }

    /// Chooses how each pass moves.
    fn choose(&mut self, from: &Record, to: &Record) {
        let lengths: Vec<_> = (0..from.buffers()).map(|buffer| from.bytes(buffer)).collect();
        let candidates = core::mem::take(&mut self.candidates);
        for (buffer, flips) in choose_bits(&mut self.passes, candidates, &lengths) {
            if self.masks.is_empty() && !flips.is_empty() {
                self.masks = (0..to.buffers()).map(|buffer| vec![0; to.bytes(buffer)]).collect();
            }
            flips.iter().enumerate().for_each(|(i, bits)| self.masks[buffer][i] |= bits);
        }
        self.masks.iter_mut().for_each(shorten);
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
        let Ok(unit) = moved_unit([source, own]) else {
            let (from, bits) = match field {
                Ok(field) => (Some(&field.from), field.flipped),
                Err(bits) => (None, bits),
            };
            let how = TileMove::Each(FieldMove::new(to, own, from, bits)?);
            self.passes.push(TilePass::new(from.map(RecordField::buffer), own.buffer(), how));
            self.candidates.push(None);
            return Ok(());
        };
        let destination = layout_in(own, unit)?;
        match field {
            Ok(field) => self.push_field(to, field, layout_in(source, unit)?, destination)?,
            Err(bits) => self.push_constant(own, bits, &destination)?,
        }
        self.push_padding(to, own, unit, field)
    }

    /// Adds a move of a field, and of the constant between its elements on both sides.
    fn push_field(
        &mut self,
        to: &Record,
        own: &MatchedFields,
        source: Layout,
        destination: Layout,
    ) -> Result<(), RecordError> {
        let plan = Plan::new(&source, &destination)?;
        let (from, buffer) = (Some(own.from.buffer()), own.to.buffer());
        self.passes.push(TilePass::new(from, buffer, TileMove::Relayout(plan)));
        let mut flips = Vec::new();
        if own.flipped > 0 {
            flips.resize(to.bytes(buffer), 0);
            let (source, bytes) = constant(&own.to, own.flipped, &destination)?;
            Plan::new(&source, &destination)?.run(&bytes, &mut flips)?;
        }
        self.bits += destination.numel() * destination.element().bits();
        self.candidates.push(BitCandidate::new(&source, &destination, flips));
        Ok(())
    }

    /// Adds a move of one element to all coordinates.
    fn push_constant(
        &mut self,
        own: &RecordField,
        bits: u64,
        destination: &Layout,
    ) -> Result<(), RecordError> {
        let (source, bytes) = constant(own, bits, destination)?;
        let (plan, start) = (Plan::new(&source, destination)?, self.constants.len());
        self.constants.extend(bytes);
        let how = TileMove::Relayout(plan);
        self.passes.push(TilePass { from: None, to: own.buffer(), how, start });
        self.bits += destination.numel() * destination.element().bits();
        self.candidates.push(None);
        Ok(())
    }

    /// Adds what is written to the padding of a field, which is matched or has these bits everywhere: for each set of axes
    /// that go beyond their extents.
    fn push_padding(
        &mut self,
        to: &Record,
        own: &RecordField,
        unit: FieldUnit,
        field: Result<&MatchedFields, u64>,
    ) -> Result<(), RecordError> {
        let matched = field.ok();
        let padded = own.with_padding();
        let axes = padded_axes(own, &padded);
        for set in 1..1usize << axes.len() {
            let is_in = |axis: usize| set >> axis & 1 == 1;
            // A region without coordinates.
            if axes
                .iter()
                .enumerate()
                .any(|(axis, own)| if is_in(axis) { own.2 } else { own.1 } == 0)
            {
                continue;
            }
            let mut destination = layout_in(&padded, unit)?;
            let mut source = matched.map(|own| layout_in(&own.from, unit)).transpose()?;
            let (mut keeps, mut value) = (false, None);
            for (axis, &(letter, extent, more)) in axes.iter().enumerate() {
                if !is_in(axis) {
                    destination = destination.slice(letter, 0, 1, extent)?;
                    continue;
                }
                destination = destination.slice(letter, extent, 1, more)?;
                match to.padding(own.name(), letter)? {
                    Some(FieldPadding::Keep) => keeps = true,
                    Some(FieldPadding::Last) if extent > 0 => {
                        source = match source {
                            Some(own) => {
                                Some(own.slice(letter, extent - 1, 1, 1)?.broadcast(letter, more)?)
                            }
                            None => None,
                        };
                        value = value.or(field.err());
                    }
                    Some(FieldPadding::Value(text)) => value = value.or(Some(own.bits_of(text)?)),
                    _ => value = value.or(Some(0)),
                }
            }
            match (value, source, matched) {
                _ if keeps => {}
                (None, Some(source), Some(own)) => self.push_field(to, own, source, destination)?,
                (value, ..) => self.push_constant(own, value.unwrap_or(0), &destination)?,
            }
        }
        Ok(())
    }
}

/// The axes of a field: the letter, the extent, and how many coordinates of padding follow.
fn padded_axes(own: &RecordField, padded: &RecordField) -> Vec<(char, usize, usize)> {
    let extents = own.extents().iter().zip(padded.extents()).enumerate();
    extents
        .map(|(axis, (own_extent, all))| (own.letters().at(axis), *own_extent, all - own_extent))
        .collect()
}

/// A field in a unit. Elements of less than a byte are moved as their bits, whatever their numbers mean.
fn layout_in(field: &RecordField, unit: FieldUnit) -> Result<Layout, RecordError> {
    let layout = field.layout_in(unit)?;
    let element = ElementType::integer(field.bits(), false).unwrap_or(layout.element());
    Ok(match unit {
        FieldUnit::Elements if field.is_high_first() => {
            layout.with_element(element.high_first()?)?
        }
        FieldUnit::Elements => layout.with_element(element)?,
        FieldUnit::Bytes | FieldUnit::Bits => layout,
    })
}

/// A layout of one element at all coordinates of another layout of a field, and the bytes of the element.
fn constant(own: &RecordField, bits: u64, like: &Layout) -> Result<(Layout, Vec<u8>), LayoutError> {
    let axes = like.axes_and_extents();
    let axes = &axes[..like.rank()];
    // The bytes or bits of an element are an axis too.
    let factor = |axis: &AxisExtent| match own.letters().position(axis.letter) {
        Some(_) => Factor::Broadcast(axis.letter),
        None => Factor::Axis(axis.letter),
    };
    let factors: Vec<_> = axes.iter().map(factor).collect();
    let element = like.element().low_first();
    // Bits that fill no byte are followed by padding.
    let fill = (element.per_byte() > 1).then_some(0);
    let source = Layout::new(&Spec { element, axes, factors: &factors, fill })?;
    Ok((source, bits.to_le_bytes()[..source.units()].to_vec()))
}

/// The unit in which two fields of the same bits are moved. Elements of whole bytes lie at any byte.
///
/// # Errors
/// No strides express where the elements lie.
fn moved_unit([from, to]: [&RecordField; 2]) -> Result<FieldUnit, RecordError> {
    let unit = match (from.unit()?, to.unit()?) {
        (FieldUnit::Bits, _) | (_, FieldUnit::Bits) => FieldUnit::Bits,
        _ if to.bits() % 8 == 0 => FieldUnit::Bytes,
        (own, _) => own,
    };
    layout_in(from, unit).and(layout_in(to, unit)).map(|_| unit)
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
pub(super) fn xor(destination: &mut [u8], mask: &[u8]) {
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
