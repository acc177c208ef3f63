//! A layout over lanes as the four dimensions that accelerators' instructions take.

use super::Lanes;

/// A tensor of four dimensions n, c, h and w, the second of which is distributed over lanes.
///
/// Element (n, c, h, w) lies in lane `(start + c) % lanes`, and in it, from where the tensor
/// begins, at element `n * Ns + r * Cs + h * Hs + w * Ws`, where `r = (start + c) / lanes` is its
/// row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneTensor {
    /// How many elements, in the order n, c, h, w.
    pub shape: [usize; 4],
    /// How far the next is in a lane, in elements, and for c the next row.
    pub strides: [isize; 4],
    /// How many elements lie side by side in place of each: the input channels of a kernel that
    /// lie together, else 1.
    pub together: usize,
}

/// How many steps, and how far each is.
type Loop = (usize, isize);

impl Lanes {
    /// The tensor as accelerators' instructions and their vendors' helpers take it, or `None` for one
    /// that needs more dimensions, or that has no axis distributed over lanes.
    ///
    /// The axis that is distributed over lanes is c, or its pieces where it is cut into pieces, and the others
    /// are n, h and w in coordinate order. A matrix or a vector has a piece as w, and 1 for what it
    /// lacks. A blocked axis counts blocks, each of which is elements side by side.
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
        let mut axis = 0;
        while axis < self.layout.rank() {
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
            axis += 1;
        }
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

    /// The loop over the blocks of an axis, each of `block` coordinates, and the one inside of a
    /// block; `None` where either has no single stride, or the elements of a block do not lie side
    /// by side.
    const fn blocks_of(&self, axis: usize, block: usize) -> Option<(Loop, Loop)> {
        let extent = self.layout.extents[axis];
        let mut blocks = (extent.div_ceil(block), 0);
        let mut i = 0;
        while i < self.layout.digit_count {
            let digit = &self.layout.digits[i];
            i += 1;
            if digit.axis != axis || self.layout.is_lane(digit) {
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

    /// How many coordinates the slowest digit of an axis steps by.
    const fn block_of(&self, axis: usize) -> usize {
        let mut block = 1;
        let mut i = 0;
        while i < self.layout.digit_count {
            let digit = &self.layout.digits[i];
            if digit.axis == axis && digit.weight > block {
                block = digit.weight;
            }
            i += 1;
        }
        block
    }
}
