//! Moves of values: from the value rule of one side to that of the other, tile by tile.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_records::{RecordError, UseFault};
use layout_types::Layout;

use super::plan::check_buffers;
use super::planned_side::{PlannedSide, SideTile, TileValues};
use super::quantizer::Quantizer;
use super::record_buffer::fault;
use super::value_side::{StoredField, ValueSide};
use super::value_tiles::{TileAxis, tile_axes};

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

/// Tiles of one size.
struct TileShape {
    /// How often the tile is repeated along each axis, from which coordinate on.
    counts: Vec<usize>,
    starts: Vec<usize>,
    elements: usize,
    sides: [SideTile; 2],
}

impl ValuePlan {
    /// Makes the plan of a conversion of values. A side is a [`Record`](super::Record) or a
    /// [`Layout`](crate::Layout). If the destination is a record with scales, `quantizer` chooses them; without one, it
    /// is that of [`quantizer`](Self::quantizer).
    ///
    /// # Errors
    /// - The letters or extents of the axes differ.
    /// - A record has no value rule, or one that is not a scale times a code plus a minimum.
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
        if let (ValueSide::Record(record), Some(_)) = (to, &self.sides[1].codes) {
            for i in 0..record.field_count() {
                let name = record.field_name(i);
                let field = record.field(name.as_str())?;
                if field.with_padding().extents() != field.extents() {
                    return Err(fault(UseFault::ValuePadding(name.as_str())));
                }
            }
        }
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
            let sides = [from.tile(&self.axes, &tile), to.tile(&self.axes, &tile)];
            if self.sides[1].codes.is_some() && !sides[1].groups.is_in_order() {
                return Err(fault(UseFault::ValueGroups));
            }
            let elements = tile.iter().product();
            self.tiles.push(TileShape { counts, starts, elements, sides });
        }
        Ok(())
    }

    /// Computes all values. The buffers of a layout are its bytes, at any address.
    ///
    /// The function keeps a tile on the heap: some 4096 values, or more where so many are quantized with one scale.
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
        check_buffers(&self.sides[0].bytes, source.len(), |i| source[i].len())?;
        check_buffers(&self.sides[1].bytes, destination.len(), |i| destination[i].len())?;
        for (buffer, layout) in &self.sides[1].fills {
            fill(layout, destination[*buffer]);
        }
        let mut scratch = TileValues::default();
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
