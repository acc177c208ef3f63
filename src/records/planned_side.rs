//! A side of a conversion of values with what its rule names, and how its tiles are read and written.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use layout_kernels::{Work, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::{ElementType, Layout, plain};

use super::code_runs::CodeRuns;
use super::field_tile::FieldTile;
use super::quantizer::Quantizer;
use super::record_buffer::fault;
use super::value_codes::CodeMap;
use super::value_form::{GroupPart, GroupValue, ValueForm};
use super::value_groups::{ByteValues, GroupOperation, GroupTile, RunElements, RunValues};
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
}

/// The fields of a side in a tile.
pub(super) struct SideTile {
    fields: Vec<FieldTile>,
    pub(super) groups: GroupTile,
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
    held: Vec<u8>,
    codes: Vec<u8>,
    /// Scales, zeros and minima, and inverse scales.
    groups: [Vec<f32>; 4],
    lists: Vec<Vec<f32>>,
}

impl PlannedSide {
    pub(super) fn new(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        let (mut form, fields) = side.parts()?;
        let axes = side.axes();
        form.join(&|low, high, by| {
            let [low, high] = [&fields[low], &fields[high]];
            let is_code = |own: &StoredField| {
                own.bits < 8 && own.element().integer_range().is_some_and(|range| range.0 >= 0)
            };
            let are_codes = is_code(low) && is_code(high) && high.bits + by as usize <= 8;
            are_codes && axes.iter().all(|axis| low.shared(axis.0) == high.shared(axis.0))
        });
        let codes = CodeMap::of(&form, &fields);
        let codes = codes.map_err(|()| fault(UseFault::ValueForm(side.rule())))?;
        let (bytes, fills) = (side.bytes(), side.fills());
        Ok(Self { form, fields, order: Vec::new(), bytes, fills, codes })
    }

    /// The field whose elements are the values, if there are no codes.
    fn plain(&self) -> usize {
        self.form.codes[0].0
    }

    /// The fields that elements share.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.form.parts().into_iter().flatten().flat_map(GroupValue::fields)
    }

    /// The fields that the rule names.
    pub(super) fn named(&self) -> impl Iterator<Item = usize> + '_ {
        self.form.codes.iter().map(|code| code.0).chain(self.groups())
    }

    /// The quantizer of codes, if this one or the usual one applies to the rule.
    pub(super) fn quantizer(
        &self,
        chosen: Option<Quantizer>,
        side: &ValueSide<'_>,
    ) -> Result<Quantizer, RecordError> {
        let form = &self.form;
        let field = |value: &Option<GroupValue>| {
            value.as_ref().and_then(GroupValue::field).map(|field| self.fields[field].element())
        };
        let scale = field(&form.scale).filter(|element| element.integer_range().is_none());
        let (is_minimum, is_zero) = (form.minimum.is_some(), form.zeros.is_some());
        let Some(codes) = &self.codes else {
            let is_float = self.fields[self.plain()].element().integer_range().is_none();
            let own = chosen.unwrap_or(Quantizer::AbsMax);
            return match is_float {
                true => Ok(own),
                false => {
                    Err(fault(UseFault::QuantizerInteger(self.fields[self.plain()].element())))
                }
            };
        };
        let is_quarter = codes.float() == Some(ElementType::F4E2M1);
        let usual = match (codes.float(), scale) {
            (Some(_), Some(ElementType::F8E8M0)) if is_quarter && side.is_of_ggml() => {
                Quantizer::MxGgml
            }
            (Some(_), Some(ElementType::F8E8M0)) => Quantizer::Mx,
            (Some(_), Some(ElementType::F8E4M3)) if is_quarter => Quantizer::Nvfp4,
            _ if codes.is_table() && side.is_of_ggml() => Quantizer::Fitted,
            _ if is_minimum => Quantizer::MinMax,
            _ if is_zero => Quantizer::Affine,
            _ if codes.is_linear()
                && codes.bits() < 8
                && -codes.range().0 == codes.range().1 + 1.0 =>
            {
                Quantizer::SignedMax
            }
            _ => Quantizer::AbsMax,
        };
        let own = chosen.unwrap_or(usual);
        match self.takes(own, codes, scale) {
            true => Ok(own),
            false => Err(fault(UseFault::QuantizerRule(own.name(), side.rule()))),
        }
    }

    /// Whether a quantizer finds scales in elements of a type, and zero points and minima, for codes.
    fn takes(&self, own: Quantizer, codes: &CodeMap, scale: Option<ElementType>) -> bool {
        let form = &self.form;
        let (is_minimum, is_zero) = (form.minimum.is_some(), form.zeros.is_some());
        let is_plain = !is_minimum && !is_zero;
        let is_quarter = codes.float() == Some(ElementType::F4E2M1);
        let (low, high) = codes.range();
        // A power of two is not zero and has no sign.
        let is_power = scale == Some(ElementType::F8E8M0);
        let takes = match own {
            Quantizer::AbsMax => is_plain && !is_power && low <= 0.0 && high > 0.0,
            Quantizer::SignedMax => codes.is_linear() && is_plain && !is_power && low < 0.0,
            Quantizer::MinMax => {
                let field = |value: Option<&GroupValue>| value.and_then(GroupValue::field);
                let minimum =
                    field(form.minimum.as_ref()).filter(|own| self.fields[*own].is_float());
                let is_apart = minimum.is_some() && minimum != field(form.scale.as_ref());
                let is_above = codes.is_linear() && low == 0.0 && high > 0.0;
                is_apart && is_above && !is_zero && !is_power
            }
            Quantizer::Affine => {
                let zeros = form.zeros.as_ref().and_then(GroupValue::field);
                let zeros = zeros.and_then(|field| self.fields[field].element().integer_range());
                let (low, high) = codes.codes();
                let holds = zeros.is_some_and(|own| own.0 as f32 <= low && high <= own.1 as f32);
                codes.is_linear() && holds && !is_minimum && !is_power
            }
            Quantizer::Mx => is_power && codes.float().is_some(),
            Quantizer::MxGgml => is_power && is_quarter,
            Quantizer::Nvfp4 => scale == Some(ElementType::F8E4M3) && is_quarter,
            Quantizer::Fitted => codes.is_table() && is_plain && !is_power && low < 0.0,
        };
        takes && scale.is_some()
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
                fields.push(FieldTile::NONE);
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
            steps.push((0..axes.len()).map(step).collect::<Result<_, _>>()?);
        }
        let own: Vec<usize> = self.groups().collect();
        let groups = GroupTile::new(&self.fields, &fields, &own, axes, tile);
        Ok(SideTile { fields, groups, steps })
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
    fn read_field(
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
            _ => places.read_codes(own, bytes, firsts[field], (0, false), held),
        }
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
            return work_on_best(FieldValues { field: &self.fields[self.plain()], held, values });
        };
        for (value, group) in self.form.parts().into_iter().zip(groups.iter_mut()) {
            let Some(value) = value else {
                group.clear();
                continue;
            };
            self.evaluate((tile, firsts), value, source, held, lists);
            core::mem::swap(group, &mut lists[0]);
        }
        for (group, none) in groups.iter_mut().zip([1.0, map.zero()]) {
            if group.is_empty() {
                group.resize(tile.groups.count(), none);
            }
        }
        let (group, plain) = (tile.groups.run(), self.plain());
        let is_bool = self.fields[plain].element() == ElementType::Bool;
        // Values that follow from the bytes of their codes alone need no codes side by side.
        if let (true, false, [(_, 0)]) = (map.is_computed(), is_bool, &self.form.codes[..]) {
            let own = &self.fields[plain];
            if let Some(all) = tile.fields[plain].in_bytes(own, firsts[plain], group) {
                for (runs, shift) in all {
                    map.decode((source[own.buffer], runs, shift), group, groups, values);
                }
                return;
            }
        }
        codes.resize(values.len(), 0);
        for (i, &(field, shift)) in self.form.codes.iter().enumerate() {
            let (own, places) = (&self.fields[field], &tile.fields[field]);
            let bytes = source[own.buffer];
            match (own.bits, i) {
                (8, 0) => places.gather(own, bytes, firsts[field], codes),
                _ => places.read_codes(own, bytes, firsts[field], (shift, i > 0), codes),
            }
        }
        if is_bool {
            codes.iter_mut().for_each(|code| *code = (*code).min(1));
        }
        if map.float().is_some() && map.bits() > 4 {
            work_on_best(FieldValues { field: &self.fields[plain], held: codes, values });
        }
        let runs = CodeRuns::dense(codes.len());
        map.decode((codes, runs, 0), group, groups, values);
    }

    /// Computes a value for each group, in the first of some lists.
    fn evaluate(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        value: &GroupValue,
        source: &[&[u8]],
        held: &mut Vec<u8>,
        lists: &mut Vec<Vec<f32>>,
    ) {
        let least = value.0.iter().map(|part| part.0 + 2).max().unwrap_or(0);
        lists.resize_with(lists.len().max(least), Vec::new);
        for (list, part) in &value.0 {
            let [own, next, ..] = &mut lists[*list..] else { return };
            match part {
                GroupPart::Number(number) => {
                    own.resize(tile.groups.count(), 0.0);
                    own.fill(*number);
                }
                GroupPart::Field(field) | GroupPart::Joined(field, ..) => {
                    self.read_field((tile, firsts), *field, source, held);
                    let elements = tile.groups.elements(*field);
                    let is_same = matches!(elements, RunElements::Each(1));
                    let values = if is_same { &mut *own } else { &mut *next };
                    values.resize(tile.fields[*field].count, 0.0);
                    if let GroupPart::Joined(_, high, by) = *part {
                        let (own, places) = (&self.fields[high], &tile.fields[high]);
                        places.read_codes(own, source[own.buffer], firsts[high], (by, true), held);
                        work_on_best(ByteValues { held, values });
                    } else {
                        work_on_best(FieldValues { field: &self.fields[*field], held, values });
                    }
                    if !is_same {
                        own.resize(tile.groups.count(), 0.0);
                        work_on_best(RunValues { elements, values: next, all: own });
                    }
                }
                GroupPart::Operation(sign) => {
                    work_on_best(GroupOperation { sign: *sign, left: own, right: next });
                }
            }
        }
    }

    /// Stores the values of a tile.
    pub(super) fn write(
        &self,
        tile: &SideTile,
        quantizer: Quantizer,
        firsts: &[i64],
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
                *own = value.and_then(GroupValue::field).map(|field| (field, &list[..]));
            }
        }
        for (field, values) in stored.into_iter().flatten() {
            let (own, places) = (&self.fields[field], &tile.fields[field]);
            held.resize(values.len() * own.held(), 0);
            work_on_best(FieldElements { field: own, values, held });
            let bytes = &mut *destination[own.buffer];
            match own.bits % 8 {
                0 => places.scatter(own, bytes, firsts[field], held),
                _ => places.write_codes(own, bytes, firsts[field], 0, held),
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
        self.field.decode(self.held, self.values);
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
