//! Which path a nest takes, decided from top to bottom: the step; whether its stores may be non-temporal; for a matrix
//! with plain stores and with non-temporal ones, what goes through a scratch buffer, in which blocks, and else in which
//! strips and tiles. Only sizes, strides, sets and the instruction set decide; `sets` has the kernels, and `run` does
//! what [`code`](super::code) says.

use super::code::{
    BytePlan, Direct, Multiple, PackedCode, Packing, Pass, PlainCode, Stores, Streamed,
    StreamedTiles, TilePath,
};
use super::copies::{copied, cost_of_copies};
use super::machine::{self as t, Machine};
use super::nests::Nest;
use super::permutes::permuted;
use super::shapes::{self, Costed};
use super::tiling::{Tiling, tiled};
use crate::isa::{Isa, LANE};
use crate::sets::column_of_tile;
use crate::steps::loops::{STREAMED_RUNS, copy_class};
use crate::steps::tiles::{
    BYTES_IN_ORDER, JOINED, MOST_COLUMNS, MOST_JOINED, MOST_OFFSET, MOST_ROW_BYTES, PACKED, RUN,
    evenly_spaced,
};
use crate::steps::{
    Copies, Form, LINE, MAX_OFFSETS, OuterLoops, Permutation, Starts, Step, Tiles, balanced, least,
};

impl BytePlan {
    /// Sets the best step for a nest of bytes, in place of a plan that moves nothing.
    #[inline(never)]
    pub(super) const fn set_best(&mut self, nest: &Nest, isa: Isa) {
        let mut all = Candidates::NONE;
        all.set(nest, planned(isa), usize::MAX);
        self.set(nest, isa, &all);
    }

    /// [`set_best`](Self::set_best) from the candidates for the nest, in place of a plan that moves nothing.
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa, all: &Candidates) {
        (self.isa, self.bytes) = (isa, nest.bytes);
        self.pass.set(nest, isa, all, &mut self.loops);
        self.set_streamed(Stores::Auto);
    }

    /// Sets the micro-kernels with non-temporal stores, if there may be such stores.
    pub(super) const fn set_streamed(&mut self, stores: Stores) {
        let Self { bytes, pass: Pass { step, code, .. }, .. } = self;
        let (isa, bytes) = (planned(self.isa), *bytes);
        self.streamed = match step {
            _ if !stores.may_stream(bytes) || !isa.has_streams() => None,
            Step::Copies(Copies { streamed: 0, .. }) => None,
            Step::Copies(copies) => Some(Streamed::Copies(isa.kernels().copy(copies.streamed))),
            Step::Tiles(tiles) => match (Of { tiles, isa, bytes }).streamed(code) {
                Some(own) => Some(Streamed::Tiles(own)),
                None => None,
            },
            Step::Permute(own) => match lines_of(own, isa) {
                Some(own) => Some(Streamed::Permute(own)),
                None => None,
            },
        };
    }
}

impl Pass {
    /// Sets the cheapest step of a nest from its candidates, and the loops around it.
    #[inline(never)]
    pub(super) const fn set(
        &mut self,
        nest: &Nest,
        isa: Isa,
        all: &Candidates,
        loops: &mut OuterLoops,
    ) {
        let isa = planned(isa);
        (self.source, self.destination) = choose(nest, isa, all, (&mut self.step, loops));
        self.code = PlainCode::of(&self.step, isa, nest.bytes, nest.is_pass);
    }
}

/// Returns the instruction set for which a step is chosen. Without vectors the tables are too small for plans of other
/// instruction sets, which could not run anyway.
pub(super) const fn planned(isa: Isa) -> Isa {
    if cfg!(vectors) { isa } else { Isa::Portable }
}

/// The possible steps for a nest, with their costs. The cost is `usize::MAX` if a step is impossible.
#[derive(Clone, Copy)]
pub(super) struct Candidates {
    pub(super) copies: usize,
    pub(super) tiling: Tiling,
    pub(super) permute: Costed,
}

impl Candidates {
    /// Whether costs are compared. If not, runs are copied.
    pub(super) const fn are_compared(nest: &Nest, isa: Isa) -> bool {
        let is_padded = nest.padding.is_some() && isa.permute() > 0;
        is_padded || nest.count > 0 && nest.unit < t::ALWAYS_COPIED
    }

    /// No step is possible.
    pub(super) const NONE: Self =
        Self { copies: usize::MAX, tiling: Tiling::NONE, permute: Costed::NONE };

    /// Returns the least cost.
    #[cfg(vectors)]
    pub(super) const fn least(&self) -> usize {
        least(self.copies, least(self.tiling.cost, self.permute.cost))
    }

    /// Finds the candidates for a nest, in place of none. If costs are not compared, there are none. Byte permutes that
    /// cost `limit` or more, or more than other steps, are left out, since many are tried.
    #[inline(never)]
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa, limit: usize) {
        if !Self::are_compared(nest, isa) {
            return;
        }
        self.copies = cost_of_copies(nest, isa);
        self.tiling = Tiling::of(nest, isa, isa.lane());
        let bytes = if isa.has_vectors() { self.tiling.other_least(nest.unit) } else { 0 };
        if bytes > 0 {
            let other = Tiling::of(nest, isa, bytes);
            if other.cost < self.tiling.cost {
                self.tiling = other;
            }
        }
        // Only vectors fill padding.
        let limit = match nest.padding {
            Some(_) => usize::MAX,
            None => least(limit, least(self.copies, self.tiling.cost.saturating_add(1))),
        };
        self.permute = shapes::cheapest(nest, isa, limit);
        if self.permute.shape.pads {
            self.copies = usize::MAX;
        }
    }

    /// Whether a byte permute is the cheapest step if it costs `more`. Copies win a tie.
    const fn permutes(&self, more: usize) -> bool {
        let cost = self.permute.cost.saturating_add(more);
        cost < self.copies && (cost <= self.tiling.cost || self.permute.shape.pads)
    }
}

/// Chooses the cheapest step for a nest, in place since a step is as large as a plan. Returns where its first unit
/// begins in the source and the destination.
#[inline(never)]
pub(super) const fn choose(
    nest: &Nest,
    isa: Isa,
    all: &Candidates,
    (step, loops): (&mut Step, &mut OuterLoops),
) -> (isize, isize) {
    let start = (nest.source, nest.destination);
    if all.permutes(0) && permuted(nest, isa, &all.permute, step, loops) {
        // Only now it is known whether loads would end after the source, which costs more.
        let machine = Machine::of(isa);
        let more = match step {
            Step::Permute(own) if own.read_end == Permutation::ALL => machine.calls(3, nest.bytes),
            Step::Permute(own) if own.read_end > 0 => machine.calls(7, nest.bytes),
            Step::Permute(Permutation { form: Form::Short, valid, pads: false, .. })
                if !isa.stores_some() =>
            {
                machine.calls(1, *valid)
            }
            _ => 0,
        };
        if all.permutes(more) {
            return start;
        }
    }
    if all.tiling.cost < all.copies && tiled(nest, &all.tiling, (step, loops)) {
        all.tiling.start
    } else {
        copied(nest, isa, step, loops);
        start
    }
}

impl PlainCode {
    /// Returns the micro-kernel of a step of a plan of `bytes` bytes with plain stores. In one of two passes, a matrix
    /// whose columns are long is not packed: the scratch buffer between them is near.
    pub(super) const fn of(step: &Step, isa: Isa, bytes: usize, is_pass: bool) -> Self {
        match step {
            Step::Copies(copies) => Self::Copies(isa.kernels().copy(copies.class)),
            Step::Tiles(tiles) => {
                let of = Of { tiles, isa, bytes };
                let is_direct = is_pass && !tiles.has_short_columns();
                Self::Tiles(if is_direct { of.direct() } else { of.plain() })
            }
            Step::Permute(permutation) => match isa.permute_kernel(permutation) {
                Some(kernel) => Self::Permute(kernel),
                None => Self::None,
            },
        }
    }
}

/// Returns where non-temporal stores of a byte permute may begin. A line that is stored both plainly and non-temporally
/// takes as long as many lines. So either all vectors are lines, or runs are long.
const fn lines_of(permutation: &Permutation, isa: Isa) -> Option<Multiple> {
    let has_lines = match permutation.form {
        Form::Lanes => isa.vector() == LINE,
        Form::Zips(_) => false,
        _ => isa.permute() == LINE,
    };
    if !has_lines || !permutation.is_whole {
        None
    } else if permutation.run >= t::LEAST_STREAMED_VECTORS {
        Some(Multiple(1))
    } else if permutation.are_lines {
        Some(Multiple(LINE))
    } else {
        None
    }
}

/// Returns the bytes of a column in the highest tiles of a matrix with plain stores that is not packed.
pub(super) const fn highest_column(tiles: &Tiles, isa: Isa, bytes: usize) -> usize {
    let of = Of { tiles, isa, bytes };
    column_of_tile(tiles.unit, of.height(tiles.rows), isa)
}

/// A matrix whose paths are chosen, in a plan of `bytes` bytes.
#[derive(Clone, Copy)]
pub(super) struct Of<'a> {
    pub(super) tiles: &'a Tiles,
    pub(super) isa: Isa,
    bytes: usize,
}

impl Of<'_> {
    /// Returns the path with plain stores.
    const fn plain(self) -> TilePath {
        match self.plain_packing() {
            Some(packing) => TilePath::Packed(self.packed(packing, false)),
            None => self.direct(),
        }
    }

    /// Returns the paths with non-temporal stores, if the matrix has any. Columns that begin inside lines are joined so
    /// that whole lines are stored.
    const fn streamed(self, plain: &PlainCode) -> Option<StreamedTiles> {
        let Self { tiles, isa, .. } = self;
        if self.has_few_columns() {
            return None;
        }
        let joins = tiles.has_short_columns() || self.joins();
        let (mut at_lines, mut rotated) = (None, None);
        if let Some([stream, rotate]) = isa.kernels().streams(tiles.unit) {
            if self.streams_at_lines() {
                let (starts, strip) = (Starts::ANYWHERE, self.strip());
                at_lines = Some(Direct { kernel: stream, starts, strip });
            }
            let are_rows_packed =
                matches!(plain, PlainCode::Tiles(TilePath::Packed(own)) if own.packing.has_rows());
            if joins && self.may_rotate() && (at_lines.is_none() || !are_rows_packed) {
                // Each table stores its first and last column plainly.
                let at_rows = tiles.is_strided || tiles.unit >= t::LEAST_ROTATED;
                rotated = Some((rotate, Multiple(if at_rows { tiles.unit } else { LINE })));
            }
        }
        let otherwise = match at_lines {
            _ if joins => TilePath::Packed(self.packed(Packing::Joined, true)),
            _ if self.packs_rows() => TilePath::Packed(self.packed(Packing::Rows, true)),
            Some(own) => TilePath::Direct(own),
            None => return None,
        };
        let streams = !matches!(&otherwise, TilePath::Packed(own) if !own.stream);
        if streams || at_lines.is_some() || rotated.is_some() {
            Some(StreamedTiles { at_lines, rotated, otherwise })
        } else {
            None
        }
    }

    /// Returns what is packed with plain stores. Rows that share sets are if they are read again; columns if parts of
    /// their lines would leave the cache before the rest is stored.
    const fn plain_packing(self) -> Option<Packing> {
        let Self { tiles, isa, .. } = self;
        // Tiles of words handle any number of columns.
        if !isa.has_vectors() || self.has_few_columns() {
            return None;
        }
        if tiles.has_short_columns() {
            return Some(Packing::Joined);
        }
        // A block of the scratch buffer has all rows of a table.
        let is_block = tiles.is_strided || self.column() <= RUN.0;
        if self.packs_rows() {
            Some(Packing::Rows)
        } else if self.are_in_parts() && is_block && self.column() >= t::LONG {
            Some(Packing::Columns)
        } else {
            None
        }
    }

    /// Whether rows go through a scratch buffer: a tile's rows share sets, and their lines are read more than once.
    const fn packs_rows(self) -> bool {
        let tiles = self.tiles;
        tiles.share_sets && tiles.columns * tiles.unit > LANE && tiles.rows >= tiles.units_of(LANE)
    }

    /// Whether tiles would store lines in parts that do not stay in the cache, so that columns go through a scratch
    /// buffer: a strip has fewer columns than take a line of the source.
    const fn are_in_parts(self) -> bool {
        let Tiles { unit, columns, column_sets, .. } = *self.tiles;
        let are_few = column_sets * least(unit, 2) <= 2;
        self.isa.vector() < LINE && are_few && !t::stay(columns, column_sets)
    }

    /// Whether columns with non-temporal stores are joined: they are contiguous in the destination, and the scratch
    /// buffer holds several of them.
    const fn joins(self) -> bool {
        let tiles = self.tiles;
        let (column, least) = (self.column(), tiles.units_of(LANE));
        // The destination may be as long as memory.
        let (group, all) = (column.saturating_mul(least), column.saturating_mul(tiles.columns));
        if group > JOINED || all < LINE {
            return false;
        }
        let fits = column <= MOST_JOINED || !tiles.is_strided;
        let are_contiguous = tiles.run(tiles.columns) == tiles.columns;
        fits && are_contiguous
    }

    /// Whether evenly spaced columns can be stored non-temporally directly: all of them reach cache lines at the same
    /// row.
    const fn streams_at_lines(self) -> bool {
        let Self { tiles, isa, .. } = self;
        let are_lines = tiles.is_strided && tiles.alignment == LINE;
        let enough = self.column() >= LINE && tiles.columns * tiles.unit >= LANE;
        let gains = isa.vector() == LINE || !t::share_sets(tiles.column);
        are_lines && enough && gains
    }

    /// Whether tiles with non-temporal stores of joined columns may begin at any row: each column is a whole number of
    /// cache lines. Offsets of all rows in the source must fit in a table, and the columns be more than those of a
    /// tile. Columns of less than 16 bytes are joined wherever they go, so they need not be contiguous.
    const fn may_rotate(self) -> bool {
        let tiles = self.tiles;
        let fits = self.column() <= MOST_JOINED
            && tiles.farthest <= MOST_OFFSET
            && tiles.nearest >= -MOST_OFFSET;
        let are_enough = tiles.columns > tiles.units_of(LANE);
        tiles.alignment == LINE && fits && are_enough && !tiles.has_short_columns()
    }

    /// Returns the path of a matrix that is not packed, with plain stores.
    const fn direct(self) -> TilePath {
        let Self { tiles, isa, .. } = self;
        let height = self.height(tiles.rows);
        let kernel = isa.kernels().tile(tiles.unit, height, tiles.is_strided);
        if self.has_few_columns() {
            return TilePath::Few(kernel);
        }
        let (starts, strip) = (self.starts(tiles.rows, height), self.strip());
        TilePath::Direct(Direct { kernel, starts, strip })
    }

    /// Whether there are fewer columns than a tile loads.
    const fn has_few_columns(self) -> bool {
        self.isa.loads_beyond(self.tiles.columns * self.tiles.unit)
    }

    /// Returns the bytes of a column of the matrix.
    pub(super) const fn column(self) -> usize {
        self.tiles.rows * self.tiles.unit
    }

    /// Returns the bytes of a column of tiles of at most `rows` rows: a line, or one vector if no cache holds the move,
    /// since a CPU then fetches more lines at a time to store to.
    const fn height(self, rows: usize) -> usize {
        let most = if self.bytes >= t::LEAST_NON_TEMPORAL { self.isa.vector() } else { LINE };
        least(rows * self.tiles.unit, most)
    }

    /// Returns where tiles of a column of `height` bytes begin, of `rows` rows. They begin anywhere if columns have no
    /// such multiple in common, or too few rows, or fill at most one tile, or if the plan moves too few bytes to gain
    /// by it.
    pub(super) const fn starts(self, rows: usize, height: usize) -> Starts {
        let Self { tiles, isa, bytes } = self;
        let vector = column_of_tile(tiles.unit, height, isa);
        let are_many = isa.has_vectors() && tiles.columns > tiles.units_of(LANE);
        let gains = are_many && t::avoids_crossing(rows * tiles.unit, vector, bytes);
        Starts {
            multiple: if gains && tiles.alignment >= vector { vector } else { 0 },
            first: tiles.units_of(vector),
        }
    }

    /// Returns the number of columns that are moved at once.
    const fn strip(self) -> usize {
        let Self { tiles, isa, bytes } = self;
        let Tiles { unit, columns, column_sets, .. } = *tiles;
        let all = if tiles.is_strided { t::strip(unit, tiles.row) } else { columns };
        // CPUs without vectors may have no cache.
        let own = if !isa.has_vectors() || tiles.has_short_columns() {
            all
        } else if bytes >= t::FAR.0 {
            least(BYTES_IN_ORDER / unit, t::FAR.1)
        } else if isa.vector() >= LINE {
            all
        } else {
            t::strip_of_parts(unit, all, (column_sets, columns))
        };
        // A kernel takes the offsets of a strip from a table. The last ones may be a tile more.
        if tiles.is_strided || columns <= MAX_OFFSETS {
            return own;
        }
        let line = tiles.units_of(LINE);
        least(own, (MAX_OFFSETS - tiles.units_of(LANE)) / line * line)
    }

    /// Returns the code of a matrix that is packed so.
    pub(super) const fn packed(self, packing: Packing, stream: bool) -> PackedCode {
        let Self { tiles, isa, .. } = self;
        let (unit, kernels) = (tiles.unit, isa.kernels());
        let (rows, columns) = self.block(packing);
        // Joined columns are stored in runs, others one by one.
        let (apart, run) = match packing {
            Packing::Rows => (odd_lines(columns * unit), 1),
            Packing::Columns => (odd_lines(rows * unit), 1),
            Packing::Joined => (self.column(), tiles.run(columns)),
        };
        let of_run = run * rows * unit;
        let is_long = !tiles.has_short_columns() || of_run >= t::LONG;
        let stream = stream && matches!(packing, Packing::Joined) && is_long;
        let even = match packing {
            Packing::Rows if tiles.is_strided => 1,
            Packing::Rows => evenly_spaced(&tiles.row_offsets, tiles.rows, 1),
            _ if tiles.are_columns_strided => 1,
            _ => evenly_spaced(&tiles.column_offsets, tiles.columns, run),
        };
        let class = match packing {
            Packing::Rows => copy_class(columns * unit),
            _ if stream => STREAMED_RUNS,
            _ => copy_class(of_run),
        };
        let height = self.height(rows);
        PackedCode {
            packing,
            rows,
            columns,
            apart,
            run,
            even,
            stream,
            kernel: kernels.tile(unit, height, tiles.is_strided),
            starts: self.starts(rows, height),
            copy: kernels.copy(class),
        }
    }

    /// Returns the numbers of rows and columns of a block, as even as they can be.
    const fn block(self, packing: Packing) -> (usize, usize) {
        let tiles = self.tiles;
        let (lane, line) = (tiles.units_of(LANE), tiles.units_of(LINE));
        match packing {
            Packing::Joined => {
                let most = match JOINED.checked_div(self.column() * lane) {
                    Some(groups) if groups > 0 => groups * lane,
                    _ => lane,
                };
                (tiles.rows, self.columns_of_block(most))
            }
            Packing::Columns => {
                // Runs of columns are whole lines.
                let rows = balanced(tiles.rows, tiles.units_of(RUN.0)).next_multiple_of(line);
                (least(rows, tiles.rows), self.columns_of_block(MOST_COLUMNS))
            }
            Packing::Rows => {
                let columns = self.columns_of_block(tiles.units_of(MOST_ROW_BYTES));
                let most = PACKED / odd_lines(columns * tiles.unit);
                let even = balanced(tiles.rows, most / line * line).next_multiple_of(line);
                (if most < tiles.rows { even } else { tiles.rows }, columns)
            }
        }
    }

    /// Returns the columns of blocks of at most `most` columns: as even as they can be, in whole tiles, since the
    /// last block may overlap the one before it.
    const fn columns_of_block(self, most: usize) -> usize {
        let tiles = self.tiles;
        let most = if tiles.is_strided { most } else { least(most, MAX_OFFSETS) };
        let even = balanced(tiles.columns, most).next_multiple_of(tiles.units_of(LANE));
        least(even, tiles.columns)
    }
}

/// Returns the bytes from one row or column of `bytes` bytes to the next: an odd number of lines, so that they do not
/// share sets.
const fn odd_lines(bytes: usize) -> usize {
    (bytes.div_ceil(LINE) | 1) * LINE
}
