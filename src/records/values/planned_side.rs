//! A side of a conversion of values with what its rule names, and how its tiles are read and written.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use layout_kernels::{CodeBlocks, CodeNumbers, Work, widen, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::{ElementType, Layout, plain};

use super::codes::CodeMap;
use super::field_rule::FieldRule;
use super::field_tile::{BytesTile, FieldTile, TileCodes};
use super::levels::{LevelProducts, Levels, PART};
use super::rule_form::{GroupPart, GroupValue, ValueForm};
use super::scale_groups::{GroupOperation, GroupTile, RunElements};
use super::side::{StoredField, ValueSide};
use super::tile_boxes::{SideFields, TileAxis, tile_step};
use crate::records::record_buffer::fault;

/// The most bytes of a buffer: sums and products of the bits of some elements fit 64 bits.
const MOST_BYTES: u64 = u64::MAX >> 6;

/// A side with what its rule names.
pub(super) struct PlannedSide {
    pub(super) form: ValueForm,
    pub(super) fields: Vec<StoredField>,
    pub(super) order: Vec<usize>,
    pub(super) bytes: Vec<usize>,
    /// The layouts with padding.
    pub(super) fills: Vec<(usize, Layout)>,
    pub(super) codes: Option<CodeMap>,
    /// The parts of the form that have two levels: scales, zeros and minima.
    pub(super) levels: [Option<Levels>; 3],
    /// What computes the fields that the rule of a destination does not name.
    pub(super) rules: Vec<FieldRule>,
    /// Whether codes are there already, and only these fields are computed.
    pub(super) is_computed: bool,
    /// The fields of a source that rules of the destination name.
    pub(super) given: Vec<usize>,
}

/// The fields of a side in a tile.
pub(super) struct SideTile {
    pub(super) fields: Vec<FieldTile>,
    pub(super) groups: GroupTile,
    /// The codes that values are read from, if they lie in bytes.
    in_bytes: Option<BytesTile>,
    /// The distance in bits from a tile to the next one along each axis, for each field that the rule names.
    steps: Vec<Vec<Option<i64>>>,
}

impl SideTile {
    /// Moves the first bits of fields to the next tile along an axis, which is the first one along all later axes. Returns
    /// whether tiles lie evenly; else some bits are wrong.
    pub(super) fn advance(&self, firsts: &mut [i64], axis: usize, counts: &[usize]) -> bool {
        firsts.iter_mut().zip(&self.steps).all(|(first, steps)| {
            let Some(step) = steps.get(axis) else { return true };
            let back = |(step, count): (&Option<i64>, &usize)| Some((*step)? * (*count as i64 - 1));
            let mut back = steps[axis + 1..].iter().zip(&counts[axis + 1..]).map(back);
            let sum = back.try_fold(0, |sum, own| Some(sum + own?));
            let (Some(step), Some(sum)) = (step, sum) else { return false };
            *first += step - sum;
            true
        })
    }
}

#[cfg(feature = "rayon")]
impl SideTile {
    /// The first bit of a field and the bit after its last one in all tiles with the first place along an axis, from its
    /// first element on, and the distance to the next place.
    pub(super) fn span(
        &self,
        (field, bits): (usize, usize),
        axis: usize,
        counts: &[usize],
    ) -> Option<(i64, i64, i64)> {
        let (mut low, mut high) = self.fields[field].span(bits);
        for (other, (step, count)) in self.steps[field].iter().zip(counts).enumerate() {
            let far = (*step)? * (*count as i64 - 1);
            if other != axis {
                (low, high) = (low + far.min(0), high + far.max(0));
            }
        }
        Some((low, high, self.steps[field][axis]?))
    }
}

/// The memory for what is computed in a tile.
#[derive(Default)]
pub(super) struct ValueScratch {
    pub(super) held: Vec<u8>,
    pub(super) codes: Vec<u8>,
    /// Scales, zeros and minima, and inverse scales.
    pub(super) groups: [Vec<f32>; 4],
    lists: Vec<Vec<f32>>,
    /// The floats of scales, zeros and minima that have two levels, and the numbers of their groups.
    pub(super) levels: [(Vec<f32>, Vec<u8>); 3],
}

impl PlannedSide {
    pub(super) fn new(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        let (names, mut new, axes) = (side.names(), Self::of_fields(side)?, side.axes());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rule = Some(side.rule()).filter(|rule| !rule.is_empty());
        let is_own = |i: usize| new.fields[i].is_code(&axes).then_some(new.fields[i].bits);
        new.form = ValueForm::of(rule, &names, &is_own)?;
        let codes = CodeMap::of(&new.form, &new.fields);
        new.codes = codes.map_err(|()| fault(UseFault::ValueForm(side.rule())))?;
        new.levels = new.form.parts().map(|value| Levels::of(value?, &new.fields));
        Ok(new)
    }

    /// The fields of a side without values.
    pub(super) fn of_fields(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        let bytes = side.bytes();
        if let Some(own) = bytes.iter().find(|own| **own as u64 > MOST_BYTES) {
            return Err(fault(UseFault::ValueLength(*own, MOST_BYTES as usize)));
        }
        Ok(Self {
            form: ValueForm::of_codes(Vec::new()),
            fields: side.fields()?,
            order: Vec::new(),
            bytes,
            fills: side.fills(),
            codes: None,
            levels: [None, None, None],
            rules: Vec::new(),
            is_computed: false,
            given: Vec::new(),
        })
    }

    /// The field whose elements are the values, if there are no codes.
    pub(super) fn plain(&self) -> usize {
        self.form.codes[0].0
    }

    /// The fields that elements share.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        let named = self.form.parts().into_iter().flatten().flat_map(GroupValue::fields);
        named.chain(self.rules.iter().map(|rule| rule.field))
    }

    /// The fields that are written.
    pub(super) fn written(&self) -> impl Iterator<Item = usize> + '_ {
        let codes = self.form.codes.iter().filter(|_| !self.is_computed).map(|code| code.0);
        codes.chain(self.groups())
    }

    /// The fields that are read or written.
    pub(super) fn named(&self) -> impl Iterator<Item = usize> + '_ {
        let codes = self.form.codes.iter().map(|code| code.0);
        codes.chain(self.groups()).chain(self.given.iter().copied())
    }

    /// The fields in a tile of these sizes. Elements are read, or written if the flag is set.
    pub(super) fn tile(
        &self,
        axes: &[TileAxis],
        tile: &[usize],
        is_written: bool,
    ) -> Result<SideTile, RecordError> {
        let named: Vec<usize> = self.named().collect();
        let (mut fields, mut steps) = (Vec::new(), Vec::new());
        let side = self.side();
        for (i, field) in self.fields.iter().enumerate() {
            if !named.contains(&i) {
                fields.push(FieldTile::none());
                steps.push(Vec::new());
                continue;
            }
            let is_written = is_written && self.written().any(|own| own == i);
            fields.push(FieldTile::new(&side, i, axes, tile, is_written));
            let step = |axis: usize| {
                tile_step(field, &axes[axis], |at| {
                    let mut coordinate = vec![0; axes.len()];
                    coordinate[axis] = at;
                    side.bit(i, &coordinate)
                })
            };
            steps.push((0..axes.len()).map(step).collect());
        }
        let own: Vec<usize> = self.groups().collect();
        let groups = GroupTile::new(&self.fields, &fields, &own, axes, tile)?;
        let in_bytes = match self.form.codes[..] {
            [(code, 0)] if self.codes.is_some() && !is_written => {
                let own = Some(&self.fields[code]).filter(|own| own.element() != ElementType::Bool);
                let dense = CodeBlocks::dense(fields[code].count, groups.run());
                let first = side.bit(code, &vec![0; axes.len()]);
                own.and_then(|own| fields[code].in_bytes(own, first, dense))
            }
            _ => None,
        };
        Ok(SideTile { fields, groups, in_bytes, steps })
    }

    fn side(&self) -> SideFields<'_> {
        SideFields { fields: &self.fields, order: &self.order }
    }

    /// The first bit of each field in the tile at a coordinate.
    pub(super) fn firsts(&self, tile: &SideTile, start: &[usize]) -> Vec<i64> {
        let named = |i: usize| !tile.steps[i].is_empty() || start.is_empty();
        let first = |i| if named(i) { self.side().bit(i, start) } else { 0 };
        (0..self.fields.len()).map(first).collect()
    }

    /// The buffer and the bytes of the values of a tile, if these are `f32` side by side.
    fn floats(&self, tile: &SideTile, firsts: &[i64]) -> Option<(usize, Range<usize>)> {
        let (field, places) = (&self.fields[self.plain()], &tile.fields[self.plain()]);
        let is_plain = self.codes.is_none() && field.is_native_f32() && places.is_contiguous(32);
        let first = firsts[self.plain()];
        let bytes = (first / 8) as usize..(first / 8) as usize + 4 * places.count;
        (is_plain && first % 8 == 0).then_some((field.buffer, bytes))
    }

    /// The values of a tile, if they lie in memory as they are.
    pub(super) fn values<'a>(
        &self,
        tile: &SideTile,
        firsts: &[i64],
        source: &[&'a [u8]],
    ) -> Option<&'a [f32]> {
        let (buffer, bytes) = self.floats(tile, firsts)?;
        plain::try_cast(&source[buffer][bytes])
    }

    /// Where the values of a tile lie in memory as they are.
    pub(super) fn values_mut<'a>(
        &self,
        tile: &SideTile,
        firsts: &[i64],
        destination: &'a mut [&mut [u8]],
    ) -> Option<&'a mut [f32]> {
        let (buffer, bytes) = self.floats(tile, firsts)?;
        plain::try_cast_mut(&mut destination[buffer][bytes])
    }

    /// Reads the elements of a field in a tile, each in bytes of its own.
    pub(super) fn read_field(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        field: usize,
        source: &[&[u8]],
        held: &mut Vec<u8>,
    ) {
        let (own, places) = (&self.fields[field], &tile.fields[field]);
        held.resize(places.count * own.held(), 0);
        let bytes = source[own.buffer];
        match own.bits % 8 {
            0 => places.gather(own, bytes, firsts[field], held),
            _ => self.read_codes((tile, firsts), &[(field, 0)], source, held),
        }
    }

    /// Reads the elements of at most 8 bits of fields in a tile: each moves up, and they are joined.
    pub(super) fn read_codes(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        fields: &[(usize, u32)],
        source: &[&[u8]],
        codes: &mut [u8],
    ) {
        let part = |&(i, up): &(usize, u32)| {
            let (tile, field, first) = (&tile.fields[i], &self.fields[i], firsts[i]);
            TileCodes { tile, field, bytes: source[field.buffer], first, up }
        };
        TileCodes::read(fields.iter().map(part), codes);
    }

    /// Computes the values of a tile.
    pub(super) fn read(
        &self,
        tile: &SideTile,
        firsts: &[i64],
        source: &[&[u8]],
        scratch: &mut ValueScratch,
        values: &mut [f32],
    ) {
        let Some(map) = &self.codes else {
            let (held, field) = (&mut scratch.held, &self.fields[self.plain()]);
            self.read_field((tile, firsts), self.plain(), source, held);
            return work_on_best(FieldValues { field, held, values });
        };
        self.read_groups((tile, firsts), source, scratch);
        let ValueScratch { codes, groups, .. } = scratch;
        let lists = [&groups[0][..], &groups[1], &groups[2]];
        let (plain, bits) = (self.plain(), map.bits() as u32);
        let (own, numbers) = (&self.fields[plain], map.numbers());
        // Codes that lie in bytes need none side by side.
        let in_bytes = tile.in_bytes.as_ref().and_then(|own| own.at(firsts[plain]));
        if let (Some((blocks, first)), Some(numbers)) = (in_bytes, numbers) {
            let bytes = &source[own.buffer][first..];
            let blocks = CodeBlocks { bits, numbers, ..blocks };
            return work_on_best(blocks.work(bytes, lists, values));
        }
        codes.resize(values.len(), 0);
        match self.form.codes[..] {
            [(field, 0)] => self.read_field((tile, firsts), field, source, codes),
            _ => self.read_codes((tile, firsts), &self.form.codes, source, codes),
        }
        if own.element() == ElementType::Bool {
            codes.iter_mut().for_each(|code| *code = (*code).min(1));
        }
        let group = tile.groups.run();
        match numbers {
            Some(numbers) => {
                // No byte has more than its code.
                let is_byte = bits > 4 && matches!(numbers, CodeNumbers::Integers(false, _));
                let bits = if is_byte { 8 } else { bits };
                let blocks = CodeBlocks { bits, numbers, ..CodeBlocks::dense(codes.len(), group) };
                work_on_best(blocks.work(codes, lists, values));
            }
            None => {
                work_on_best(FieldValues { field: own, held: codes, values });
                map.scale(group, lists, values);
            }
        }
    }

    /// Computes the scales, zeros and minima of the groups of a tile.
    fn read_groups(&self, side: (&SideTile, &[i64]), source: &[&[u8]], scratch: &mut ValueScratch) {
        let ValueScratch { held, codes, groups, lists, levels: [(floats, _), ..] } = scratch;
        let parts = self.form.parts().into_iter().zip(&self.levels);
        for ((value, levels), group) in parts.zip(groups.iter_mut()) {
            let Some(value) = value else {
                group.clear();
                continue;
            };
            if let Some(own) = levels {
                let memory = (&mut *held, &mut *codes, &mut *floats, &mut *group);
                if self.multiply(side, own, source, memory).is_some() {
                    continue;
                }
            }
            self.evaluate(side, value, source, held, lists);
            core::mem::swap(group, &mut lists[0]);
        }
        if groups[0].is_empty() {
            groups[0].resize(side.0.groups.count(), 1.0);
        }
    }

    /// Reads the elements of a field in a tile as numbers.
    fn read_values(
        &self,
        side: (&SideTile, &[i64]),
        field: usize,
        source: &[&[u8]],
        (held, values): (&mut Vec<u8>, &mut Vec<f32>),
    ) {
        self.read_field(side, field, source, held);
        values.resize(side.0.fields[field].count, 0.0);
        work_on_best(FieldValues { field: &self.fields[field], held, values });
    }

    /// Computes scales or minima of two levels, if each group has a number of its own.
    fn multiply(
        &self,
        side: (&SideTile, &[i64]),
        own: &Levels,
        source: &[&[u8]],
        (held, codes, floats, values): (&mut Vec<u8>, &mut Vec<u8>, &mut Vec<f32>, &mut Vec<f32>),
    ) -> Option<()> {
        let groups = &side.0.groups;
        let RunElements::Each(each) = *groups.elements(own.float) else { return None };
        let are_even = each % PART == 0 && groups.count() % PART == 0;
        (are_even && own.kind.is_none() && own.are_own(groups)).then_some(())?;
        codes.resize(groups.count(), 0);
        match own.codes[..] {
            [(field, 0)] => self.read_field(side, field, source, codes),
            _ => self.read_codes(side, &own.codes, source, codes),
        }
        self.read_values(side, own.float, source, (held, floats));
        values.resize(groups.count(), 0.0);
        work_on_best(LevelProducts { own, each, floats, codes, values });
        Some(())
    }

    /// Computes a value for each group, in the first of some lists.
    fn evaluate(
        &self,
        side: (&SideTile, &[i64]),
        value: &GroupValue,
        source: &[&[u8]],
        held: &mut Vec<u8>,
        lists: &mut Vec<Vec<f32>>,
    ) {
        let groups = &side.0.groups;
        let least = value.0.iter().map(|part| part.0 + 2).max().unwrap_or(0);
        lists.resize_with(lists.len().max(least), Vec::new);
        for (list, part) in &value.0 {
            let [left, right, ..] = &mut lists[*list..] else { return };
            match *part {
                GroupPart::Number(number) => {
                    left.clear();
                    left.resize(groups.count(), number as f32);
                }
                GroupPart::Field(field) => {
                    self.read_values(side, field, source, (held, left));
                    groups.elements(field).spread(left, groups.count());
                }
                GroupPart::Operation(sign) => work_on_best(GroupOperation { sign, left, right }),
            }
        }
    }
}

/// The values of elements out of their buffer.
struct FieldValues<'a> {
    field: &'a StoredField,
    held: &'a [u8],
    values: &'a mut [f32],
}

impl Work for FieldValues<'_> {
    #[inline(always)]
    fn run(self) {
        let field = self.field;
        let is_half = field.element() == ElementType::F16 && cfg!(target_endian = "little");
        let halves = plain::try_cast(self.held).filter(|_| is_half);
        // Without instructions for halves, it takes several times as long.
        if !halves.is_some_and(|halves| widen(halves, self.values)) {
            field.decode(self.held, self.values);
        }
    }
}
