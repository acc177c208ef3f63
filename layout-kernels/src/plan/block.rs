//! Blocks: two or three vectors that follow one another in the destination, made of two or three loads.

use super::costs;
use super::loads::{MAX_DIGITS, Shape, Units, Window};
use super::nests::Nest;
use super::shared::{Costed, in_chunks};
use crate::isa::Isa;
use crate::steps::{
    LINE, MAX_LOOPS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, MAX_WINDOWS, Permutation, balanced,
    distance, greater,
};

/// The maximal number of vectors of a block, and of its loads.
const MAX_BLOCK: usize = 3;

/// A power of two that is not less than the bytes of a block.
const MAX_BYTES: usize = 256;

/// Returns the cheapest block that costs less than `limit`.
pub(super) const fn block(nest: &Nest, isa: Isa, limit: usize) -> Option<Costed> {
    let bytes = isa.permute();
    let is_small_unit = nest.unit < LINE / 2 && nest.unit < bytes;
    if !isa.shares_loads() || nest.padding.is_some() || !cfg!(vectors) || !is_small_unit {
        return None;
    }
    let (mut best, mut least) = (None, limit);
    let mut shape = Shape::new(0, 1, nest.unit);
    while shape.count < nest.count && shape.count < MAX_DIGITS {
        let (own, most) = (nest.loops[shape.count], MAX_BLOCK * bytes / shape.valid);
        if !own.follows(shape.valid) || most < 2 {
            break;
        }
        // Two vectors may need no more than two loads where three need more than three.
        let fewer = with_digit(&shape, own.size, 2 * bytes / shape.valid);
        shape = with_digit(&shape, own.size, most);
        let (tries, mut i) = ([shape, fewer], 0);
        while i < 2 {
            let (shape, is_new) = (tries[i], i == 0 || fewer.last < tries[0].last);
            if is_new && shape.valid > bytes {
                let cost = cost_of(nest, &shape, bytes, least);
                if cost < least {
                    least = cost;
                    best = Some(Costed::new(shape, cost));
                }
            }
            i += 1;
        }
        if shape.last < own.size {
            break;
        }
    }
    best
}

/// Returns a shape with a digit more: at most `most` iterations of a loop of `size`.
const fn with_digit(before: &Shape, size: usize, most: usize) -> Shape {
    let last = balanced(size, most);
    Shape { count: before.count + 1, last, valid: before.valid * last, ..*before }
}

/// Returns the cost of a block of a shape, or `usize::MAX` if it is impossible or surely costs `limit` or more.
const fn cost_of(nest: &Nest, shape: &Shape, bytes: usize, limit: usize) -> usize {
    let outputs = shape.valid.div_ceil(bytes);
    // This is the cost if there are no more loads than vectors; counting loads takes longer.
    if costs::block(outputs, bytes, shape.valid) >= limit {
        return usize::MAX;
    }
    let loads = Loads::of(nest, shape, bytes).count;
    if loads < 2 || loads > MAX_BLOCK {
        return usize::MAX;
    }
    let count = greater(loads, outputs);
    let cost = costs::block(count, bytes, shape.valid);
    in_chunks(cost, nest.loops[shape.count - 1].size, shape.last)
}

/// The loads of a block: vectors of the source that follow one another, or the windows of its units if these are fewer.
struct Loads {
    count: usize,
    are_consecutive: bool,
}

impl Loads {
    #[inline(never)]
    const fn of(nest: &Nest, shape: &Shape, bytes: usize) -> Self {
        let (low, high) = shape.span(nest);
        let count = ((high - low) as usize).div_ceil(bytes);
        // Counting windows takes longer.
        let windows = if count < 3 { count } else { shape.windows(nest, Window::of(bytes)) };
        let are_consecutive = count <= windows;
        Self { count: if are_consecutive { count } else { windows }, are_consecutive }
    }
}

impl Permutation {
    /// Makes a block of a shape. The last vector of the destination may overlap the one before it.
    pub(super) const fn set_block(
        &mut self,
        nest: &Nest,
        shape: &Shape,
        range: (isize, isize),
        bytes: usize,
    ) -> bool {
        let (mut all, valid) = (Units::NONE, shape.valid);
        all.set_windows(nest, shape, bytes);
        let outputs = valid.div_ceil(bytes);
        let count = greater(all.windows, outputs);
        if count > MAX_BLOCK || !self.place_windows(&mut all, nest, range, bytes) {
            return false;
        }
        (self.loads, self.outputs, self.valid, self.stored) = (count, outputs, valid, bytes);
        self.set_consecutive();
        let (offsets, mut output) = (offsets_of_bytes(nest, shape), 0);
        while output < outputs {
            // The last vector may overlap the one before it.
            let begin = self.output_offsets[output % MAX_PLANES] as usize;
            let (mut position, end) =
                (begin, if begin + bytes < valid { begin + bytes } else { valid });
            while position < end {
                let offset = offsets[position % MAX_BYTES];
                let load = all.window_of(offset, bytes);
                let table = &mut self.tables[(load * MAX_OUTPUTS + output) % MAX_TABLES];
                table[(position - begin) % 64] = (offset - all.starts[load % MAX_BLOCK]) as u8;
                position += 1;
            }
            output += 1;
        }
        true
    }
}

/// Returns the offsets of the bytes of a shape in the source, in the order of the destination.
const fn offsets_of_bytes(nest: &Nest, shape: &Shape) -> [isize; MAX_BYTES] {
    let (mut offsets, mut count, mut digit) = ([0; MAX_BYTES], 1, 0);
    while count < nest.unit {
        offsets[count % MAX_BYTES] = count as isize;
        count += 1;
    }
    while digit < shape.count {
        // Each iteration repeats the bytes of the one before it, `stride` bytes later.
        let (before, stride) = (count, nest.loops[digit % MAX_LOOPS].source);
        while count < before * shape.chunk(nest, digit) {
            offsets[count % MAX_BYTES] = offsets[(count - before) % MAX_BYTES] + stride;
            count += 1;
        }
        digit += 1;
    }
    offsets
}

impl Units {
    /// Sets the windows of a block of at most [`MAX_BLOCK`] loads.
    const fn set_windows(&mut self, nest: &Nest, shape: &Shape, bytes: usize) {
        let ((low, high), loads) = (shape.span(nest), Loads::of(nest, shape, bytes));
        (self.windows, self.starts[0]) = (1, low);
        let mut span = bytes;
        if loads.are_consecutive {
            self.repeat_windows(loads.count, bytes);
        } else {
            let ((splits, _), mut digit) = (shape.splits(nest, Window::of(bytes)), 0);
            span = nest.unit;
            while digit < shape.count {
                let (own, stride) = (splits[digit], distance(nest.loops[digit].source));
                self.repeat_windows(own.windows, own.within.saturating_mul(stride));
                span += (own.within - 1) * stride;
                digit += 1;
            }
        }
        let mut i = 0;
        while i < self.windows {
            // The last vector ends with the last unit.
            let (own, last) = (self.starts[i], high - bytes as isize);
            self.starts[i] = if loads.are_consecutive && own > last { last } else { own };
            // The last window of a digit may have fewer units than others.
            let end = self.starts[i] + span as isize;
            self.ends[i] = if end < high { end } else { high };
            i += 1;
        }
    }

    /// Makes all windows `times` times, each time `bytes` bytes later in the source.
    const fn repeat_windows(&mut self, times: usize, bytes: usize) {
        let (before, mut i) = (self.windows, self.windows);
        while i < before * times && i < MAX_WINDOWS {
            self.starts[i] = self.starts[i - before] + bytes as isize;
            i += 1;
        }
        self.windows = i;
    }

    /// Returns the first of two or three windows that has a byte of the source. One of them must have it. Without
    /// branches, which are mispredicted where the source of bytes jumps.
    const fn window_of(&self, offset: isize, bytes: usize) -> usize {
        let is_after = ((offset - self.starts[0]) as usize >= bytes) as usize;
        let is_last = ((offset - self.starts[1]) as usize >= bytes) as usize;
        let own = is_after * (1 + is_last);
        debug_assert!(own < self.windows, "a window has the byte");
        own
    }
}
