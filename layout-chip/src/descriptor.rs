//! Descriptors: instructions for a chip's DMA engine to move a part of a tensor between global memory and lanes.

use core::fmt;

/// One step of a [`Transfer`](crate::Transfer): a box of elements that is strided in both memories. It has four
/// dimensions n, c, h, w, of which c is distributed over the lanes.
///
/// In global memory, element (n, c, h, w) of the box is at byte
/// `global + bytes * (n * Ns + c * Cs + h * Hs + w * Ws)`, with the global strides. In local memory, it is in lane
/// `(lane + c) % lanes` at byte `local + bytes * (n * Ns + r * Cs + h * Hs + w * Ws)`, with the local strides, where
/// the row `r` is `(lane + c) / lanes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// The direction of the move.
    pub direction: Direction,
    /// The bytes of one element, or 1 for elements of less than a byte, which move one byte at a time.
    pub bytes: usize,
    /// The start of the box in global memory, in bytes.
    pub global: u64,
    /// The lane of the first element.
    pub lane: usize,
    /// The start of the first row of the box in its lane, in bytes.
    pub local: usize,
    /// The number of elements in the order n, c, h, w.
    pub shape: [usize; 4],
    /// The strides in global memory, in elements; 0 for a dimension of one element.
    pub global_strides: [isize; 4],
    /// The strides in a lane, in elements; for c, the distance to the next row. 0 for a dimension of one element, and
    /// for c in a box that has only one row.
    pub local_strides: [isize; 4],
}

/// The direction in which a descriptor moves elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From global memory to the lanes.
    Load,
    /// From the lanes to global memory.
    Store,
    /// Fills lanes with this element, lowest bit first: padding. The global side is ignored.
    FillLocal(u64),
    /// Fills global memory with this element, lowest bit first: padding. The local side is ignored.
    FillGlobal(u64),
}

impl Descriptor {
    /// A descriptor that moves nothing, for the initial value of a list.
    pub const NONE: Self = Self {
        direction: Direction::Load,
        bytes: 1,
        global: 0,
        lane: 0,
        local: 0,
        shape: [0; 4],
        global_strides: [0; 4],
        local_strides: [0; 4],
    };
}

/// ```text
/// load 1 x 64 x 1 x 3136 of 1 byte: global 0x80000000 [0, 3136, 0, 1], lane 0 local 0x00000 [0, 0, 0, 1]
/// ```
impl fmt::Display for Descriptor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.direction {
            Direction::Load => formatter.write_str("load")?,
            Direction::Store => formatter.write_str("store")?,
            Direction::FillLocal(bits) | Direction::FillGlobal(bits) => {
                write!(formatter, "fill with 0x{bits:x}")?;
            }
        }
        let [n, c, h, w] = self.shape;
        write!(
            formatter,
            " {n} x {c} x {h} x {w} of {} byte{}:",
            self.bytes,
            if self.bytes == 1 { "" } else { "s" }
        )?;
        if !matches!(self.direction, Direction::FillLocal(_)) {
            write!(formatter, " global 0x{:08x} {:?}", self.global, self.global_strides)?;
        }
        if let Direction::Load | Direction::Store = self.direction {
            formatter.write_str(",")?;
        }
        if !matches!(self.direction, Direction::FillGlobal(_)) {
            let (lane, local) = (self.lane, self.local);
            write!(formatter, " lane {lane} local 0x{local:05x} {:?}", self.local_strides)?;
        }
        Ok(())
    }
}
