//! The text for each reason why a layout has no such view.

use super::factor::{MAX_FACTORS, MAX_RANK};
use super::phrases::{push_axis, push_count, push_letters};
use super::text::Message;
use super::view_error::ViewError;

use ViewError::*;

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
            UnknownPosition { position, axes } => {
                m.push("there is no axis at position ");
                m.push_number(position);
                match axes.count().checked_sub(1) {
                    None => m.push("; the layout has no axes"),
                    Some(last) => {
                        m.push("; write 0 to ");
                        m.push_number(last);
                        m.push(", or one of ");
                        push_letters(m, axes);
                    }
                }
            }
            TakenLetter { letter } => {
                push_axis(m, letter);
                m.push(" is there already; give the new axis another letter");
            }
            NewPosition { letter, position, rank } => {
                m.push("new ");
                push_axis(m, letter);
                m.push(" has position ");
                m.push_number(position);
                m.push(" but there are ");
                push_count(m, rank, "axis", "axes");
                m.push("; write at most ");
                m.push_number(rank);
            }
            Rank { letter } => {
                m.push("new ");
                push_axis(m, letter);
                m.push(" is one more than the ");
                m.push_number(MAX_RANK);
                m.push(" that a layout can have; merge, index or squeeze another one first");
            }
            Blocks { letter } => {
                push_axis(m, letter);
                m.push(" has blocks that are more, with those of the other axes, than the ");
                m.push_number(MAX_FACTORS);
                m.push(
                    " axes and blocks that a layout can have; index or squeeze another axis first",
                );
                m.push(MOVE);
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
                if extent == 0 {
                    m.push("; take 0 coordinates from 0 on");
                } else if start >= extent {
                    m.push("; begin below the extent");
                } else {
                    let room = if step < 0 { start } else { extent - 1 - start };
                    m.push("; take at most ");
                    m.push_number(room / step.unsigned_abs() + 1);
                }
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
                m.push("; write extents whose product is ");
                m.push_number(extent);
            }
            TileBlock { letter, block, size, start: start @ 1.. } => {
                push_axis(m, letter);
                push_start(m, " begins", start, block);
                m.push(", where no tile of ");
                m.push_number(size);
                m.push(" does");
                push_whole_start(m, letter, whole_start(start, block, size, 1));
            }
            TileBlock { letter, block, size, .. } => {
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
                m.push(", so no axis goes on after it; put it before those that it is merged with, slice it to whole blocks");
                m.push(MOVE);
            }
            ReshapeBlock { letter, size, block, start: start @ 1.., slowest, inside } => {
                m.push("new ");
                push_axis(m, letter);
                m.push(" ends after ");
                push_count(m, size, "coordinate", "coordinates");
                push_start(m, ", but the axes that it is made of begin", start, block);
                push_whole_start(m, slowest, whole_start(start, block, size, inside));
            }
            ReshapeBlock { letter, size, block, .. } => {
                m.push("new ");
                push_axis(m, letter);
                m.push(" ends after ");
                push_count(m, size, "coordinate", "coordinates");
                m.push(", which would cut the blocks of ");
                m.push_number(block);
                m.push(" in which the axes lie that it is made of; write extents whose products divide a block or are a multiple of it");
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
            LongPeriod { letter, most } => {
                m.push("steps along ");
                push_axis(m, letter);
                m.push(" fall into blocks so that they do not repeat within ");
                m.push_number(most);
                m.push(" coordinates; take at most as many, write steps that divide a block or are a multiple of it");
                m.push(MOVE);
            }
            TileEmpty { letter } => {
                push_axis(m, letter);
                m.push(" of the tile has extent 0, so no number of tiles covers anything; write an extent of at least 1");
            }
            TilePart { letter, extent, block } => {
                push_axis(m, letter);
                m.push(" of the tile has ");
                push_count(m, extent, "coordinate", "coordinates");
                m.push(" that begin or end inside a block of ");
                m.push_number(block);
                m.push(", so tiles beside it would leave gaps; write a tile of whole blocks");
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

/// Where in a block something begins.
const fn push_start(m: &mut Message, begins: &str, start: usize, block: usize) {
    m.push(begins);
    m.push(" at ");
    m.push_number(start);
    m.push(" in a block of ");
    m.push_number(block);
}

/// From which coordinate of an axis on tiles of `size` would fit, where it begins at `start` in a
/// block, and each of its coordinates is `inside` of those that sizes and blocks are counted in.
const fn whole_start(start: usize, block: usize, size: usize, inside: usize) -> usize {
    let step = if block % size == 0 && size % inside == 0 { size } else { block };
    (step - start % step) / inside
}

const fn push_whole_start(m: &mut Message, letter: char, first: usize) {
    m.push("; slice ");
    push_axis(m, letter);
    m.push(" from ");
    m.push_number(first);
    m.push(" on");
    m.push(MOVE);
}

const fn push_product(m: &mut Message, product: Option<usize>) {
    match product {
        Some(product) => push_count(m, product, "coordinate", "coordinates"),
        None => m.push("more coordinates than `usize` can count"),
    }
}
