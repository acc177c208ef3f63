//! Jobs: the loops of one box in bytes, and the kernel for the innermost of them.

use core::fmt;

use super::loops::Loop;
use super::matrix::{Matrix, Rows};
use super::vector::Vector;
use super::{copy, interleave, transpose};

/// What the innermost loops do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// So many bytes that lie together on both sides.
    Copy(usize),
    /// Rows that lie together in the destination by columns that lie together in the source.
    Transpose { rows: Loop, columns: Loop },
    /// The same, where the rows go on in groups that lie together in the destination too.
    Groups { rows: Loop, groups: Loop, columns: Loop },
    /// Three or four rows that take turns in the destination.
    Interleave { rows: Loop, columns: Loop },
    /// Three columns that take turns in the source.
    Deinterleave { rows: Loop, columns: Loop },
    /// One loop of units that lie together on neither side.
    Strided(Loop),
}

/// Everything about one box: outer loops around a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// Where the box begins, in bytes.
    pub(crate) source: usize,
    pub(crate) destination: usize,
    /// The bytes that are moved as one: 1, 2, 4, 8 or 16.
    pub(crate) unit: usize,
    pub(crate) kernel: Kernel,
    /// From the slowest to the fastest in the destination.
    pub(crate) outer: [Loop; Self::CAPACITY],
    pub(crate) outer_count: usize,
    /// Whether to store past the caches.
    pub(crate) stream: bool,
}

impl Job {
    /// The most outer loops. A box with more is moved row by row.
    pub(crate) const CAPACITY: usize = 10;

    /// Whether every unit of the job lies in a source and a destination of so many bytes.
    pub(crate) fn fits(&self, source: usize, destination: usize) -> bool {
        let mut bytes = self.unit;
        let mut inner = [Loop::ONCE; 3];
        match self.kernel {
            Kernel::Copy(run) => bytes = run,
            Kernel::Strided(steps) => inner[0] = steps,
            Kernel::Groups { rows, groups, columns } => inner = [rows, groups, columns],
            Kernel::Transpose { rows, columns }
            | Kernel::Interleave { rows, columns }
            | Kernel::Deinterleave { rows, columns } => {
                inner[..2].copy_from_slice(&[rows, columns])
            }
        }
        let lies_in = |start: usize, stride: fn(&Loop) -> isize, length: usize| {
            let (mut first, mut last) = (start as i128, start as i128 + bytes as i128);
            for level in self.outer[..self.outer_count].iter().chain(&inner) {
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

/// Runs the body with pointers to every pass of the outer loops. No function with a closure: one
/// that is not inlined would not have the CPU features of its caller.
macro_rules! each {
    ($job:ident, $source:ident, $destination:ident, |$from:ident, $to:ident| $body:expr) => {{
        // The fastest loop is a plain one; the slower ones count.
        let (fast, slow) = match $job.outer[..$job.outer_count].split_last() {
            Some((fast, slow)) => (*fast, slow),
            None => (Loop::ONCE, &[][..]),
        };
        let mut index = [0usize; Job::CAPACITY];
        let mut start_from = $source.as_ptr().wrapping_add($job.source);
        let mut start_to = $destination.wrapping_add($job.destination);
        'all: loop {
            let ($from, $to) = (start_from, start_to);
            for i in 0..fast.size as isize {
                let $from = $from.wrapping_offset(i * fast.source);
                let $to = $to.wrapping_offset(i * fast.destination);
                $body
            }
            for (i, level) in slow.iter().enumerate().rev() {
                index[i] += 1;
                start_from = start_from.wrapping_offset(level.source);
                start_to = start_to.wrapping_offset(level.destination);
                if index[i] < level.size {
                    continue 'all;
                }
                let size = level.size as isize;
                index[i] = 0;
                start_from = start_from.wrapping_offset(level.source.wrapping_mul(-size));
                start_to = start_to.wrapping_offset(level.destination.wrapping_mul(-size));
            }
            break;
        }
    }};
}

/// Runs a job of copies.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn copies<V: Vector>(job: &Job, source: &[u8], destination: *mut u8) {
    let Kernel::Copy(bytes) = job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the bytes are part of the job, by the caller's promise.
        unsafe { copy::copy::<V>(from, to, bytes, job.stream) }
    });
    if job.stream {
        V::fence();
    }
}

/// Runs a job of single units.
///
/// # Safety
/// As [`Job::run`].
#[inline(always)]
pub(super) unsafe fn strided<const UNIT: usize>(job: &Job, source: &[u8], destination: *mut u8) {
    let Kernel::Strided(steps) = job.kernel else { return };
    each!(job, source, destination, |from, to| {
        // SAFETY: the units are part of the job, by the caller's promise.
        unsafe { copy::strided::<UNIT>(steps, from, to) }
    })
}

macro_rules! matrix_jobs {
    ($($(#[$about:meta])* $name:ident: $kernel:path;)*) => {$(
        $(#[$about])*
        ///
        /// # Safety
        /// As [`Job::run`], and the CPU has the features of `V`.
        #[inline(always)]
        pub(super) unsafe fn $name<V: Vector, const UNIT: usize>(
            job: &Job,
            source: &[u8],
            destination: *mut u8,
        ) {
            let mut table = [0; 64];
            let Some(matrix) = matrix(job, source, &mut table) else { return };
            each!(job, source, destination, |from, to| {
                // SAFETY: the matrix is part of the job, by the caller's promise.
                unsafe { $kernel(&matrix, from, to) }
            });
            if job.stream {
                V::fence();
            }
        }
    )*};
}

matrix_jobs! {
    /// Runs a job of transposes.
    transposes: transpose::transpose::<V, UNIT, false>;
    /// Runs a job of transposes of groups of rows.
    groups: transpose::transpose::<V, UNIT, true>;
    /// Runs a job of interleaves.
    interleaves: interleave::interleave::<V, UNIT>;
    /// Runs a job of interleaves the other way.
    deinterleaves: interleave::deinterleave::<V, UNIT>;
}

/// The matrix that the kernel of `job` moves.
#[inline(always)]
fn matrix<'a>(job: &Job, source: &[u8], table: &'a mut [isize; 64]) -> Option<Matrix<'a>> {
    let (rows, groups, columns) = match job.kernel {
        Kernel::Groups { rows, groups, columns } => (rows, groups, columns),
        Kernel::Transpose { rows, columns }
        | Kernel::Interleave { rows, columns }
        | Kernel::Deinterleave { rows, columns } => (rows, Loop::ONCE, columns),
        Kernel::Copy(_) | Kernel::Strided(_) => return None,
    };
    let rows = Rows {
        size: rows.size,
        stride: rows.source,
        groups: groups.size,
        group_stride: groups.source,
    };
    if rows.groups > 1 {
        debug_assert!(rows.size.is_power_of_two(), "tiles cut groups of {rows:?}");
        for (row, offset) in table.iter_mut().enumerate() {
            *offset = rows.offset(row);
        }
    }
    Some(Matrix {
        rows,
        columns: columns.size,
        destination_stride: columns.destination,
        readable: source.as_ptr_range(),
        stream: job.stream,
        table,
    })
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
            Kernel::Transpose { rows, columns } => ("transpose", matrix(rows.size, columns)),
            Kernel::Groups { rows, groups, columns } => {
                ("transpose", matrix(rows.size * groups.size, columns))
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
        for (i, level) in self.outer[..self.outer_count].iter().enumerate() {
            write!(formatter, "{}{}", if i == 0 { ", " } else { " x " }, level.size)?;
        }
        if self.outer_count > 0 {
            formatter.write_str(" times")?;
        }
        Ok(())
    }
}
