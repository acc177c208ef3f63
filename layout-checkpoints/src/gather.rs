//! Reads a band of an array from its files.

use std::fs::File;
use std::ops::Range;

use tensor_layout::Layout;
use tensor_layout::plain;
use tensor_layout::strided::StridedCopy;

use crate::bands::Band;
use crate::checkpoint::Checkpoint;
use crate::element_moves::{move_elements, reverse_elements};
use crate::error::{CheckpointError, FileResult};
use crate::pieced_array::{PiecedArray, SourceForm, SourcePiece, array_of};
use crate::rows_of_blocks::{KeptPlan, RecordRows};
use crate::tensor_values::dequantizes;

/// The bytes of a piece of a file that is read at once, although not all of it is used.
pub(crate) const SPAN: usize = 1 << 20;

/// The least bytes that are read on their own.
pub(crate) const LONG: usize = 64 << 10;

/// The open files of a worker, and memory for what lies between the pieces that it wants.
pub(crate) struct BandReader<'a> {
    checkpoint: &'a Checkpoint,
    files: Vec<File>,
    scratch: Vec<u64>,
    /// The values of blocks.
    values: Vec<u64>,
    kept: KeptPlan,
}

/// The part of a piece that lies in a band: its first coordinates in the tensor and in the band, and its size.
struct PieceBox {
    from: Vec<usize>,
    to: Vec<usize>,
    size: Vec<usize>,
}

impl PieceBox {
    /// `None` if no coordinate of the piece lies in the band.
    fn of(piece: &SourcePiece, ranges: &[Range<usize>]) -> Option<Self> {
        let mut new = Self { from: Vec::new(), to: Vec::new(), size: Vec::new() };
        for (axis, range) in ranges.iter().enumerate() {
            let start = piece.to[axis].max(range.start);
            let end = (piece.to[axis] + piece.size[axis]).min(range.end);
            if start >= end {
                return None;
            }
            new.from.push(piece.from[axis] + start - piece.to[axis]);
            new.to.push(start - range.start);
            new.size.push(end - start);
        }
        Some(new)
    }

    /// The box with its axes in another order.
    fn ordered(&self, order: &[usize]) -> Self {
        let [from, to, size] = [&self.from, &self.to, &self.size].map(|own| ordered(own, order));
        Self { from, to, size }
    }
}

/// The numbers of axes, in another order of these.
fn ordered(numbers: &[usize], order: &[usize]) -> Vec<usize> {
    order.iter().map(|&axis| numbers[axis]).collect()
}

/// The strides in bytes of an array in its file and in a band, with its axes in the order of the file.
fn both_strides(
    piece: &SourcePiece,
    order: &[usize],
    band: &Band,
    unit: usize,
) -> (Vec<usize>, Vec<usize>) {
    let from = strides(&ordered(&piece.extents, order), unit);
    (from, ordered(&strides(&band.extents(), unit), order))
}

/// The strides of an array in C order, for elements of `unit` bytes.
fn strides(extents: &[usize], unit: usize) -> Vec<usize> {
    let mut stride = unit;
    let mut all: Vec<usize> = extents
        .iter()
        .rev()
        .map(|&extent| {
            let own = stride;
            stride *= extent;
            own
        })
        .collect();
    all.reverse();
    all
}

/// The bytes that lie together on both sides, and the number of axes around them.
fn together(size: &[usize], from: &[usize], to: &[usize], unit: usize) -> (usize, usize) {
    let (mut run, mut level) = (unit, size.len());
    while level > 0 {
        let axis = level - 1;
        if size[axis] != 1 && (from[axis] != run || to[axis] != run) {
            break;
        }
        run *= size[axis];
        level -= 1;
    }
    (run, level)
}

/// How a box is read: the bytes that lie together on both sides, the axes around what is read at once, and the bytes
/// of that.
fn steps(size: &[usize], from: &[usize], to: &[usize], unit: usize) -> (usize, usize, usize) {
    let (run, mut level) = together(size, from, to, unit);
    let span = |level: usize| {
        (level..size.len()).map(|axis| (size[axis] - 1) * from[axis]).sum::<usize>() + unit
    };
    if run < LONG {
        while level > 0 && span(level - 1) <= SPAN {
            level -= 1;
        }
    }
    (run, level, span(level))
}

/// What it costs to read a band: the bytes, of which each read is some thousands.
pub(crate) fn read_cost(array: &PiecedArray, band: &Band) -> u64 {
    const READ: u64 = 8 << 10;
    let unit = array.element.bits() / 8;
    let cost = |piece: &SourcePiece| {
        let Some(of) = PieceBox::of(piece, &band.ranges) else { return 0 };
        let SourceForm::Array(order) = &piece.form else {
            return (span_of(piece, band).saturating_mul(unit) as u64).saturating_add(READ);
        };
        let (size, (from, to)) = (ordered(&of.size, order), both_strides(piece, order, band, unit));
        let (_, level, span) = steps(&size, &from, &to, unit);
        let reads: usize = size[..level].iter().product();
        (span as u64 + READ).saturating_mul(reads as u64)
    };
    array.pieces.iter().fold(0, |all, piece| all.saturating_add(cost(piece)))
}

/// The bytes that lie together in the files of a band, at least.
pub(crate) fn least_run(array: &PiecedArray, band: &Band) -> usize {
    let unit = array.element.bits() / 8;
    let runs = array.pieces.iter().filter_map(|piece| {
        let of = PieceBox::of(piece, &band.ranges)?;
        let order = match &piece.form {
            SourceForm::Array(order) => order,
            _ => &(0..of.size.len()).collect(),
        };
        let (from, to) = both_strides(piece, order, band, unit);
        Some(together(&ordered(&of.size, order), &from, &to, unit).0)
    });
    runs.min().unwrap_or(usize::MAX)
}

/// The bytes of coordinates before others.
fn at(start: &[usize], strides: &[usize]) -> usize {
    start.iter().zip(strides).map(|(start, stride)| start * stride).sum()
}

/// The plan that copies boxes of this shape.
fn copies(shape: &[usize], unit: usize, from: &[usize], to: &[usize]) -> FileResult<StridedCopy> {
    let signed = |strides: &[usize]| -> Vec<isize> {
        strides.iter().map(|&stride| stride as isize).collect()
    };
    let plan = StridedCopy::of_bytes(shape, unit, (0, &signed(from)), (0, &signed(to)));
    plan.map_err(|error| CheckpointError::new(error.to_string()))
}

/// The rows of a record that the box of a piece has values of, in whole blocks, and the values of a row.
fn rows_of(rows: &RecordRows, extents: &[usize], of: &PieceBox) -> (Range<usize>, usize) {
    let row = extents.iter().product::<usize>() / rows.count();
    let strides = strides(extents, 1);
    let start = at(&of.from, &strides);
    let last: usize =
        (0..extents.len()).map(|axis| (of.from[axis] + of.size[axis] - 1) * strides[axis]).sum();
    let end = (last / row + 1).next_multiple_of(rows.step).min(rows.count());
    (start / row / rows.step * rows.step..end, row)
}

impl<'a> BandReader<'a> {
    /// Opens the files of a checkpoint.
    pub(crate) fn new(checkpoint: &'a Checkpoint) -> FileResult<Self> {
        let files = checkpoint.handles()?;
        Ok(Self {
            checkpoint,
            files,
            scratch: Vec::new(),
            values: Vec::new(),
            kept: KeptPlan::default(),
        })
    }

    /// Reads a band as an array in C order. What no piece covers is left as it is.
    pub(crate) fn read(
        &mut self,
        array: &PiecedArray,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        for piece in &array.pieces {
            let Some(of) = PieceBox::of(piece, &band.ranges) else { continue };
            let read = match &piece.form {
                SourceForm::Array(order) => {
                    self.read_array((piece, order), &of.ordered(order), band, bytes)
                }
                SourceForm::Layout(layout) => self.read_layout(piece, layout, &of, band, bytes),
                SourceForm::Record(rows) => self.read_record(piece, rows, &of, band, bytes),
            };
            let name = &self.checkpoint.tensor(piece.tensor).1.name;
            read.map_err(|error| CheckpointError::of(format!("tensor `{name}`"), error))?;
        }
        Ok(())
    }

    /// Reads bytes of a tensor, in little endian.
    fn read_bytes(
        &mut self,
        tensor: usize,
        start: usize,
        unit: usize,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        let (file, own) = self.checkpoint.tensor(tensor);
        own.read_piece(&mut self.files[file], start as u64, bytes)?;
        if own.is_big_endian {
            reverse_elements(unit, bytes);
        }
        Ok(())
    }

    /// Reads a box of an array whose axes, and those of the box, are in this order.
    fn read_array(
        &mut self,
        (piece, order): (&SourcePiece, &[usize]),
        of: &PieceBox,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        let (_, tensor) = self.checkpoint.tensor(piece.tensor);
        let elements: usize = piece.extents.iter().product();
        let unit = (tensor.bytes as usize / elements.max(1)).max(1);
        let (from, to) = both_strides(piece, order, band, unit);
        let (run, level, span) = steps(&of.size, &from, &to, unit);
        let mut copy = None;
        if run < span {
            copy = Some(copies(&of.size[level..], unit, &from[level..], &to[level..])?);
        }
        let start = (at(&of.from, &from), at(&of.to, &to));
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut steps = vec![0; level];
        loop {
            let (source, target) = (start.0 + at(&steps, &from), start.1 + at(&steps, &to));
            match &copy {
                None => {
                    self.read_bytes(piece.tensor, source, unit, &mut bytes[target..target + run])?
                }
                Some(copy) => {
                    let part = room(&mut scratch, span);
                    self.read_bytes(piece.tensor, source, unit, part)?;
                    let copied = copy.run(part, &mut bytes[target..]);
                    copied.map_err(|error| CheckpointError::new(error.to_string()))?;
                }
            }
            // The next step of the axes around, the last one first.
            let Some(axis) = (0..level).rev().find(|&axis| steps[axis] + 1 < of.size[axis]) else {
                break;
            };
            steps[axis] += 1;
            steps[axis + 1..].fill(0);
        }
        self.scratch = scratch;
        Ok(())
    }

    /// Reads a box of the values of a record: of all its rows.
    fn read_record(
        &mut self,
        piece: &SourcePiece,
        rows: &RecordRows,
        of: &PieceBox,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        let (wanted, row) = rows_of(rows, &piece.extents, of);
        let place = rows.place(&wanted)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let part = room(&mut scratch, place.len());
        self.read_bytes(piece.tensor, place.start, 1, part)?;
        let key = (piece.tensor, wanted.len());
        let plan = self.kept.of(key, || dequantizes(rows, &wanted))?;
        let unit = size_of::<f32>();
        let (from, to) = (strides(&piece.extents, unit), strides(&band.extents(), unit));
        let target = at(&of.to, &to);
        let length = wanted.len() * row * unit;
        if together(&of.size, &from, &to, unit).0 == length {
            plan.run(&[part], &mut [&mut bytes[target..target + length]])?;
        } else {
            let values = room(&mut self.values, length);
            plan.run(&[part], &mut [&mut *values])?;
            let copied = copies(&of.size, unit, &from, &to)?.run(
                &values[at(&of.from, &from) - wanted.start * row * unit..],
                &mut bytes[target..],
            );
            copied.map_err(|error| CheckpointError::new(error.to_string()))?;
        }
        self.scratch = scratch;
        Ok(())
    }

    /// Reads a box of a tensor of another layout: all between its first element and its last.
    fn read_layout(
        &mut self,
        piece: &SourcePiece,
        layout: &Layout,
        of: &PieceBox,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        let error = |error| CheckpointError::of(layout, error);
        let source = source_view(layout, &of.from, &of.size).map_err(error)?;
        let range = source.range();
        let source = source.part(range.start, range.len()).map_err(error)?;
        let unit = layout.element().bits() / 8;
        let mut scratch = std::mem::take(&mut self.scratch);
        let part = room(&mut scratch, range.len() * unit);
        self.read_bytes(piece.tensor, range.start * unit, unit, part)?;
        let letters = layout.letters();
        let whole = array_of(letters.as_str(), &band.extents(), layout.element())?;
        let target = source_view(&whole, &of.to, &of.size).map_err(error)?;
        // Both have the letters of the layout in its order, and what lies around the box belongs to other pieces.
        let moved = move_elements((&source, &target), part, bytes);
        self.scratch = scratch;
        moved
    }
}

/// The coordinates of a box, whose axes are in the coordinate order of the layout.
fn source_view(
    layout: &Layout,
    from: &[usize],
    size: &[usize],
) -> Result<Layout, tensor_layout::LayoutError> {
    let mut view = *layout;
    for (axis, (&start, &length)) in from.iter().zip(size).enumerate() {
        view = view.slice(layout.letters().at(axis), start, 1, length)?;
    }
    Ok(view)
}

/// The elements of a band that are read from a layout or a record, at most.
pub(crate) fn span_of(piece: &SourcePiece, band: &Band) -> usize {
    const TOO_MANY: usize = usize::MAX >> 8;
    let Some(of) = PieceBox::of(piece, &band.ranges) else { return 0 };
    match &piece.form {
        SourceForm::Array(_) => 0,
        SourceForm::Layout(layout) => {
            source_view(layout, &of.from, &of.size).map_or(TOO_MANY, |view| view.range().len())
        }
        SourceForm::Record(rows) => {
            let (wanted, row) = rows_of(rows, &piece.extents, &of);
            let bytes = rows.place(&wanted).map_or(TOO_MANY, |place| place.len());
            wanted.len() * row + bytes / size_of::<f32>()
        }
    }
}

/// Returns memory of this many bytes at a multiple of 8.
pub(crate) fn room(memory: &mut Vec<u64>, bytes: usize) -> &mut [u8] {
    let words = bytes.div_ceil(8);
    if memory.len() < words {
        // A new buffer: nothing of the old one is used any more.
        *memory = Vec::new();
        *memory = vec![0; words];
    }
    &mut plain::as_bytes_mut(memory)[..bytes]
}

/// The bytes of memory.
pub(crate) fn filled(memory: &[u64], bytes: usize) -> &[u8] {
    &plain::as_bytes(memory)[..bytes]
}
