//! Moves of values: from the value rule of one side to that of the other, tile by tile.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_records::{Record, RecordError, UseFault};
use layout_types::Layout;
use layout_types::spec::greatest_divisor;

use super::planned_side::{PlannedSide, SideTile, ValueScratch};
use super::quantizer::Quantizer;
use super::side::{StoredField, ValueSide};
use super::tile_boxes::{TileAxis, even, tile_axes};
use crate::records::passes::field_change::FieldChange;
use crate::records::passes::tile_passes::TilePasses;
use crate::records::record_buffer::{Buffers, checked_buffers, fault};

/// The most parts of a tile in which elements lie at equal distances, each of which a plan looks at.
const MOST_STRETCHES: usize = 1 << 24;

/// The most values of a tile whose memory a plan keeps.
#[cfg(feature = "std")]
const MOST_KEPT: usize = 1 << 16;

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
/// nearest with ties to even; integers are subtracted from codes first. Scales are stored rounded to nearest. Codes
/// follow from the scale before it is rounded, as in ggml, but from the stored one if its type has at most 8 bits.
pub struct ValuePlan {
    pub(super) sides: [PlannedSide; 2],
    quantizer: Quantizer,
    pub(super) axes: Vec<TileAxis>,
    pub(super) tiles: Vec<TileShape>,
    /// What writes the padding of a record.
    pub(super) padding: TilePasses,
    /// The memory of a run, for the next one: to allocate it takes long beside a small tile.
    #[cfg(feature = "std")]
    scratch: std::sync::Mutex<(ValueScratch, Vec<f32>)>,
}

/// Returns an error unless the destination has the axes of the source, and no others unless some may be missing.
fn check_axes(
    from: &[(char, usize)],
    to: &[(char, usize)],
    is_part: bool,
) -> Result<(), RecordError> {
    let own = |letter| to.iter().find(|axis: &&(char, usize)| axis.0 == letter);
    let has_all = from.len() == to.len() || is_part;
    if !has_all || !from.iter().all(|axis| own(axis.0).is_some()) {
        let [from, to] = [from, to].map(|all| all.iter().map(|axis| axis.0).collect::<String>());
        return Err(fault(UseFault::ValueAxes(&from, &to)));
    }
    for (letter, extent) in from {
        if let Some(other) = own(*letter).filter(|other| other.1 != *extent) {
            return Err(fault(UseFault::ValueExtents(*letter, *extent, other.1)));
        }
    }
    Ok(())
}

/// Tiles of one size.
pub(super) struct TileShape {
    /// How often the tile is repeated along each axis, from which coordinate on.
    pub(super) counts: Vec<usize>,
    pub(super) starts: Vec<usize>,
    elements: usize,
    pub(super) sides: [SideTile; 2],
    /// The first bits of the fields in the first tile.
    firsts: [Vec<i64>; 2],
}

impl ValuePlan {
    /// Makes the plan of a conversion of values. A side is a [`Record`](crate::records::Record) or a
    /// [`Layout`](crate::Layout). If the destination is a record with scales, `quantizer` chooses them; without one, it
    /// is that of [`quantizer`](Self::quantizer). Making the plan takes time for each element of a tile, which is the whole
    /// tensor if it has one scale, and at least what a digit that is added to others counts. Its padding is written as
    /// [`RecordPlan`](crate::records::RecordPlan) says, and no scale or sum follows from it.
    ///
    /// # Errors
    /// - The letters or extents of the axes differ.
    /// - A record has no value rule, or one that is not a scale times a code plus a minimum.
    /// - The quantizer does not apply to the rule of the destination.
    /// - Neither the rule of the destination names a field or tensor there, nor computes one of its own it, nor has the
    ///   source one of that name.
    /// - Scales of the destination that are searched or have sums beside them are not those of elements side by side.
    /// - A value of padding is not a number that an element holds.
    /// - A side is swizzled, or a buffer takes 2^58 bytes or more.
    /// - Too many elements are converted at once: more than 2^27 groups with scales, or as many uneven places.
    pub fn new<'a>(
        from: impl Into<ValueSide<'a>>,
        to: impl Into<ValueSide<'a>>,
        quantizer: Option<Quantizer>,
    ) -> Result<Self, RecordError> {
        Self::with_values(from, to, quantizer, &[])
    }

    /// Makes the plan of a conversion of values to a destination with fields that its value rule does not name, such as
    /// sums of codes and biases.
    ///
    /// Such a field is computed by its own rule, of the codes and the scale of its group, such as `d * sum(q)`. Other names
    /// there, and a field without a rule, stand for a field of the source of that name, which the same elements share,
    /// or for a value among `values`: `FieldChange::add("izp", 3)`. Integers have 32 bits and wrap, and with a float they are
    /// `f32`.
    ///
    /// # Errors
    /// - Those of [`new`](Self::new).
    /// - A field has a rule of other things than numbers, sums of codes and what elements share.
    /// - A name stands for nothing, or a value is not named.
    pub fn with_values<'a>(
        from: impl Into<ValueSide<'a>>,
        to: impl Into<ValueSide<'a>>,
        quantizer: Option<Quantizer>,
        values: &[FieldChange<'_>],
    ) -> Result<Self, RecordError> {
        let both = [from.into(), to.into()];
        let [mut from, mut to] = [PlannedSide::new(&both[0])?, PlannedSide::new(&both[1])?];
        let quantizer = to.quantizer(quantizer, &both[1])?;
        let is_named = |field: &usize| to.named().any(|own| own == *field);
        let unnamed: Vec<usize> = (0..to.fields.len()).filter(|own| !is_named(own)).collect();
        to.set_rules(&mut from, &both, &unnamed, values)?;
        Self::of_sides([from, to], &both, quantizer)
    }

    /// The plan that computes a field of a record from its codes and another record.
    pub(crate) fn of_field(
        from: &Record,
        to: &Record,
        field: usize,
        values: &[FieldChange<'_>],
    ) -> Result<Self, RecordError> {
        let both = [ValueSide::Record(from), ValueSide::Record(to)];
        let [mut from, mut to] =
            [PlannedSide::of_fields(&both[0])?, PlannedSide::of_fields(&both[1])?];
        to.is_computed = true;
        to.set_rules(&mut from, &both, &[field], values)?;
        Self::of_sides([from, to], &both, Quantizer::AbsMax)
    }

    /// The plan of two sides that know what they read and write.
    fn of_sides(
        [from, to]: [PlannedSide; 2],
        both: &[ValueSide<'_>; 2],
        quantizer: Quantizer,
    ) -> Result<Self, RecordError> {
        let named: Vec<&StoredField> =
            [&from, &to].iter().flat_map(|side| side.named().map(|i| &side.fields[i])).collect();
        let shared = |letter: char| {
            // Of two numbers of coordinates, 0 is that of all, and a multiple of each.
            let common = |a: usize, b: usize| match greatest_divisor(a, b) {
                0 => 0,
                divisor => (a / divisor).saturating_mul(b),
            };
            let quantized = to.groups().map(|i| to.fields[i].shared(letter)).reduce(common);
            let shared = from.groups().map(|i| from.fields[i].shared(letter)).min();
            match (quantized, shared) {
                (Some(own), _) if own != 1 => (own, true),
                (_, Some(own)) => (own, false),
                _ => (1, false),
            }
        };
        let (other, own) = (both[0].axes(), both[1].axes());
        check_axes(&other, &own, to.is_computed)?;
        let axes = tile_axes(&own, &named, shared);
        let count = axes.iter().fold(1, |all: usize, axis| all.saturating_mul(axis.tile));
        let stretch = axes.last().and_then(|axis| named.iter().map(|own| even(own, axis)).min());
        if count / stretch.unwrap_or(1) > MOST_STRETCHES {
            return Err(fault(UseFault::ValuePlaces(count)));
        }
        let padding = match both[1] {
            ValueSide::Record(record) => {
                TilePasses::of_padding(record, |field| to.written().any(|own| own == field))?
            }
            _ => TilePasses::default(),
        };
        let mut plan = Self {
            sides: [from, to],
            quantizer,
            axes,
            tiles: Vec::new(),
            padding,
            #[cfg(feature = "std")]
            scratch: Default::default(),
        };
        for (side, own) in plan.sides.iter_mut().zip(both) {
            let place =
                |axis: &(char, usize)| plan.axes.iter().position(|own| own.letter == axis.0);
            side.order = own.axes().iter().filter_map(place).collect();
        }
        plan.set_tiles()?;
        Ok(plan)
    }

    /// The quantizer of the destination, which one without codes does not use. Without a choice, it is
    ///
    /// - [`Mx`](Quantizer::Mx) for floats with scales in `f8e8m0`, but [`MxGgml`](Quantizer::MxGgml) in records of ggml,
    /// - [`Nvfp4`](Quantizer::Nvfp4) for `f4e2m1` with scales in `f8e4m3`,
    /// - [`Fitted`](Quantizer::Fitted) for a table of a record of ggml,
    /// - [`MinMax`](Quantizer::MinMax) for a rule with a minimum,
    /// - [`Affine`](Quantizer::Affine) for one with a zero point,
    /// - [`Fitted`](Quantizer::Fitted) or [`AbsMax`](Quantizer::AbsMax) for scales of two levels,
    /// - [`SignedMax`](Quantizer::SignedMax) for integers of less than 8 bits around 0, such as those from -8 to 7,
    /// - [`AbsMax`](Quantizer::AbsMax) for all others.
    pub const fn quantizer(&self) -> Quantizer {
        self.quantizer
    }

    fn set_tiles(&mut self) -> Result<(), RecordError> {
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
            let [from, to] = &self.sides;
            let sides = [from.tile(&self.axes, &tile, false)?, to.tile(&self.axes, &tile, true)?];
            if !to.takes_groups(&sides[1], self.quantizer) {
                return Err(fault(UseFault::ValueGroups));
            }
            let elements = tile.iter().product();
            let firsts = [0, 1].map(|i| self.sides[i].firsts(&sides[i], &starts));
            self.tiles.push(TileShape { counts, starts, elements, sides, firsts });
        }
        Ok(())
    }

    /// Computes all values. The buffers of a layout are its bytes, at any address.
    ///
    /// The function needs memory for a tile on the heap: some 16384 values, or more where so many are quantized with one scale. With
    /// feature `std`, the plan keeps up to 65536 values for the next run.
    ///
    /// # Errors
    /// The number of buffers or their lengths are not those of the sides. Nothing is written then.
    pub fn run(
        &self,
        source: &[impl AsRef<[u8]>],
        destination: &mut [impl AsMut<[u8]>],
    ) -> Result<(), RecordError> {
        let (source, mut destination) = self.checked(source, destination)?;
        for shape in &self.tiles {
            let part = TilePart { counts: &shape.counts, starts: &shape.starts, before: &[] };
            self.run_part(shape, &part, &source, &mut destination);
        }
        self.padding.write_padding(&mut destination)
    }

    /// The buffers as bytes, with padding written, if their number and lengths are those of the sides.
    pub(super) fn checked<'a, 'b>(
        &self,
        source: &'a [impl AsRef<[u8]>],
        destination: &'b mut [impl AsMut<[u8]>],
    ) -> Result<Buffers<'a, 'b>, RecordError> {
        let needed = [&self.sides[0].bytes[..], &self.sides[1].bytes];
        let (source, mut destination) = checked_buffers(needed, source, destination)?;
        for (buffer, layout) in &self.sides[1].fills {
            fill(layout, destination[*buffer]);
        }
        Ok((source, destination))
    }

    /// Computes the values of some tiles of a size.
    pub(super) fn run_part(
        &self,
        shape: &TileShape,
        part: &TilePart<'_>,
        source: &[&[u8]],
        destination: &mut [&mut [u8]],
    ) {
        #[cfg(feature = "std")]
        if shape.elements <= MOST_KEPT {
            // Of several threads, one has the memory of the plan.
            if let Ok(mut kept) = self.scratch.try_lock() {
                return self.run_with(shape, part, source, destination, &mut kept);
            }
        }
        self.run_with(shape, part, source, destination, &mut Default::default());
    }

    fn run_with(
        &self,
        shape: &TileShape,
        part: &TilePart<'_>,
        source: &[&[u8]],
        destination: &mut [&mut [u8]],
        (scratch, values): &mut (ValueScratch, Vec<f32>),
    ) {
        self.each_tile(shape, part, |firsts| {
            let ([from, to], [tile, tile_to]) = (&self.sides, &shape.sides);
            let [first, first_to] = firsts;
            // Floats that lie side by side are read or written where they are.
            if to.is_computed {
                // The codes are there.
            } else if let Some(values) = from.values(tile, first, source) {
                to.write((tile_to, first_to), self.quantizer, values, scratch, destination);
            } else if let Some(values) = to.values_mut(tile_to, first_to, destination) {
                from.read(tile, first, source, scratch, values);
            } else {
                values.resize(shape.elements, 0.0);
                from.read(tile, first, source, scratch, values);
                to.write((tile_to, first_to), self.quantizer, values, scratch, destination);
            }
            if !to.rules.is_empty() {
                let source = ((from, tile, first), source);
                to.write_rules((tile_to, first_to), source, scratch, destination);
            }
        });
    }

    /// Calls a function for each tile of a part, with the first bits of the fields of both sides.
    fn each_tile(&self, shape: &TileShape, part: &TilePart<'_>, mut then: impl FnMut([&[i64]; 2])) {
        let mut place = vec![0; self.axes.len()];
        let firsts = |place: &[usize]| {
            let axes = place.iter().zip(part.starts).zip(&self.axes);
            let start: Vec<usize> =
                axes.map(|((own, start), axis)| start + own * axis.tile).collect();
            let mut both = match start == shape.starts {
                true => shape.firsts.clone(),
                false => [0, 1].map(|i| self.sides[i].firsts(&shape.sides[i], &start)),
            };
            for (first, field) in both[1].iter_mut().zip(&self.sides[1].fields) {
                *first -= 8 * part.before.get(field.buffer).copied().unwrap_or(0) as i64;
            }
            both
        };
        let mut own = firsts(&place);
        loop {
            then([&own[0], &own[1]]);
            let Some(axis) = (0..place.len()).rev().find(|&i| place[i] + 1 < part.counts[i]) else {
                return;
            };
            place[axis] += 1;
            place[axis + 1..].fill(0);
            let mut sides = own.iter_mut().zip(&shape.sides);
            if !sides.all(|(own, side)| side.advance(own, axis, part.counts)) {
                own = firsts(&place);
            }
        }
    }
}

/// Tiles of one size: how often they are repeated along each axis, and from which coordinate on.
pub(super) struct TilePart<'a> {
    pub(super) counts: &'a [usize],
    pub(super) starts: &'a [usize],
    /// The bytes of each buffer of the destination before the slice that holds the tiles, or nothing.
    pub(super) before: &'a [usize],
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
