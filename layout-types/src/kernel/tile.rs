//! Tiles: as many rows as a vector holds by 16 bytes of columns, transposed in registers.

use super::matrix::Rows;
use super::vector::{Vector, Vectors};

/// Where the rows of a tile begin in the source.
pub(super) trait Offsets: Copy {
    /// Whether rows are in groups.
    const GROUPS: bool;

    /// The same offsets, as [`opaque`].
    fn opaque(self) -> Self;

    /// The first row of each lane of the tile that begins at `from`; lanes are `group` rows apart.
    fn lanes(self, from: *const u8, group: usize) -> [*const u8; 4];

    /// From row `row` of each lane to the next one.
    fn next(self, lanes: [*const u8; 4], row: usize, group: usize) -> [*const u8; 4];
}

/// Evenly spaced rows: from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Even(pub(super) isize);

impl Offsets for Even {
    const GROUPS: bool = false;

    #[inline(always)]
    fn opaque(self) -> Self {
        Self(opaque(self.0))
    }

    #[inline(always)]
    fn lanes(self, from: *const u8, group: usize) -> [*const u8; 4] {
        // Pointers for lanes that the vector does not have may lie anywhere.
        let step = self.0.wrapping_mul(group as isize);
        let second = from.wrapping_offset(step);
        let third = second.wrapping_offset(step);
        [from, second, third, third.wrapping_offset(step)]
    }

    #[inline(always)]
    fn next(self, lanes: [*const u8; 4], _: usize, _: usize) -> [*const u8; 4] {
        let [a, b, c, d] = lanes;
        [
            a.wrapping_offset(self.0),
            b.wrapping_offset(self.0),
            c.wrapping_offset(self.0),
            d.wrapping_offset(self.0),
        ]
    }
}

/// Rows in groups. The same for every tile, which begins with a group or lies in one.
pub(super) struct Table([isize; 64]);

impl Table {
    /// No rows.
    pub(super) const NONE: Self = Self([0; 64]);

    /// Where the first `count` of these rows begin; past their end, where the last one does.
    #[inline(always)]
    pub(super) const fn of(rows: &Rows, count: usize) -> Self {
        let mut table = Self::NONE;
        let mut row = 0;
        while row < count && row < 64 {
            table.0[row] = rows.offset(if row < rows.count() { row } else { rows.count() - 1 });
            row += 1;
        }
        table
    }

    /// Where row `row` begins.
    #[inline(always)]
    pub(super) const fn at(&self, row: usize) -> isize {
        self.0[row % 64]
    }
}

impl Offsets for &Table {
    const GROUPS: bool = true;

    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }

    #[inline(always)]
    fn lanes(self, from: *const u8, group: usize) -> [*const u8; 4] {
        [
            from.wrapping_offset(self.at(0)),
            from.wrapping_offset(self.at(group)),
            from.wrapping_offset(self.at(2 * group)),
            from.wrapping_offset(self.at(3 * group)),
        ]
    }

    #[inline(always)]
    fn next(self, lanes: [*const u8; 4], row: usize, group: usize) -> [*const u8; 4] {
        let step = |lane: usize| {
            let row = row + lane * group;
            lanes[lane].wrapping_offset(self.at(row + 1).wrapping_sub(self.at(row)))
        };
        [step(0), step(1), step(2), step(3)]
    }
}

/// Transposes the tile whose first row begins at `from` and whose first column at `to`, where
/// columns are `stride` bytes apart.
///
/// # Safety
/// - 16 bytes of each of `V::BYTES / WIDTH` rows are readable and `V::BYTES` of each of
///   `16 / WIDTH` columns writable, with `STREAM` at multiples of `V::BYTES`;
/// - the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn tile<V: Vector, const WIDTH: usize, const STREAM: bool>(
    offsets: impl Offsets,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let group = 16 / WIDTH;
    let offsets = offsets.opaque();
    let stride = opaque(stride);
    let mut lanes = offsets.lanes(from, group);
    let mut to = to;
    macro_rules! vectors {
        ($rounds:literal: $($i:literal)*) => {{
            let mut v = [$({
                // SAFETY: 16 bytes of rows of the tile.
                let loaded = unsafe { V::load_lanes(lanes) };
                lanes = offsets.next(lanes, $i, group);
                loaded
            }),*];
            for _ in 0..$rounds {
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                v = unsafe { v.shuffled::<WIDTH>() };
            }
            $(
                // SAFETY: a column of the tile, and with `STREAM` as aligned as it must be.
                unsafe { put::<V, STREAM>(v[$i], to) };
                to = to.wrapping_offset(stride);
            )*
        }};
    }
    match WIDTH {
        1 => vectors!(4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        2 => vectors!(3: 0 1 2 3 4 5 6 7),
        4 => vectors!(2: 0 1 2 3),
        8 => vectors!(1: 0 1),
        _ => {
            // SAFETY: each row of the tile is 16 bytes.
            let v = unsafe { V::load_lanes(lanes) };
            // SAFETY: the tile is one column, with `STREAM` as aligned as it must be.
            unsafe { put::<V, STREAM>(v, to) };
        }
    }
    let _ = (lanes, to);
}

/// The same number, of which the compiler knows nothing more.
#[inline(always)]
fn opaque(stride: isize) -> isize {
    let mut own = stride;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) own, options(nomem, nostack, preserves_flags))
    };
    own
}

/// Stores a vector, past the caches with `STREAM`.
///
/// # Safety
/// As [`Vector::store`] and [`Vector::stream`].
#[inline(always)]
pub(super) unsafe fn put<V: Vector, const STREAM: bool>(v: V, to: *mut u8) {
    if STREAM {
        // SAFETY: the caller's promise.
        unsafe { v.stream(to) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(to) };
    }
}
