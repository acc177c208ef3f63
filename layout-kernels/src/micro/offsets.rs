//! Offsets: where the rows of a tile begin in the source, and where its columns begin in the destination.

/// Returns the same number or pointer, opaque to the optimizer. With `pure`, the compiler may remove it if it is
/// unused and move it out of loops.
macro_rules! opaque {
    ($value:expr $(, $pure:ident)?) => {{
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "nothing changes it"))]
        let mut own = $value;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the assembly has no instruction.
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

pub(crate) use opaque;

/// The positions of the rows of a matrix in the source.
pub(crate) trait Rows: Copy {
    /// The state from one row of a tile to the next.
    type Cursor;

    /// Returns the rows from row `row` on and a pointer to it, for [`cursor`](Self::cursor).
    ///
    /// # Safety
    /// The matrix must have the row.
    unsafe fn at(self, from: *const u8, row: usize) -> (Self, *const u8);

    /// Returns the cursor before the first row of each lane. Lane `i` begins `i * group` rows after this one.
    ///
    /// # Safety
    /// For each lane of the vector, the matrix must have the rows of a lane from there on.
    unsafe fn cursor(self, from: *const u8, group: usize) -> Self::Cursor;

    /// Returns the same cursor moved by `bytes` bytes along the rows.
    fn along(cursor: &Self::Cursor, bytes: usize) -> Self::Cursor;

    /// Returns pointers to row `row` of each lane. It is called for each row in order. Pointers of lanes from `lanes`
    /// on are arbitrary.
    ///
    /// # Safety
    /// The same as [`cursor`](Self::cursor). Each lane must have an even number of rows.
    unsafe fn next(
        self,
        cursor: &mut Self::Cursor,
        row: usize,
        group: usize,
        lanes: usize,
    ) -> [*const u8; 4];
}

/// The positions of the columns of a matrix in the destination.
pub(crate) trait Columns: Copy {
    /// The state from one column of a tile to the next.
    type Cursor;

    /// Returns the columns from column `column` on and a pointer to it, for [`cursor`](Self::cursor).
    ///
    /// # Safety
    /// The matrix must have the column.
    unsafe fn at(self, to: *mut u8, column: usize) -> (Self, *mut u8);

    /// Returns the cursor before the first column.
    fn cursor(self, to: *mut u8) -> Self::Cursor;

    /// Returns a pointer to column `column`. It is called in order for each column of a tile, or with `EDGE` for the
    /// first ones of a tile.
    ///
    /// # Safety
    /// The matrix must have the column, counted from the last [`at`](Self::at). Without `EDGE`, it must have the
    /// columns of the whole tile, of which there is an even number.
    unsafe fn next<const EDGE: bool>(self, cursor: &mut Self::Cursor, column: usize) -> *mut u8;

    /// Whether the matrix is a constant, so that the optimizer should see how many columns the last tile has.
    const IS_STATIC: bool = false;

    /// Returns the same columns, opaque to the optimizer.
    fn opaque(self) -> Self;
}

/// Evenly spaced rows or columns: their stride.
#[derive(Clone, Copy)]
pub(crate) struct Strided(pub(crate) isize);

impl Rows for Strided {
    type Cursor = Steps;

    #[inline(always)]
    unsafe fn at(self, from: *const u8, row: usize) -> (Self, *const u8) {
        (self, from.wrapping_offset(self.0.wrapping_mul(row as isize)))
    }

    #[inline(always)]
    unsafe fn cursor(self, from: *const u8, group: usize) -> Steps {
        Steps::new(self.0, from, group)
    }

    #[inline(always)]
    fn along(cursor: &Steps, bytes: usize) -> Steps {
        Steps { lanes: shifted(&cursor.lanes, bytes as isize), ..*cursor }
    }

    #[inline(always)]
    unsafe fn next(self, cursor: &mut Steps, row: usize, _: usize, _: usize) -> [*const u8; 4] {
        cursor.row(row)
    }
}

impl Columns for Strided {
    type Cursor = *mut u8;

    #[inline(always)]
    unsafe fn at(self, to: *mut u8, column: usize) -> (Self, *mut u8) {
        (self, to.wrapping_offset(self.0.wrapping_mul(column as isize)))
    }

    #[inline(always)]
    fn cursor(self, to: *mut u8) -> *mut u8 {
        to
    }

    #[inline(always)]
    unsafe fn next<const EDGE: bool>(self, cursor: &mut *mut u8, _: usize) -> *mut u8 {
        let own = *cursor;
        *cursor = own.wrapping_offset(self.0);
        own
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        Self(opaque!(self.0))
    }
}

/// Evenly spaced rows or columns of a constant matrix. The compiler knows every multiple of the stride.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "only small static moves of x86-64 use it")]
pub(crate) struct Fixed(pub(crate) isize);

impl Rows for Fixed {
    type Cursor = *const u8;

    #[inline(always)]
    unsafe fn at(self, from: *const u8, row: usize) -> (Self, *const u8) {
        (self, from.wrapping_offset(self.0.wrapping_mul(row as isize)))
    }

    #[inline(always)]
    unsafe fn cursor(self, from: *const u8, _: usize) -> *const u8 {
        from
    }

    #[inline(always)]
    fn along(cursor: &*const u8, bytes: usize) -> *const u8 {
        cursor.wrapping_add(bytes)
    }

    #[inline(always)]
    unsafe fn next(
        self,
        cursor: &mut *const u8,
        row: usize,
        group: usize,
        _: usize,
    ) -> [*const u8; 4] {
        let at = |row: usize| cursor.wrapping_offset(self.0.wrapping_mul(row as isize));
        [at(row), at(row + group), at(row + 2 * group), at(row + 3 * group)]
    }
}

impl Columns for Fixed {
    type Cursor = *mut u8;
    const IS_STATIC: bool = true;

    #[inline(always)]
    unsafe fn at(self, to: *mut u8, column: usize) -> (Self, *mut u8) {
        (self, to.wrapping_offset(self.0.wrapping_mul(column as isize)))
    }

    #[inline(always)]
    fn cursor(self, to: *mut u8) -> *mut u8 {
        to
    }

    #[inline(always)]
    unsafe fn next<const EDGE: bool>(self, to: &mut *mut u8, column: usize) -> *mut u8 {
        to.wrapping_offset(self.0.wrapping_mul(column as isize))
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// The rows of a tile in order, one of each lane.
///
/// The compiler must not see that the rows are evenly spaced. Otherwise it would keep more multiples of the stride
/// than there are registers, and spill them to the stack. Loads of spilled multiples then wait for stores of the tile
/// before them whose addresses have the same last 12 bits. An address can scale a register by 1, 2, 4 or 8 at no
/// cost, so four pointers and one stride make eight rows.
pub(crate) struct Steps {
    stride: isize,
    three: isize,
    five: isize,
    seven: isize,
    /// The pointer of each lane to its last row whose number is a multiple of eight.
    lanes: [*const u8; 4],
}

impl Steps {
    /// Returns the state before the first row of each lane. Lanes are `group` rows apart.
    #[inline(always)]
    fn new(stride: isize, from: *const u8, group: usize) -> Self {
        // Opaque again for each tile: outside the loop over tiles the stride would end up on the stack.
        let stride = opaque!(stride);
        let multiple = |times: isize| opaque!(stride.wrapping_mul(times), pure);
        let [_, b, c, d] = stepped([from; 4], stride.wrapping_mul(group as isize), [0, 1, 2, 3]);
        let lanes = [from, b, c, d];
        Self { stride, three: multiple(3), five: multiple(5), seven: multiple(7), lanes }
    }

    /// Returns row `row` of each lane. It is called for each row in order.
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

/// Returns each pointer moved by `bytes` bytes.
#[inline(always)]
fn shifted([a, b, c, d]: &[*const u8; 4], bytes: isize) -> [*const u8; 4] {
    [
        a.wrapping_offset(bytes),
        b.wrapping_offset(bytes),
        c.wrapping_offset(bytes),
        d.wrapping_offset(bytes),
    ]
}

/// Returns each pointer moved by some strides.
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

/// Rows or columns whose offsets are in a table.
#[derive(Clone, Copy)]
pub(crate) struct Table(pub(crate) *const i32);

impl Table {
    /// # Safety
    /// The table must have entry `index` from here on.
    #[inline(always)]
    unsafe fn get(self, index: usize) -> isize {
        // SAFETY: the caller's promise.
        unsafe { *self.0.wrapping_add(index) as isize }
    }

    /// Returns two entries by one load. The loads of a tile take longer than its arithmetic.
    ///
    /// # Safety
    /// The table must have the entries `index` and `index + 1` from here on.
    #[inline(always)]
    unsafe fn two(self, index: usize) -> [isize; 2] {
        let both = self.0.wrapping_add(index).cast::<i64>();
        // SAFETY: the caller's promise.
        let both = unsafe { both.read_unaligned() };
        // Vectors are for targets whose bytes are in this order.
        [both as i32 as isize, (both >> 32) as isize]
    }
}

/// The position in a table: what its offsets are added to, and the offsets that are loaded already.
pub(crate) struct Loaded<P, const COUNT: usize> {
    base: P,
    next: [isize; COUNT],
}

impl Rows for Table {
    type Cursor = Loaded<*const u8, 4>;

    #[inline(always)]
    unsafe fn at(self, from: *const u8, row: usize) -> (Self, *const u8) {
        (Self(self.0.wrapping_add(row)), from)
    }

    /// Otherwise the compiler would keep a pointer for each row of a strip of tiles on the stack.
    #[inline(always)]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it here")
    )]
    unsafe fn cursor(self, from: *const u8, _: usize) -> Self::Cursor {
        Loaded { base: opaque!(from), next: [0; 4] }
    }

    #[inline(always)]
    fn along(cursor: &Self::Cursor, bytes: usize) -> Self::Cursor {
        Loaded { base: cursor.base.wrapping_add(bytes), ..*cursor }
    }

    #[inline(always)]
    unsafe fn next(
        self,
        cursor: &mut Self::Cursor,
        row: usize,
        group: usize,
        lanes: usize,
    ) -> [*const u8; 4] {
        let mut pointers = [cursor.base; 4];
        macro_rules! lane {
            ($lane:literal) => {
                if $lane < lanes {
                    let mut offset = cursor.next[$lane];
                    if row % 2 == 0 {
                        // SAFETY: a tile has this row and the next one.
                        [offset, cursor.next[$lane]] = unsafe { self.two(row + $lane * group) };
                    }
                    pointers[$lane] = cursor.base.wrapping_offset(offset);
                }
            };
        }
        lane!(0);
        lane!(1);
        lane!(2);
        lane!(3);
        pointers
    }
}

impl Columns for Table {
    type Cursor = Loaded<*mut u8, 1>;

    #[inline(always)]
    unsafe fn at(self, to: *mut u8, column: usize) -> (Self, *mut u8) {
        (Self(self.0.wrapping_add(column)), to)
    }

    #[inline(always)]
    fn cursor(self, to: *mut u8) -> Self::Cursor {
        Loaded { base: to, next: [0] }
    }

    #[inline(always)]
    unsafe fn next<const EDGE: bool>(self, cursor: &mut Self::Cursor, column: usize) -> *mut u8 {
        let [mut offset] = cursor.next;
        if EDGE {
            // SAFETY: the caller's promise.
            offset = unsafe { self.get(column) };
        } else if column % 2 == 0 {
            // SAFETY: as above.
            [offset, cursor.next[0]] = unsafe { self.two(column) };
        }
        cursor.base.wrapping_offset(offset)
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}
