//! Moves between records: a relayout of each field, tile by tile.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use layout_kernels::{Loop, Move, Stores};
use layout_records::{Record, RecordError, UseFault};

use super::passes::field_change::{FieldChange, has, is_computed, is_operand};
use super::passes::tile_passes::{TilePasses, xor};
use super::record_buffer::{Buffers, RecordBuffer, check_buffers, checked_buffers, fault};
use super::record_type::RecordType;
use super::static_move::RecordTiling;
use super::values::ValuePlan;

/// How to move all fields of one record to another, in one pass over the buffers.
///
/// Fields of the same name are the same. Their elements, axes and extents must agree; how many lie in a block, in which
/// order and in which buffer may differ.
///
/// ```
/// use tensor_layout::records::{Record, RecordPlan};
///
/// // ggml's Q4_0, and eight rows of it side by side with signed codes.
/// let rows = Record::parse("MK<8, 64>, ggml::Q4_0")?;
/// let packed = Record::parse("MK<8, 64>, ggml::q4_0x8_8")?;
/// let plan = RecordPlan::new(&rows, &packed)?;
///
/// let (source, mut destination) = (vec![0x98; rows.bytes(0)], vec![0; packed.bytes(0)]);
/// plan.run(&[&source], &mut [&mut destination])?;
/// // Codes less 8: the rules `d * (q - 8)` and `d * q` are the same then.
/// assert_eq!(destination[16], 0x10);
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
///
/// A field that the source lacks is computed if it has a rule, such as `sum: i32 = izp * sum(q)` or `bias: i32 = b - sum(w)`:
/// of sums of codes, of fields of the source that the same elements share, and of values by name.
///
/// Padding of the destination is written as its marks say: `pad` writes zeros, `pad(K = 3)` the number, `pad(N = last)`
/// the element of the last coordinate, and `pad(N = keep)` nothing. Unused bits keep what they are.
pub struct RecordPlan {
    from: Record,
    to: Record,
    /// The first of several tiles that follow one another, and their number.
    pub(super) tile: Option<RecordTile>,
    pub(super) tiles: usize,
    /// What these leave.
    rest: Option<RecordTile>,
    /// The non-temporal copies of a tile to the buffers of the destination, if it is made in a scratch buffer. Fields
    /// write parts of lines, which would be read first.
    copies: Vec<layout_kernels::Plan>,
}

/// The bytes of a tile in each buffer of the source and of the destination, and its passes.
pub(super) struct RecordTile {
    from: Vec<Range<usize>>,
    pub(super) to: Vec<Range<usize>>,
    passes: TilePasses,
    /// What computes fields after the passes.
    computed: Vec<ValuePlan>,
}

/// The plans of the fields that are computed.
fn computed(
    from: &Record,
    to: &Record,
    changes: &[FieldChange<'_>],
) -> Result<Vec<ValuePlan>, RecordError> {
    let fields = 0..to.field_count();
    let fields = fields.filter(|i| is_computed(from, changes, to.field_name(*i).as_str()));
    fields.map(|field| ValuePlan::of_field(from, to, field, changes)).collect()
}

impl RecordPlan {
    /// Makes the plan of a move between records with the same fields.
    ///
    /// # Errors
    /// - A field is in one of the records alone, or its axes or extents differ.
    /// - Elements differ. A signed and an unsigned integer of the same width are moved if the value rules say that a
    ///   constant lies between them: `d * (q - 8)` for `u4`, `d * q` for `i4`.
    /// - A value of padding is not a number that an element holds.
    pub fn new(from: &Record, to: &Record) -> Result<Self, RecordError> {
        Self::with_changes(from, to, &[])
    }

    /// Makes the plan of a move that drops fields of the source, and adds fields of the destination.
    ///
    /// # Errors
    /// - Those of [`new`](Self::new).
    /// - A record does not have a field of this name, or it has elements of another type.
    /// - A field is added or dropped twice, or added although the source has it and it is not dropped.
    /// - An element does not hold the bits that are added.
    /// - The rule of a field that is computed names something else than codes, what its elements share, and values.
    pub fn with_changes(
        from: &Record,
        to: &Record,
        changes: &[FieldChange<'_>],
    ) -> Result<Self, RecordError> {
        check_away(from, to, changes)?;
        for change in changes {
            match *change {
                FieldChange::Drop(name) => from.field(name).map(|_| ())?,
                FieldChange::Add(name, ..)
                    if !has(to, name) && is_operand([from, to], changes, name) => {}
                FieldChange::Add(name, element, bits) => {
                    let field = to.field(name)?;
                    if field.element() != element {
                        return Err(fault(UseFault::Element(name, field.element(), element)));
                    }
                    if !field.element().fits(bits) {
                        let text = alloc::format!("{bits}");
                        return Err(fault(UseFault::AddedBits(name, &text)));
                    }
                }
            }
        }
        check_once(from, changes)?;
        let copies = Vec::new();
        let mut plan = Self { from: *from, to: *to, tile: None, tiles: 0, rest: None, copies };
        let Some(RecordTiling { axis, rows, extent, .. }) = RecordTiling::of(from, to) else {
            let all = |of: &Record| (0..of.buffers()).map(|i| 0..of.bytes(i)).collect();
            let passes = TilePasses::new(from, to, changes)?;
            let computed = computed(from, to, changes)?;
            plan.rest = Some(RecordTile { from: all(from), to: all(to), passes, computed });
            return Ok(plan);
        };
        let tile = |rows: Range<usize>| {
            let bytes = |of: &Record| {
                let buffers = 0..of.buffers();
                buffers.map(|i| of.row_bytes(i, axis, rows.clone())).collect::<Result<_, _>>()
            };
            let of_rows = |of: &Record| of.rows(axis, rows.clone());
            let both = [of_rows(from)?, of_rows(to)?];
            let passes = TilePasses::new(&both[0], &both[1], changes)?;
            let computed = computed(&both[0], &both[1], changes)?;
            Ok::<_, RecordError>(RecordTile {
                from: bytes(from)?,
                to: bytes(to)?,
                passes,
                computed,
            })
        };
        plan.tiles = extent / rows;
        if plan.tiles > 0 {
            plan.tile = Some(tile(0..rows)?);
        }
        if extent % rows > 0 || extent == 0 {
            plan.rest = Some(tile(plan.tiles * rows..extent)?);
        }
        plan.copies = plan.tile.as_ref().and_then(|own| own.copies(plan.tiles)).unwrap_or_default();
        Ok(plan)
    }

    /// Moves all fields.
    ///
    /// # Errors
    /// The number of buffers or their lengths are not those of the records. Nothing is written then.
    pub fn run(
        &self,
        source: &[impl AsRef<[u8]>],
        destination: &mut [impl AsMut<[u8]>],
    ) -> Result<(), RecordError> {
        let (source, mut destination) = self.checked(source, destination)?;
        self.run_tiles(0..self.tiles, &source, &mut destination)?;
        self.run_rest(&source, &mut destination)
    }

    /// Moves all fields within one list of buffers. A tile is copied before it is written.
    ///
    /// ```
    /// use tensor_layout::records::{Record, RecordPlan};
    ///
    /// let pixels = Record::parse("N<6>, { r: u8, g: u8, b: u8 }")?;
    /// let others = Record::parse("N<6>, { b: u8, g: u8, r: u8 }")?;
    /// let mut bytes: Vec<u8> = (0..18).collect();
    /// RecordPlan::new(&pixels, &others)?.run_in_place(&mut [&mut bytes])?;
    /// assert_eq!(bytes[..6], [2, 1, 0, 5, 4, 3]);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// - Those of [`run`](Self::run).
    /// - Tiles of the two records take different bytes, so that one would be written before all of it is read.
    pub fn run_in_place(&self, buffers: &mut [impl AsMut<[u8]>]) -> Result<(), RecordError> {
        let mut buffers: Vec<&mut [u8]> = buffers.iter_mut().map(AsMut::as_mut).collect();
        if [&self.tile, &self.rest].into_iter().flatten().any(|tile| tile.from != tile.to) {
            return Err(fault(UseFault::InPlace));
        }
        for (side, record) in [("source", &self.from), ("destination", &self.to)] {
            check_buffers(side, &bytes_of(record), buffers.iter().map(|own| own.len()))?;
        }
        for (tile, count) in [(&self.tile, self.tiles), (&self.rest, 1)] {
            let Some(tile) = tile else { continue };
            let mut copies: Vec<_> = tile.from.iter().map(|own| vec![0; own.len()]).collect();
            for i in 0..count {
                for ((copy, own), first) in copies.iter_mut().zip(&buffers).zip(&tile.from) {
                    copy.copy_from_slice(&own[at(first, i)]);
                }
                tile.run(i, |buffer| &copies[buffer], &mut buffers)?;
            }
        }
        Ok(())
    }

    /// The buffers as bytes, if they are those of the records.
    pub(super) fn checked<'a, 'b>(
        &self,
        source: &'a [impl AsRef<[u8]>],
        destination: &'b mut [impl AsMut<[u8]>],
    ) -> Result<Buffers<'a, 'b>, RecordError> {
        let [from, to] = [&self.from, &self.to].map(bytes_of);
        checked_buffers([&from, &to], source, destination)
    }

    /// Moves tiles into the parts of the buffers that they fill.
    pub(super) fn run_tiles(
        &self,
        tiles: Range<usize>,
        source: &[&[u8]],
        destination: &mut [&mut [u8]],
    ) -> Result<(), RecordError> {
        let Some(tile) = &self.tile else { return Ok(()) };
        let scratch = tile.to.iter().filter(|_| !self.copies.is_empty());
        let mut scratch: Vec<_> = scratch.map(|own| vec![0; own.len()]).collect();
        let mut scratch: Vec<&mut [u8]> = scratch.iter_mut().map(AsMut::as_mut).collect();
        for (place, i) in tiles.enumerate() {
            let from = |buffer: usize| &source[buffer][at(&tile.from[buffer], i)];
            if self.copies.is_empty() {
                tile.run(place, from, destination)?;
                continue;
            }
            tile.run(0, from, &mut scratch)?;
            for (buffer, copy) in self.copies.iter().enumerate() {
                let to = &mut destination[buffer][at(&tile.to[buffer], place)];
                let done = copy.run_unfenced(scratch[buffer], to);
                assert!(done, "a copy of the bytes of a tile");
            }
        }
        self.copies.iter().for_each(layout_kernels::Plan::finish);
        Ok(())
    }

    /// Moves what the tiles leave.
    pub(super) fn run_rest(
        &self,
        source: &[&[u8]],
        destination: &mut [&mut [u8]],
    ) -> Result<(), RecordError> {
        self.rest.as_ref().map_or(Ok(()), |tile| {
            tile.run(0, |buffer| &source[buffer][tile.from[buffer].clone()], destination)
        })
    }
}

/// Prints the two records, then the passes of a tile, as [`Plan`](crate::Plan) does.
impl fmt::Display for RecordPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)?;
        for (tile, count) in [(&self.tile, self.tiles), (&self.rest, 1)] {
            let Some(tile) = tile else { continue };
            let bytes: usize = tile.to.iter().map(ExactSizeIterator::len).sum();
            write!(f, "\n{count} of {bytes} bytes")?;
            for pass in tile.passes.all() {
                write!(f, "\n{}", pass.how)?;
            }
        }
        Ok(())
    }
}

layout_types::debug_as_display!(RecordPlan);

impl RecordTile {
    /// Runs the passes of one of several tiles that follow one another, from its bytes of each buffer of the source.
    fn run<'a>(
        &self,
        tile: usize,
        source: impl Fn(usize) -> &'a [u8],
        destination: &mut [&mut [u8]],
    ) -> Result<(), RecordError> {
        for pass in self.passes.all() {
            let to = &mut destination[pass.to][at(&self.to[pass.to], tile)];
            pass.run(&source, self.passes.constants(), to)?;
        }
        for (buffer, mask) in self.passes.masks().iter().enumerate() {
            xor(&mut destination[buffer][at(&self.to[buffer], tile)], mask);
        }
        if !self.computed.is_empty() {
            let from: Vec<&[u8]> = (0..self.from.len()).map(&source).collect();
            let to = destination.iter_mut().zip(&self.to);
            let mut to: Vec<_> = to.map(|(own, first)| &mut own[at(first, tile)]).collect();
            self.computed.iter().try_for_each(|plan| plan.run(&from, &mut to))?;
        }
        Ok(())
    }

    /// The non-temporal copies of a tile, if `tiles` of them fill the destination and take much memory.
    fn copies(&self, tiles: usize) -> Option<Vec<layout_kernels::Plan>> {
        let bytes: usize = self.to.iter().map(ExactSizeIterator::len).sum();
        let all = self.from.iter().fold(bytes, |all, own| all + own.len()).saturating_mul(tiles);
        if Stores::of(all) != Stores::NonTemporal || self.passes.bits() != 8 * bytes {
            return None;
        }
        let copy = |own: &Range<usize>| {
            let of = Move::new(&[Loop::new(own.len(), 1, 1)], 1);
            Some(layout_kernels::Plan::new(&of).ok()?.with_stores(Stores::NonTemporal))
        };
        self.to.iter().map(copy).collect()
    }
}

/// Returns an error if a field of the source is neither moved, nor dropped, nor named by the rule of one that is computed.
fn check_away(from: &Record, to: &Record, changes: &[FieldChange<'_>]) -> Result<(), RecordError> {
    for i in 0..from.field_count() {
        let name = from.field_name(i);
        let is_dropped = changes.iter().any(|change| change.drops(name.as_str()));
        let is_named = || is_operand([from, to], changes, name.as_str());
        if !has(to, name.as_str()) && !is_dropped && !is_named() {
            return Err(fault(UseFault::Away(name.as_str())));
        }
    }
    Ok(())
}

/// Returns an error if a field is added or dropped twice, or its elements are replaced without a word.
fn check_once(from: &Record, changes: &[FieldChange<'_>]) -> Result<(), RecordError> {
    for (i, change) in changes.iter().enumerate() {
        let name = change.field();
        let is_drop = matches!(change, FieldChange::Drop(_));
        let others = |of: &FieldChange<'_>, drops: bool| {
            of.field() == name && matches!(of, FieldChange::Drop(_)) == drops
        };
        if changes[..i].iter().any(|of| others(of, is_drop)) {
            return Err(fault(UseFault::ChangedTwice(name)));
        }
        if !is_drop && has(from, name) && !changes.iter().any(|of| others(of, true)) {
            return Err(fault(UseFault::AddedField(name)));
        }
    }
    Ok(())
}

/// The bytes of one of several tiles that follow one another.
fn at(first: &Range<usize>, tile: usize) -> Range<usize> {
    let before = tile * first.len();
    first.start + before..first.end + before
}

/// The bytes of each buffer of a record.
fn bytes_of(of: &Record) -> Vec<usize> {
    (0..of.buffers()).map(|i| of.bytes(i)).collect()
}

impl<R: RecordType, B: AsRef<[u8]>, const BUFFERS: usize> RecordBuffer<R, B, BUFFERS> {
    /// Moves all fields to another record: see [`RecordPlan`], which is made for each call.
    ///
    /// # Errors
    /// Those of [`RecordPlan::new`].
    pub fn relayout_into<S, C, const OTHERS: usize>(
        &self,
        destination: &mut RecordBuffer<S, C, OTHERS>,
    ) -> Result<(), RecordError>
    where
        S: RecordType,
        C: AsMut<[u8]>,
    {
        let plan = RecordPlan::new(&self.record().record(), &destination.record().record())?;
        plan.run(self.buffers(), destination.buffers_mut())
    }
}
