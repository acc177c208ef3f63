//! Why a layout has no such view: the facts and their texts.

use super::message::{push_axis, push_count};
use super::text::Message;

use ViewError::*;

/// A view that a layout does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// An order that leaves out an axis.
    MissingAxis {
        /// The axis.
        letter: char,
    },
    /// No axes where some have to be named.
    NoAxes,
    /// A new axis of the letter of one that is there.
    TakenLetter {
        /// The letter.
        letter: char,
    },
    /// A new axis past the end of the coordinate.
    Position {
        /// The new axis.
        letter: char,
        /// The position.
        position: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// A slice that does not step.
    ZeroStep {
        /// The axis.
        letter: char,
    },
    /// A slice that leaves its axis.
    Slice {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The first coordinate.
        start: usize,
        /// The distance of two coordinates.
        step: isize,
        /// How many coordinates.
        length: usize,
    },
    /// A slice whose steps fall differently into each block.
    SliceBlock {
        /// The axis.
        letter: char,
        /// The product of its blocks.
        block: usize,
        /// The distance of two coordinates.
        step: isize,
    },
    /// A split past the end of its axis.
    Split {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// Where the second part begins.
        at: usize,
    },
    /// Tiles that hold more or fewer coordinates than their axis.
    Tile {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The product of the tiles; `None` past `usize::MAX`.
        given: Option<usize>,
    },
    /// Tiles that end inside of blocks.
    TileBlock {
        /// The axis.
        letter: char,
        /// The product of its blocks.
        block: usize,
        /// The extent of the tile.
        size: usize,
    },
    /// An axis inside another that begins or ends inside a block.
    MergeBlock {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The product of its blocks.
        block: usize,
    },
    /// Extents of a reshape with another product.
    Reshape {
        /// How many coordinates there are.
        count: usize,
        /// The product of the new extents; `None` past `usize::MAX`.
        given: Option<usize>,
    },
    /// A broadcast of more than one coordinate.
    Broadcast {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
    },
    /// An axis of more than one coordinate that is to go.
    Squeeze {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
    },
    /// Axes whose blocks do not divide one another.
    DiagonalBlock {
        /// One axis.
        first: char,
        /// The other.
        second: char,
    },
    /// Parts of an axis that take turns in memory.
    Interleaved {
        /// The axis.
        letter: char,
    },
    /// Chunks of no coordinates.
    EmptyChunk {
        /// The axis.
        letter: char,
    },
    /// Offsets of an inner layout that the outer has no coordinates for.
    ComposeSpan {
        /// The elements that the inner layout takes.
        span: usize,
        /// The coordinates that there are.
        count: usize,
    },
    /// Steps of an inner layout that fall differently into each block of the outer.
    ComposeBlock {
        /// The axis of the inner layout.
        letter: char,
        /// The product of the outer's blocks.
        block: usize,
    },
    /// A tile with a broadcast axis.
    TileBroadcast {
        /// The axis.
        letter: char,
    },
    /// A tile that does not begin at offset 0.
    TileStart {
        /// Where it begins.
        start: usize,
    },
    /// A stride that leaves a part of the elements below it over.
    TileStride {
        /// The axis.
        letter: char,
        /// The stride.
        stride: usize,
        /// The elements that faster strides take.
        room: usize,
    },
    /// A tile that does not divide what it shall tile.
    TileCount {
        /// The elements from one tile to the next behind it.
        size: usize,
        /// The elements to be tiled.
        count: usize,
    },
}

/// What helps where blocks are in the way.
const MOVE: &str = ", or move the tensor to another format first";

impl ViewError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message) {
        match *self {
            MissingAxis { letter } => {
                push_axis(m, letter);
                m.push(" is left out; name every axis once");
            }
            NoAxes => m.push("no axis is named; name the axes to be merged, the slowest first"),
            TakenLetter { letter } => {
                push_axis(m, letter);
                m.push(" is there already; give the new axis another letter");
            }
            Position { letter, position, rank } => {
                m.push("new ");
                push_axis(m, letter);
                m.push(" has position ");
                m.push_number(position);
                m.push(" but there are ");
                push_count(m, rank, "axis", "axes");
                m.push("; write at most ");
                m.push_number(rank);
            }
            ZeroStep { letter } => {
                m.push("slice of ");
                push_axis(m, letter);
                m.push(
                    " has step 0; write another step, or index the axis, unsqueeze and broadcast",
                );
            }
            Slice { letter, extent, start, step, length } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(" but the slice takes ");
                push_count(m, length, "coordinate", "coordinates");
                m.push(" from ");
                m.push_number(start);
                m.push(" on in steps of ");
                m.push_signed(step);
                m.push("; stay below the extent");
            }
            SliceBlock { letter, block, step } => {
                push_axis(m, letter);
                m.push(" lies in blocks of ");
                m.push_number(block);
                m.push(", and no step of ");
                m.push_signed(step);
                m.push(" fits them; write a step that divides a block or is a multiple of it");
                m.push(MOVE);
            }
            Split { letter, extent, at } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(" but is split at ");
                m.push_number(at);
                m.push("; split it at most at its extent");
            }
            Tile { letter, extent, given } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(" but the tiles hold ");
                push_product(m, given);
                m.push(" coordinates; write extents whose product is ");
                m.push_number(extent);
            }
            TileBlock { letter, block, size } => {
                push_axis(m, letter);
                m.push(" lies in blocks of ");
                m.push_number(block);
                m.push(", which tiles of ");
                m.push_number(size);
                m.push(" would cut; write tiles that divide a block or are a multiple of it");
                m.push(MOVE);
            }
            MergeBlock { letter, extent, block } => {
                push_axis(m, letter);
                m.push(" has ");
                push_count(m, extent, "coordinate", "coordinates");
                m.push(" that begin or end inside a block of ");
                m.push_number(block);
                m.push(", so no axis goes on after it; name it first, slice it to whole blocks");
                m.push(MOVE);
            }
            Reshape { count, given } => {
                m.push("layout has ");
                push_count(m, count, "coordinate", "coordinates");
                m.push(" but the new extents hold ");
                push_product(m, given);
                m.push("; write extents whose product is ");
                m.push_number(count);
            }
            Broadcast { letter, extent } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push("; only an axis of extent 1 can be broadcast: index it and unsqueeze first");
            }
            Squeeze { letter, extent } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push("; only an axis of extent 1 can go: choose one coordinate with `index`");
            }
            DiagonalBlock { first, second } => {
                m.push("blocks of axes `");
                m.push_char(first);
                m.push("` and `");
                m.push_char(second);
                m.push("` do not divide one another; slice both inside a block");
                m.push(MOVE);
            }
            Interleaved { letter } => {
                m.push("parts of ");
                push_axis(m, letter);
                m.push(
                    " take turns in memory, so two slices cannot hold them; split the slowest axis",
                );
                m.push(MOVE);
            }
            EmptyChunk { letter } => {
                m.push("chunks of ");
                push_axis(m, letter);
                m.push(" have 0 coordinates; write at least 1");
            }
            ComposeSpan { span, count } => {
                m.push("inner layout spans ");
                push_count(m, span, "element", "elements");
                m.push(" but the outer has ");
                push_count(m, count, "coordinate", "coordinates");
                m.push("; compose with one that spans no more");
            }
            ComposeBlock { letter, block } => {
                m.push("steps along ");
                push_axis(m, letter);
                m.push(" of the inner layout leave the blocks of ");
                m.push_number(block);
                m.push(" in which the outer lies; write strides and extents that divide them");
                m.push(MOVE);
            }
            TileBroadcast { letter } => {
                push_axis(m, letter);
                m.push(" of the tile is broadcast, so its elements would count twice; index it");
            }
            TileStart { start } => {
                m.push("tile begins at offset ");
                m.push_number(start);
                m.push("; write one that begins at 0");
            }
            TileStride { letter, stride, room } => {
                push_axis(m, letter);
                m.push(" of the tile has stride ");
                m.push_number(stride);
                m.push(", which is not a multiple of the ");
                push_count(m, room, "element", "elements");
                m.push(" that its faster axes take; write a multiple of ");
                m.push_number(room);
            }
            TileCount { size, count } => {
                m.push("the layout takes ");
                push_count(m, size, "element", "elements");
                m.push(" at a time, which do not divide ");
                m.push_number(count);
                m.push("; write a multiple of ");
                m.push_number(size);
            }
        }
    }
}

const fn push_product(m: &mut Message, product: Option<usize>) {
    match product {
        Some(product) => m.push_number(product),
        None => m.push("more than `usize` can count"),
    }
}
