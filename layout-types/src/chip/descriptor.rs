//! What a chip's DMA engine is told: one step of moving a tensor between global memory and lanes.

use core::fmt;

/// One step of a [`Transfer`](super::Transfer): a box of elements that both memories hold in
/// strides, in four dimensions n, c, h, w, the second of which is distributed over the lanes.
///
/// Element (n, c, h, w) of the box lies in global memory at byte
/// `global + bytes * (n * Ns + c * Cs + h * Hs + w * Ws)`, with the global strides, and in lane
/// `(lane + c) % lanes` at byte `local + bytes * (n * Ns + r * Cs + h * Hs + w * Ws)`, with the
/// local ones, where `r = (lane + c) / lanes` is its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// Which way elements go.
    pub direction: Direction,
    /// The bytes of one element; 1 for elements of less than a byte, which go a byte at once.
    pub bytes: usize,
    /// Where the box begins in global memory, in bytes.
    pub global: u64,
    /// The lane that the box begins in.
    pub lane: usize,
    /// Where the first row of the box begins in its lane, in bytes.
    pub local: usize,
    /// How many elements, in the order n, c, h, w.
    pub shape: [usize; 4],
    /// How far the next is in global memory, in elements; 0 where there is no next.
    pub global_strides: [isize; 4],
    /// How far the next is in a lane, in elements, and for c the next row; 0 where there is no
    /// next, and for c in a box that ends in its first row.
    pub local_strides: [isize; 4],
}

/// Which way a descriptor moves elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From global memory to the lanes.
    Load,
    /// From the lanes to global memory.
    Store,
    /// These bits, lowest first, to the lanes: padding. The global side says nothing.
    FillLocal(u64),
    /// These bits, lowest first, to global memory: padding. The local side says nothing.
    FillGlobal(u64),
}

impl Descriptor {
    /// Moves nothing: what a list holds before it is written.
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
/// load 1 x 64 x 1 x 3136 of 1 bytes: global 0x80000000 [0, 3136, 0, 1], lane 0 local 0x00000 [0, 0, 0, 1]
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
        write!(formatter, " {n} x {c} x {h} x {w} of {} bytes:", self.bytes)?;
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
