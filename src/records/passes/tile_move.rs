//! A pass of a tile: a relayout, a permute of bits, or a move of each element.

use core::fmt;

use layout_kernels::BitPermute;
use layout_records::{FieldMove, RecordError};

use crate::relayout::Plan;

/// How a pass moves.
#[allow(clippy::large_enum_variant, reason = "most are the largest")]
pub(crate) enum TileMove {
    Relayout(Plan),
    Bits(BitPermute),
    /// No strides express where the elements lie.
    Each(FieldMove),
}

/// Prints the path of the move.
impl fmt::Display for TileMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Relayout(plan) => write!(f, "{plan}"),
            Self::Bits(bits) => write!(f, "{bits}"),
            Self::Each(_) => f.write_str("each element on its own"),
        }
    }
}

/// A move between buffers of a tile.
pub(crate) struct TilePass {
    /// The buffer of the source, or `None` for the constants. A permute of bits knows its buffers by itself.
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    pub(crate) how: TileMove,
    /// Where a constant begins.
    pub(crate) start: usize,
}

impl TilePass {
    pub(crate) const fn new(from: Option<usize>, to: usize, how: TileMove) -> Self {
        Self { from, to, how, start: 0 }
    }

    pub(crate) fn run<'a>(
        &self,
        buffers: impl Fn(usize) -> &'a [u8],
        constants: &[u8],
        destination: &mut [u8],
    ) -> Result<(), RecordError> {
        let source = match self.from {
            Some(buffer) => buffers(buffer),
            None => constants,
        };
        let done = match &self.how {
            TileMove::Relayout(plan) => {
                let source = match self.from {
                    Some(_) => source,
                    None => &source[self.start..self.start + plan.source().units()],
                };
                return Ok(plan.run(source, destination)?);
            }
            TileMove::Bits(bits) => bits.run(buffers, destination),
            TileMove::Each(field) => field.run(source, destination).is_some(),
        };
        assert!(done, "a tile is as long as its record");
        Ok(())
    }
}
