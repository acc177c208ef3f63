//! The oracle of layouts: loops over a memory order, and a counter of positions.

use crate::notation::{Notation, Part};
use crate::table::{Table, for_each_coordinate, position};

/// The positions of a layout's elements according to its notation.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The offset of each coordinate.
    pub table: Table,
    /// The elements that the storage has, padding included.
    pub length: usize,
    /// Whether a row of elements of less than a byte is rounded up to a whole one, or longer than its pitch.
    pub is_odd: bool,
}

impl Memory {
    /// The most positions that a layout of the campaign takes.
    pub const LIMIT: usize = 1 << 25;

    /// Where the elements of a layout are; `None` where these are more than [`Self::LIMIT`] positions.
    pub fn new(notation: &Notation) -> Option<Self> {
        let linear = Self::linear(notation)?;
        match notation.swizzle {
            Some(swizzle) => Some(linear.swizzled(swizzle, notation.element.per_byte())),
            None => Some(linear),
        }
    }

    /// The same with every offset where a swizzle puts it, and a storage that holds them all.
    fn swizzled(mut self, swizzle: (usize, usize, isize), per_byte: usize) -> Self {
        for offset in &mut self.table.offsets {
            *offset = swizzled(*offset, swizzle);
            if *offset >= self.length {
                // What the swizzle adds ends at a whole byte.
                self.length = (*offset + 1).next_multiple_of(per_byte);
            }
        }
        self
    }

    /// Where the elements are without a swizzle.
    fn linear(notation: &Notation) -> Option<Self> {
        let (letters, extents): (Vec<char>, Vec<usize>) = notation.axes.iter().copied().unzip();
        let count = notation.count()?;
        if count > Self::LIMIT {
            return None;
        }
        if let Some(strides) = &notation.strides {
            return Self::strided(letters, extents, strides);
        }
        let offsets = vec![usize::MAX; count];
        let table = Table { letters, extents, offsets };
        if count == 0 {
            return Some(Self { table, length: 0, is_odd: false });
        }
        if turns(notation).is_none_or(|turns| turns > Self::LIMIT) {
            return None;
        }
        let ones = vec![0; notation.axes.len()];
        let mut walk = Walk {
            notation,
            table,
            rest: ones.clone(),
            within: ones.clone(),
            apart: ones.clone(),
            lane: ones,
            position: 0,
            is_odd: false,
        };
        match notation.lanes {
            Some((letter, lanes, _)) => walk.lanes(letter, lanes),
            None => walk.run(&notation.order),
        }
        if !notation.pitch.is_empty() {
            // What follows the last element is another's.
            walk.position = walk.table.offsets.iter().max().map_or(0, |last| last + 1);
        } else {
            walk.end_row(0, false);
        }
        let Walk { table, position: length, is_odd, .. } = walk;
        (length <= Self::LIMIT).then_some(Self { table, length, is_odd })
    }

    /// Every coordinate at the sum of its strides, counted from the lowest sum.
    fn strided(letters: Vec<char>, extents: Vec<usize>, strides: &[isize]) -> Option<Self> {
        let mut sums = Vec::new();
        for_each_coordinate(&extents, |coordinate| {
            let terms = coordinate.iter().zip(strides);
            sums.push(terms.map(|(&index, &stride)| index as isize * stride).sum::<isize>());
        });
        let (low, high) = match (sums.iter().min(), sums.iter().max()) {
            (Some(&low), Some(&high)) => (low, high),
            _ => (0, -1),
        };
        let length = (high - low + 1) as usize;
        let offsets = sums.into_iter().map(|sum| (sum - low) as usize).collect();
        (length <= Self::LIMIT).then_some(Self {
            table: Table { letters, extents, offsets },
            length,
            is_odd: false,
        })
    }
}

/// How often the innermost loop of a memory order is run, without lanes; `None` if it does not fit.
fn turns(notation: &Notation) -> Option<usize> {
    let of_part = |part: &Part| match *part {
        Part::Axis(letter) if notation.broadcast.contains(&letter) => 1,
        Part::Axis(letter) => {
            let extent =
                notation.axes.iter().find(|axis| axis.0 == letter).map_or(0, |axis| axis.1);
            extent.div_ceil(notation.block(letter))
        }
        Part::Block(_, size) | Part::Weighted(_, size, _) => size,
    };
    notation.order.iter().map(of_part).try_fold(1usize, usize::checked_mul)
}

/// An offset with some of its bits changed, one at a time, where other bits of it are 1.
pub fn swizzled(offset: usize, (bits, base, shift): (usize, usize, isize)) -> usize {
    let mut moved = offset;
    for bit in base..base + bits {
        let above = bit + shift.unsigned_abs();
        let (read, changed) = if shift < 0 { (bit, above) } else { (above, bit) };
        if offset >> read & 1 == 1 {
            moved ^= 1 << changed;
        }
    }
    moved
}

/// The state of the loops.
struct Walk<'a> {
    notation: &'a Notation,
    table: Table,
    /// Of each axis, the index of the loop over what its blocks and lanes leave.
    rest: Vec<usize>,
    /// Of each axis, the index inside its blocks, as far as their loops have begun.
    within: Vec<usize>,
    /// The same of blocks whose weight is written.
    apart: Vec<usize>,
    /// Of each axis, the lane.
    lane: Vec<usize>,
    /// The position that comes next.
    position: usize,
    /// Whether a row has been rounded up, or is longer than its pitch.
    is_odd: bool,
}

impl Walk<'_> {
    /// One loop inside another, slowest first. The innermost takes one position.
    fn run(&mut self, order: &[Part]) {
        let Some((part, faster)) = order.split_first() else {
            self.put();
            self.position += 1;
            return;
        };
        match *part {
            Part::Axis(letter) => self.steps(letter, faster),
            Part::Block(letter, size) => {
                let axis = self.axis(letter);
                let outer = self.within[axis];
                for step in 0..size {
                    let start = self.position;
                    self.within[axis] = outer * size + step;
                    self.run(faster);
                    if size > 1 {
                        self.end_row(start, false);
                    }
                }
                self.within[axis] = outer;
            }
            Part::Weighted(letter, size, weight) => {
                let axis = self.axis(letter);
                let before = self.apart[axis];
                for step in 0..size {
                    let start = self.position;
                    self.apart[axis] = before + step * weight;
                    self.run(faster);
                    if size > 1 {
                        self.end_row(start, false);
                    }
                }
                self.apart[axis] = before;
            }
        }
    }

    /// The steps of what the blocks and lanes of an axis leave.
    fn steps(&mut self, letter: char, faster: &[Part]) {
        let axis = self.axis(letter);
        if self.notation.broadcast.contains(&letter) {
            return self.run(faster);
        }
        let notation = self.notation;
        let align = notation.align.iter().find(|align| align.0 == letter);
        let pitch = notation.pitch.iter().find(|pitch| pitch.0 == letter);
        let (lanes, first) = self.lanes_of(letter);
        let blocks = self.table.extents[axis].div_ceil(notation.block(letter));
        let steps = (first + blocks).div_ceil(lanes);
        for step in 0..steps {
            let start = self.position;
            self.rest[axis] = step;
            self.run(faster);
            if let Some(&(_, bytes)) = align {
                while (self.position - start) * self.bits() % (8 * bytes) != 0 {
                    self.position += 1;
                }
            }
            if let Some(&(_, bytes)) = pitch {
                let next = start + 8 * bytes / self.bits();
                self.is_odd |= self.position > next;
                self.position = self.position.max(next);
            }
            if steps > 1 {
                self.end_row(start, false);
            }
        }
    }

    /// The lanes, one after the other.
    fn lanes(&mut self, letter: char, lanes: usize) {
        let axis = self.axis(letter);
        for lane in 0..lanes {
            let start = self.position;
            self.lane[axis] = lane;
            self.run(&self.notation.order);
            self.end_row(start, lanes > 1);
        }
    }

    /// Rows of elements of less than a byte end at a whole byte, but for those several of which fill one. Those of a
    /// lane always do.
    fn end_row(&mut self, start: usize, is_lane: bool) {
        let (length, per_byte) = (self.position - start, self.notation.element.per_byte());
        if is_lane || per_byte % length != 0 {
            self.is_odd |= length % per_byte != 0;
            self.position = start + length.next_multiple_of(per_byte);
        }
    }

    /// Gives the position to the coordinate whose turn it is, and to those that broadcast axes add;
    /// to none in padding.
    fn put(&mut self) {
        let mut coordinate = Vec::with_capacity(self.rest.len());
        for (axis, &(letter, extent)) in self.notation.axes.iter().enumerate() {
            let (lanes, first) = self.lanes_of(letter);
            let row = self.rest[axis] * lanes + self.lane[axis];
            let Some(block) = row.checked_sub(first) else { return };
            let within = self.within[axis] + self.apart[axis];
            let index = block * self.notation.block(letter) + within;
            if index >= extent {
                return;
            }
            coordinate.push(index);
        }
        let extents = &self.table.extents;
        if self.notation.broadcast.is_empty() {
            self.table.offsets[position(extents, &coordinate)] = self.position;
            return;
        }
        let is_broadcast = |letter| self.notation.broadcast.contains(letter);
        let many: Vec<usize> = self
            .notation
            .axes
            .iter()
            .map(|(letter, extent)| if is_broadcast(letter) { *extent } else { 1 })
            .collect();
        for_each_coordinate(&many, |more| {
            let all: Vec<usize> = coordinate.iter().zip(more).map(|(a, b)| a + b).collect();
            self.table.offsets[position(extents, &all)] = self.position;
        });
    }

    fn axis(&self, letter: char) -> usize {
        self.table.axis(letter).expect("an axis of the notation")
    }

    fn bits(&self) -> usize {
        self.notation.element.bits()
    }

    /// Over how many lanes the axis is distributed, and from which on.
    fn lanes_of(&self, letter: char) -> (usize, usize) {
        match self.notation.lanes {
            Some((own, lanes, first)) if own == letter => (lanes, first),
            _ => (1, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(text: &str) -> (Vec<usize>, usize) {
        let memory = Memory::new(&Notation::parse(text, "").expect("a layout")).expect("small");
        (memory.table.offsets, memory.length)
    }

    /// Tables that were written down by hand.
    #[test]
    fn small_layouts_are_where_their_notation_puts_them() {
        assert_eq!(offsets("BA<A = 2, B = 3>, u8"), (vec![0, 2, 4, 1, 3, 5], 6));
        assert_eq!(offsets("AB2a<A = 4, B = 2>, u8").0, [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(offsets("A2a2a/2<A = 4>, u8").0, [0, 2, 1, 3]);
        assert_eq!(offsets("AB2a<A = 3, B = 2>, u8, pad = 0"), (vec![0, 2, 1, 3, 4, 6], 8));
        assert_eq!(offsets("AB<A = 2, B = 3>, u8, align(A = 4)"), (vec![0, 1, 2, 4, 5, 6], 8));
        assert_eq!(offsets("AB<A = 2, B = 3>, u8, pitch(A = 5)"), (vec![0, 1, 2, 5, 6, 7], 8));
        assert_eq!(offsets("AB<A = 2, B = 3>, u4, pitch(A = 2)"), (vec![0, 1, 2, 4, 5, 6], 7));
        assert_eq!(offsets("AB<A = 2, B = 2>, u8, broadcast(A)"), (vec![0, 1, 0, 1], 2));
        assert_eq!(offsets("AB<A = 2, B = 2>, u8, strides = [-3, 1]"), (vec![3, 4, 0, 1], 5));
        assert_eq!(offsets("AB<A = 2, B = 3>, u4, pad = 0"), (vec![0, 1, 2, 4, 5, 6], 8));
        assert_eq!(offsets("AB<A = 3, B = 2>, u2, pad = 0"), (vec![0, 1, 2, 3, 4, 5], 8));
        assert_eq!(offsets("AB<A = 2, B = 3>, u2, pad = 0").0, [0, 1, 2, 4, 5, 6]);
        assert_eq!(offsets("SCALAR, u8"), (vec![0], 1));
        assert_eq!(offsets("AB<A = 2, B = 2>, u8, swizzle(1, 0, 1)"), (vec![0, 1, 3, 2], 4));
        assert_eq!(offsets("A<A = 3>, u8, swizzle(1, 0, -2)"), (vec![0, 5, 2], 6));
        assert_eq!(offsets("AB<A = 0, B = 3>, u8"), (vec![], 0));
    }

    /// Rows 0 1 2 3 4 over three lanes from lane 1 on: - 2 | 0 3 | 1 4.
    #[test]
    fn lanes_take_turns() {
        let rows = Notation {
            lanes: Some(('A', 3, 1)),
            ..Notation::dense(vec![('A', 5)], crate::element::Element::Named("u8"))
        };
        let memory = Memory::new(&rows).expect("small");
        assert_eq!((memory.table.offsets, memory.length), (vec![2, 4, 1, 3, 5], 6));
    }
}
