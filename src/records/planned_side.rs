//! A side of a conversion of values with what its rule names, and how its tiles are read and written.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::{ElementType, Layout};

use super::quantizer::Quantizer;
use super::record_buffer::fault;
use super::value_codes::CodeMap;
use super::value_form::{GroupValue, ValueForm};
use super::value_groups::GroupTile;
use super::value_side::{StoredField, ValueSide};
use super::value_tiles::{FieldTile, SideFields, TileAxis};

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
}

/// What is computed in a tile.
#[derive(Default)]
pub(super) struct TileValues {
    values: Vec<f32>,
    held: Vec<u8>,
    codes: Vec<u8>,
    groups: [Vec<f32>; 3],
}

impl PlannedSide {
    pub(super) fn new(side: &ValueSide<'_>) -> Result<Self, RecordError> {
        let (form, fields) = side.parts()?;
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
        let mut all = Vec::new();
        self.form.groups().for_each(|own| own.each_field(&mut |field| all.push(field)));
        all.into_iter()
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
        let field = |value: &Option<GroupValue>| match value {
            Some(GroupValue::Field(field)) => Some(self.fields[*field].element()),
            _ => None,
        };
        let scale = field(&form.scale).filter(|element| element.integer_range().is_none());
        let minimum = form.minimum.as_ref().map(|own| &own.0);
        let (is_minimum, is_zero) = (form.minimum.is_some(), form.zeros.is_some());
        let Some(codes) = &self.codes else {
            let is_float = self.fields[self.plain()].element().integer_range().is_none();
            let own = chosen.unwrap_or(Quantizer::AbsMax);
            return match is_float {
                true => Ok(own),
                false => Err(fault(UseFault::QuantizerRule(own.name(), side.rule()))),
            };
        };
        let is_quarter = codes.float() == Some(ElementType::F4E2M1);
        let usual = match (codes.float(), scale) {
            (Some(_), Some(ElementType::F8E8M0)) if is_quarter && side.is_of_ggml() => {
                Quantizer::MxGgml
            }
            (Some(_), Some(ElementType::F8E8M0)) => Quantizer::Mx,
            (Some(_), Some(ElementType::F8E4M3)) if is_quarter => Quantizer::Nvfp4,
            _ if is_minimum => Quantizer::MinMax,
            _ if is_zero => Quantizer::Affine,
            _ if codes.is_linear() && codes.bits() < 8 => Quantizer::SignedMax,
            _ => Quantizer::AbsMax,
        };
        let own = chosen.unwrap_or(usual);
        let takes = match own {
            Quantizer::AbsMax => !is_minimum && !is_zero,
            Quantizer::SignedMax => codes.is_linear() && !is_minimum && !is_zero,
            Quantizer::MinMax => {
                let is_field = matches!(minimum, Some(GroupValue::Field(field)) if self.fields[*field].is_float());
                codes.is_linear()
                    && is_field
                    && !is_zero
                    && form.minimum.as_ref().is_none_or(|own| !own.1)
            }
            Quantizer::Affine => {
                let zeros = field(&form.zeros).and_then(ElementType::integer_range);
                let (low, high) = codes.codes();
                let holds = zeros.is_some_and(|own| own.0 as f32 <= low && high <= own.1 as f32);
                codes.is_linear() && holds && !is_minimum
            }
            Quantizer::Mx => scale == Some(ElementType::F8E8M0) && codes.float().is_some(),
            Quantizer::MxGgml => scale == Some(ElementType::F8E8M0) && is_quarter,
            Quantizer::Nvfp4 => scale == Some(ElementType::F8E4M3) && is_quarter,
        };
        match takes && scale.is_some() {
            true => Ok(own),
            false => Err(fault(UseFault::QuantizerRule(own.name(), side.rule()))),
        }
    }

    /// The fields in a tile of these sizes.
    pub(super) fn tile(&self, axes: &[TileAxis], tile: &[usize]) -> SideTile {
        let named: Vec<usize> = self.named().collect();
        let place = |field: usize| match named.contains(&field) {
            true => FieldTile::new(&self.fields_of(), field, axes, tile),
            false => FieldTile::NONE,
        };
        let fields: Vec<FieldTile> = (0..self.fields.len()).map(place).collect();
        let own: Vec<usize> = self.groups().collect();
        let groups = GroupTile::new(&self.fields, &fields, &own, axes, tile);
        SideTile { fields, groups }
    }

    fn fields_of(&self) -> SideFields<'_> {
        SideFields { fields: &self.fields, order: &self.order }
    }

    /// Gathers the elements of a field in a tile.
    fn gather(
        &self,
        tile: &SideTile,
        field: usize,
        start: &[usize],
        source: &[&[u8]],
        held: &mut Vec<u8>,
    ) {
        let (own, places) = (&self.fields[field], &tile.fields[field]);
        held.resize(places.count * own.held(), 0);
        let first = self.fields_of().bit(field, start);
        places.gather(own, source[own.buffer], first, held);
    }

    fn scatter(
        &self,
        tile: &SideTile,
        field: usize,
        start: &[usize],
        held: &[u8],
        destination: &mut [&mut [u8]],
    ) {
        let (own, places) = (&self.fields[field], &tile.fields[field]);
        let first = self.fields_of().bit(field, start);
        places.scatter(own, destination[own.buffer], first, held);
    }

    /// Computes the values of a tile.
    pub(super) fn read(
        &self,
        tile: &SideTile,
        elements: usize,
        start: &[usize],
        source: &[&[u8]],
        scratch: &mut TileValues,
    ) {
        let TileValues { values, held, codes, groups } = scratch;
        values.resize(elements, 0.0);
        let Some(map) = &self.codes else {
            self.gather(tile, self.plain(), start, source, held);
            return self.fields[self.plain()].decode(held, values);
        };
        codes.clear();
        codes.resize(elements, 0);
        for &(field, shift) in &self.form.codes {
            self.gather(tile, field, start, source, held);
            codes.iter_mut().zip(held.iter()).for_each(|(code, own)| *code |= own << shift);
        }
        let minimum = self.form.minimum.as_ref();
        let values_of =
            [self.form.scale.as_ref(), self.form.zeros.as_ref(), minimum.map(|minimum| &minimum.0)];
        for (value, group) in values_of.into_iter().zip(groups.iter_mut()) {
            group.clear();
            let Some(value) = value else { continue };
            *group = tile.groups.evaluate(value, &mut |field| {
                self.gather(tile, field, start, source, held);
                let mut values = vec![0.0; tile.fields[field].count];
                self.fields[field].decode(held, &mut values);
                values
            });
        }
        if minimum.is_some_and(|minimum| minimum.1) {
            groups[2].iter_mut().for_each(|value| *value = -*value);
        }
        work_on_best(Decoding { map, tile: &tile.groups, codes, groups, values });
    }

    /// Stores the values of a tile.
    pub(super) fn write(
        &self,
        tile: &SideTile,
        quantizer: Quantizer,
        start: &[usize],
        scratch: &mut TileValues,
        destination: &mut [&mut [u8]],
    ) {
        let TileValues { values, held, codes, groups } = scratch;
        let Some(map) = &self.codes else {
            let own = &self.fields[self.plain()];
            held.resize(values.len() * own.held(), 0);
            own.encode(values, held);
            return self.scatter(tile, self.plain(), start, held, destination);
        };
        codes.resize(values.len(), 0);
        groups.iter_mut().for_each(Vec::clear);
        work_on_best(Encoding { map, tile: &tile.groups, quantizer, values, groups, codes });
        for &(field, shift) in &self.form.codes {
            held.clear();
            held.extend(codes.iter().map(|code| map.part(*code, shift, self.fields[field].bits)));
            self.scatter(tile, field, start, held, destination);
        }
        let minimum = self.form.minimum.as_ref().map(|own| &own.0);
        let (scale, zeros) = (self.form.scale.as_ref(), self.form.zeros.as_ref());
        for (value, numbers) in [(scale, 0), (zeros, 1), (minimum, 2)] {
            let Some(GroupValue::Field(field)) = value else { continue };
            let own = &self.fields[*field];
            held.resize(groups[numbers].len() * own.held(), 0);
            own.encode(&groups[numbers], held);
            self.scatter(tile, *field, start, held, destination);
        }
    }
}

/// The values of the codes of a tile.
struct Decoding<'a> {
    map: &'a CodeMap,
    tile: &'a GroupTile,
    codes: &'a [u8],
    groups: &'a [Vec<f32>; 3],
    values: &'a mut [f32],
}

impl Work for Decoding<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { map, tile, codes, groups, values } = self;
        for (run, group) in tile.runs() {
            let at = |i: usize| groups[i].get(group).copied();
            map.decode(&codes[run.clone()], &mut values[run], [at(0), at(1), at(2)]);
        }
    }
}

/// The scales and codes of the values of a tile.
struct Encoding<'a> {
    map: &'a CodeMap,
    tile: &'a GroupTile,
    quantizer: Quantizer,
    values: &'a [f32],
    groups: &'a mut [Vec<f32>; 3],
    codes: &'a mut [u8],
}

impl Work for Encoding<'_> {
    #[inline(always)]
    fn run(self) {
        macro_rules! run_as {
            ($($quantizer:ident)*) => {
                // Each in loops of its own, in which it is a constant.
                match self.quantizer {
                    $(Quantizer::$quantizer => self.run_as(Quantizer::$quantizer),)*
                }
            };
        }
        run_as! { AbsMax SignedMax MinMax Affine Mx MxGgml Nvfp4 }
    }
}

impl Encoding<'_> {
    #[inline(always)]
    fn run_as(self, quantizer: Quantizer) {
        let Self { map, tile, values, groups, codes, .. } = self;
        for (run, _) in tile.runs() {
            let own = quantizer.group(&values[run.clone()], map.range(), map.codes());
            groups[0].push(own.scale);
            groups[1].push(own.zero);
            groups[2].push(own.minimum);
            map.encode(&values[run.clone()], &mut codes[run], quantizer, own);
        }
    }
}
