//! Tiles of a conversion of values: boxes of coordinates, which lie alike on both sides.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};
use layout_records::{RecordError, UseFault};
use layout_types::spec::MAX_RANK;

use super::record_buffer::fault;
use super::value_side::{StoredField, ValueSide};

/// The elements of a tile, about: their values stay in the first cache.
const TILE: usize = 4096;

/// The coordinates of a tile along the axis of which elements of a layout are the closest, at least: a cache line.
const LINE: usize = 16;

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

/// The axes of tiles: those of which elements share scales come last. `grouped` says of each axis of a side how many
/// coordinates share a scale, and whether all of these are in one tile.
pub(super) fn tile_axes(
    sides: [&ValueSide<'_>; 2],
    fields: &[&StoredField],
    shared: impl Fn(char) -> (usize, bool),
) -> Result<Vec<TileAxis>, RecordError> {
    let (from, to) = (sides[0].axes(), sides[1].axes());
    let is_same = from.len() == to.len() && to.iter().all(|axis| from.contains(axis));
    if !is_same {
        return Err(fault(UseFault::ValueAxes));
    }
    let mut axes: Vec<TileAxis> =
        to.iter().map(|&(letter, extent)| TileAxis { letter, extent, tile: 1 }).collect();
    axes.sort_by_key(|axis| shared(axis.letter).0 != 1);
    let mut elements = 1;
    // First whole blocks, then cache lines of layouts, and then as much as fits, from the last axis on.
    for phase in [Phase::Blocks, Phase::Lines, Phase::All] {
        for axis in axes.iter_mut().rev() {
            let mut weights = Vec::new();
            for field in fields {
                weights.extend(field.weights(axis.letter)?);
            }
            let (share, is_whole) = shared(axis.letter);
            let least = match share {
                _ if !is_whole => 1,
                0 => axis.extent.max(1),
                share => share,
            };
            // A tile of the whole axis is the only one.
            let is_like = |size: usize| {
                let mut weights = weights.iter();
                let divides = |weight: &usize| weight % size == 0 || size % weight == 0;
                size == axis.extent || size % least == 0 && weights.all(divides)
            };
            let others = elements / axis.tile;
            let is_fast = fields.iter().any(|field| field.fastest() == Some(axis.letter));
            let fits = |size: usize| {
                let is_wanted = match phase {
                    Phase::Blocks => size == least || weights.contains(&size),
                    Phase::Lines => is_fast && size <= LINE,
                    Phase::All => true,
                };
                size * others <= TILE && is_wanted
            };
            let sizes = (least..=axis.extent.min(TILE).max(least)).rev();
            let found = sizes.filter(|size| fits(*size)).find(|size| is_like(*size));
            let found = found.or_else(|| {
                (1..=axis.extent / least).map(|i| i * least).find(|size| is_like(*size))
            });
            axis.tile = found.unwrap_or(axis.extent.max(1)).max(axis.tile);
            elements = others * axis.tile;
        }
    }
    Ok(axes)
}

/// The places of a field's elements in a tile.
#[derive(Clone, Debug)]
pub(super) struct FieldTile {
    /// The number of elements along each axis.
    pub(super) sizes: Vec<usize>,
    runs: Vec<Run>,
    pub(super) count: usize,
}

/// Elements at equal distances, in bits.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The distance of the first one from that of the tile.
    start: i64,
    step: i64,
    count: usize,
}

impl FieldTile {
    /// A field that no rule names.
    pub(super) const NONE: Self = Self { sizes: Vec::new(), runs: Vec::new(), count: 0 };

    pub(super) fn new(
        side: &SideFields<'_>,
        field: usize,
        axes: &[TileAxis],
        tile: &[usize],
    ) -> Self {
        let own = &side.fields[field];
        let shares: Vec<usize> = axes.iter().map(|axis| own.shared(axis.letter)).collect();
        let sizes: Vec<usize> = tile
            .iter()
            .zip(&shares)
            .map(|(size, share)| size.checked_div(*share).map_or(1, |_| size.div_ceil(*share)))
            .collect();
        let count = sizes.iter().product();
        let first = side.bit(field, &vec![0; axes.len()]);
        let mut runs: Vec<Run> = Vec::new();
        for i in 0..count {
            let mut coordinate = vec![0; axes.len()];
            let mut rest = i;
            for axis in (0..axes.len()).rev() {
                coordinate[axis] = rest % sizes[axis] * shares[axis];
                rest /= sizes[axis];
            }
            let bit = side.bit(field, &coordinate) - first;
            match runs.last_mut() {
                Some(run) if run.count == 1 => (run.step, run.count) = (bit - run.start, 2),
                Some(run) if bit == run.start + run.count as i64 * run.step => run.count += 1,
                _ => runs.push(Run { start: bit, step: 0, count: 1 }),
            }
        }
        Self { sizes, runs, count }
    }

    /// Reads the elements of the tile whose first one begins at a bit.
    pub(super) fn gather(&self, field: &StoredField, bytes: &[u8], start: i64, held: &mut [u8]) {
        work_on_best(Gathering { runs: &self.runs, field, bytes, start, held });
    }

    /// Writes the elements of the tile whose first one begins at a bit.
    pub(super) fn scatter(&self, field: &StoredField, bytes: &mut [u8], start: i64, held: &[u8]) {
        work_on_best(Scattering { runs: &self.runs, field, bytes, start, held });
    }
}

struct Gathering<'a> {
    runs: &'a [Run],
    field: &'a StoredField,
    bytes: &'a [u8],
    start: i64,
    held: &'a mut [u8],
}

impl Work for Gathering<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { runs, field, bytes, start, mut held } = self;
        let size = field.held();
        for run in runs {
            let (own, rest) = held.split_at_mut(run.count * size);
            held = rest;
            let first = (start + run.start) as usize;
            if field.bits % 8 > 0 {
                field.codes(bytes, first, run.step, own);
            } else if run.step == field.bits as i64 || run.count == 1 {
                own.copy_from_slice(&bytes[first / 8..first / 8 + own.len()]);
            } else {
                match size {
                    1 => read::<1>(bytes, first, run.step, own),
                    2 => read::<2>(bytes, first, run.step, own),
                    4 => read::<4>(bytes, first, run.step, own),
                    _ => {
                        for (i, own) in own.chunks_exact_mut(size).enumerate() {
                            let from = place(first, run.step, i);
                            own.copy_from_slice(&bytes[from..from + size]);
                        }
                    }
                }
            }
        }
    }
}

struct Scattering<'a> {
    runs: &'a [Run],
    field: &'a StoredField,
    bytes: &'a mut [u8],
    start: i64,
    held: &'a [u8],
}

impl Work for Scattering<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { runs, field, bytes, start, mut held } = self;
        let size = field.held();
        for run in runs {
            let (own, rest) = held.split_at(run.count * size);
            held = rest;
            let first = (start + run.start) as usize;
            if field.bits % 8 > 0 {
                field.set_codes(bytes, first, run.step, own);
            } else if run.step == field.bits as i64 || run.count == 1 {
                bytes[first / 8..first / 8 + own.len()].copy_from_slice(own);
            } else {
                match size {
                    1 => write::<1>(bytes, first, run.step, own),
                    2 => write::<2>(bytes, first, run.step, own),
                    4 => write::<4>(bytes, first, run.step, own),
                    _ => {
                        for (i, own) in own.chunks_exact(size).enumerate() {
                            let to = place(first, run.step, i);
                            bytes[to..to + size].copy_from_slice(own);
                        }
                    }
                }
            }
        }
    }
}

/// The byte where element `i` of a run begins.
#[inline(always)]
const fn place(first: usize, step: i64, i: usize) -> usize {
    ((first as i64 + i as i64 * step) / 8) as usize
}

#[inline(always)]
fn read<const BYTES: usize>(bytes: &[u8], first: usize, step: i64, held: &mut [u8]) {
    for (i, own) in held.chunks_exact_mut(BYTES).enumerate() {
        let from = place(first, step, i);
        own.copy_from_slice(&bytes[from..from + BYTES]);
    }
}

#[inline(always)]
fn write<const BYTES: usize>(bytes: &mut [u8], first: usize, step: i64, held: &[u8]) {
    for (i, own) in held.chunks_exact(BYTES).enumerate() {
        let to = place(first, step, i);
        bytes[to..to + BYTES].copy_from_slice(own);
    }
}

/// For each element of a box of `sizes`, in order, the element of a box of `coarse` sizes that covers it, of which each
/// covers `shares` coordinates. Consecutive elements with the same one are a run: the length of runs, and one index for
/// each.
pub(super) fn runs_of(sizes: &[usize], coarse: &[usize], shares: &[usize]) -> (usize, Vec<u32>) {
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
    let count: usize = sizes.iter().product();
    (run, (0..count.checked_div(run).unwrap_or(0)).map(|i| index(i * run)).collect())
}

/// The largest number that divides both.
const fn greatest_divisor(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
