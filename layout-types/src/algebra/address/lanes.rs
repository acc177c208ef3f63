//! Where elements lie in a memory that is an array of lanes.

use crate::algebra::AxisDigits;
use crate::layout::Digit;
use crate::layout::{LaneImage, Layout};
use crate::spec::{LayoutError, MAX_RANK};

/// Where an element lies: the lane, and the byte in what the tensor takes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LanePlace {
    /// The lane.
    pub lane: usize,
    /// Bytes from where the tensor begins in each lane. Of two 4-bit elements in a byte, the even
    /// offset is the low half.
    pub byte: usize,
}

impl Layout {
    /// The array of lanes that storage is, or `None` for a layout that is not distributed over lanes.
    pub const fn lanes(&self) -> Option<LaneImage> {
        self.lanes
    }

    /// The bytes that the tensor takes in each lane; all its bytes where there are no lanes.
    pub const fn lane_bytes(&self) -> usize {
        match self.lanes {
            Some(image) => self.bytes_of(image.length),
            None => self.bytes(),
        }
    }

    /// Where `coordinate` lies: in lane 0 where there are no lanes.
    ///
    /// Law: `offset(c) == lane * lanes().length + (elements before byte)`, and for an axis distributed over lanes
    /// over L lanes from lane s on, `lane == (s + c / block) % L`.
    ///
    /// # Errors
    /// A coordinate of another rank or outside the extents.
    pub const fn place(&self, coordinate: &[usize]) -> Result<LanePlace, LayoutError> {
        match self.checked_offset(coordinate) {
            Ok(offset) => Ok(self.place_at(offset)),
            Err(error) => Err(error),
        }
    }

    /// The place of `offset`, in elements of the image.
    pub(crate) const fn place_at(&self, offset: usize) -> LanePlace {
        let (lane, within) = match self.lanes {
            Some(LaneImage { length, .. }) if length > 0 => (offset / length, offset % length),
            _ => (0, offset),
        };
        let bits = self.element().bits();
        // Rows of 4-bit elements begin at whole bytes.
        let byte = if bits < 8 { within / 2 } else { within * (bits / 8) };
        LanePlace { lane, byte }
    }

    /// One stride for each axis in coordinate order, in elements, inside of a lane; for the axis
    /// that is distributed over lanes, from one row to the next. `None` where blocks leave an axis
    /// without a single stride. Only the first [`rank`](Self::rank) entries count.
    ///
    /// These are the strides that accelerators' instructions and their vendors' helpers take.
    ///
    /// Law: coordinates that differ by 1 on another axis, or by `lanes * together` on the one that
    /// is distributed over lanes, are that far apart.
    /// [`lane_tensor`](Self::lane_tensor) has four dimensions for every storage of a chip.
    pub const fn lane_strides(&self) -> Option<[isize; MAX_RANK]> {
        let Some(dealt) = self.dealt() else { return self.strides() };
        let mut strides = [0; MAX_RANK];
        let mut axis = 0;
        while axis < self.rank() {
            strides[axis] = if axis == dealt.axis {
                dealt.row_stride
            } else {
                match AxisDigits::of(self, axis).stride() {
                    Some(stride) => stride,
                    None => return None,
                }
            };
            axis += 1;
        }
        Some(strides)
    }

    /// How many rows the axis that is distributed over lanes takes in a lane, some lanes holding none of
    /// the last or the first; 1 where no axis is.
    pub const fn rows(&self) -> usize {
        match self.dealt() {
            Some(dealt) => dealt.end.div_ceil(dealt.lanes),
            None => 1,
        }
    }

    /// In how many rows `lane` holds elements: in none, then the lane holds no data.
    ///
    /// Law: the number of different `(start + c) / lanes` with `(start + c) % lanes == lane`.
    pub const fn rows_in(&self, lane: usize) -> usize {
        match self.dealt() {
            _ if self.length == 0 => 0,
            Some(dealt) if lane < dealt.lanes => {
                rows_before(dealt.end, lane, dealt.lanes)
                    - rows_before(dealt.start, lane, dealt.lanes)
            }
            None if lane == 0 => 1,
            _ => 0,
        }
    }

    /// The first lane: that of coordinate 0.
    pub const fn start_lane(&self) -> usize {
        match self.dealt() {
            Some(dealt) => dealt.start % dealt.lanes,
            None => 0,
        }
    }

    /// The lane of the last coordinate, which holds the last row: what does not fit in a lane is
    /// missing there.
    pub(crate) const fn last_lane(&self) -> usize {
        match self.dealt() {
            Some(dealt) if dealt.end > 0 => (dealt.end - 1) % dealt.lanes,
            _ => 0,
        }
    }

    /// The lanes that hold elements: the first, and how many from there on, around the end.
    pub const fn lanes_used(&self) -> (usize, usize) {
        match self.dealt() {
            _ if self.length == 0 => (0, 0),
            Some(dealt) if dealt.end - dealt.start < dealt.lanes => {
                (dealt.start % dealt.lanes, dealt.end - dealt.start)
            }
            Some(dealt) => (dealt.start % dealt.lanes, dealt.lanes),
            None => (0, 1),
        }
    }

    /// Whether the value of the digit is the lane.
    pub(crate) const fn is_lane(&self, digit: &Digit) -> bool {
        match self.lanes {
            Some(LaneImage { lanes, axis, together, .. }) => {
                lanes > 1
                    && self.letters.at(digit.axis) as u32 == axis as u32
                    && digit.weight == together
            }
            None => false,
        }
    }

    /// The axis that is distributed over lanes, in pieces that stay together.
    pub(crate) const fn dealt(&self) -> Option<Dealt> {
        let Some(LaneImage { lanes, axis, together, .. }) = self.lanes else { return None };
        let Some(axis) = self.letters.position(axis) else { return None };
        let (mut shift, mut row_stride) = (0, 0);
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.axis == axis {
                shift = digit.shift;
                if digit.weight == together * lanes {
                    row_stride = digit.stride;
                }
            }
            i += 1;
        }
        let end = (self.extents[axis] + shift).div_ceil(together);
        Some(Dealt { axis, lanes, together, start: shift / together, end, row_stride })
    }
}

/// An axis that is distributed over lanes, as pieces that stay together.
pub(crate) struct Dealt {
    pub(crate) axis: usize,
    pub(crate) lanes: usize,
    /// How many coordinates a piece holds.
    pub(crate) together: usize,
    /// Where the first piece stands, counted from lane 0, and where the last ends.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How far the next row is, in elements.
    pub(crate) row_stride: isize,
}

/// How many of the positions before `end`, distributed over `lanes`, fall to `lane`.
const fn rows_before(end: usize, lane: usize, lanes: usize) -> usize {
    (end + lanes - 1 - lane) / lanes
}
