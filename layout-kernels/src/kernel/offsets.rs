//! Offsets: where the rows of a tile begin in the source.

use super::matrix::Rows;

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

pub(super) use opaque;

/// Where the rows of a tile begin in the source.
pub(super) trait Offsets: Copy {
    /// Whether rows are in groups.
    const GROUPS: bool;

    /// Whether strides are hidden from the compiler, which would make a multiple of them for each row.
    const HIDDEN: bool;

    /// What is kept from one row to the next.
    type Walk;

    /// Where the tile begins that is so many bytes along the rows of a strip of them.
    #[inline(always)]
    fn along(from: *const u8, bytes: usize) -> *const u8 {
        from.wrapping_add(bytes)
    }

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
        let lanes = shifted(&walk.lanes, bytes as isize);
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
        shifted(&self.lanes, offset)
    }
}

/// Each pointer so many bytes further.
#[inline(always)]
fn shifted([a, b, c, d]: &[*const u8; 4], bytes: isize) -> [*const u8; 4] {
    [
        a.wrapping_offset(bytes),
        b.wrapping_offset(bytes),
        c.wrapping_offset(bytes),
        d.wrapping_offset(bytes),
    ]
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

/// Rows as a table of where each begins: the same for every tile, which begins with a group or lies in
/// one.
pub(super) struct Table {
    rows: [isize; 64],
    /// The least and the greatest of those offsets.
    pub(super) nearest: isize,
    pub(super) farthest: isize,
}

impl Table {
    /// No rows.
    pub(super) const NONE: Self = Self { rows: [0; 64], nearest: 0, farthest: 0 };

    /// Where the first `count` of these rows begin; past their end, where the last one does.
    #[inline(always)]
    pub(super) const fn of(rows: &Rows, count: usize) -> Self {
        let mut table = Self::NONE;
        // In registers, for the compiler would keep those of the table in memory.
        let (mut nearest, mut farthest) = (0, 0);
        let mut row = 0;
        while row < count && row < 64 {
            let offset = rows.offset(if row < rows.count() { row } else { rows.count() - 1 });
            table.rows[row] = offset;
            nearest = if offset < nearest { offset } else { nearest };
            farthest = if offset > farthest { offset } else { farthest };
            row += 1;
        }
        (table.nearest, table.farthest) = (nearest, farthest);
        table
    }

    /// Where row `row` begins.
    #[inline(always)]
    pub(super) const fn at(&self, row: usize) -> isize {
        self.rows[row % 64]
    }
}

/// [`Table`] of a job that is known when the program is compiled: it becomes a part of the addresses.
#[derive(Clone, Copy)]
pub(super) struct Known(pub(super) &'static Table);

impl Offsets for Known {
    const GROUPS: bool = true;

    const HIDDEN: bool = false;

    type Walk = *const u8;

    #[inline(always)]
    fn row(self, from: *const u8, row: usize) -> *const u8 {
        from.wrapping_offset(self.0.at(row))
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

/// What is looked up is the offset in a lane, for to look up every row takes as long as to load it. Lanes are
/// alike: rows are evenly spaced, or lanes and groups of rows are powers of two, and a tile begins with a group
/// or lies in one. Past the last row are only lanes that are not loaded.
impl Offsets for &Table {
    const GROUPS: bool = true;

    const HIDDEN: bool = true;

    /// Where each lane begins.
    type Walk = [*const u8; 4];

    #[inline(always)]
    fn row(self, from: *const u8, row: usize) -> *const u8 {
        from.wrapping_offset(self.at(row))
    }

    /// The compiler would keep a pointer for each row of a strip of tiles, on the stack.
    #[inline(always)]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it here")
    )]
    fn along(from: *const u8, bytes: usize) -> *const u8 {
        opaque!(from.wrapping_add(bytes))
    }

    #[inline(always)]
    fn walk(self, from: *const u8, group: usize) -> Self::Walk {
        [from, self.row(from, group), self.row(from, 2 * group), self.row(from, 3 * group)]
    }

    #[inline(always)]
    fn further(lanes: &Self::Walk, bytes: usize) -> Self::Walk {
        shifted(lanes, bytes as isize)
    }

    #[inline(always)]
    fn next(self, lanes: &mut Self::Walk, row: usize, _: usize) -> [*const u8; 4] {
        shifted(lanes, self.at(row))
    }
}

#[cfg(test)]
mod tests {
    use super::{Offsets, Rows, Table};

    #[test]
    fn tables_reach_both_ways() {
        let rows = Rows { size: 4, stride: -3, groups: 3, group_stride: 100 };
        let reach = |count| {
            let table = Table::of(&rows, count);
            (table.nearest, table.farthest)
        };
        assert_eq!(reach(2), (-3, 0));
        assert_eq!(reach(8), (-9, 100));
        // There are twelve.
        assert_eq!(reach(64), (-9, 200));
    }

    #[test]
    fn lanes_of_groups_are_alike() {
        let buffer = [0u8; 1];
        let from = buffer.as_ptr();
        for (size, group) in [
            (2, 4),
            (2, 16),
            (4, 8),
            (4, 16),
            (8, 4),
            (8, 8),
            (16, 4),
            (32, 16),
            (64, 16),
            (256, 16),
        ] {
            let rows = Rows { size, stride: 9, groups: 256 / size, group_stride: -1000 };
            let table = &Table::of(&rows, 4 * group);
            let mut walk = table.walk(from, group);
            let mut walk_further = <&Table>::further(&walk, 16);
            for row in 0..group {
                let lanes = table.next(&mut walk, row, group);
                let further = table.next(&mut walk_further, row, group);
                for lane in 0..4 {
                    let expected = from.wrapping_offset(rows.offset(row + lane * group));
                    assert_eq!(lanes[lane], expected, "{rows:?}, row {row} of lane {lane}");
                    assert_eq!(further[lane], expected.wrapping_add(16), "{rows:?}");
                }
            }
        }
    }
}
