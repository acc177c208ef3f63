//! Why a layout has no such view.

use super::factor::Letters;

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
    /// A position past the last axis.
    UnknownPosition {
        /// The position.
        position: usize,
        /// The axes that there are.
        axes: Letters,
    },
    /// A new axis of the letter of one that is there.
    TakenLetter {
        /// The letter.
        letter: char,
    },
    /// A new axis past the end of the coordinate.
    NewPosition {
        /// The new axis.
        letter: char,
        /// The position.
        position: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// A new axis that is one too many.
    Rank {
        /// The new axis.
        letter: char,
    },
    /// An axis whose blocks are too many beside those of the others.
    Blocks {
        /// The axis.
        letter: char,
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
        /// The block that they do not fit, with those inside it.
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
        /// The block that they would cut, with those inside it.
        block: usize,
        /// How many coordinates a tile has, with the tiles inside it.
        size: usize,
        /// Where in such a block the axis begins, if that is what is wrong.
        start: usize,
    },
    /// An axis of a reshape that ends inside of blocks.
    ReshapeBlock {
        /// The new axis.
        letter: char,
        /// How many coordinates it has, with the axes inside it.
        size: usize,
        /// The block that it would cut of the axes that it is made of, with those inside it.
        block: usize,
        /// Where in such a block these begin, if that is what is wrong.
        start: usize,
        /// The slowest of these.
        slowest: char,
        /// How many coordinates the others have.
        inside: usize,
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
    /// Steps through blocks that repeat after so many coordinates that no digits were searched for.
    LongPeriod {
        /// The axis.
        letter: char,
        /// The most coordinates that are searched.
        most: usize,
    },
    /// A tile of no elements.
    TileEmpty {
        /// The axis of extent 0.
        letter: char,
    },
    /// A tile with an axis that begins or ends inside a block.
    TilePart {
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// The product of its blocks.
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
