//! Moves boxes between layouts with swizzles.
//!
//! Offsets before a swizzle are sums of strides, as those of any layout. So a box is copied in groups that swizzles
//! keep contiguous, if elements are contiguous on both sides before the swizzles, or else in blocks that pass a scratch
//! buffer, whose order is that of a side without its swizzle.

mod blocks;
mod groups;
mod xor;

use core::fmt;

use layout_kernels::{Move, Plan};
use layout_types::nests::{Nest, Pair, Place};

use blocks::{SwizzledBlocks, both, bytes, groups};
use groups::{Groups, as_uninit};
pub(super) use xor::{Xor, copy_elements};

/// The least bytes of a run for which copying it is worthwhile, if a group has more.
const RUN: usize = 16;

/// How a box between swizzles is moved.
#[allow(clippy::large_enum_variant, reason = "a relayout allocates nothing")]
#[derive(Clone, Copy, Debug)]
pub(super) enum SwizzledMove {
    /// In groups that the swizzles keep contiguous on both sides. The first begins at this place, in bytes.
    Groups(Groups, Place),
    /// In blocks, through scratch buffers.
    Blocks(SwizzledBlocks),
}

impl SwizzledMove {
    /// How `nest` is moved, and the move of a block by a kernel. Returns `None` if swizzles move parts of bytes, or if
    /// there are too many loops.
    pub(super) const fn of(nest: &Nest, pair: &Pair) -> Option<(Self, Option<Move>)> {
        if let Some((groups, start)) = direct(nest, pair) {
            return Some((Self::Groups(groups, start), None));
        }
        match SwizzledBlocks::of(nest, pair) {
            Some((blocks, of)) => Some((Self::Blocks(blocks), Some(of))),
            None => None,
        }
    }

    /// Moves the box. `kernel` moves a block, if there are blocks.
    ///
    /// # Safety
    /// All offsets of the box lie in `source` and in `destination`. `kernel` is a plan of the move that
    /// [`of`](Self::of) returned with this.
    pub(super) unsafe fn run(&self, kernel: Option<&Plan>, source: &[u8], destination: &mut [u8]) {
        match (self, kernel) {
            (Self::Groups(groups, start), _) => {
                // SAFETY: groups copy initialized bytes.
                let to = unsafe { as_uninit(destination) };
                // SAFETY: the caller's promise.
                unsafe { groups.copy(*start, source, to) }
            }
            // SAFETY: the caller's promise.
            (Self::Blocks(blocks), Some(kernel)) => unsafe {
                blocks.run(kernel, source, destination)
            },
            (Self::Blocks(_), None) => debug_assert!(false, "blocks without a kernel"),
        }
    }
}

/// The groups of a box whose elements are contiguous on both sides, and the place of the first in bytes.
const fn direct(nest: &Nest, pair: &Pair) -> Option<(Groups, Place)> {
    let (element, other) = (pair.source().element(), pair.destination().element());
    let (bits, [from, to], start) = (element.bits(), nest.swizzles(), nest.start());
    let (Some(from), Some(to)) = (Xor::of_bytes(from, bits), Xor::of_bytes(to, bits)) else {
        return None;
    };
    let (Some(run), Some(start)) = (
        match nest.levels() {
            [.., level] if matches!(level.strides, [1, 1]) => bytes(level.size as isize, bits),
            _ => None,
        },
        both((start.source as isize, start.destination as isize), bits),
    ) else {
        return None;
    };
    let (run, least) = (run as usize, Groups::between(from, to).chunk());
    if element.is_high_first() != other.is_high_first() || run < RUN && run < least {
        return None;
    }
    let Some(mut groups) = groups(nest.levels(), bits, from, to) else { return None };
    groups.align(start.0, start.1);
    let (source, destination) = (start.0 as usize, start.1 as usize);
    Some((groups, Place { source, destination, parameter: 0 }))
}

/// Prints how the box is moved, without the move of a block.
impl fmt::Display for SwizzledMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = match self {
            Self::Groups(groups, _) => {
                return write!(
                    formatter,
                    "copy {} bytes at a time, which swizzles keep contiguous",
                    groups.chunk()
                );
            }
            Self::Blocks(blocks) => blocks,
        };
        let count = blocks.blocks();
        let plural = if count == 1 { "" } else { "s" };
        write!(formatter, "{count} block{plural} of {} bytes", blocks.bytes())?;
        let (gather, scatter) = blocks.copies();
        if let Some(groups) = gather {
            write!(formatter, "; gather {} bytes at a time", groups.chunk())?;
        }
        if let Some(groups) = scatter {
            write!(formatter, "; scatter {} bytes at a time", groups.chunk())?;
        }
        Ok(())
    }
}
