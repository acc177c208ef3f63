//! The bytes that one instruction of a group of lanes reads or writes.

use core::fmt;

use layout_core::spec::{LayoutError, MAX_RANK, Rule};
use layout_core::{Layout, each, ok};

/// The bytes that one instruction reads or writes: the same number for each lane, and the start of each lane.
///
/// Lanes are threads of a warp or wave. Addresses count bytes from the start of a buffer. [`based`](Self::based) sets
/// the address of the buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Access {
    starts: [usize; Self::MOST_LANES],
    lanes: usize,
    bytes: usize,
    /// Bit `i` is lane `i`.
    active: u64,
}

impl Access {
    /// The largest number of lanes of an instruction.
    pub const MOST_LANES: usize = 64;

    /// The largest number of bytes of a lane.
    pub const MOST_BYTES: usize = 1024;

    /// Returns the access in which lane `i` takes `bytes` bytes from address `starts[i]`.
    ///
    /// # Panics
    /// With the error of [`checked_at`](Self::checked_at).
    #[track_caller]
    pub const fn at(starts: &[usize], bytes: usize) -> Self {
        or_panic(Self::checked_at(starts, bytes))
    }

    /// [`at`](Self::at), with an error instead of a panic.
    ///
    /// # Errors
    /// - There are no lanes, or more than 64.
    /// - A lane takes no bytes, or more than 1024.
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
        each!(i, 0..lanes, {
            list[i] = starts[i];
        });
        Ok(Self { starts: list, lanes, bytes, active: u64::MAX >> (64 - lanes) })
    }

    /// Returns the access of a view of a tile. The axes that `lanes` names, from the slowest to the fastest, count the
    /// lanes. The other axes are the elements of a lane, which must be contiguous.
    ///
    /// # Panics
    /// With the error of [`checked_of`](Self::checked_of).
    ///
    /// ```
    /// use tensor_layout::access::Access;
    /// use tensor_layout::{layout, view};
    ///
    /// // Each lane reads 16 bytes of a row, with two lanes for each row: `ldmatrix` of 16x16 elements.
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

    /// [`of`](Self::of), with an error instead of a panic.
    ///
    /// # Errors
    /// - A name is not an axis, or is repeated.
    /// - There are no lanes, or more than 64.
    /// - The elements of a lane are not contiguous in coordinate order, or are not whole bytes.
    /// - A lane takes more than 1024 bytes.
    pub const fn checked_of(view: &Layout, lanes: &str) -> Result<Self, LayoutError> {
        let order = ok!(view.axes_named(lanes));
        let order = order.as_slice();
        let mut values = [true; MAX_RANK];
        each!(i, 0..order.len(), {
            values[order[i]] = false;
        });
        let (mut lanes, mut elements) = (1usize, 1usize);
        each!(axis, 0..view.rank(), {
            let all = if values[axis] { &mut elements } else { &mut lanes };
            *all = all.saturating_mul(view.extents()[axis]);
        });
        let mut gather = ok!(Gather::new(view, lanes, elements));
        each!(lane, 0..lanes, {
            let coordinate = digits(lane, view, order);
            // Without a swizzle, elements are as far from the first one in all lanes.
            let each = if lane == 0 || view.swizzle().is_some() { elements } else { 1 };
            each!(element, 0..each, {
                let offset = view.offset(
                    with_values(coordinate, element, view, &values).split_at(view.rank()).0,
                );
                ok!(gather.element(lane, element, offset));
            });
        });
        Ok(gather.access)
    }

    /// Returns the access in which each lane reads some registers of a fragment from a tile. The fragment begins at
    /// coordinate `from` of the tile.
    ///
    /// A fragment is a layout over lanes: `lanes(32)` in `layout!`, or [`Layout::over_lanes`]. Its axes are those of
    /// the tile. Additional axes of the fragment count copies: lanes that differ only on these axes hold the same
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
    /// // The elements of operand A of m16n8k16 in the threads of a warp, and the part that `ldmatrix.x4` reads.
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

    /// [`of_fragment`](Self::of_fragment), with an error instead of a panic.
    ///
    /// # Errors
    /// - The coordinate is outside the tile, or the fragment extends beyond the tile.
    /// - The fragment has no lanes, not all of these registers, or lacks an axis of the tile.
    /// - A register holds padding.
    /// - The registers of a lane are not contiguous in the tile.
    pub const fn checked_of_fragment(
        tile: &Layout,
        from: &[usize],
        fragment: &Layout,
        registers: core::ops::Range<usize>,
    ) -> Result<Self, LayoutError> {
        ok!(tile.checked_offset(from));
        let Some(image) = fragment.lanes() else {
            return Err(LayoutError(Rule::AccessFragment));
        };
        let (lanes, len) = (image.count(), image.len());
        let (first, end) = (registers.start, registers.end);
        if end > len {
            return Err(LayoutError(Rule::AccessRegisters { end, registers: len }));
        }
        let mut gather = ok!(Gather::new(tile, lanes, end.saturating_sub(first)));
        let positions = ok!(positions_in(fragment, tile));
        each!(lane, 0..lanes, {
            let mut register = first;
            while register < end {
                let Some(found) = image.coordinate(lane, register) else {
                    return Err(LayoutError(Rule::AccessPadding { lane, register }));
                };
                let offset = ok!(tile_offset(tile, from, &positions, found.as_slice()));
                ok!(gather.element(lane, register - first, offset));
                register += 1;
            }
        });
        Ok(gather.access)
    }

    /// The same access of a buffer that begins at this address, in bytes.
    #[must_use]
    pub const fn based(mut self, address: usize) -> Self {
        each!(lane, 0..self.lanes, {
            self.starts[lane] = self.starts[lane].saturating_add(address);
        });
        self
    }

    /// The same access with only these lanes active: bit `i` is lane `i`.
    #[must_use]
    pub const fn only(mut self, lanes: u64) -> Self {
        self.active &= lanes;
        self
    }

    /// The number of lanes of the instruction, active or not.
    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// The number of bytes of each lane.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The address of the first byte of a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[track_caller]
    pub const fn start(&self, lane: usize) -> usize {
        assert!(lane < self.lanes, "the access has no such lane");
        self.starts[lane]
    }

    /// Whether a lane is active.
    pub const fn is_active(&self, lane: usize) -> bool {
        lane < self.lanes && self.active >> lane & 1 == 1
    }

    /// The starts of the active lanes among `first..end` in ascending order, and their number.
    pub(crate) const fn sorted_starts(
        &self,
        first: usize,
        end: usize,
    ) -> ([usize; Self::MOST_LANES], usize) {
        let (mut starts, mut count) = ([0; Self::MOST_LANES], 0);
        let mut lane = first;
        while lane < end {
            if self.is_active(lane) {
                let begin = self.start(lane);
                let mut at = count;
                while at > 0 && starts[at - 1] > begin {
                    starts[at] = starts[at - 1];
                    at -= 1;
                }
                starts[at] = begin;
                count += 1;
            }
            lane += 1;
        }
        (starts, count)
    }

    /// The same access with a lane at another address.
    pub(crate) const fn moved(mut self, lane: usize, start: usize) -> Self {
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

/// Collects the elements of lanes into an access.
struct Gather {
    access: Access,
    /// The bytes of an element, or of the elements that share a byte.
    bytes: usize,
    /// The number of elements that share a byte.
    per_byte: usize,
    elements: usize,
    /// The start of the lane, in elements.
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
        let access = ok!(Access::checked_at([0; Access::MOST_LANES].split_at(lanes).0, whole / 8));
        let (bytes, per_byte) = (bits.div_ceil(8), layout.element().per_byte());
        Ok(Self { access, bytes, per_byte, elements, first: 0 })
    }

    /// Adds an element of a lane, which must follow the one before it.
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

/// The coordinate at which these axes, with the last one fastest, count to `number`.
const fn digits(mut number: usize, view: &Layout, order: &[usize]) -> [usize; MAX_RANK] {
    let mut coordinate = [0; MAX_RANK];
    layout_core::each!(rev i, 0..order.len(), {
        let extent = view.extents()[order[i]];
        coordinate[order[i]] = number % extent;
        number /= extent;
    });
    coordinate
}

/// The coordinate at which the axes of `values`, with the last one fastest, count to `number`.
const fn with_values(
    mut coordinate: [usize; MAX_RANK],
    mut number: usize,
    view: &Layout,
    values: &[bool; MAX_RANK],
) -> [usize; MAX_RANK] {
    layout_core::each!(rev axis, 0..view.rank(), {
        if values[axis] {
            let extent = view.extents()[axis];
            coordinate[axis] = number % extent;
            number /= extent;
        }
    });
    coordinate
}

/// The position in the fragment of each axis of the tile. Axes are matched by letter, and axes that the tile does not have
/// count copies.
const fn positions_in(fragment: &Layout, tile: &Layout) -> Result<[usize; MAX_RANK], LayoutError> {
    let mut positions = [0; MAX_RANK];
    each!(axis, 0..tile.rank(), {
        positions[axis] = ok!(fragment.axis(tile.letters().at(axis)));
    });
    Ok(positions)
}

/// The offset in the tile of a coordinate of a fragment, whose axes have these positions.
const fn tile_offset(
    tile: &Layout,
    from: &[usize],
    positions: &[usize; MAX_RANK],
    moved: &[usize],
) -> Result<usize, LayoutError> {
    let mut coordinate = [0; MAX_RANK];
    each!(axis, 0..tile.rank(), {
        coordinate[axis] = from[axis].saturating_add(moved[positions[axis]]);
    });
    tile.checked_offset(coordinate.split_at(tile.rank()).0)
}

/// The bytes of each lane and the starts of the lanes.
impl fmt::Debug for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes at ", self.bytes)?;
        let lanes = (0..self.lanes).map(|lane| self.is_active(lane).then_some(self.starts[lane]));
        formatter.debug_list().entries(lanes).finish()
    }
}
