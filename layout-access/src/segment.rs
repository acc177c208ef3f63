//! Coalescing: the sectors and lines of global memory that an access touches.

use core::fmt;

use crate::bank::check_range;
use crate::pattern::Access;
use layout_core::each;

/// A memory that moves sectors. Several sectors are a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segments {
    /// The bytes of a sector: at least 1.
    pub sector: usize,
    /// The bytes of a line: at least 1.
    pub line: usize,
}

impl Segments {
    /// Global memory of NVIDIA GPUs: sectors of 32 bytes in lines of 128.
    pub const NVIDIA: Self = Self { sector: 32, line: 128 };
}

/// The sectors and lines of an access. [`coalescing`] returns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coalescing {
    sectors: usize,
    lines: usize,
    bytes: usize,
    moved: usize,
}

/// Counts the sectors and lines that an access touches, in a buffer that begins at a multiple of both.
/// [`Access::based`] sets another start.
///
/// ```
/// use tensor_layout::access::{Access, Segments, coalescing};
/// use tensor_layout::layout;
///
/// type Row = layout!(X<X = 32>, f32);
/// const READ: Access = Access::of(&Row::LAYOUT, "X");
/// const _: () = assert!(coalescing(&READ, &Segments::NVIDIA).sectors() == 4);
/// // At a start that is not a multiple of 32 bytes, it takes one more.
/// const _: () = assert!(coalescing(&READ.based(4), &Segments::NVIDIA).sectors() == 5);
/// ```
///
/// # Panics
/// If a sector or a line has no bytes.
#[track_caller]
pub const fn coalescing(access: &Access, memory: &Segments) -> Coalescing {
    check_range("number of bytes of a sector", memory.sector, usize::MAX);
    check_range("number of bytes of a line", memory.line, usize::MAX);
    let (starts, lanes) = access.sorted_starts(0, access.lanes());
    let sectors = distinct(&starts, lanes, access.bytes(), memory.sector);
    Coalescing {
        sectors,
        lines: distinct(&starts, lanes, access.bytes(), memory.line),
        bytes: distinct(&starts, lanes, access.bytes(), 1),
        moved: sectors.saturating_mul(memory.sector),
    }
}

/// The number of segments of `size` bytes that the lanes touch.
const fn distinct(
    starts: &[usize; Access::MOST_LANES],
    lanes: usize,
    bytes: usize,
    size: usize,
) -> usize {
    // The segments below this one have been counted.
    let (mut count, mut next) = (0, 0);
    each!(lane, 0..lanes, {
        let (mut first, last) =
            (starts[lane] / size, starts[lane].saturating_add(bytes - 1) / size);
        if first < next {
            first = next;
        }
        if last >= first {
            count += last - first + 1;
            next = match last.checked_add(1) {
                Some(next) => next,
                None => return count,
            };
        }
    });
    count
}

impl Coalescing {
    /// The number of sectors that are moved.
    pub const fn sectors(&self) -> usize {
        self.sectors
    }

    /// The number of lines that these sectors are in.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// The number of bytes that the lanes take. Bytes that several lanes take count once.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of bytes of the sectors.
    pub const fn moved_bytes(&self) -> usize {
        self.moved
    }

    /// The part of the moved bytes that lanes take, from 0 to 1. It is 1 if nothing is moved.
    pub const fn efficiency(&self) -> f64 {
        if self.moved == 0 { 1.0 } else { self.bytes as f64 / self.moved as f64 }
    }
}

impl fmt::Display for Coalescing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sectors, lines, bytes, moved } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        write!(
            formatter,
            "{sectors} sector{} in {lines} line{}: {bytes} of {moved} bytes are used",
            plural(*sectors),
            plural(*lines)
        )
    }
}
