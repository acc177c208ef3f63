//! What one instruction of a group of lanes reads or writes.

use core::fmt;

use crate::layout::{LaneImage, Layout};
use crate::spec::{LayoutError, MAX_RANK, Rule};

/// What one instruction reads or writes: a number of bytes for each lane, and where each lane begins.
///
/// Lanes are threads of a warp or wave. Addresses count bytes from the start of a buffer, which
/// [`based`](Self::based) places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Access {
    starts: [usize; Self::MOST_LANES],
    lanes: usize,
    bytes: usize,
    /// Bit `i` is lane `i`.
    active: u64,
}

impl Access {
    /// The most lanes of an instruction.
    pub const MOST_LANES: usize = 64;

    /// The most bytes that a lane takes.
    pub const MOST_BYTES: usize = 1024;

    /// The access in which lane `i` takes `bytes` bytes from address `starts[i]` on.
    ///
    /// # Panics
    /// With the error of [`checked_at`](Self::checked_at).
    #[track_caller]
    pub const fn at(starts: &[usize], bytes: usize) -> Self {
        or_panic(Self::checked_at(starts, bytes))
    }

    /// [`at`](Self::at), or an error.
    ///
    /// # Errors
    /// No lanes or more than 64, no bytes or more than 1024.
    pub const fn checked_at(starts: &[usize], bytes: usize) -> Result<Self, LayoutError> {
        let (lanes, most) = (starts.len(), Self::MOST_LANES);
        if lanes == 0 || lanes > most {
            return Err(LayoutError(Rule::AccessLanes { lanes, most }));
        }
        if bytes == 0 {
            return Err(LayoutError(Rule::AccessEmpty));
        }
        if bytes > Self::MOST_BYTES {
            return Err(LayoutError(Rule::AccessSize { bytes, most: Self::MOST_BYTES }));
        }
        let mut list = [0; Self::MOST_LANES];
        let mut i = 0;
        while i < lanes {
            list[i] = starts[i];
            i += 1;
        }
        Ok(Self { starts: list, lanes, bytes, active: u64::MAX >> (64 - lanes) })
    }

    /// The access of a view of a tile. The axes that `lanes` names, from the slowest to the fastest,
    /// count the lanes; the other axes are the elements of a lane, which must follow one another in
    /// memory.
    ///
    /// # Panics
    /// With the error of [`checked_of`](Self::checked_of).
    ///
    /// ```
    /// use tensor_layout::access::Access;
    /// use tensor_layout::{layout, view};
    ///
    /// // Each lane reads 16 bytes of a row, two lanes a row: `ldmatrix` of 16x16 elements.
    /// type Tile = layout!(MK<128, 64>, f16);
    /// const ROWS: Access = Access::of(
    ///     &view!(Tile::LAYOUT, slice('M', 0, 1, 16), slice('K', 0, 1, 16), tile('K', &[('H', 2), ('K', 8)])),
    ///     "HM",
    /// );
    /// assert_eq!((ROWS.lanes(), ROWS.bytes()), (32, 16));
    /// assert_eq!((ROWS.start(1), ROWS.start(16)), (128, 16));
    /// ```
    #[track_caller]
    pub const fn of(view: &Layout, lanes: &str) -> Self {
        or_panic(Self::checked_of(view, lanes))
    }

    /// [`of`](Self::of), or an error.
    ///
    /// # Errors
    /// A name that is not an axis, or that stands twice; no lanes or more than 64; elements of a lane that
    /// do not follow one another in coordinate order, are not whole bytes, or take more than 1024 bytes.
    pub const fn checked_of(view: &Layout, lanes: &str) -> Result<Self, LayoutError> {
        let (mut order, mut count) = ([0; MAX_RANK], 0);
        let bytes = lanes.as_bytes();
        let mut values = [true; MAX_RANK];
        while count < bytes.len() {
            let axis = match view.axis(bytes[count] as char) {
                Ok(axis) => axis,
                Err(error) => return Err(error),
            };
            if !values[axis] {
                return Err(LayoutError(Rule::RepeatedName { letter: view.letters().at(axis) }));
            }
            (order[count], values[axis]) = (axis, false);
            count += 1;
        }
        let (mut lanes, mut elements) = (1usize, 1usize);
        let mut axis = 0;
        while axis < view.rank() {
            let all = if values[axis] { &mut elements } else { &mut lanes };
            *all = all.saturating_mul(view.extents()[axis]);
            axis += 1;
        }
        let mut gather = match Gather::new(view, lanes, elements) {
            Ok(gather) => gather,
            Err(error) => return Err(error),
        };
        let mut lane = 0;
        while lane < lanes {
            let coordinate = digits(lane, view, order.split_at(count).0);
            // Without a swizzle, elements are as far from the first one in all lanes.
            let each = if lane == 0 || view.swizzle().is_some() { elements } else { 1 };
            let mut element = 0;
            while element < each {
                let offset = view.offset(
                    with_values(coordinate, element, view, &values).split_at(view.rank()).0,
                );
                if let Err(error) = gather.element(lane, element, offset) {
                    return Err(error);
                }
                element += 1;
            }
            lane += 1;
        }
        Ok(gather.access)
    }

    /// The access in which each lane reads these registers of a fragment from a tile, in which the fragment
    /// begins at coordinate `from`.
    ///
    /// A fragment is a layout over lanes: `lanes(32)` in `layout!`, or [`Layout::over_lanes`]. Its axes are
    /// those of the tile. Further axes of the fragment are copies: lanes that differ there alone hold the same
    /// element.
    ///
    /// # Panics
    /// With the error of [`checked_of_fragment`](Self::checked_of_fragment).
    ///
    /// ```
    /// use tensor_layout::access::{Access, Banks, conflicts};
    /// use tensor_layout::layout;
    ///
    /// type Tile = layout!(MK<128, 64>, f16, swizzle = b128);
    /// // What the threads of a warp hold of operand A of m16n8k16, and what `ldmatrix.x4` reads of it.
    /// type A = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32));
    /// type Rows = layout!(KM8k<M = 16, K = 16>, f16, lanes(32));
    ///
    /// // Registers 2 and 3 of the fragment at row 16 and column 32 of the tile.
    /// const PAIR: Access = Access::of_fragment(&Tile::LAYOUT, &[16, 32], &A::LAYOUT, 2..4);
    /// const _: () = assert!(conflicts(&PAIR, &Banks::NVIDIA).degree() == 1);
    /// const ROWS: Access = Access::of_fragment(&Tile::LAYOUT, &[16, 32], &Rows::LAYOUT, 0..8);
    /// const _: () = conflicts(&ROWS, &Banks::NVIDIA).expect_none();
    /// ```
    #[track_caller]
    pub const fn of_fragment(
        tile: &Layout,
        from: &[usize],
        fragment: &Layout,
        registers: core::ops::Range<usize>,
    ) -> Self {
        or_panic(Self::checked_of_fragment(tile, from, fragment, registers))
    }

    /// [`of_fragment`](Self::of_fragment), or an error.
    ///
    /// # Errors
    /// A coordinate outside of the tile; a fragment without lanes or one of these registers, without an axis of
    /// the tile, or that reaches past its end; a register that holds padding; and registers of a lane that do not follow one
    /// another in the tile.
    pub const fn checked_of_fragment(
        tile: &Layout,
        from: &[usize],
        fragment: &Layout,
        registers: core::ops::Range<usize>,
    ) -> Result<Self, LayoutError> {
        if let Err(error) = tile.checked_offset(from) {
            return Err(error);
        }
        let Some(LaneImage { lanes, len, .. }) = fragment.lanes else {
            return Err(LayoutError(Rule::AccessFragment));
        };
        let (first, end) = (registers.start, registers.end);
        if end > len {
            return Err(LayoutError(Rule::AccessRegisters { end, registers: len }));
        }
        let mut gather = match Gather::new(tile, lanes, end.saturating_sub(first)) {
            Ok(gather) => gather,
            Err(error) => return Err(error),
        };
        let mut lane = 0;
        while lane < lanes {
            let mut register = first;
            while register < end {
                let Some(found) = fragment.coordinate(lane * len + register) else {
                    return Err(LayoutError(Rule::AccessPadding { lane, register }));
                };
                let offset = match tile_offset(tile, from, fragment, found.as_slice()) {
                    Ok(offset) => offset,
                    Err(error) => return Err(error),
                };
                if let Err(error) = gather.element(lane, register - first, offset) {
                    return Err(error);
                }
                register += 1;
            }
            lane += 1;
        }
        Ok(gather.access)
    }

    /// The same access of a buffer that begins at this address, in bytes.
    #[must_use]
    pub const fn based(mut self, address: usize) -> Self {
        let mut lane = 0;
        while lane < self.lanes {
            self.starts[lane] = self.starts[lane].saturating_add(address);
            lane += 1;
        }
        self
    }

    /// The same access, in which only these lanes take part: bit `i` is lane `i`.
    #[must_use]
    pub const fn only(mut self, lanes: u64) -> Self {
        self.active &= lanes;
        self
    }

    /// How many lanes the instruction has, whether they take part or not.
    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many bytes each lane takes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The address of the first byte that a lane takes.
    ///
    /// # Panics
    /// If there is no such lane.
    #[track_caller]
    pub const fn start(&self, lane: usize) -> usize {
        assert!(lane < self.lanes, "the access has no such lane");
        self.starts[lane]
    }

    /// Whether a lane takes part.
    pub const fn is_active(&self, lane: usize) -> bool {
        lane < self.lanes && self.active >> lane & 1 == 1
    }

    /// The same lanes at other addresses.
    pub(super) const fn moved(mut self, lane: usize, start: usize) -> Self {
        self.starts[lane] = start;
        self
    }
}

#[track_caller]
const fn or_panic(made: Result<Access, LayoutError>) -> Access {
    match made {
        Ok(access) => access,
        Err(error) => error.panic(),
    }
}

/// Elements of lanes, put together to an access.
struct Gather {
    access: Access,
    /// The bytes of an element, or of the elements that share one.
    bytes: usize,
    /// How many share a byte.
    per_byte: usize,
    elements: usize,
    /// Where the lane begins, in elements.
    first: usize,
}

impl Gather {
    /// An access of `lanes` lanes with the same number of elements each.
    const fn new(layout: &Layout, lanes: usize, elements: usize) -> Result<Self, LayoutError> {
        let bits = layout.element().bits();
        let whole = elements.saturating_mul(bits);
        let most = Access::MOST_LANES;
        if lanes == 0 || lanes > most {
            return Err(LayoutError(Rule::AccessLanes { lanes, most }));
        }
        if whole == 0 {
            return Err(LayoutError(Rule::AccessEmpty));
        }
        if whole % 8 != 0 {
            return Err(LayoutError(Rule::AccessSubByte { lane: 0, offset: elements }));
        }
        match Access::checked_at([0; Access::MOST_LANES].split_at(lanes).0, whole / 8) {
            Ok(access) => {
                let (bytes, per_byte) = (bits.div_ceil(8), layout.element().per_byte());
                Ok(Self { access, bytes, per_byte, elements, first: 0 })
            }
            Err(error) => Err(error),
        }
    }

    /// An element of a lane, which follows the one before it.
    const fn element(
        &mut self,
        lane: usize,
        element: usize,
        offset: usize,
    ) -> Result<(), LayoutError> {
        debug_assert!(element < self.elements);
        if element == 0 {
            self.first = offset;
            let (byte, bit) = (offset / self.per_byte, offset % self.per_byte);
            if bit != 0 {
                return Err(LayoutError(Rule::AccessSubByte { lane, offset }));
            }
            self.access = self.access.moved(lane, byte.saturating_mul(self.bytes));
            return Ok(());
        }
        let before = self.first.wrapping_add(element - 1);
        match offset == before.wrapping_add(1) {
            true => Ok(()),
            false => {
                let apart = offset.abs_diff(before);
                Err(LayoutError(Rule::AccessBytes { lane, apart }))
            }
        }
    }
}

/// The coordinate in which these axes, the last fastest, count `number`.
const fn digits(mut number: usize, view: &Layout, order: &[usize]) -> [usize; MAX_RANK] {
    let mut coordinate = [0; MAX_RANK];
    let mut i = order.len();
    while i > 0 {
        i -= 1;
        let extent = view.extents()[order[i]];
        coordinate[order[i]] = number % extent;
        number /= extent;
    }
    coordinate
}

/// The coordinate in which the axes of `values`, the last fastest, count `number`.
const fn with_values(
    mut coordinate: [usize; MAX_RANK],
    mut number: usize,
    view: &Layout,
    values: &[bool; MAX_RANK],
) -> [usize; MAX_RANK] {
    let mut axis = view.rank();
    while axis > 0 {
        axis -= 1;
        if values[axis] {
            let extent = view.extents()[axis];
            coordinate[axis] = number % extent;
            number /= extent;
        }
    }
    coordinate
}

/// The offset in the tile of a coordinate of a fragment, whose axes are matched by letter. Those that the
/// tile does not have count copies.
const fn tile_offset(
    tile: &Layout,
    from: &[usize],
    fragment: &Layout,
    own: &[usize],
) -> Result<usize, LayoutError> {
    let mut coordinate = [0; MAX_RANK];
    let mut axis = 0;
    while axis < tile.rank() {
        match fragment.axis(tile.letters().at(axis)) {
            Ok(position) => coordinate[axis] = from[axis].saturating_add(own[position]),
            Err(error) => return Err(error),
        }
        axis += 1;
    }
    tile.checked_offset(coordinate.split_at(tile.rank()).0)
}

/// The bytes of each lane and where the lanes begin.
impl fmt::Debug for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes at ", self.bytes)?;
        let lanes = (0..self.lanes).map(|lane| self.is_active(lane).then_some(self.starts[lane]));
        formatter.debug_list().entries(lanes).finish()
    }
}
