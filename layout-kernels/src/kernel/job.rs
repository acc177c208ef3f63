//! Jobs: the loops of one box in bytes, and the kernel for the innermost of them.

use core::fmt;

use super::LINE;
use super::look_ups::LookUps;
use super::loops::{Loop, by_source};
use super::matrix::{ColumnGroups, Matrix, Rows};
use super::narrow::lanes_are_columns;
use super::offsets::Table;
use super::pad::Pad;
use super::shuffle::Shuffle;
use super::squares;
use super::staged;
use super::stores::Stores;

/// The bytes of a shuffle below which it does not pay to make tables when it runs.
const FEW: usize = 256;

/// The bytes from which those of the longest vectors pay.
const MANY: usize = 4096;

/// What the innermost loops do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// So many bytes that lie together on both sides.
    Copy(usize),
    /// Rows that lie together in the destination by columns that lie together in the source.
    Transpose { rows: Loop, columns: Loop },
    /// The same, where the rows go on in groups that lie together in the destination too.
    Groups { rows: Loop, groups: Loop, columns: Loop },
    /// A transpose of columns that lie evenly in the destination only in groups, which lie together in the source too.
    ColumnGroups { rows: Loop, columns: Loop, groups: Loop },
    /// Three or four rows that take turns in the destination.
    Interleave { rows: Loop, columns: Loop },
    /// Three or four columns that take turns in the source.
    Deinterleave { rows: Loop, columns: Loop },
    /// Steps that lie together in the destination, with padding or without, and near each other in the source.
    Shuffle(Shuffle),
    /// One loop of units that lie together on neither side.
    Strided(Loop),
    /// A transpose of 4-bit elements. Two rows share the bytes of the destination, so they are of
    /// even number; two columns share those of the source.
    TransposeNibbles { rows: Loop, columns: Loop },
    /// One loop of 4-bit elements, whose strides count elements.
    StridedNibbles(Loop),
    /// Three bytes to four, padding included, where nothing looks up.
    Pad(Pad),
}

/// The functions of a set of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Copies,
    Shuffles,
    Strided,
    Tiles,
    GroupTiles,
    ColumnGroups,
    FewColumns,
    FewRows,
    Units,
    Interleaves,
    Deinterleaves,
    Nibbles,
    StridedNibbles,
    Pads,
}

/// Everything about one box: outer loops around a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Where the box begins, in bytes.
    pub(crate) source: usize,
    pub(crate) destination: usize,
    /// The bytes that are moved as one: 1, 2, 4, 8 or 16.
    pub(crate) unit: usize,
    pub(crate) kernel: Kernel,
    /// From the slowest to the fastest in the destination, those of one pass first.
    pub(crate) outer: [Loop; Self::CAPACITY],
    /// Which stores go past the caches.
    pub(crate) stores: Stores,
}

impl Job {
    /// The most outer loops. A box with more is moved row by row.
    pub const CAPACITY: usize = 10;

    /// A job that moves no byte.
    pub const NOTHING: Self = Self {
        source: 0,
        destination: 0,
        unit: 1,
        kernel: Kernel::Copy(0),
        outer: [Loop::ONCE; Self::CAPACITY],
        stores: Stores::Cached,
    };

    /// The same from so many bytes further on, in the source and in the destination.
    pub const fn further(self, source: usize, destination: usize) -> Self {
        Self {
            source: self.source.wrapping_add(source),
            destination: self.destination.wrapping_add(destination),
            ..self
        }
    }

    /// Whether the kernel fills the padding between what it moves.
    pub const fn fills(&self) -> bool {
        match &self.kernel {
            Kernel::Pad(_) => true,
            Kernel::Shuffle(shuffle) => shuffle.pads(),
            _ => false,
        }
    }

    /// Bytes that the kernel moves as one, and loops that reach as far as it does.
    const fn inner(&self) -> (usize, [Loop; 4]) {
        const ONCE: Loop = Loop::ONCE;
        match self.kernel {
            Kernel::Copy(bytes) => (bytes, [ONCE; 4]),
            Kernel::Shuffle(shuffle) => {
                let [slow, fast] = shuffle.inner;
                // All bytes of a step are written, in what order does not count here.
                let (source, destination) = (0, (shuffle.step() - self.unit) as isize);
                let bytes = Loop { size: 2, source, destination };
                let slow = Loop { destination: 0, ..slow };
                let fast = Loop { destination: 0, ..fast };
                (self.unit, [shuffle.steps, slow, fast, bytes])
            }
            Kernel::Strided(steps) => (self.unit, [steps, ONCE, ONCE, ONCE]),
            Kernel::Groups { rows, groups, columns }
            | Kernel::ColumnGroups { rows, groups, columns } => {
                (self.unit, [rows, groups, columns, ONCE])
            }
            Kernel::Transpose { rows, columns }
            | Kernel::Interleave { rows, columns }
            | Kernel::Deinterleave { rows, columns } => (self.unit, [rows, columns, ONCE, ONCE]),
            Kernel::TransposeNibbles { rows, columns } => {
                let source = (columns.size as isize - 1) / 2;
                let destination = (rows.size as isize - 1) / 2;
                let bytes = Loop { size: 2, source, destination };
                let (rows, columns) =
                    (Loop { destination: 0, ..rows }, Loop { source: 0, ..columns });
                (1, [rows, columns, bytes, ONCE])
            }
            Kernel::StridedNibbles(Loop { size, source, destination }) => {
                let steps = size as isize - 1;
                let (source, destination) = ((steps * source) >> 1, (steps * destination) >> 1);
                (1, [Loop { size: 2, source, destination }, ONCE, ONCE, ONCE])
            }
            Kernel::Pad(Pad { pixels, .. }) => {
                let (source, destination) = (Pad::FROM as isize, Pad::TO as isize);
                let bytes = Loop { size: 2, source: source - 1, destination: destination - 1 };
                (1, [Loop { size: pixels, source, destination }, bytes, ONCE, ONCE])
            }
        }
    }

    /// How many bytes it moves.
    pub const fn bytes(&self) -> usize {
        let mut bytes = match self.kernel {
            Kernel::Copy(bytes) => bytes,
            Kernel::Shuffle(shuffle) => shuffle.bytes(),
            Kernel::Strided(steps) => self.unit * steps.size,
            Kernel::Groups { rows, groups, columns }
            | Kernel::ColumnGroups { rows, groups, columns } => {
                self.unit * rows.size * groups.size * columns.size
            }
            Kernel::Transpose { rows, columns }
            | Kernel::Interleave { rows, columns }
            | Kernel::Deinterleave { rows, columns } => self.unit * rows.size * columns.size,
            Kernel::TransposeNibbles { rows, columns } => rows.size / 2 * columns.size,
            Kernel::StridedNibbles(steps) => steps.size.div_ceil(2),
            Kernel::Pad(pad) => pad.pixels * Pad::TO,
        };
        let mut i = 0;
        while i < Self::CAPACITY {
            bytes *= self.outer[i].size;
            i += 1;
        }
        bytes
    }

    /// The matrix that the kernel moves, where it is one.
    #[inline(always)]
    pub(super) fn matrix(&self, source: &[u8]) -> Option<Matrix> {
        let (rows, columns) = self.rows_and_columns()?;
        Some(Matrix {
            rows,
            columns: columns.size,
            destination_stride: columns.destination,
            column_groups: self.column_groups(),
            readable: source.as_ptr_range(),
            stream: self.stores.go_past(),
        })
    }

    #[inline(always)]
    pub(super) const fn rows_and_columns(&self) -> Option<(Rows, Loop)> {
        let (rows, groups, columns) = match self.kernel {
            Kernel::Groups { rows, groups, columns } => (rows, groups, columns),
            Kernel::ColumnGroups { rows, groups, columns } => {
                let size = columns.size * groups.size;
                (rows, Loop::ONCE, Loop { size, ..columns })
            }
            Kernel::Transpose { rows, columns }
            | Kernel::Interleave { rows, columns }
            | Kernel::Deinterleave { rows, columns }
            | Kernel::TransposeNibbles { rows, columns } => (rows, Loop::ONCE, columns),
            Kernel::Copy(_)
            | Kernel::Shuffle(_)
            | Kernel::Strided(_)
            | Kernel::StridedNibbles(_)
            | Kernel::Pad(_) => return None,
        };
        let Loop { size, source: stride, .. } = rows;
        Some((Rows { size, stride, groups: groups.size, group_stride: groups.source }, columns))
    }

    /// The groups that the columns of the kernel are in, if they are.
    const fn column_groups(&self) -> Option<ColumnGroups> {
        match self.kernel {
            Kernel::ColumnGroups { columns, groups, .. } => {
                Some(ColumnGroups { size: columns.size, stride: groups.destination })
            }
            _ => None,
        }
    }

    /// Where the rows of the kernel are, or one row if it has none.
    #[inline(always)]
    pub(super) const fn rows(&self) -> Rows {
        match self.rows_and_columns() {
            Some((rows, _)) => rows,
            None => Rows { size: 1, stride: 0, groups: 1, group_stride: 0 },
        }
    }

    /// Where the rows of a tile of `bytes` bytes begin.
    #[inline(always)]
    pub(super) const fn table(&self, bytes: usize) -> Table {
        Table::of(&self.rows(), self.units_in(bytes))
    }

    /// What vectors of so many bytes are looked up in.
    pub(super) const fn look_ups(&self, bytes: usize) -> LookUps {
        match &self.kernel {
            Kernel::Shuffle(shuffle) if bytes > 0 => LookUps::of(shuffle, bytes),
            _ => LookUps::NONE,
        }
    }

    /// The same where they are made when the job runs: none for so few bytes that units are sooner moved one by
    /// one.
    pub(super) fn look_ups_now(&self, bytes: usize) -> LookUps {
        if self.bytes() < FEW { LookUps::NONE } else { self.look_ups(bytes) }
    }

    /// The same with a shuffle of longer steps, if it is one that vectors of so many bytes do sooner so.
    pub(super) const fn of_longer_steps(&self, bytes: usize) -> Option<Self> {
        match self.longer_steps() {
            Some(shuffle) if bytes >= LINE => {
                let mut outer = self.outer;
                outer[Self::CAPACITY - 1] = Loop::ONCE;
                Some(Self { kernel: Kernel::Shuffle(shuffle), outer, ..*self })
            }
            _ => None,
        }
    }

    /// The shuffle of longer steps, if there is one.
    const fn longer_steps(&self) -> Option<Shuffle> {
        let [.., next] = &self.outer;
        match &self.kernel {
            Kernel::Shuffle(shuffle) if next.size > 1 && self.bytes() >= MANY => shuffle.with(next),
            _ => None,
        }
    }

    /// How many units so many bytes hold: a shift, for a division would bring its panic along.
    const fn units_in(&self, bytes: usize) -> usize {
        bytes >> self.unit.trailing_zeros()
    }

    /// What code runs it.
    pub(super) const fn code(&self) -> Code {
        let lane = self.units_in(16);
        match self.kernel {
            Kernel::Copy(_) => Code::Copies,
            Kernel::Shuffle(_) => Code::Shuffles,
            Kernel::Strided(_) => Code::Strided,
            Kernel::Interleave { .. } => Code::Interleaves,
            Kernel::Deinterleave { .. } => Code::Deinterleaves,
            Kernel::TransposeNibbles { .. } => Code::Nibbles,
            Kernel::StridedNibbles(_) => Code::StridedNibbles,
            Kernel::Pad(_) => Code::Pads,
            Kernel::ColumnGroups { .. } => Code::ColumnGroups,
            Kernel::Groups { .. } | Kernel::Transpose { .. } => {
                let Some((rows, columns)) = self.rows_and_columns() else { return Code::Copies };
                match (rows.count() >= lane, columns.size >= lane) {
                    (true, true) if rows.groups > 1 => Code::GroupTiles,
                    (true, true) => Code::Tiles,
                    (true, false) => Code::FewColumns,
                    (false, true) => Code::FewRows,
                    (false, false) => Code::Units,
                }
            }
        }
    }

    /// Whether its tiles have to be staged, stacked, or stored past the caches, to be fast.
    pub(super) fn wants_staging(&self, source: &[u8]) -> bool {
        self.matrix(source).is_some_and(|matrix| staged::is_wanted(&matrix, self.unit))
    }

    /// Whether its matrices are squares whose rows and columns share sets of a cache.
    pub(super) fn is_of_squares(&self, source: &[u8]) -> bool {
        self.matrix(source).is_some_and(|matrix| squares::are_wanted(&matrix, self.unit))
    }

    /// Whether copies are lines that are whole lines of the destination apart.
    pub(super) fn moves_lines(&self) -> bool {
        let Kernel::Copy(bytes) = self.kernel else { return false };
        let ends = self.outer.iter().fold(bytes, |ends, level| ends | level.destination as usize);
        ends % LINE == 0
    }

    /// The same with its loops in the order of the source. A function of its own, for it copies the job.
    #[inline(never)]
    pub(super) fn by_source(&self) -> Self {
        Self { outer: by_source(self.outer), ..*self }
    }

    /// The longest vector that the kernel can use, in bytes.
    pub(super) const fn longest_vector(&self) -> usize {
        match (self.kernel, self.rows_and_columns()) {
            (Kernel::Interleave { .. }, Some((_, columns))) => columns.size * self.unit,
            (Kernel::TransposeNibbles { rows, .. }, _) => rows.size / 2,
            // Vectors of 32 bytes look up in lanes, whose tables are sooner made.
            (Kernel::Shuffle(shuffle), _) => {
                let long = self.bytes() >= MANY && shuffle.bytes() > 32;
                match self.longer_steps() {
                    Some(_) => LINE,
                    None if long => shuffle.bytes(),
                    None => 32,
                }
            }
            // With so few rows lanes are columns. One row of 16 bytes, as a part of a job can be, is no lane
            // to be shuffled.
            (Kernel::Transpose { .. } | Kernel::Groups { .. }, Some((rows, columns)))
                if self.unit < 16
                    && rows.count() * self.unit == 16
                    && columns.size * self.unit > 16 =>
            {
                columns.size * self.unit
            }
            // So are they with fewer.
            (Kernel::Transpose { .. } | Kernel::Groups { .. }, Some((rows, columns)))
                if lanes_are_columns(rows.count(), self.unit, columns.destination) =>
            {
                columns.size * self.unit
            }
            (_, Some((rows, _))) => rows.count() * self.unit,
            (_, None) => usize::MAX,
        }
    }

    /// Whether every unit of the job lies in a source and a destination of so many bytes.
    pub(crate) fn fits(&self, source: usize, destination: usize) -> bool {
        let (bytes, inner) = self.inner();
        let lies_in = |start: usize, stride: fn(&Loop) -> isize, length: usize| {
            let (mut first, mut last) = (start as i128, start as i128 + bytes as i128);
            for level in self.outer.iter().chain(&inner) {
                let way = (level.size as i128 - 1) * stride(level) as i128;
                first += way.min(0);
                last += way.max(0);
            }
            0 <= first && last <= length as i128
        };
        lies_in(self.source, |level| level.source, source)
            && lies_in(self.destination, |level| level.destination, destination)
    }
}

/// The kernel, and the loops around it, slowest first.
impl fmt::Display for Job {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit;
        let matrix = |rows: usize, columns: &Loop| (rows, columns.size);
        let (name, (rows, columns)) = match &self.kernel {
            Kernel::Copy(bytes) => {
                write!(formatter, "copy {bytes} bytes")?;
                return self.write_outer(formatter);
            }
            Kernel::Strided(steps) => {
                write!(formatter, "move {} times {unit} bytes", steps.size)?;
                return self.write_outer(formatter);
            }
            Kernel::Shuffle(shuffle) => {
                let (steps, moved, step) = (shuffle.steps.size, shuffle.moved(), shuffle.step());
                if self.fills() {
                    write!(formatter, "pad {steps} times {moved} bytes to {step}")?;
                } else {
                    write!(formatter, "shuffle {steps} times {step} bytes")?;
                }
                return self.write_outer(formatter);
            }
            Kernel::StridedNibbles(steps) => {
                write!(formatter, "move {} times 4 bits", steps.size)?;
                return self.write_outer(formatter);
            }
            Kernel::TransposeNibbles { rows, columns } => {
                let (rows, columns) = (rows.size, columns.size);
                write!(formatter, "transpose {rows} rows by {columns} columns of 4 bits")?;
                return self.write_outer(formatter);
            }
            Kernel::Pad(Pad { pixels, .. }) => {
                write!(formatter, "pad {pixels} times {} bytes to {}", Pad::FROM, Pad::TO)?;
                return self.write_outer(formatter);
            }
            Kernel::Transpose { rows, columns } => ("transpose", matrix(rows.size, columns)),
            Kernel::Groups { rows, groups, columns } => {
                ("transpose", matrix(rows.size * groups.size, columns))
            }
            Kernel::ColumnGroups { rows, groups, columns } => {
                ("transpose", (rows.size, groups.size * columns.size))
            }
            Kernel::Interleave { rows, columns } => ("interleave", matrix(rows.size, columns)),
            Kernel::Deinterleave { rows, columns } => ("deinterleave", matrix(rows.size, columns)),
        };
        write!(formatter, "{name} {rows} rows by {columns} columns of {unit} bytes")?;
        self.write_outer(formatter)
    }
}

impl Job {
    fn write_outer(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = ", ";
        for level in self.outer.iter().filter(|level| level.size != 1) {
            write!(formatter, "{separator}{}", level.size)?;
            separator = " x ";
        }
        if separator == ", " { Ok(()) } else { formatter.write_str(" times") }
    }
}
