//! A side of a conversion of values with what its rule names, and how its tiles are read and written.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use layout_kernels::{CodeBlocks, CodeNumbers, Work, widen, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::{ElementType, Layout, plain};

use super::field_rule::FieldRule;
use super::field_tile::{BytesTile, FieldTile, TileCodes};
use super::quantizer::Quantizer;
use super::record_buffer::fault;
use super::value_codes::CodeMap;
use super::value_form::{GroupPart, GroupValue, ValueForm};
use super::value_groups::{GroupList, GroupTile};
use super::value_side::{StoredField, ValueSide};
use super::value_tiles::{SideFields, TileAxis, tile_step};

/// A side with what its rule names.
pub(super) struct PlannedSide {
    pub(super) form: ValueForm,
    pub(super) fields: Vec<StoredField>,
    pub(super) order: Vec<usize>,
    pub(super) bytes: Vec<usize>,
    /// The layouts with padding.
    pub(super) fills: Vec<(usize, Layout)>,
    pub(super) codes: Option<CodeMap>,
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
    lists: Vec<GroupList>,
}

impl PlannedSide {
    pub(super) fn new(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        let (names, mut new, axes) = (side.names(), Self::of_fields(side)?, side.axes());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rule = Some(side.rule()).filter(|rule| !rule.is_empty());
        let is_own = |i: usize| new.fields[i].is_code(&axes).then_some(new.fields[i].bits);
        new.form = ValueForm::of(rule, &names, &is_own)?;
        let fields = &new.fields;
        new.form.join(&|low, high, by| {
            let [low, high] = [&fields[low], &fields[high]];
            let is_code = |own: &StoredField| {
                own.bits < 8 && own.element().integer_range().is_some_and(|range| range.0 >= 0)
            };
            let are_codes = is_code(low) && is_code(high) && high.bits + by as usize <= 8;
            are_codes && axes.iter().all(|axis| low.shared(axis.0) == high.shared(axis.0))
        });
        let codes = CodeMap::of(&new.form, &new.fields);
        new.codes = codes.map_err(|()| fault(UseFault::ValueForm(side.rule())))?;
        Ok(new)
    }

    /// The fields of a side without values.
    pub(super) fn of_fields(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            form: ValueForm::of_codes(Vec::new()),
            fields: side.fields()?,
            order: Vec::new(),
            bytes: side.bytes(),
            fills: side.fills(),
            codes: None,
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
    pub(super) fn tile(&self, axes: &[TileAxis], tile: &[usize], is_written: bool) -> SideTile {
        let named: Vec<usize> = self.named().collect();
        let (mut fields, mut steps) = (Vec::new(), Vec::new());
        let side = self.side();
        for (i, field) in self.fields.iter().enumerate() {
            if !named.contains(&i) {
                fields.push(FieldTile::none());
                steps.push(Vec::new());
                continue;
            }
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
        let groups = GroupTile::new(&self.fields, &fields, &own, axes, tile);
        let in_bytes = match self.form.codes[..] {
            [(code, 0)] if self.codes.is_some() && !is_written => {
                let own = Some(&self.fields[code]).filter(|own| own.element() != ElementType::Bool);
                let dense = CodeBlocks::dense(fields[code].count, groups.run());
                let first = side.bit(code, &vec![0; axes.len()]);
                own.and_then(|own| fields[code].in_bytes(own, first, dense))
            }
            _ => None,
        };
        SideTile { fields, groups, in_bytes, steps }
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
        let ValueScratch { held, codes, groups, lists } = scratch;
        let Some(map) = &self.codes else {
            self.read_field((tile, firsts), self.plain(), source, held);
            let field = Some(&self.fields[self.plain()]);
            return work_on_best(FieldValues { field, held, values });
        };
        for (value, group) in self.form.parts().into_iter().zip(groups.iter_mut()) {
            let Some(value) = value else {
                group.clear();
                continue;
            };
            self.evaluate((tile, firsts), value, source, held, lists);
            lists[0].spread(tile.groups.count());
            core::mem::swap(group, &mut lists[0].values);
        }
        if groups[0].is_empty() {
            groups[0].resize(tile.groups.count(), 1.0);
        }
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
                work_on_best(FieldValues { field: Some(own), held: codes, values });
                map.scale(group, lists, values);
            }
        }
    }

    /// Computes a value for each group, in the first of some lists.
    fn evaluate(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        value: &GroupValue,
        source: &[&[u8]],
        held: &mut Vec<u8>,
        lists: &mut Vec<GroupList>,
    ) {
        let least = value.0.iter().map(|part| part.0 + 2).max().unwrap_or(0);
        lists.resize_with(lists.len().max(least), GroupList::default);
        // Once, as to grow takes longer than to compute a list. The last one is that after those of a value.
        for GroupList { values, .. } in lists.iter_mut().take(least.max(1) - 1) {
            values.reserve(tile.groups.count().saturating_sub(values.len()));
        }
        for (list, part) in &value.0 {
            let [own, next, ..] = &mut lists[*list..] else { return };
            match *part {
                GroupPart::Number(number) => own.set_number(number as f32, tile.groups.count()),
                GroupPart::Field(field) | GroupPart::Joined(field, ..) => {
                    let mut stored = Some(&self.fields[field]);
                    if let GroupPart::Joined(_, high, by) = *part {
                        held.resize(tile.fields[field].count, 0);
                        self.read_codes((tile, firsts), &[(field, 0), (high, by)], source, held);
                        stored = None;
                    } else {
                        self.read_field((tile, firsts), field, source, held);
                    }
                    own.values.resize(tile.fields[field].count, 0.0);
                    work_on_best(FieldValues { field: stored, held, values: &mut own.values });
                    own.set_elements(tile.groups.elements(field));
                }
                GroupPart::Operation(sign) => own.operate(sign, next, tile.groups.count()),
            }
        }
    }

    /// Stores the values of a tile.
    pub(super) fn write(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        quantizer: Quantizer,
        values: &[f32],
        scratch: &mut ValueScratch,
        destination: &mut [&mut [u8]],
    ) {
        let ValueScratch { held, codes, groups, .. } = scratch;
        let mut stored = [Some((self.plain(), values)), None, None];
        if let Some(map) = &self.codes {
            codes.resize(values.len(), 0);
            let own = &tile.groups;
            work_on_best(Encoding { map, tile: own, quantizer, values, groups, codes });
            for &(field, shift) in &self.form.codes {
                let (own, places) = (&self.fields[field], &tile.fields[field]);
                let bytes = &mut *destination[own.buffer];
                match own.bits {
                    8 => places.scatter(own, bytes, firsts[field], codes),
                    _ => places.write_codes(own, bytes, firsts[field], shift, codes),
                }
            }
            for ((own, value), list) in stored.iter_mut().zip(self.form.parts()).zip(&*groups) {
                let field = value.and_then(GroupValue::multiple);
                *own = field.map(|(field, _)| (field, &list[..]));
            }
        }
        for (field, values) in stored.into_iter().flatten() {
            let own = &self.fields[field];
            held.resize(values.len() * own.held(), 0);
            work_on_best(FieldElements { field: own, values, held });
            self.store((tile, firsts), field, held, destination);
        }
    }

    /// Writes elements that each have bytes of their own to a field.
    pub(super) fn store(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        field: usize,
        held: &[u8],
        destination: &mut [&mut [u8]],
    ) {
        let (own, places) = (&self.fields[field], &tile.fields[field]);
        let bytes = &mut *destination[own.buffer];
        match own.bits % 8 {
            0 => places.scatter(own, bytes, firsts[field], held),
            _ => places.write_codes(own, bytes, firsts[field], 0, held),
        }
    }
}

/// The values of elements out of their buffer, or of unsigned bytes.
struct FieldValues<'a> {
    field: Option<&'a StoredField>,
    held: &'a [u8],
    values: &'a mut [f32],
}

impl Work for FieldValues<'_> {
    #[inline(always)]
    fn run(self) {
        let Some(field) = self.field else {
            for (own, byte) in self.values.iter_mut().zip(self.held) {
                *own = f32::from(*byte);
            }
            return;
        };
        let is_half = field.element() == ElementType::F16 && cfg!(target_endian = "little");
        let halves = plain::try_cast(self.held).filter(|_| is_half);
        // Without instructions for halves, it takes several times as long.
        if !halves.is_some_and(|halves| widen(halves, self.values)) {
            field.decode(self.held, self.values);
        }
    }
}

/// The elements that are nearest to values.
struct FieldElements<'a> {
    field: &'a StoredField,
    values: &'a [f32],
    held: &'a mut [u8],
}

impl Work for FieldElements<'_> {
    #[inline(always)]
    fn run(self) {
        self.field.encode(self.values, self.held);
    }
}

/// The scales and codes of the values of a tile.
struct Encoding<'a> {
    map: &'a CodeMap,
    tile: &'a GroupTile,
    quantizer: Quantizer,
    values: &'a [f32],
    groups: &'a mut [Vec<f32>; 4],
    codes: &'a mut [u8],
}

impl Work for Encoding<'_> {
    #[inline(always)]
    fn run(self) {
        self.map.encode(self.tile, self.quantizer, self.values, self.groups, self.codes);
    }
}
