//! The positions of elements in a memory that is an array of lanes, and layouts over lanes as the four dimensions that
//! accelerators' instructions take.

use crate::algebra::AxisDigits;
use crate::layout::{Buffer, Digit, Layout};
use crate::spec::{LayoutError, MAX_RANK, PerAxis};

/// A layout over lanes, seen from the lanes. [`Layout::lanes`] returns it.
///
/// Its buffer is an array of lanes of equal length, one after the other. Lanes are memories of an accelerator, or
/// threads of a warp with their registers. Either one axis is distributed over them in pieces ([`axis`](Self::axis)),
/// or the slowest axes and blocks of the layout count them.
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
/// // Operand A of the tensor core instruction m16n8k16: 8 registers in each of 32 threads.
/// type A = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32));
///
/// let lanes = A::LAYOUT.lanes().expect("the layout is over lanes");
/// let place = lanes.place(&[9, 5])?; // row 9, column 5
/// assert_eq!((place.lane, place.offset, place.byte), (6, 3, 6));
/// assert_eq!(lanes.coordinate(6, 3).as_deref(), Some(&[9, 5][..]));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    pub(super) layout: Layout,
    /// The axis that is distributed over the lanes. `None` if the slowest digits count them.
    pub(super) distributed: Option<Distributed>,
    /// The elements of the tensor in each lane.
    len: usize,
}

/// The position of an element: its lane, and the offset in that lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LanePlace {
    /// The lane.
    pub lane: usize,
    /// The offset from the start of the tensor in the lane, in elements. In a fragment, it is the register.
    pub offset: usize,
    /// The offset from the start of the tensor in the lane, in bytes. Elements that share a byte have the same one.
    pub byte: usize,
}

impl Layout {
    /// Returns the layout seen from its lanes. `None` if its storage is not an array of lanes.
    pub const fn lanes(&self) -> Option<Lanes> {
        match self.lane_len() {
            Some(len) => Some(Lanes { layout: *self, distributed: self.distributed(), len }),
            None => None,
        }
    }
}

impl Lanes {
    /// The number of lanes of the memory.
    pub const fn count(&self) -> usize {
        self.layout.buffer.lanes
    }

    /// The axis that is distributed over the lanes. `None` if the slowest axes and blocks count them.
    pub const fn axis(&self) -> Option<char> {
        match self.distributed {
            Some(distributed) => Some(self.layout.letters().at(distributed.axis)),
            None => None,
        }
    }

    /// The number of coordinates of that axis that stay together in a lane, or 1 if there is no such axis.
    pub const fn together(&self) -> usize {
        match self.distributed {
            Some(distributed) => distributed.together,
            None => 1,
        }
    }

    /// The number of elements of the tensor in each lane, padding included.
    #[expect(clippy::len_without_is_empty, reason = "as `Layout::len`")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The number of bytes of the tensor in each lane, padding included.
    pub const fn bytes(&self) -> usize {
        self.layout.bytes_of(self.len)
    }

    /// Returns the position of the element at `coordinate`.
    ///
    /// Law: `layout.offset(c) == lane * len() + offset`. For an axis distributed over `L` lanes from lane `s`,
    /// `lane == (s + c / together()) % L`.
    ///
    /// # Errors
    /// - The coordinate does not have one index for each axis.
    /// - An index is not below its extent.
    pub const fn place(&self, coordinate: &[usize]) -> Result<LanePlace, LayoutError> {
        let offset = ok!(self.layout.checked_offset(coordinate));
        // There is an element, so lanes are not empty.
        let (lane, offset) = (offset / self.len, offset % self.len);
        let element = self.layout.element();
        // The elements of a lane begin at a byte.
        let byte = offset / element.per_byte() * element.bits().div_ceil(8);
        Ok(LanePlace { lane, offset, byte })
    }

    /// Returns the coordinate of element `offset` of the tensor in a lane. `None` for padding, and if `offset` or the
    /// lane is out of bounds.
    ///
    /// Law: `coordinate(place(c).lane, place(c).offset) == c`, if coordinates share no elements.
    pub const fn coordinate(&self, lane: usize, offset: usize) -> Option<PerAxis<usize>> {
        match lane < self.count() && offset < self.len {
            true => self.layout.coordinate(lane * self.len + offset),
            false => None,
        }
    }

    /// The stride of each axis inside a lane, in elements and in coordinate order. For the axis that is distributed
    /// over lanes, it is the distance from one row to the next. `None` if an axis has blocks that one stride cannot
    /// describe, or if no axis is distributed.
    ///
    /// Accelerators' instructions and their vendors' helpers take these strides. [`tensor`](Self::tensor) has four
    /// dimensions for every storage of a chip.
    ///
    /// Law: offsets in a lane differ by the stride if coordinates differ by 1 on an axis, or by `count() * together()`
    /// on the axis that is distributed over lanes.
    pub const fn strides(&self) -> Option<PerAxis<isize>> {
        let Some(distributed) = self.distributed else { return None };
        let mut strides = [0; MAX_RANK];
        each!(axis, 0..self.layout.rank(), {
            strides[axis] = if axis == distributed.axis {
                distributed.row_stride
            } else {
                match AxisDigits::of(&self.layout, axis).stride() {
                    Some(stride) => stride,
                    None => return None,
                }
            };
        });
        Some(PerAxis::new(strides, self.layout.rank()))
    }

    /// The distance in a lane from one row of the axis that is distributed over lanes to the next, in elements. `None`
    /// if no axis is distributed.
    #[doc(hidden)]
    pub const fn row_stride(&self) -> Option<isize> {
        match self.distributed {
            Some(distributed) => Some(distributed.row_stride),
            None => None,
        }
    }

    /// The number of rows of the axis that is distributed over lanes. Some lanes have no element of the first or the
    /// last row. If no axis is distributed, each lane has one row: its own part of the elements.
    pub const fn rows(&self) -> usize {
        match self.distributed {
            Some(distributed) => distributed.end.div_ceil(distributed.lanes),
            None => 1,
        }
    }

    /// The number of rows in which `lane` has elements. A lane without rows holds no data.
    ///
    /// Law: the number of different `(start + c) / count()` with `(start + c) % count() == lane`.
    pub const fn rows_in(&self, lane: usize) -> usize {
        match self.distributed {
            _ if self.layout.len() == 0 || lane >= self.count() => 0,
            Some(Distributed { start, end, lanes, .. }) => {
                rows_before(end, lane, lanes) - rows_before(start, lane, lanes)
            }
            None => 1,
        }
    }

    /// The lane of coordinate 0 of the axis that is distributed.
    pub const fn start(&self) -> usize {
        match self.distributed {
            Some(distributed) => distributed.start % distributed.lanes,
            None => 0,
        }
    }

    /// The lane of the last coordinate, which has the last row. If a tensor does not fit in a lane, it does not fit in
    /// this one.
    #[doc(hidden)]
    pub const fn last(&self) -> usize {
        match self.distributed {
            Some(Distributed { end: 0, .. }) => 0,
            Some(distributed) => (distributed.end - 1) % distributed.lanes,
            None => self.count() - 1,
        }
    }

    /// The first lane that has elements, and the number of such lanes from there. They may continue at lane 0.
    pub const fn used(&self) -> (usize, usize) {
        match self.distributed {
            _ if self.layout.len() == 0 => (0, 0),
            Some(Distributed { start, end, lanes, .. }) if end - start < lanes => {
                (self.start(), end - start)
            }
            _ => (self.start(), self.count()),
        }
    }
}

/// The number of the first `end` positions, distributed over `lanes`, that are in `lane`.
const fn rows_before(end: usize, lane: usize, lanes: usize) -> usize {
    (end + lanes - 1 - lane) / lanes
}

impl Layout {
    /// Whether the value of the digit is the lane.
    pub(crate) const fn is_lane(&self, digit: &Digit) -> bool {
        let Buffer { lanes, lane_axis, .. } = self.buffer;
        if lanes < 2 || digit.axis != lane_axis as usize {
            return false;
        }
        let stored = self.stored(digit.axis);
        digit.weight == stored.weight(stored.blocks - 1)
    }

    /// The axis that is distributed over lanes, in pieces that stay together.
    pub(crate) const fn distributed(&self) -> Option<Distributed> {
        let Buffer { lanes, lane_axis, .. } = self.buffer;
        if lane_axis == Buffer::NO_AXIS {
            return None;
        }
        let axis = lane_axis as usize;
        let stored = self.stored(axis);
        // The slowest block counts the lanes, unless there is only one.
        let together = stored.weight(stored.blocks - (lanes > 1) as usize);
        let end = (stored.extent() + stored.shift).div_ceil(together);
        let row_stride = stored.stride(stored.blocks);
        Some(Distributed { axis, lanes, together, start: stored.shift / together, end, row_stride })
    }
}

/// An axis that is distributed over lanes, in pieces that stay together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Distributed {
    pub(crate) axis: usize,
    pub(crate) lanes: usize,
    /// The number of coordinates in a piece.
    pub(crate) together: usize,
    /// The position of the first piece, counted from lane 0, and the end of the last one.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The distance to the next row, in elements.
    pub(crate) row_stride: isize,
}

/// A tensor of four dimensions n, c, h and w, of which c is distributed over lanes.
///
/// Element (n, c, h, w) is in lane `(start + c) % lanes`, at element `n * Ns + r * Cs + h * Hs + w * Ws` from the
/// start of the tensor in that lane. The row `r` is `(start + c) / lanes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneTensor {
    /// The number of elements in the order n, c, h, w.
    pub shape: [usize; 4],
    /// The strides in a lane, in elements; for c, the distance to the next row.
    pub strides: [isize; 4],
    /// The number of adjacent elements at each position: the input channels of a kernel that are stored together, or 1.
    pub together: usize,
}

/// The number of steps of a loop, and its stride.
type SizeAndStride = (usize, isize);

impl Lanes {
    /// Returns the tensor as accelerators' instructions and their vendors' helpers take it. `None` if it needs more
    /// dimensions, or if no axis is distributed over lanes.
    ///
    /// The axis that is distributed over lanes, or the sequence of its pieces, is c. The other axes are n, h and w in
    /// coordinate order. For a matrix or a vector, a piece is w, and missing dimensions are 1. A blocked axis counts
    /// blocks, each of which is a group of adjacent elements.
    ///
    /// ```
    /// use tensor_layout::chip::{Chip, Storage};
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let (chip, matrix) = (Chip::named("bm1684x")?, Storage::named("matrix")?);
    /// let halves = Layout::builder("MN", ElementType::F16).storage(chip, matrix, 0, Some(20));
    /// let halves = halves.extents(&[2, 40])?;
    /// let tensor = halves.lanes().and_then(|lanes| lanes.tensor()).expect("four dimensions");
    /// assert_eq!(tensor.shape, [2, 2, 1, 20]);
    /// assert_eq!(tensor.strides, [32, 32, 20, 1]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn tensor(&self) -> Option<LaneTensor> {
        let Some(distributed) = self.distributed else { return None };
        let Some((_, piece)) = self.blocks_of(distributed.axis, distributed.together) else {
            return None;
        };
        let (mut loops, mut count) = ([piece; 3], 0);
        let mut together = 1;
        each!(axis, 0..self.layout.rank(), {
            if axis != distributed.axis {
                let block = self.block_of(axis);
                let Some((blocks, _)) = self.blocks_of(axis, block) else { return None };
                if count == 3 || (together > 1 && block > 1) {
                    return None;
                }
                together *= block;
                loops[count] = blocks;
                count += 1;
            }
        });
        if count == 3 && distributed.together > 1 {
            return None;
        }
        let width = piece.0 as isize * piece.1;
        let pieces = distributed.end - distributed.start;
        let [n, h, w] = match count {
            0 => [(1, self.rows() as isize * distributed.row_stride), (1, width), piece],
            1 => [loops[0], (1, width), piece],
            _ => loops,
        };
        Some(LaneTensor {
            shape: [n.0, pieces, h.0, w.0],
            strides: [n.1, distributed.row_stride, h.1, w.1],
            together,
        })
    }

    /// The loop over the blocks of an axis, each of `block` coordinates, and the loop inside a block. `None` if one of
    /// them has no single stride, or if the elements of a block are not adjacent.
    const fn blocks_of(&self, axis: usize, block: usize) -> Option<(SizeAndStride, SizeAndStride)> {
        let extent = self.layout.extent(axis);
        let mut blocks = (extent.div_ceil(block), 0);
        let digits = self.layout.digits_along(axis);
        let mut i = 0;
        while i < digits.count {
            let digit = &digits.list[i];
            i += 1;
            if self.layout.is_lane(digit) {
                continue;
            }
            if digit.weight >= block {
                blocks.1 = digit.stride;
            } else if digit.weight > 1 || digit.size != block || digit.stride != 1 {
                return None;
            }
        }
        Some((blocks, (block, 1)))
    }

    /// The weight of the slowest digit of an axis.
    const fn block_of(&self, axis: usize) -> usize {
        let stored = self.layout.stored(axis);
        stored.weight(stored.blocks)
    }
}
