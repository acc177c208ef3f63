//! Where elements lie in a memory that is an array of lanes.

use crate::algebra::{AxisDigits, Distributed};
use crate::layout::{LaneImage, Layout};
use crate::spec::{LayoutError, MAX_RANK, PerAxis};

/// A layout that is distributed over lanes, seen from the lanes: what [`Layout::lanes`] returns.
///
/// Its buffer is an array of lanes, one after the other, each as long as the others.
///
/// ```
/// use tensor_layout::layout;
///
/// type Act = layout!(NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 62));
///
/// let lanes = Act::LAYOUT.lanes().expect("an axis is distributed over lanes");
/// assert_eq!((lanes.count(), lanes.axis(), lanes.bytes()), (64, 'C', 256));
/// assert_eq!(lanes.used(), (62, 3)); // 62, 63 and 0
/// assert_eq!(lanes.place(&[1, 2, 0, 3])?.lane, 0);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    pub(super) layout: Layout,
    pub(super) distributed: Distributed,
    image: LaneImage,
}

/// Where an element lies: the lane, and the byte in what the tensor takes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LanePlace {
    /// The lane.
    pub lane: usize,
    /// Bytes from where the tensor begins in each lane. Of elements that share a byte, all have this one: the even
    /// offset is the low half.
    pub byte: usize,
}

impl Layout {
    /// The layout seen from the lanes that it is distributed over, or `None` where it is not.
    pub const fn lanes(&self) -> Option<Lanes> {
        match (self.lanes, self.distributed()) {
            (Some(image), Some(distributed)) => Some(Lanes { layout: *self, distributed, image }),
            _ => None,
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

    /// The axis that is distributed over them.
    pub const fn axis(&self) -> char {
        self.image.axis
    }

    /// How many coordinates of that axis stay together in a lane.
    pub const fn together(&self) -> usize {
        self.image.together
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
    /// Law: `offset(c) == lane * len() + (elements before byte)`, and for an axis distributed over L lanes
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
        let (lane, within) = (offset / self.image.len, offset % self.image.len);
        let element = self.layout.element();
        // What lies in a lane begins at a byte.
        let byte = within / element.per_byte() * element.bits().div_ceil(8);
        Ok(LanePlace { lane, byte })
    }

    /// One stride for each axis in coordinate order, in elements, inside of a lane; for the axis
    /// that is distributed over lanes, from one row to the next. `None` where blocks leave an axis
    /// without a single stride.
    ///
    /// These are the strides that accelerators' instructions and their vendors' helpers take.
    ///
    /// Law: coordinates that differ by 1 on another axis, or by `count() * together()` on the one that
    /// is distributed over lanes, are that far apart.
    /// [`tensor`](Self::tensor) has four dimensions for every storage of a chip.
    pub const fn strides(&self) -> Option<PerAxis<isize>> {
        let mut strides = [0; MAX_RANK];
        let mut axis = 0;
        while axis < self.layout.rank() {
            strides[axis] = if axis == self.distributed.axis {
                self.distributed.row_stride
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
    /// the last or the first.
    pub const fn rows(&self) -> usize {
        self.distributed.end.div_ceil(self.distributed.lanes)
    }

    /// In how many rows `lane` holds elements: in none, then the lane holds no data.
    ///
    /// Law: the number of different `(start + c) / count()` with `(start + c) % count() == lane`.
    pub const fn rows_in(&self, lane: usize) -> usize {
        let Distributed { start, end, lanes, .. } = self.distributed;
        match self.layout.length > 0 && lane < lanes {
            true => rows_before(end, lane, lanes) - rows_before(start, lane, lanes),
            false => 0,
        }
    }

    /// The first lane: that of coordinate 0.
    pub const fn start(&self) -> usize {
        self.distributed.start % self.distributed.lanes
    }

    /// The lane of the last coordinate, which holds the last row: what does not fit in a lane is
    /// missing there.
    pub(super) const fn last(&self) -> usize {
        if self.distributed.end == 0 {
            0
        } else {
            (self.distributed.end - 1) % self.distributed.lanes
        }
    }

    /// The lanes that hold elements: the first, and how many from there on, around the end.
    pub const fn used(&self) -> (usize, usize) {
        let Distributed { start, end, lanes, .. } = self.distributed;
        match end - start {
            _ if self.layout.length == 0 => (0, 0),
            pieces if pieces < lanes => (self.start(), pieces),
            _ => (self.start(), lanes),
        }
    }
}

/// How many of the positions before `end`, distributed over `lanes`, fall to `lane`.
const fn rows_before(end: usize, lane: usize, lanes: usize) -> usize {
    (end + lanes - 1 - lane) / lanes
}
