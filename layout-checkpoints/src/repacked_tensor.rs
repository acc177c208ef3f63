//! A tensor of an output, and its bands.

use tensor_layout::Layout;

use crate::bands::{Band, Bands, view_of};
use crate::element_moves::check_move;
use crate::error::{CheckpointError, FileResult, refuse};
use crate::gather::{LONG, SPAN, least_run, read_cost, span_of};
use crate::pieced_array::{PiecedArray, array_of};
use crate::quantized::QuantizedRows;
use crate::stored_tensor::StoredTensor;

/// A tensor of an output file.
#[derive(Clone, Debug)]
pub(crate) struct RepackedTensor {
    /// The numbers of the tensors that it consists of.
    pub(crate) sources: Vec<usize>,
    pub(crate) array: PiecedArray,
    /// The letters of the array's axes and the layout that it is moved to. `None` if its bytes are those of the file.
    pub(crate) target: Option<(String, Box<Layout>)>,
    /// The record that it is quantized to.
    pub(crate) quantized: Option<QuantizedRows>,
    pub(crate) stored: StoredTensor,
}

/// The bytes of a band that are usual: more do not make files faster.
const USUAL_BAND: usize = 1 << 20;

impl RepackedTensor {
    /// The bytes of memory that a band takes: as it is read, as it is written, and between.
    fn cost(&self, band: &Band) -> usize {
        let unit = self.array.element.bits() / 8;
        let read = band.numel().saturating_mul(unit);
        let spans = self.array.pieces.iter().map(|piece| span_of(piece, band));
        let span = spans.max().unwrap_or(0).saturating_mul(unit).max(SPAN);
        let written = match (&self.target, &self.quantized) {
            (Some((_, layout)), _) => {
                band.region.len().saturating_mul(layout.element().bits().div_ceil(8))
            }
            (None, Some(rows)) => rows.place(band).map_or(usize::MAX, |place| place.len()),
            (None, None) => 0,
        };
        read.saturating_add(span).saturating_add(written)
    }

    /// Whether no piece covers some coordinates.
    pub(crate) fn has_padding(&self) -> bool {
        let numel = |size: &[usize]| size.iter().product::<usize>();
        let covered: usize = self.array.pieces.iter().map(|piece| numel(&piece.size)).sum();
        covered < numel(&self.array.extents)
    }

    /// What it costs to read the bands, in bytes.
    pub(crate) fn reads(&self, bands: &Bands) -> u64 {
        read_cost(&self.array, &bands.band(0)).saturating_mul(bands.len() as u64)
    }

    /// Cuts the tensor into bands that take at most `memory` bytes each.
    pub(crate) fn bands(&self, memory: usize) -> FileResult<Bands> {
        let cost = |band: &Band| self.cost(band);
        let cut = |budget: usize| match (&self.target, &self.quantized) {
            (Some((letters, layout)), _) => Bands::of_layout(layout, letters, budget, cost),
            (None, Some(rows)) => rows.bands(budget, cost),
            (None, None) => Bands::of_array(&self.array.extents, budget, cost),
        };
        let usual = cut(memory.min(USUAL_BAND + SPAN));
        let is_good = |bands: &Bands| least_run(&self.array, &bands.band(0)) >= LONG;
        match usual.filter(is_good).or_else(|| cut(memory)) {
            Some(bands) => Ok(bands),
            None => refuse(format!(
                "tensor `{}` cannot be cut into bands of {memory} bytes; give more memory, or another layout",
                self.stored.name
            )),
        }
    }
}

/// The layouts of a band as it is read and in the output, of which the target is the layout.
pub(crate) fn layouts_of(
    (letters, layout): (&str, &Layout),
    tensor: &RepackedTensor,
    band: &Band,
) -> FileResult<(Layout, Layout)> {
    let source = array_of(letters, &band.extents(), tensor.array.element)?;
    let Some(view) = view_of(layout, letters, band) else {
        return refuse(format!(
            "a band of `{layout}` has no place; write the layout without swizzle"
        ));
    };
    Ok((source, view))
}

/// Returns an error if the first band of a tensor or the last cannot be moved.
pub(crate) fn check_bands(tensor: &RepackedTensor, bands: &Bands) -> FileResult<()> {
    let Some((letters, layout)) = &tensor.target else { return Ok(()) };
    for number in [0, bands.len().saturating_sub(1)] {
        let band = bands.band(number);
        if band.numel() > 0 {
            let own = layouts_of((letters, layout), tensor, &band);
            own.and_then(|(source, view)| check_move((&source, &view))).map_err(|error| {
                CheckpointError::of(format!("tensor `{}`", tensor.stored.name), error)
            })?;
        }
    }
    Ok(())
}
