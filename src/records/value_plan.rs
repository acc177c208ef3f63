//! Moves of values: from the value rule of one side to that of the other, tile by tile.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_kernels::{Work, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::{ElementType, Layout};

use super::quantizer::Quantizer;
use super::record_buffer::fault;
use super::value_codes::CodeMap;
use super::value_form::{GroupValue, ValueForm};
use super::value_groups::GroupTile;
use super::value_side::{StoredField, ValueSide};
use super::value_tiles::{FieldTile, SideFields, TileAxis, tile_axes};

/// How to compute the values of one side and to store them in the other, in one pass over the buffers: to quantize a
/// tensor, to dequantize a record, or to bring the values of one record into another.
///
/// ```
/// use tensor_layout::records::{Record, ValuePlan};
/// use tensor_layout::Layout;
///
/// let weights = Layout::parse("MK<2, 64>, f32").expect("a layout");
/// let blocks = Record::parse("MK<2, 64>, ggml::Q8_0")?;
/// let numbers: Vec<f32> = (0..128).map(|i| i as f32 - 64.0).collect();
/// let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
///
/// let mut packed = vec![0; blocks.bytes(0)];
/// ValuePlan::new(&weights, &blocks, None)?.run(&[&bytes], &mut [&mut packed])?;
///
/// let mut back = vec![0; bytes.len()];
/// ValuePlan::new(&blocks, &weights, None)?.run(&[&packed], &mut [&mut back])?;
/// let first = f32::from_ne_bytes(back[..4].try_into().unwrap());
/// assert!((first + 64.0).abs() < 0.1);
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
///
/// # Arithmetic
///
/// Values are `f32`. The operations of a rule are computed in the order in which they are written, each rounded to
/// nearest with ties to even; integers are subtracted from codes first. Scales are stored rounded to nearest, and codes
/// follow from the scale before it is rounded, as in ggml.
pub struct ValuePlan {
    sides: [PlannedSide; 2],
    quantizer: Quantizer,
    axes: Vec<TileAxis>,
    tiles: Vec<TileShape>,
}

/// A side with what its rule names.
struct PlannedSide {
    form: ValueForm,
    fields: Vec<StoredField>,
    order: Vec<usize>,
    bytes: Vec<usize>,
    /// The layouts with padding.
    fills: Vec<(usize, Layout)>,
    codes: Option<CodeMap>,
}

/// Tiles of one size.
struct TileShape {
    /// How often the tile is repeated along each axis, from which coordinate on.
    counts: Vec<usize>,
    starts: Vec<usize>,
    elements: usize,
    sides: [SideTile; 2],
}

/// The fields of a side in a tile.
struct SideTile {
    fields: Vec<FieldTile>,
    groups: GroupTile,
}

impl ValuePlan {
    /// Makes the plan of a conversion of values. A side is a [`Record`](super::Record) or a
    /// [`Layout`](crate::Layout). If the destination is a record with scales, `quantizer` chooses them; without one, it
    /// is that of [`quantizer`](Self::quantizer).
    ///
    /// # Errors
    /// - The letters or extents of the axes differ.
    /// - A record has no value rule, or one that is no scale times a code plus a minimum.
    /// - The quantizer does not apply to the rule of the destination.
    /// - Blocks of the destination reach beyond its extents.
    /// - A side is swizzled, or a digit of a field is added to another one.
    pub fn new<'a>(
        from: impl Into<ValueSide<'a>>,
        to: impl Into<ValueSide<'a>>,
        quantizer: Option<Quantizer>,
    ) -> Result<Self, RecordError> {
        let both = [from.into(), to.into()];
        let [from, to] = [PlannedSide::new(&both[0])?, PlannedSide::new(&both[1])?];
        let quantizer = to.quantizer(quantizer, &both[1])?;
        let named: Vec<&StoredField> =
            [&from, &to].iter().flat_map(|side| side.named().map(|i| &side.fields[i])).collect();
        let shared = |letter: char| {
            let quantized = to.groups().map(|i| to.fields[i].shared(letter)).min();
            let shared = from.groups().map(|i| from.fields[i].shared(letter)).min();
            match (quantized, shared) {
                (Some(own), _) if own != 1 => (own, true),
                (_, Some(own)) => (own, false),
                _ => (1, false),
            }
        };
        let axes = tile_axes([&both[0], &both[1]], &named, shared)?;
        let mut plan = Self { sides: [from, to], quantizer, axes, tiles: Vec::new() };
        for (side, own) in plan.sides.iter_mut().zip(&both) {
            let place =
                |axis: &(char, usize)| plan.axes.iter().position(|own| own.letter == axis.0);
            side.order = own.axes().iter().filter_map(place).collect();
        }
        plan.set_tiles(&both[1])?;
        Ok(plan)
    }

    /// The quantizer of the destination. Without a choice, floats with scales in `f8e8m0` have [`Mx`](Quantizer::Mx),
    /// but records of ggml [`MxGgml`](Quantizer::MxGgml); `f4e2m1` with scales in `f8e4m3` has
    /// [`Nvfp4`](Quantizer::Nvfp4); a rule with a minimum has [`MinMax`](Quantizer::MinMax), one with a zero point
    /// [`Affine`](Quantizer::Affine); integers of less than 8 bits have [`SignedMax`](Quantizer::SignedMax), and all others
    /// [`AbsMax`](Quantizer::AbsMax).
    pub const fn quantizer(&self) -> Quantizer {
        self.quantizer
    }

    fn set_tiles(&mut self, to: &ValueSide<'_>) -> Result<(), RecordError> {
        let rank = self.axes.len();
        for part in 0..1usize << rank {
            let (mut tile, mut counts, mut starts) = (vec![], vec![], vec![]);
            for (i, axis) in self.axes.iter().enumerate() {
                let whole = axis.extent / axis.tile;
                let is_rest = part >> i & 1 == 1;
                tile.push(if is_rest { axis.extent % axis.tile } else { axis.tile });
                counts.push(if is_rest { 1 } else { whole });
                starts.push(if is_rest { whole * axis.tile } else { 0 });
            }
            if tile.contains(&0) || counts.contains(&0) {
                continue;
            }
            let shape = |side: &PlannedSide| {
                let fields = SideFields { fields: &side.fields, order: &side.order };
                let fields: Vec<FieldTile> = (0..side.fields.len())
                    .map(|i| match side.named().any(|own| own == i) {
                        true => FieldTile::new(&fields, i, &self.axes, &tile),
                        false => FieldTile::NONE,
                    })
                    .collect();
                let own: Vec<usize> = side.groups().collect();
                let groups = GroupTile::new(&side.fields, &fields, &own, &self.axes, &tile);
                SideTile { fields, groups }
            };
            let sides = [shape(&self.sides[0]), shape(&self.sides[1])];
            if self.sides[1].codes.is_some() && !sides[1].groups.is_in_order() {
                return Err(fault(UseFault::ValueGroups));
            }
            let elements = tile.iter().product();
            self.tiles.push(TileShape { counts, starts, elements, sides });
        }
        if let (ValueSide::Record(record), Some(_)) = (to, &self.sides[1].codes) {
            for i in 0..record.field_count() {
                let name = record.field_name(i);
                let padded = record.with_padding(name.as_str());
                if padded.extents() != record.extents() {
                    return Err(fault(UseFault::ValuePadding(name.as_str())));
                }
            }
        }
        Ok(())
    }

    /// Computes all values. The buffers of a layout are its bytes, at any address.
    ///
    /// # Errors
    /// The number of buffers or their lengths are not those of the sides. Nothing is written then.
    pub fn run(
        &self,
        source: &[impl AsRef<[u8]>],
        destination: &mut [impl AsMut<[u8]>],
    ) -> Result<(), RecordError> {
        let source: Vec<&[u8]> = source.iter().map(AsRef::as_ref).collect();
        let mut destination: Vec<&mut [u8]> = destination.iter_mut().map(AsMut::as_mut).collect();
        check(&self.sides[0].bytes, source.len(), |i| source[i].len())?;
        check(&self.sides[1].bytes, destination.len(), |i| destination[i].len())?;
        for (buffer, layout) in &self.sides[1].fills {
            fill(layout, destination[*buffer]);
        }
        let mut scratch = Scratch::default();
        for shape in &self.tiles {
            let mut place = vec![0; self.axes.len()];
            'tiles: loop {
                let start: Vec<usize> = (0..place.len())
                    .map(|i| shape.starts[i] + place[i] * self.axes[i].tile)
                    .collect();
                self.sides[0].read(&shape.sides[0], shape.elements, &start, &source, &mut scratch);
                let to = &self.sides[1];
                to.write(&shape.sides[1], self.quantizer, &start, &mut scratch, &mut destination);
                for axis in (0..place.len()).rev() {
                    place[axis] += 1;
                    if place[axis] < shape.counts[axis] {
                        continue 'tiles;
                    }
                    place[axis] = 0;
                }
                break;
            }
        }
        Ok(())
    }
}

/// What is computed in a tile.
#[derive(Default)]
struct Scratch {
    values: Vec<f32>,
    held: Vec<u8>,
    codes: Vec<u8>,
    groups: [Vec<f32>; 3],
}

impl PlannedSide {
    fn new(side: &ValueSide<'_>) -> Result<Self, RecordError> {
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
    fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        let mut all = Vec::new();
        self.form.groups().for_each(|own| own.each_field(&mut |field| all.push(field)));
        all.into_iter()
    }

    /// The fields that the rule names.
    fn named(&self) -> impl Iterator<Item = usize> + '_ {
        self.form.codes.iter().map(|code| code.0).chain(self.groups())
    }

    /// The quantizer of codes, if this one or the usual one applies to the rule.
    fn quantizer(
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
    fn read(
        &self,
        tile: &SideTile,
        elements: usize,
        start: &[usize],
        source: &[&[u8]],
        scratch: &mut Scratch,
    ) {
        let Scratch { values, held, codes, groups } = scratch;
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
    fn write(
        &self,
        tile: &SideTile,
        quantizer: Quantizer,
        start: &[usize],
        scratch: &mut Scratch,
        destination: &mut [&mut [u8]],
    ) {
        let Scratch { values, held, codes, groups } = scratch;
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
        tile.each_run(values.len(), |run, group| {
            let at = |i: usize| groups[i].get(group).copied();
            map.decode(&codes[run.clone()], &mut values[run], [at(0), at(1), at(2)]);
        });
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
        tile.each_run(values.len(), |run, _| {
            let own = quantizer.group(&values[run.clone()], map.range(), map.codes());
            groups[0].push(own.scale);
            groups[1].push(own.zero);
            groups[2].push(own.minimum);
            map.encode(&values[run.clone()], &mut codes[run], quantizer, own);
        });
    }
}

fn check(
    bytes: &[usize],
    count: usize,
    length: impl Fn(usize) -> usize,
) -> Result<(), RecordError> {
    if count != bytes.len() {
        return Err(fault(UseFault::BufferCount { needed: bytes.len(), given: count }));
    }
    for (buffer, &needed) in bytes.iter().enumerate() {
        let given = length(buffer);
        if needed != given {
            return Err(fault(UseFault::BufferLength { buffer, needed, given }));
        }
    }
    Ok(())
}

/// Fills a buffer with what the padding of its layout is, before its elements are written.
fn fill(layout: &Layout, bytes: &mut [u8]) {
    let unit = layout.unit_of_fill().to_le_bytes();
    let size = layout.element().bits().div_ceil(8);
    for own in bytes.chunks_mut(size) {
        own.copy_from_slice(&unit[..own.len()]);
        if cfg!(target_endian = "big") {
            own.reverse();
        }
    }
}

/// Prints the tiles: their number and their coordinates along each axis.
impl fmt::Debug for ValuePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for axis in &self.axes {
            write!(f, "{} {} of {}, ", axis.letter, axis.extent, axis.tile)?;
        }
        f.write_str(self.quantizer.name())
    }
}
