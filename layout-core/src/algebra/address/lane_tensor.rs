//! A layout over lanes as the four dimensions that accelerators' instructions take.

use super::lanes::Lanes;

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
    /// use tensor_layout::ElementType;
    ///
    /// let (chip, matrix) = (Chip::named("bm1684x")?, Storage::named("matrix")?);
    /// let halves = matrix.layout(chip, "MN", &[2, 40], ElementType::F16, 0, Some(20))?;
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
        let own = self.layout.stored(axis);
        own.weight(own.blocks)
    }
}
