//! Tiles: as many rows as a vector holds by 16 bytes of columns, transposed in registers.

use core::ops::Range;

use super::matrix::Rows;
use super::vector::{Vector, Vectors};

/// The same number or pointer, of which the compiler knows nothing more. With `pure` it may leave out
/// what is not used, and move the rest out of loops.
macro_rules! opaque {
    ($value:expr $(, $pure:ident)?) => {{
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "nothing changes it"))]
        let mut own = $value;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inout(reg) own,
                options($($pure,)? nomem, nostack, preserves_flags)
            )
        };
        own
    }};
}

/// Where the rows of a tile begin in the source.
pub(super) trait Offsets: Copy {
    /// Whether rows are in groups.
    const GROUPS: bool;

    /// Whether strides are hidden from the compiler, which would make a multiple of them for each row.
    const HIDDEN: bool;

    /// What is kept from one row to the next.
    type Walk;

    /// Before the first row of each lane of the tile that begins at `from`; lanes are `group` rows
    /// apart.
    fn walk(self, from: *const u8, group: usize) -> Self::Walk;

    /// The same so many bytes further along the rows.
    fn further(walk: &Self::Walk, bytes: usize) -> Self::Walk;

    /// Where row `row` of the tile that begins at `from` does.
    fn row(self, from: *const u8, row: usize) -> *const u8;

    /// Row `row` of each lane, for each row in turn. Those of lanes that the vector does not have
    /// may lie anywhere.
    fn next(self, walk: &mut Self::Walk, row: usize, group: usize) -> [*const u8; 4];
}

/// Evenly spaced rows: from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Even(pub(super) isize);

impl Offsets for Even {
    const GROUPS: bool = false;

    const HIDDEN: bool = true;

    type Walk = Steps;

    #[inline(always)]
    fn row(self, from: *const u8, row: usize) -> *const u8 {
        from.wrapping_offset(self.0.wrapping_mul(row as isize))
    }

    #[inline(always)]
    fn walk(self, from: *const u8, group: usize) -> Self::Walk {
        Steps::new(self.0, from, group)
    }

    #[inline(always)]
    fn further(walk: &Self::Walk, bytes: usize) -> Self::Walk {
        let [a, b, c, d] = walk.lanes;
        let lanes = [
            a.wrapping_add(bytes),
            b.wrapping_add(bytes),
            c.wrapping_add(bytes),
            d.wrapping_add(bytes),
        ];
        Steps { lanes, ..*walk }
    }

    #[inline(always)]
    fn next(self, walk: &mut Self::Walk, row: usize, _: usize) -> [*const u8; 4] {
        walk.row(row)
    }
}

/// The rows of a tile in turn, of each lane one.
///
/// The compiler must not see that they go on evenly: it would make more multiples of the stride than
/// there are registers, and what a tile loads from the stack waits for those stores of the tile before it
/// whose addresses have the same last 12 bits. An address takes a multiple by 1, 2, 4 or 8 for nothing,
/// so these four make eight rows.
pub(super) struct Steps {
    stride: isize,
    three: isize,
    five: isize,
    seven: isize,
    /// Where the last row that is a multiple of eight begins.
    lanes: [*const u8; 4],
}

impl Steps {
    /// Before the first row of each lane, `group` rows apart.
    #[inline(always)]
    fn new(stride: isize, from: *const u8, group: usize) -> Self {
        // Anew for each tile: outside of the loop over tiles it would end up on the stack.
        let stride = opaque!(stride);
        let multiple = |times: isize| opaque!(stride.wrapping_mul(times), pure);
        let [_, b, c, d] = stepped([from; 4], stride.wrapping_mul(group as isize), [0, 1, 2, 3]);
        let lanes = [from, b, c, d];
        Self { stride, three: multiple(3), five: multiple(5), seven: multiple(7), lanes }
    }

    /// Row `row` of each lane, for each row in turn.
    #[inline(always)]
    fn row(&mut self, row: usize) -> [*const u8; 4] {
        if row > 0 && row % 8 == 0 {
            self.lanes = stepped(self.lanes, self.stride.wrapping_mul(8), [1; 4]);
        }
        let offset = match row % 8 {
            0 => 0,
            1 => self.stride,
            2 => self.stride.wrapping_mul(2),
            3 => self.three,
            4 => self.stride.wrapping_mul(4),
            5 => self.five,
            6 => self.three.wrapping_mul(2),
            _ => self.seven,
        };
        let [a, b, c, d] = self.lanes;
        [
            a.wrapping_offset(offset),
            b.wrapping_offset(offset),
            c.wrapping_offset(offset),
            d.wrapping_offset(offset),
        ]
    }
}

/// Rows as a table of where each begins: the same for every tile, which begins with a group or lies in
/// one.
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

/// [`Table`] of a job that is known when the program is compiled: it becomes a part of the addresses.
#[derive(Clone, Copy)]
pub(super) struct Known(pub(super) &'static Table);

/// Both are looked up alike.
macro_rules! table_offsets {
    ($($type:ty, $hidden:literal, |$own:ident| $table:expr;)*) => {$(
        impl Offsets for $type {
            const GROUPS: bool = true;

            const HIDDEN: bool = $hidden;

            type Walk = *const u8;

            #[inline(always)]
            fn row(self, from: *const u8, row: usize) -> *const u8 {
                let $own = self;
                from.wrapping_offset($table.at(row))
            }

            #[inline(always)]
            fn walk(self, from: *const u8, _: usize) -> Self::Walk {
                from
            }

            #[inline(always)]
            fn further(walk: &Self::Walk, bytes: usize) -> Self::Walk {
                walk.wrapping_add(bytes)
            }

            #[inline(always)]
            fn next(self, from: &mut Self::Walk, row: usize, group: usize) -> [*const u8; 4] {
                [
                    self.row(*from, row),
                    self.row(*from, row + group),
                    self.row(*from, row + 2 * group),
                    self.row(*from, row + 3 * group),
                ]
            }
        }
    )*};
}

table_offsets! {
    &Table, true, |own| own;
    Known, false, |own| own.0;
}

/// Transposes the tile whose first row begins at `from` and whose first column at `to`, where
/// columns are `stride` bytes apart.
///
/// # Safety
/// - 16 bytes of each of `V::BYTES / WIDTH` rows are readable and `V::BYTES` of each of
///   `16 / WIDTH` columns writable, with `STREAM` at multiples of `V::BYTES`;
/// - the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn tile<V: Vector, const WIDTH: usize, const STREAM: bool, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    // SAFETY: the caller's promise.
    unsafe { columns_of_tile::<V, WIDTH, STREAM, O>(offsets, 0..16 / WIDTH, from, to, stride) }
}

/// The given columns of a tile, of which the first one goes to `to`. Where they are literals, only what
/// they need is compiled.
///
/// # Safety
/// As [`tile`], but only these columns need be writable.
#[inline(always)]
pub(super) unsafe fn columns_of_tile<
    V: Vector,
    const WIDTH: usize,
    const STREAM: bool,
    O: Offsets,
>(
    offsets: O,
    columns: Range<usize>,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    let walk = offsets.walk(from, 16 / WIDTH);
    // SAFETY: the caller's promise.
    unsafe { walked::<V, WIDTH, STREAM, false, O>(offsets, walk, columns, to, stride) };
}

/// Transposes four tiles, each beginning 16 bytes after the one before it: they share the addresses of
/// their rows, which take longer than a tile of few rows.
///
/// # Safety
/// As [`tile`], for 64 bytes of each row and `64 / WIDTH` columns.
#[inline(always)]
pub(super) unsafe fn four_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let columns = 16 / WIDTH;
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    let walk = offsets.walk(from, columns);
    macro_rules! tiles {
        ($($i:literal)*) => {$({
            let walk = O::further(&walk, 16 * $i);
            let to = to.wrapping_offset(columns as isize * stride * $i);
            // SAFETY: the tile is one of the four.
            unsafe { walked::<V, WIDTH, false, false, O>(offsets, walk, 0..columns, to, stride) };
        })*};
    }
    tiles!(0 1 2 3);
}

/// Transposes one row of tiles of a lane each, as many as a vector has lanes: 16 bytes of rows by V::BYTES of
/// columns. The first row begins at `from` and the first column at `to`, where columns are `stride` bytes
/// apart.
///
/// # Safety
/// - V::BYTES of each of `16 / WIDTH` rows are readable and 16 bytes of each of `V::BYTES / WIDTH` columns
///   writable;
/// - the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn lane_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    let walk = offsets.walk(from, 16 / WIDTH);
    // SAFETY: the caller's promise.
    unsafe { walked::<V, WIDTH, false, true, O>(offsets, walk, 0..16 / WIDTH, to, stride) };
}

/// The given columns of a tile whose rows `walk` goes along. With `LANES` of a row of [`lane_tiles`], those
/// of each.
///
/// # Safety
/// As [`columns_of_tile`], or [`lane_tiles`].
#[inline(always)]
unsafe fn walked<
    V: Vector,
    const WIDTH: usize,
    const STREAM: bool,
    const LANES: bool,
    O: Offsets,
>(
    offsets: O,
    mut walk: O::Walk,
    columns: Range<usize>,
    to: *mut u8,
    stride: isize,
) {
    debug_assert!(columns.end <= 16 / WIDTH, "{columns:?} of {}", 16 / WIDTH);
    let group = 16 / WIDTH;
    let mut to = to;
    macro_rules! vectors {
        ($($round:literal)*: $($i:literal)*) => {{
            let v = [$({
                let lanes = offsets.next(&mut walk, $i, group);
                if LANES {
                    // SAFETY: a row of the tiles.
                    unsafe { V::load(lanes[0]) }
                } else {
                    // SAFETY: 16 bytes of rows of the tile.
                    unsafe { V::load_lanes(lanes) }
                }
            }),*];
            // No loop: one over as many vectors as this is not always unrolled.
            $(
                let _ = $round;
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let v = unsafe { v.shuffled::<WIDTH>() };
            )*
            $(
                if LANES {
                    // SAFETY: a column of each tile.
                    unsafe { v[$i].store_lanes(to, group as isize * stride) };
                    to = to.wrapping_offset(stride);
                } else if columns.start <= $i && $i < columns.end {
                    // SAFETY: such a column of the tile, with `STREAM` as aligned as it must be.
                    unsafe { put::<V, STREAM>(v[$i], to) };
                    to = to.wrapping_offset(stride);
                }
            )*
        }};
    }
    match WIDTH {
        1 => vectors!(0 1 2 3: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        2 => vectors!(0 1 2: 0 1 2 3 4 5 6 7),
        4 => vectors!(0 1: 0 1 2 3),
        8 => vectors!(0: 0 1),
        _ => {
            let lanes = offsets.next(&mut walk, 0, group);
            // SAFETY: each row of the tile is 16 bytes.
            let v = unsafe { V::load_lanes(lanes) };
            // SAFETY: the tile is one column, with `STREAM` as aligned as it must be.
            unsafe { put::<V, STREAM>(v, to) };
        }
    }
    let _ = to;
}

/// Each pointer so many strides further.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through them here")
)]
fn stepped(lanes: [*const u8; 4], stride: isize, times: [isize; 4]) -> [*const u8; 4] {
    let [a, b, c, d] = lanes;
    let further = |times: isize| stride.wrapping_mul(times);
    [
        opaque!(a.wrapping_offset(further(times[0])), pure),
        opaque!(b.wrapping_offset(further(times[1])), pure),
        opaque!(c.wrapping_offset(further(times[2])), pure),
        opaque!(d.wrapping_offset(further(times[3])), pure),
    ]
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
