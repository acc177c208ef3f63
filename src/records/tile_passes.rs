//! The passes of a tile: a relayout of each field, the padding beside it, and constants.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};
use layout_records::{FieldPadding, FieldUnit, Record, RecordError, RecordField, UseFault};
use layout_types::spec::{AxisExtent, Factor, Spec};
use layout_types::{Element, ElementType, Layout, LayoutError, numbers};

use super::record_buffer::fault;
use crate::relayout::Plan;

/// A field that only one of two records has.
#[derive(Clone, Copy, Debug)]
pub enum FieldChange<'a> {
    /// A field of the source is left out.
    Drop(&'a str),
    /// A field of the destination gets this value at all coordinates: the bits of an element.
    Add(&'a str, u64),
}

impl<'a> FieldChange<'a> {
    /// Adds a field with a value at all coordinates.
    pub fn add<E: Element>(field: &'a str, value: E) -> Self {
        Self::Add(field, numbers::bits_of(value))
    }
}

/// A relayout between buffers of a tile.
pub(super) struct TilePass {
    /// The buffer of the source, or the constants.
    pub(super) from: Option<usize>,
    pub(super) to: usize,
    plan: Plan,
    /// Where a constant begins.
    start: usize,
}

impl TilePass {
    pub(super) const fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(super) fn run(&self, source: &[u8], destination: &mut [u8]) -> Result<(), RecordError> {
        let source = match self.from {
            Some(_) => source,
            None => &source[self.start..self.start + self.plan.source().units()],
        };
        Ok(self.plan.run(source, destination)?)
    }
}

/// The passes of a tile.
#[derive(Default)]
pub(super) struct TilePasses {
    passes: Vec<TilePass>,
    /// Elements that are written everywhere.
    constants: Vec<u8>,
    /// The bits that are flipped after all passes, for each buffer of the destination.
    masks: Vec<Vec<u8>>,
}

/// Two fields of one name, as the same unit sees them.
struct MatchedFields<'a> {
    from: &'a RecordField,
    to: &'a RecordField,
    unit: FieldUnit,
    /// The constant between their elements, or 0.
    flipped: u64,
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
                FieldChange::Add(field, bits) if *field == name.as_str() => Some(*bits),
                _ => None,
            });
            let is_dropped = changes.iter().any(
                |change| matches!(change, FieldChange::Drop(field) if *field == name.as_str()),
            );
            match (added, from.field(name.as_str())) {
                (Some(bits), _) => {
                    let unit = moved_unit([&own, &own])?;
                    new.push_constant(&own, bits, &layout_in(&own, unit)?)?;
                    new.push_padding(to, &own, unit, Err(bits))?;
                }
                (None, Ok(_)) if is_dropped => {
                    return Err(fault(UseFault::Missing(name.as_str())));
                }
                (None, Ok(source)) => {
                    let matched = matched([from, to], &source, &own)?;
                    let unit = matched.unit;
                    new.push_field(
                        to,
                        &matched,
                        layout_in(&source, unit)?,
                        layout_in(&own, unit)?,
                    )?;
                    new.push_padding(to, &own, unit, Ok(&matched))?;
                }
                (None, Err(_)) => return Err(fault(UseFault::Missing(name.as_str()))),
            }
        }
        Ok(new)
    }

    pub(super) fn all(&self) -> &[TilePass] {
        &self.passes
    }

    pub(super) fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub(super) fn masks(&self) -> &[Vec<u8>] {
        &self.masks
    }

    /// Adds a move of a field, and of the constant between its elements on both sides.
    fn push_field(
        &mut self,
        to: &Record,
        own: &MatchedFields<'_>,
        source: Layout,
        destination: Layout,
    ) -> Result<(), RecordError> {
        let plan = Plan::new(&source, &destination)?;
        let (from, buffer) = (Some(own.from.buffer()), own.to.buffer());
        self.passes.push(TilePass { from, to: buffer, plan, start: 0 });
        if own.flipped > 0 {
            if self.masks.is_empty() {
                self.masks = (0..to.buffers()).map(|buffer| vec![0; to.bytes(buffer)]).collect();
            }
            let (source, bytes) = constant(own.to, own.flipped, &destination)?;
            Plan::new(&source, &destination)?.run(&bytes, &mut self.masks[buffer])?;
        }
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
        self.passes.push(TilePass { from: None, to: own.buffer(), plan, start });
        Ok(())
    }

    /// Adds what is written to the padding of a field, which is matched or has these bits everywhere: for each set of axes
    /// that go beyond their extents.
    fn push_padding(
        &mut self,
        to: &Record,
        own: &RecordField,
        unit: FieldUnit,
        field: Result<&MatchedFields<'_>, u64>,
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
            let mut source = matched.map(|own| layout_in(own.from, unit)).transpose()?;
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
                    Some(FieldPadding::Value(text)) => value = value.or(Some(bits_of(own, text)?)),
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

/// The bits of an element that is written as text.
fn bits_of(own: &RecordField, text: &str) -> Result<u64, RecordError> {
    let element = own.element();
    let integer = text.parse().ok().and_then(|value| element.bits_of_integer(value));
    let float = || text.parse().ok().and_then(|value| element.bits_of_float(value));
    integer.or_else(float).ok_or_else(|| fault(UseFault::Padding(own.name(), text)))
}

/// Two fields of one name.
fn matched<'a>(
    records: [&Record; 2],
    from: &'a RecordField,
    to: &'a RecordField,
) -> Result<MatchedFields<'a>, RecordError> {
    let mut are_alike = from.letters().count() == to.letters().count();
    for axis in 0..to.letters().count() {
        let other = from.letters().position(to.letters().at(axis));
        are_alike &= other.is_some_and(|other| {
            from.extents()[other] == to.extents()[axis] && from.shared(other) == to.shared(axis)
        });
    }
    if !are_alike {
        return Err(fault(UseFault::Axes(to.name())));
    }
    let flipped = constant_between(records, from, to);
    let flipped = flipped
        .ok_or_else(|| fault(UseFault::Elements(to.name(), from.element(), to.element())))?;
    Ok(MatchedFields { from, to, unit: moved_unit([from, to])?, flipped })
}

/// The unit in which two fields of the same bits are moved. Elements of whole bytes lie at any byte.
fn moved_unit([from, to]: [&RecordField; 2]) -> Result<FieldUnit, RecordError> {
    Ok(match (from.unit()?, to.unit()?) {
        (FieldUnit::Bits, _) | (_, FieldUnit::Bits) => FieldUnit::Bits,
        _ if to.bits() % 8 == 0 => FieldUnit::Bytes,
        (own, _) => own,
    })
}

/// The bits in which an element of one field differs from the same value in the other: none, or the highest one if one
/// is unsigned, and its value rule subtracts half of its range.
fn constant_between(
    [from_record, to_record]: [&Record; 2],
    from: &RecordField,
    to: &RecordField,
) -> Option<u64> {
    if from.element() == to.element() {
        return Some(0);
    }
    let is_signed = |field: &RecordField| field.element().integer_range().map(|range| range.0 < 0);
    let (unsigned, signed) = match (is_signed(from)?, is_signed(to)?) {
        (false, true) => (from_record, to_record),
        (true, false) => (to_record, from_record),
        _ => return None,
    };
    let half = 1u64 << (to.bits() - 1);
    let shifted = alloc::format!("({} - {half})", to.name());
    let rule = unsigned.value()?;
    // The field stands once in the rule: elsewhere its values would differ.
    let is_once = rule.matches(to.name()).count() == 1 && rule.contains(&shifted);
    let is_same = is_once && rule.replace(&shifted, to.name()) == signed.value()?;
    (from.bits() == to.bits() && is_same).then_some(half)
}

/// Flips the bits of a mask.
pub(super) fn xor(destination: &mut [u8], mask: &[u8]) {
    work_on_best(Flipped(destination, mask));
}

/// Bytes, and the bits of them that are flipped.
struct Flipped<'a>(&'a mut [u8], &'a [u8]);

impl Work for Flipped<'_> {
    #[inline(always)]
    fn run(self) {
        for (byte, mask) in self.0.iter_mut().zip(self.1) {
            *byte ^= mask;
        }
    }
}
