//! Where elements lie in a memory that is an array of lanes.

use crate::algebra::{AxisDigits, Distributed};
use crate::layout::{LaneImage, Layout};
use crate::spec::{LayoutError, MAX_RANK, PerAxis};

/// A layout over lanes, seen from the lanes: what [`Layout::lanes`] returns.
///
/// Its buffer is an array of lanes, one after the other, each as long as the others. Lanes are memories of
/// an accelerator, or threads of a warp with their registers. Either one axis is distributed over them, piece
/// after piece ([`axis`](Self::axis)), or the slowest axes and blocks of the layout count them.
///
/// ```
/// use tensor_layout::layout;
///
/// type Act = layout!(NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 62));
///
/// let lanes = Act::LAYOUT.lanes().expect("an axis is distributed over lanes");
/// assert_eq!((lanes.count(), lanes.axis(), lanes.bytes()), (64, Some('C'), 256));
/// assert_eq!(lanes.used(), (62, 3)); // 62, 63 and 0
/// assert_eq!(lanes.place(&[1, 2, 0, 3])?.lane, 0);
///
/// // Operand A of the tensor core instruction m16n8k16: 8 registers of each of 32 threads.
/// type A = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32));
///
/// let lanes = A::LAYOUT.lanes().expect("the layout says how many");
/// let place = lanes.place(&[9, 5])?; // row 9, column 5
/// assert_eq!((place.lane, place.offset, place.byte), (6, 3, 6));
/// assert_eq!(lanes.coordinate(6, 3).as_deref(), Some(&[9, 5][..]));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    pub(super) layout: Layout,
    /// The axis that is distributed over the lanes, unless the slowest digits count them.
    pub(super) distributed: Option<Distributed>,
    image: LaneImage,
}

/// Where an element lies: the lane, and the place in what the tensor takes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LanePlace {
    /// The lane.
    pub lane: usize,
    /// Elements from where the tensor begins in each lane: of a fragment, the register.
    pub offset: usize,
    /// Bytes from where the tensor begins in each lane. Of elements that share a byte, all have this one: the even
    /// offset is the low half.
    pub byte: usize,
}

impl Layout {
    /// The layout seen from the lanes that its storage is an array of, or `None` where it is not.
    pub const fn lanes(&self) -> Option<Lanes> {
        match self.lanes {
            Some(image) => Some(Lanes { layout: *self, distributed: self.distributed(), image }),
            None => None,
        }
    }

    /// [`Lanes::bytes`]; all bytes where there are no lanes.
    pub(super) const fn lane_bytes(&self) -> usize {
        match self.lanes {
            Some(image) => self.bytes_of(image.len),
            None => self.bytes(),
        }
    }

    /// [`Lanes::used`]; one where there are no lanes.
    pub(super) const fn lanes_used(&self) -> (usize, usize) {
        match self.lanes() {
            Some(lanes) => lanes.used(),
            None => (0, (self.length > 0) as usize),
        }
    }
}

impl Lanes {
    /// How many lanes the memory has.
    pub const fn count(&self) -> usize {
        self.image.lanes
    }

    /// The axis that is distributed over them, or `None` where the slowest axes and blocks count them.
    pub const fn axis(&self) -> Option<char> {
        match self.image.axis {
            Some((axis, _)) => Some(axis),
            None => None,
        }
    }

    /// How many coordinates of that axis stay together in a lane: 1 where there is no such axis.
    pub const fn together(&self) -> usize {
        match self.image.axis {
            Some((_, together)) => together,
            None => 1,
        }
    }

    /// The elements that the tensor takes in each lane, padding included.
    #[expect(clippy::len_without_is_empty, reason = "as `Layout::len`")]
    pub const fn len(&self) -> usize {
        self.image.len
    }

    /// The bytes that the tensor takes in each lane, padding included.
    pub const fn bytes(&self) -> usize {
        self.layout.bytes_of(self.image.len)
    }

    /// Where `coordinate` lies.
    ///
    /// Law: `layout.offset(c) == lane * len() + offset`, and for an axis distributed over L lanes
    /// from lane s on, `lane == (s + c / together()) % L`.
    ///
    /// # Errors
    /// A coordinate of another rank or outside the extents.
    pub const fn place(&self, coordinate: &[usize]) -> Result<LanePlace, LayoutError> {
        let offset = match self.layout.checked_offset(coordinate) {
            Ok(offset) => offset,
            Err(error) => return Err(error),
        };
        // There is an element, so that a lane is not empty.
        let (lane, offset) = (offset / self.image.len, offset % self.image.len);
        let element = self.layout.element();
        // What lies in a lane begins at a byte.
        let byte = offset / element.per_byte() * element.bits().div_ceil(8);
        Ok(LanePlace { lane, offset, byte })
    }

    /// The coordinate that lies in a lane, `offset` elements from where the tensor begins there; or `None` for
    /// padding and past the end of the lane, and past the last lane.
    ///
    /// Law: `coordinate(place(c).lane, place(c).offset) == c` where coordinates share no element.
    pub const fn coordinate(&self, lane: usize, offset: usize) -> Option<PerAxis<usize>> {
        match lane < self.count() && offset < self.image.len {
            true => self.layout.coordinate(lane * self.image.len + offset),
            false => None,
        }
    }

    /// One stride for each axis in coordinate order, in elements, inside of a lane; for the axis
    /// that is distributed over lanes, from one row to the next. `None` where blocks leave an axis
    /// without a single stride, or no axis is distributed.
    ///
    /// These are the strides that accelerators' instructions and their vendors' helpers take.
    ///
    /// Law: coordinates that differ by 1 on another axis, or by `count() * together()` on the one that
    /// is distributed over lanes, are that far apart.
    /// [`tensor`](Self::tensor) has four dimensions for every storage of a chip.
    pub const fn strides(&self) -> Option<PerAxis<isize>> {
        let Some(distributed) = self.distributed else { return None };
        let mut strides = [0; MAX_RANK];
        let mut axis = 0;
        while axis < self.layout.rank() {
            strides[axis] = if axis == distributed.axis {
                distributed.row_stride
            } else {
                match AxisDigits::of(&self.layout, axis).stride() {
                    Some(stride) => stride,
                    None => return None,
                }
            };
            axis += 1;
        }
        Some(PerAxis::new(strides, self.layout.rank()))
    }

    /// How many rows the axis that is distributed over lanes takes in a lane, some lanes holding none of
    /// the last or the first. 1 where no axis is distributed, as in the next functions: each lane has its
    /// own part of the elements.
    pub const fn rows(&self) -> usize {
        match self.distributed {
            Some(distributed) => distributed.end.div_ceil(distributed.lanes),
            None => 1,
        }
    }

    /// In how many rows `lane` holds elements: in none, then the lane holds no data.
    ///
    /// Law: the number of different `(start + c) / count()` with `(start + c) % count() == lane`.
    pub const fn rows_in(&self, lane: usize) -> usize {
        match self.distributed {
            _ if self.layout.length == 0 || lane >= self.count() => 0,
            Some(Distributed { start, end, lanes, .. }) => {
                rows_before(end, lane, lanes) - rows_before(start, lane, lanes)
            }
            None => 1,
        }
    }

    /// The first lane: that of coordinate 0 of the axis that is distributed.
    pub const fn start(&self) -> usize {
        match self.distributed {
            Some(distributed) => distributed.start % distributed.lanes,
            None => 0,
        }
    }

    /// The lane of the last coordinate, which holds the last row: what does not fit in a lane is
    /// missing there.
    pub(super) const fn last(&self) -> usize {
        match self.distributed {
            Some(Distributed { end: 0, .. }) => 0,
            Some(distributed) => (distributed.end - 1) % distributed.lanes,
            None => self.count() - 1,
        }
    }

    /// The lanes that hold elements: the first, and how many from there on, around the end.
    pub const fn used(&self) -> (usize, usize) {
        match self.distributed {
            _ if self.layout.length == 0 => (0, 0),
            Some(Distributed { start, end, lanes, .. }) if end - start < lanes => {
                (self.start(), end - start)
            }
            _ => (self.start(), self.count()),
        }
    }
}

/// How many of the positions before `end`, distributed over `lanes`, fall to `lane`.
const fn rows_before(end: usize, lane: usize, lanes: usize) -> usize {
    (end + lanes - 1 - lane) / lanes
}
