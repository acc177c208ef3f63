//! Tiles of a conversion of values: boxes of coordinates, which lie alike on both sides.

use alloc::vec::Vec;

use layout_records::{RecordError, UseFault};
use layout_types::spec::{MAX_RANK, greatest_divisor};

use super::side::StoredField;
use crate::records::record_buffer::fault;

/// The elements of a tile, about: their values stay near, and what is done once for each tile takes little. Floats that lie
/// side by side take no memory beside the buffers, so that there are twice as many.
const TILE: usize = 8192;

/// The coordinates of a tile along the axis of which elements of a layout are the closest, at least: a cache line.
const LINE: usize = 16;

/// The most runs of elements of one group in a tile, of which a plan has a list.
const MOST_RUNS: usize = 1 << 27;

/// What a tile grows to.
#[derive(Clone, Copy)]
enum Phase {
    Blocks,
    Lines,
    All,
}

/// An axis of the tensor, in tiles.
#[derive(Clone, Debug)]
pub(super) struct TileAxis {
    pub(super) letter: char,
    pub(super) extent: usize,
    /// The number of coordinates of a tile.
    pub(super) tile: usize,
}

/// A side with its fields, and its axes by their positions among those of the tiles.
pub(super) struct SideFields<'a> {
    pub(super) fields: &'a [StoredField],
    /// The axis of a tile for each axis of the side.
    pub(super) order: &'a [usize],
}

impl SideFields<'_> {
    /// The first bit of an element of a field at a coordinate of the tiles.
    pub(super) fn bit(&self, field: usize, coordinate: &[usize]) -> i64 {
        let mut own = [0; MAX_RANK];
        for (own, &axis) in own.iter_mut().zip(self.order) {
            *own = coordinate[axis];
        }
        self.fields[field].bit(&own[..self.order.len()])
    }
}

/// The axes of tiles: those of which elements share scales come last, and of these the ones of which they share scales of
/// the destination. `grouped` says of each axis of a side how many
/// coordinates share a scale, and whether all of these are in one tile.
pub(super) fn tile_axes(
    axes: &[(char, usize)],
    fields: &[&StoredField],
    shared: impl Fn(char) -> (usize, bool),
) -> Vec<TileAxis> {
    let mut axes: Vec<TileAxis> =
        axes.iter().map(|&(letter, extent)| TileAxis { letter, extent, tile: 1 }).collect();
    // Axes of one coordinate first, so that stretches of equal distances are those of others.
    axes.sort_by_key(|axis| match shared(axis.letter) {
        (1, _) => u8::from(axis.extent > 1),
        (_, is_whole) => 2 + u8::from(is_whole),
    });
    let most = most_elements(fields, axes.last());
    let mut elements = 1;
    // First whole blocks, then cache lines of layouts, and then as much as fits, from the last axis on.
    for phase in [Phase::Blocks, Phase::Lines, Phase::All] {
        for axis in axes.iter_mut().rev() {
            let mut weights: Vec<usize> =
                fields.iter().flat_map(|field| field.weights(axis.letter)).collect();
            weights.sort_unstable();
            let (share, is_whole) = shared(axis.letter);
            let least = match share {
                _ if !is_whole => 1,
                0 => axis.extent.max(1),
                share => share,
            };
            let least = fields.iter().map(|field| field.period(axis.letter)).fold(least, multiple);
            // A tile of the whole axis is the only one.
            let is_like = |size: usize| {
                let mut weights = weights.iter();
                let divides = |weight: &usize| weight % size == 0 || size % weight == 0;
                // A rest of a group that an extent ends in is a tile of its own.
                let is_all = size == axis.extent && (size < least || size % least == 0);
                is_all || size % least == 0 && weights.all(divides)
            };
            let others = elements / axis.tile;
            let is_fast = fields.iter().any(|field| field.fastest() == Some(axis.letter));
            let fits = |size: usize| {
                let is_wanted = match phase {
                    Phase::Blocks => size == least || weights.contains(&size),
                    Phase::Lines => is_fast && size <= LINE,
                    Phase::All => true,
                };
                size.saturating_mul(others) <= most && is_wanted
            };
            let sizes = (least..=axis.extent.min(most).max(least)).rev();
            let found = sizes.filter(|size| fits(*size)).find(|size| is_like(*size));
            let is_within = |size: usize| size <= axis.extent && is_like(size);
            let found = found.or_else(|| least_size(least, &weights, is_within));
            axis.tile = found.unwrap_or(axis.extent.max(1)).max(axis.tile);
            elements = others.saturating_mul(axis.tile);
        }
    }
    axes
}

/// The least size of a tile, if there is one: a multiple of a number and of the smallest weights, which divides the others.
fn least_size(least: usize, weights: &[usize], is_like: impl Fn(usize) -> bool) -> Option<usize> {
    let mut size = least;
    let larger = weights.iter().map(|weight| {
        size = multiple(size, *weight);
        size
    });
    core::iter::once(least).chain(larger).find(|size| is_like(*size))
}

/// The least common multiple, or a large number.
fn multiple(own: usize, other: usize) -> usize {
    (own / greatest_divisor(own, other)).saturating_mul(other)
}

/// The most elements of a tile, whose last axis is this one.
fn most_elements(fields: &[&StoredField], last: Option<&TileAxis>) -> usize {
    let Some(TileAxis { letter, .. }) = last else { return TILE };
    let lies = |own: &&&StoredField| own.fastest() == Some(*letter) && own.shared(*letter) == 1;
    if fields.iter().filter(lies).any(|own| own.is_native_f32()) { 2 * TILE } else { TILE }
}

/// How many elements of a field along an axis lie at equal distances, between each two multiples of the number.
pub(super) fn even(field: &StoredField, axis: &TileAxis) -> usize {
    let shared = field.shared(axis.letter).max(1);
    if field.period(axis.letter) > shared || field.pieces(axis.letter) > 1 {
        return 1;
    }
    let weights = field.weights(axis.letter).into_iter().filter(|own| *own > shared);
    match weights.fold(0, greatest_divisor) {
        0 => axis.extent.max(1),
        all => (all / shared).max(1),
    }
}

/// The distance in bits from each tile to the next one along an axis, if all are alike. `bit` is the first bit of an
/// element of the field at a coordinate of the axis, with 0 for all others.
pub(super) fn tile_step(
    field: &StoredField,
    axis: &TileAxis,
    bit: impl Fn(usize) -> i64,
) -> Option<i64> {
    let tile = axis.tile;
    if axis.extent <= tile {
        return Some(0);
    }
    if tile % field.pieces(axis.letter) > 0 {
        return None;
    }
    let (first, step) = (bit(0), bit(tile) - bit(0));
    // Between two weights of its digits, an offset grows evenly.
    let is_even = field.weights(axis.letter).into_iter().all(|weight| match weight {
        // An offset is shifted.
        usize::MAX => false,
        weight if weight < tile || weight >= axis.extent => true,
        weight => weight % tile == 0 && bit(weight) - first == (weight / tile) as i64 * step,
    });
    is_even.then_some(step)
}

/// For each element of a box of `sizes`, in order, the element of a box of `coarse` sizes that covers it, of which each
/// covers `shares` coordinates. Consecutive elements with the same one are a run: the length of runs, and one index for
/// each.
pub(super) fn runs_of(
    sizes: &[usize],
    coarse: &[usize],
    shares: &[usize],
) -> Result<(usize, Vec<u32>), RecordError> {
    let mut run = 1;
    for axis in (0..sizes.len()).rev() {
        if coarse[axis] > 1 {
            run *= greatest_divisor(sizes[axis], shares[axis]);
            break;
        }
        run *= sizes[axis];
    }
    let index = |first: usize| {
        let (mut rest, mut own, mut step) = (first, 0, 1);
        for axis in (0..sizes.len()).rev() {
            if coarse[axis] > 1 {
                own += rest % sizes[axis] / shares[axis] * step;
            }
            rest /= sizes[axis];
            step *= coarse[axis];
        }
        own as u32
    };
    let count = sizes.iter().product::<usize>().checked_div(run).unwrap_or(0);
    if count > MOST_RUNS {
        return Err(fault(UseFault::ValueRuns(count, MOST_RUNS)));
    }
    Ok((run, (0..count).map(|i| index(i * run)).collect()))
}
