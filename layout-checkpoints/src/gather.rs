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
use crate::pieced_array::{PiecedArray, SourcePiece, array_of};

/// The bytes of a piece of a file that is read at once, although not all of it is used.
pub(crate) const SPAN: usize = 1 << 20;

/// The least bytes that are read on their own.
pub(crate) const LONG: usize = 64 << 10;

/// The open files of a worker, and memory for what lies between the pieces that it wants.
pub(crate) struct BandReader<'a> {
    pub(crate) checkpoint: &'a Checkpoint,
    pub(crate) files: Vec<File>,
    pub(crate) scratch: Vec<u64>,
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

/// The bytes that lie together in the files of a band, at least.
pub(crate) fn least_run(array: &PiecedArray, band: &Band) -> usize {
    let unit = array.element.bits() / 8;
    let to = strides(&band.extents(), unit);
    let runs = array.pieces.iter().filter_map(|piece| {
        let of = PieceBox::of(piece, &band.ranges)?;
        Some(together(&of.size, &strides(&piece.extents, unit), &to, unit).0)
    });
    runs.min().unwrap_or(usize::MAX)
}

impl BandReader<'_> {
    /// Reads a band as an array in C order. What no piece covers is left as it is.
    pub(crate) fn read(
        &mut self,
        array: &PiecedArray,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        for piece in &array.pieces {
            let Some(of) = PieceBox::of(piece, &band.ranges) else { continue };
            let read = match &piece.layout {
                None => self.read_array(piece, &of, band, bytes),
                Some(layout) => self.read_layout(piece, layout, &of, band, bytes),
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

    /// Reads a box of an array in C order.
    fn read_array(
        &mut self,
        piece: &SourcePiece,
        of: &PieceBox,
        band: &Band,
        bytes: &mut [u8],
    ) -> FileResult<()> {
        let (_, tensor) = self.checkpoint.tensor(piece.tensor);
        let elements: usize = piece.extents.iter().product();
        let unit = (tensor.bytes as usize / elements.max(1)).max(1);
        let (from, to) = (strides(&piece.extents, unit), strides(&band.extents(), unit));
        let (run, mut level) = together(&of.size, &from, &to, unit);
        let span = |level: usize| {
            let last = (level..of.size.len()).map(|axis| (of.size[axis] - 1) * from[axis]);
            last.sum::<usize>() + unit
        };
        let mut copy = None;
        if run < LONG && level > 0 {
            while level > 0 && span(level - 1) <= SPAN {
                level -= 1;
            }
            let signed = |strides: &[usize]| -> Vec<isize> {
                strides[level..].iter().map(|&stride| stride as isize).collect()
            };
            let shape = &of.size[level..];
            let plan = StridedCopy::of_bytes(shape, unit, (0, &signed(&from)), (0, &signed(&to)));
            copy = Some(plan.map_err(|error| CheckpointError::new(error.to_string()))?);
        }
        let at = |start: &[usize], strides: &[usize]| -> usize {
            start.iter().zip(strides).map(|(start, stride)| start * stride).sum()
        };
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
                    let part = room(&mut scratch, span(level));
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

/// The elements of a band that are read from a layout, at most.
pub(crate) fn span_of(piece: &SourcePiece, band: &Band) -> usize {
    let (Some(layout), Some(of)) = (&piece.layout, PieceBox::of(piece, &band.ranges)) else {
        return 0;
    };
    source_view(layout, &of.from, &of.size).map_or(usize::MAX >> 8, |view| view.range().len())
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
