//! The table of micro-kernels of an instruction set, and the micro-kernels of one step. These are picked when the
//! plan is made, so that a constant plan links only the kernels it uses.

use crate::isa::Isa;
use crate::steps::classes::{COPY_CLASSES, STREAMED_RUNS, copy_class};
use crate::steps::thresholds::{LINE, least_streamed_run, most_of_line, streams_lines};
use crate::steps::tiles::has_few_columns;
use crate::steps::{
    Form, Matrix, Packing, Permutation, Planes, Runs, Spacing, Starts, Step, Tiles, least,
};

/// Copies runs.
pub(crate) type CopyKernel = unsafe fn(&Runs, *const u8, *mut u8);
/// Makes planes of rows of elements of less than a byte.
pub(crate) type PlanesKernel = unsafe fn(&Planes, *const u8, *mut u8);
/// Transposes a matrix.
pub(crate) type TileKernel = unsafe fn(&Matrix, *const u8, *mut u8);
/// Permutes bytes.
pub(crate) type PermuteKernel = unsafe fn(&Permutation, *const u8, *mut u8, bool);

/// The kernel of a step that a plan does not have.
///
/// # Safety
/// There is nothing to promise.
#[allow(dead_code, reason = "only inlined moves use it")]
pub(crate) unsafe fn nothing<T>(_: &T, _: *const u8, _: *mut u8) {}

/// The tile kernels of one vector length, for units of 1, 2, 4 and 8 bytes, each evenly spaced and with tables.
pub(crate) type TileKernels = [[TileKernel; 2]; 4];

/// The tile kernels with non-temporal stores, by unit: for evenly spaced matrices whose columns reach cache lines at
/// the same row, and for matrices with tables of rows that may be rotated.
pub(crate) type StreamKernels = [Option<[TileKernel; 2]>; 4];

/// The kernels of instruction sets that have none.
pub(crate) const NO_STREAMS: StreamKernels = [None; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By the class of the length.
    pub(crate) copies: [CopyKernel; COPY_CLASSES],
    /// By the bytes of a column in the highest tile: 16, 32 with two lanes that share rows, 32, and 64.
    pub(crate) tiles: [&'static TileKernels; 4],
    pub(crate) streams: StreamKernels,
    /// For elements of less than a byte.
    pub(crate) planes: PlanesKernel,
    /// By the number that [`of_permutation`] returns. Instruction sets may have none, or only the first nine.
    pub(crate) permutes: &'static [PermuteKernel],
}

impl Kernels {
    /// Returns the kernel for runs of a class.
    #[inline]
    pub(crate) const fn copy(&self, class: usize) -> CopyKernel {
        self.copies[if class < COPY_CLASSES { class } else { 0 }]
    }

    /// Returns the kernel for a matrix of `rows` rows: the one with the longest tiles that they fill.
    pub(crate) const fn tile(&self, unit: usize, rows: usize, is_strided: bool) -> TileKernel {
        self.tiles[length(rows * unit)][index(unit)][if is_strided { 0 } else { 1 }]
    }
}

/// The number of kernels for permutations.
#[allow(dead_code, reason = "some sets have only the first")]
pub(crate) const PERMUTES: usize = 47;

/// The number of the first kernel that only sets with AVX2 have, and of that for units of a lane.
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const FIRST_OF_LANES: usize = 24;
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const UNITS_OF_LANES: usize = 34;

/// The number of the first kernel for halves of rows, which only sets with VBMI have.
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const HALF_ROWS: usize = 45;

/// Returns the number of the kernel for a permutation.
pub(crate) const fn of_permutation(own: &Permutation) -> usize {
    match own.form {
        // One vector: of loads of vectors, and of one to four, six and eight loads in lanes.
        Form::Tables if own.outputs == 1 && !own.lanes => own.loads - 1,
        Form::Tables if own.outputs == 1 && own.loads <= 4 => 8 + own.loads,
        Form::Tables if own.outputs == 1 => 10 + own.loads / 2,
        Form::Short => 8,
        // Two vectors of two loads, two and three of three; two and three of loads in lanes.
        Form::Tables if own.lanes => 16 + own.outputs,
        Form::Tables => 11 + own.loads + own.outputs,
        Form::QuarterColumns => 20,
        // Planes in vectors of one lane.
        Form::Quarters if own.stored == 16 => 43,
        Form::Quarters => 21,
        Form::Eighths if own.stored == 16 => 44,
        Form::Eighths => 22,
        Form::EighthRows => 23,
        // Two rows of units of 1 to 8 bytes, and four of 1 to 4; then those in two lanes.
        Form::Zips(unit) => {
            let first = if own.valid > 16 * own.outputs { 31 } else { 20 };
            first + 4 * own.outputs.trailing_zeros() as usize + unit.trailing_zeros() as usize
        }
        Form::Halves => 31,
        Form::ThreeRowsInLanes => 32,
        Form::EighthRowsInLanes => 33,
        Form::Lanes => UNITS_OF_LANES,
        Form::EighthColumns => 42,
        Form::HalfRows => HALF_ROWS - 1 + own.outputs,
    }
}

/// The micro-kernels of a step.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Code {
    /// With plain stores, and with non-temporal ones.
    Copies(CopyKernel, Option<CopyKernel>),
    Tiles(TileCode),
    Permute(PermuteKernel),
    /// A step for which the instruction set has no kernel: only plans for sets of other targets have such a step.
    None,
}

/// Kernels are addresses, which differ from build to build; [`Plan`](crate::Plan) prints what follows from them.
impl core::fmt::Debug for Code {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("kernels")
    }
}

/// The micro-kernels of a matrix.
#[derive(Clone, Copy)]
pub(crate) struct TileCode {
    pub(crate) kernel: TileKernel,
    pub(crate) starts: Starts,
    /// With non-temporal stores, if all columns reach cache lines at the same row.
    pub(crate) streamed: Option<TileKernel>,
    /// The same for a table of rows, if the matrix may be rotated.
    pub(crate) rotated: Option<TileKernel>,
    /// The same for rows that come from a scratch buffer. All else is as in `packed[0]`.
    pub(crate) lines: Option<TileKernel>,
    /// Through a scratch buffer: with plain stores, and with non-temporal ones if columns do not begin at cache
    /// lines.
    pub(crate) packed: [Option<PackedCode>; 2],
    /// Whether there are fewer columns than a tile loads.
    pub(crate) has_few_columns: bool,
}

/// The micro-kernels of a matrix that goes through a scratch buffer.
#[derive(Clone, Copy)]
pub(crate) struct PackedCode {
    pub(crate) packing: Packing,
    /// The rows and columns of a block, and the bytes from one packed row or from one joined column to the next
    /// in the scratch.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) pitch: usize,
    /// The number of joined columns that are contiguous in the destination.
    pub(crate) run: usize,
    /// How rows are spaced in the source, and runs of columns in the destination, if tables say where they are.
    pub(crate) row_spacing: Spacing,
    pub(crate) run_spacing: Spacing,
    /// Whether columns are stored non-temporally.
    pub(crate) stream: bool,
    pub(crate) kernel: TileKernel,
    pub(crate) starts: Starts,
    /// From rows to the scratch buffer.
    pub(crate) pack: Option<CopyKernel>,
    /// From the scratch buffer to columns.
    pub(crate) unpack: Option<CopyKernel>,
}

impl Code {
    /// Sets the micro-kernels of a step of a plan of `bytes` bytes. `streams` says whether stores may be non-temporal.
    /// In place, since those of tiles are large and others are not.
    pub(crate) const fn set(&mut self, step: &Step, isa: Isa, bytes: usize, streams: bool) {
        let kernels = isa.kernels();
        let streams = streams && isa.has_streams();
        match step {
            Step::Copies(copies) => {
                let has = streams && copies.streamed > 0;
                let streamed = if has { Some(kernels.copy(copies.streamed)) } else { None };
                *self = Self::Copies(kernels.copy(copies.class), streamed);
            }
            Step::Tiles(tiles) => *self = Self::Tiles(TileCode::of(tiles, isa, bytes, streams)),
            Step::Permute(permutation) => {
                let (own, all) = (of_permutation(permutation), kernels.permutes);
                if own < all.len() {
                    *self = Self::Permute(all[own]);
                } else {
                    *self = Self::None;
                }
            }
        }
    }

    /// Whether some stores of the step can be non-temporal.
    pub(crate) const fn may_stream(&self, step: &Step, isa: Isa) -> bool {
        match (self, step) {
            (Self::Copies(_, streamed), _) => streamed.is_some(),
            (Self::Tiles(code), _) => {
                code.streamed.is_some()
                    || code.rotated.is_some()
                    || matches!(&code.packed[1], Some(own) if own.stream && own.unpack.is_some())
            }
            (Self::Permute(_), Step::Permute(permutation)) => {
                let are_lines = match permutation.form {
                    Form::Lanes => isa.vector() == LINE,
                    Form::Zips(_) | Form::HalfRows => false,
                    _ => isa.permute() == LINE,
                };
                isa.has_streams() && are_lines && permutation.may_stream()
            }
            _ => false,
        }
    }
}

/// Returns the index of the kernels for units of `unit` bytes.
const fn index(unit: usize) -> usize {
    unit.trailing_zeros() as usize & 3
}

/// Returns the index in [`Kernels::tiles`] of the longest tiles that `bytes` bytes of rows fill.
const fn length(bytes: usize) -> usize {
    match bytes {
        64.. => 3,
        32.. => 2,
        17.. => 1,
        _ => 0,
    }
}

/// Returns the bytes of rows in one column of the longest tiles that `bytes` bytes of rows fill. Tiles of two lanes
/// that share rows store each lane separately, so 16.
const fn longest(unit: usize, bytes: usize, isa: Isa) -> usize {
    least([16, 16, 32, 64][length(bytes)], isa.column_bytes(unit))
}

/// Returns `rows`, or the rows of the highest tile that is stored plainly if those are fewer.
const fn capped(tiles: &Tiles, isa: Isa, bytes: usize, rows: usize) -> usize {
    least(rows, tiles.units_of(most_of_line(isa, bytes)))
}

/// Returns the rows of the tiles of a matrix that is stored plainly and directly, in a plan of `bytes` bytes.
pub(crate) const fn tile_rows(tiles: &Tiles, isa: Isa, bytes: usize) -> usize {
    let rows = capped(tiles, isa, bytes, tiles.rows_of_stores(tiles.rows));
    tiles.units_of(longest(tiles.unit, rows * tiles.unit, isa))
}

/// The micro-kernel of a step that stores plainly and directly: a plan has two of these, so they are kept small.
#[cfg(vectors)]
#[derive(Clone, Copy)]
pub(crate) enum DirectCode {
    Copies(CopyKernel),
    /// With where tiles begin, and whether there are fewer columns than a tile loads.
    Tiles(TileKernel, Starts, bool),
    Permute(PermuteKernel),
    None,
}

#[cfg(vectors)]
impl core::fmt::Debug for DirectCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("kernels")
    }
}

#[cfg(vectors)]
impl DirectCode {
    /// Returns the micro-kernel of a step of `bytes` bytes. Rows and columns that would go through a scratch buffer do
    /// not. Columns must not be joined in one.
    pub(crate) const fn of(step: &Step, isa: Isa, bytes: usize) -> Self {
        let mut code = Code::None;
        code.set(step, isa, bytes, false);
        match code {
            Code::Copies(kernel, _) => Self::Copies(kernel),
            Code::Tiles(TileCode { kernel, starts, has_few_columns, packed, .. }) => {
                debug_assert!(!matches!(packed[0], Some(own) if own.packing.joined), "joined");
                Self::Tiles(kernel, starts, has_few_columns)
            }
            Code::Permute(kernel) => Self::Permute(kernel),
            Code::None => Self::None,
        }
    }

    /// Returns the same as the code of a plan.
    #[inline(never)]
    pub(crate) const fn code(&self) -> Code {
        match *self {
            Self::Copies(kernel) => Code::Copies(kernel, None),
            Self::Tiles(kernel, starts, has_few_columns) => {
                Code::Tiles(TileCode { starts, ..TileCode::direct(kernel, has_few_columns) })
            }
            Self::Permute(kernel) => Code::Permute(kernel),
            Self::None => Code::None,
        }
    }
}

impl TileCode {
    /// Returns the code of plain stores that begin anywhere.
    const fn direct(kernel: TileKernel, has_few_columns: bool) -> Self {
        let (starts, packed) = (Starts::ANYWHERE, [None, None]);
        Self { kernel, starts, streamed: None, rotated: None, lines: None, packed, has_few_columns }
    }

    const fn of(tiles: &Tiles, isa: Isa, bytes: usize, streams: bool) -> Self {
        let kernels = isa.kernels();
        let rows = capped(tiles, isa, bytes, tiles.rows_of_stores(tiles.rows));
        let kernel = kernels.tile(tiles.unit, rows, tiles.is_strided);
        let mut own = Self::direct(kernel, has_few_columns(tiles.columns * tiles.unit, isa));
        // Tiles of words handle any number of columns.
        if isa.lane() < 16 || own.has_few_columns {
            return own;
        }
        own.starts = tiles.starts(longest(tiles.unit, rows * tiles.unit, isa), bytes);
        own.packed[0] = PackedCode::of(tiles, isa, bytes, false);
        if streams {
            own.packed[1] = PackedCode::of(tiles, isa, bytes, true);
            if let Some([streamed, rotated]) = kernels.streams[index(tiles.unit)] {
                let streams =
                    isa.vector() == LINE || streams_lines(tiles.rows * tiles.unit, tiles.column);
                own.streamed = if streams && tiles.may_stream() { Some(streamed) } else { None };
                own.rotated = if tiles.may_rotate() { Some(rotated) } else { None };
            }
            own.lines = match (own.streamed, own.packed[0]) {
                (Some(kernel), Some(code)) if !code.packing.columns => Some(kernel),
                _ => None,
            };
        }
        own
    }
}

impl PackedCode {
    const fn of(tiles: &Tiles, isa: Isa, bytes: usize, stream: bool) -> Option<Self> {
        let kernels = isa.kernels();
        let packing = tiles.packing(stream);
        if !packing.rows && !packing.columns && !packing.joined {
            return None;
        }
        let (rows, columns) =
            if packing.joined { (tiles.rows, tiles.joined()) } else { packing.block(tiles) };
        let run = tiles.run(columns);
        let (pitch, of_run) = if packing.joined {
            (rows * tiles.unit, run * rows * tiles.unit)
        } else {
            (packing.pitch(columns * tiles.unit), rows * tiles.unit)
        };
        let pack = kernels.copy(copy_class(columns * tiles.unit));
        let is_long = !tiles.has_short_columns() || of_run >= least_streamed_run(isa);
        let stream = stream && is_long && (!packing.columns || tiles.streams_columns());
        let unpack = kernels.copy(if stream { STREAMED_RUNS } else { copy_class(of_run) });
        let has_unpack = packing.columns || packing.joined;
        let step = if packing.joined { run } else { 1 };
        let run_spacing = match tiles.are_columns_strided {
            true => Spacing::NONE,
            false => Spacing::of(&tiles.column_offsets, tiles.columns, step),
        };
        let of_kernel =
            if has_unpack { tiles.rows_of_tile(rows) } else { tiles.rows_of_stores(rows) };
        let of_kernel = capped(tiles, isa, bytes, of_kernel);
        Some(Self {
            packing,
            rows,
            columns,
            pitch,
            run,
            row_spacing: tiles.row_spacing(),
            run_spacing,
            stream,
            kernel: kernels.tile(tiles.unit, of_kernel, tiles.is_strided),
            starts: tiles.starts(longest(tiles.unit, of_kernel * tiles.unit, isa), bytes),
            pack: if packing.rows { Some(pack) } else { None },
            unpack: if has_unpack { Some(unpack) } else { None },
        })
    }
}
