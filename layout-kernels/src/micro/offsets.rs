//! Offsets: where the rows of a tile begin in the source, and where its columns begin in the destination.

/// Returns the same number or pointer, opaque to the optimizer. With `pure`, the compiler may remove it if it is
/// unused and move it out of loops.
macro_rules! opaque {
    ($value:expr $(, $pure:ident)?) => {{
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "nothing changes it"))]
        let mut own = $value;
        #[cfg(target_arch = "x86_64")]
        #[allow(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it here")]
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

/// Where the rows of a matrix begin in the source, or its columns in the destination.
pub(crate) trait Offsets: Copy {
    /// The state from one row of a tile to the next.
    type Rows;

    /// Whether the matrix is a constant, so that the optimizer should see how many columns the last tile has.
    const IS_STATIC: bool = false;

    /// Returns those from row or column `index` on, and where it begins.
    fn at(self, index: usize) -> (Self, isize);

    /// Returns the state before the first row of each lane. Lane `i` begins `i * group` rows after this one.
    fn rows(self, from: *const u8, group: usize) -> Self::Rows;

    /// Returns pointers to row `row` of each lane. It is called for each row in order. Pointers of lanes from `lanes`
    /// on are arbitrary.
    ///
    /// # Safety
    /// For each lane, the matrix must have the row, counted from the last [`at`](Self::at).
    unsafe fn row(
        self,
        rows: &mut Self::Rows,
        row: usize,
        group: usize,
        lanes: usize,
    ) -> [*const u8; 4];

    /// Returns a pointer to column `column`, and changes the state, which is that to the first column before. It is called
    /// for each column in order.
    ///
    /// # Safety
    /// The matrix must have the column, counted from the last [`at`](Self::at).
    unsafe fn column(self, next: &mut *mut u8, column: usize) -> *mut u8;

    /// Returns the same offsets, opaque to the optimizer.
    fn opaque(self) -> Self;
}

/// Evenly spaced rows or columns: their stride. With `KNOWN`, the matrix is a constant, and the compiler knows every
/// multiple of the stride.
#[derive(Clone, Copy)]
pub(crate) struct Strided<const KNOWN: bool = false>(pub(crate) isize);

impl<const KNOWN: bool> Offsets for Strided<KNOWN> {
    type Rows = Steps;
    const IS_STATIC: bool = KNOWN;

    #[inline(always)]
    fn at(self, index: usize) -> (Self, isize) {
        (self, self.0.wrapping_mul(index as isize))
    }

    #[inline(always)]
    fn rows(self, from: *const u8, group: usize) -> Steps {
        if KNOWN { Steps::known(from) } else { Steps::new(self.0, from, group) }
    }

    #[inline(always)]
    unsafe fn row(self, rows: &mut Steps, row: usize, group: usize, _: usize) -> [*const u8; 4] {
        if !KNOWN {
            return rows.row(row);
        }
        let at = |row: usize| rows.lanes[0].wrapping_offset(self.0.wrapping_mul(row as isize));
        [at(row), at(row + group), at(row + 2 * group), at(row + 3 * group)]
    }

    #[inline(always)]
    unsafe fn column(self, next: &mut *mut u8, _: usize) -> *mut u8 {
        let own = *next;
        *next = own.wrapping_offset(self.0);
        own
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        if KNOWN { self } else { Self(opaque!(self.0)) }
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
    /// Returns the state of rows of which the compiler knows the stride.
    #[inline(always)]
    fn known(from: *const u8) -> Self {
        Self { stride: 0, three: 0, five: 0, seven: 0, lanes: [from; 4] }
    }

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

impl Offsets for Table {
    type Rows = *const u8;

    #[inline(always)]
    fn at(self, index: usize) -> (Self, isize) {
        (Self(self.0.wrapping_add(index)), 0)
    }

    /// Otherwise the compiler would keep a pointer for each row of a strip of tiles on the stack.
    #[inline(always)]
    fn rows(self, from: *const u8, _: usize) -> *const u8 {
        opaque!(from)
    }

    #[inline(always)]
    unsafe fn row(
        self,
        from: &mut *const u8,
        row: usize,
        group: usize,
        lanes: usize,
    ) -> [*const u8; 4] {
        let mut pointers = [*from; 4];
        macro_rules! lanes {
            ($($lane:literal)*) => {$(if $lane < lanes {
                // SAFETY: the table has the row of each lane, by the caller's promise.
                let offset = unsafe { *self.0.wrapping_add(row + $lane * group) };
                pointers[$lane] = from.wrapping_offset(offset as isize);
            })*};
        }
        lanes!(0 1 2 3);
        pointers
    }

    #[inline(always)]
    unsafe fn column(self, to: &mut *mut u8, column: usize) -> *mut u8 {
        // SAFETY: the table has the column, by the caller's promise.
        to.wrapping_offset(unsafe { *self.0.wrapping_add(column) } as isize)
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}
