//! The naive oracle: it runs through memory orders loop by loop, and has no strides, weights or arithmetic in
//! common with the library.

use std::collections::HashMap;

use tensor_layout::spec::{Factor, Swizzling};

pub(crate) mod expressible;

/// One index per axis.
pub(crate) type Coordinate = Vec<usize>;

/// What each position of a tensor's memory holds.
pub(crate) struct Memory {
    /// Letters and extents in coordinate order.
    pub(crate) axes: Vec<(char, usize)>,
    /// The coordinate at each position; `None` for padding and gaps. Of coordinates that share a
    /// position through broadcast axes, the one with 0 there.
    pub(crate) cells: Vec<Option<Coordinate>>,
    /// Whether positions without a coordinate are gaps, which may hold other data.
    pub(crate) strided: bool,
    broadcast: Vec<bool>,
    offsets: HashMap<Coordinate, usize>,
}

impl Memory {
    /// Walks `factors`, slowest first, over `axes` in coordinate order; an element takes `bits`.
    pub(crate) fn new(axes: &[(char, usize)], factors: &[Factor], bits: usize) -> Self {
        let (swizzle, factors) = match factors.split_last() {
            Some((&Factor::Swizzle(swizzle), factors)) => (Some(swizzle), factors),
            _ => (None, factors),
        };
        let strided = factors.iter().any(|factor| matches!(factor, Factor::Stride(..)));
        let is_broadcast = |&(letter, _): &(char, usize)| {
            factors.contains(&Factor::Broadcast(letter))
                || factors.contains(&Factor::Stride(letter, 0))
        };
        let mut memory = Self {
            axes: axes.to_vec(),
            cells: Vec::new(),
            strided,
            broadcast: axes.iter().map(is_broadcast).collect(),
            offsets: HashMap::new(),
        };
        memory.cells = if strided { memory.place(factors) } else { memory.walk(factors, bits) };
        if let Some(Swizzling::Elements(count, base, shift)) = swizzle {
            memory.swizzle(count, base, shift, bits);
        }
        for (position, cell) in memory.cells.iter().enumerate() {
            if let Some(coordinate) = cell {
                let before = memory.offsets.insert(coordinate.clone(), position);
                assert_eq!(before, None, "{coordinate:?} lies in two places");
            }
        }
        memory
    }

    /// Moves each position to the one in which bits are flipped, one by one.
    fn swizzle(&mut self, count: usize, base: usize, shift: isize, bits: usize) {
        let before = self.cells.len();
        let mut moved = vec![None; before];
        for (position, cell) in self.cells.drain(..).enumerate().filter(|(_, cell)| cell.is_some())
        {
            let (read, changed) = match shift {
                0.. => (base + shift as usize, base),
                _ => (base, base + shift.unsigned_abs()),
            };
            let mut to = position;
            for i in 0..count {
                if position / 2usize.pow((read + i) as u32) % 2 == 1 {
                    let bit = 2usize.pow((changed + i) as u32);
                    to = if to / bit % 2 == 1 { to - bit } else { to + bit };
                }
            }
            if to >= moved.len() {
                moved.resize(to + 1, None);
            }
            moved[to] = cell;
        }
        while bits < 8 && moved.len() > before && moved.len() * bits % 8 != 0 {
            moved.push(None);
        }
        self.cells = moved;
    }

    /// All coordinates, the last axis fastest.
    pub(crate) fn coordinates(&self) -> Vec<Coordinate> {
        let mut all = vec![Vec::new()];
        for &(_, extent) in &self.axes {
            let longer = |c: &Coordinate| (0..extent).map(|i| [&c[..], &[i]].concat()).collect();
            all = all.iter().flat_map::<Vec<_>, _>(longer).collect();
        }
        all
    }

    /// The coordinate with 0 on all broadcast axes, which stands for those it shares memory with.
    pub(crate) fn owner(&self, coordinate: &[usize]) -> Coordinate {
        let one = |(&index, &broadcast)| if broadcast { 0 } else { index };
        coordinate.iter().zip(&self.broadcast).map(one).collect()
    }

    /// Where `coordinate` lies.
    pub(crate) fn offset(&self, coordinate: &[usize]) -> usize {
        self.offsets[&self.owner(coordinate)]
    }

    /// Every coordinate at the sum of its strides, counted from the lowest sum.
    fn place(&self, factors: &[Factor]) -> Vec<Option<Coordinate>> {
        let stride_of = |&(letter, _): &(char, usize)| {
            let stride = |factor: &Factor| match *factor {
                Factor::Stride(own, stride) if own == letter => Some(stride),
                _ => None,
            };
            factors.iter().find_map(stride).unwrap_or(0)
        };
        let strides: Vec<isize> = self.axes.iter().map(stride_of).collect();
        let sum = |coordinate: &Coordinate| {
            coordinate.iter().zip(&strides).map(|(&index, stride)| index as isize * stride).sum()
        };
        let all = self.coordinates();
        let sums: Vec<isize> = all.iter().map(sum).collect();
        let (Some(lowest), Some(highest)) = (sums.iter().min(), sums.iter().max()) else {
            return Vec::new();
        };
        let mut cells = vec![None; (highest - lowest) as usize + 1];
        for (coordinate, sum) in all.iter().zip(&sums) {
            let owner = self.owner(coordinate);
            let cell = &mut cells[(sum - lowest) as usize];
            assert!(cell.is_none() || *cell == Some(owner.clone()), "strides overlap");
            *cell = Some(owner);
        }
        cells
    }

    /// Nested loops, slowest first; each iteration of the innermost one takes one position.
    fn walk(&self, factors: &[Factor], bits: usize) -> Vec<Option<Coordinate>> {
        if self.axes.iter().any(|&(_, extent)| extent == 0) {
            return Vec::new();
        }
        let block_of = |&(letter, _): &(char, usize)| {
            let size = |factor: &Factor| match *factor {
                Factor::Block(own, size) | Factor::Weighted(own, size, _) if own == letter => size,
                _ => 1,
            };
            factors.iter().map(size).product()
        };
        let rank = self.axes.len();
        let mut walk = Walk {
            axes: &self.axes,
            blocks: self.axes.iter().map(block_of).collect(),
            lanes: (1, 0),
            lane: vec![0; rank],
            start: vec![0; rank],
            bits,
            rest: vec![0; rank],
            within: vec![0; rank],
            apart: vec![0; rank],
            cells: Vec::new(),
        };
        walk.run(factors);
        walk.end_row(0);
        walk.cells
    }
}

/// The state of the loops.
struct Walk<'a> {
    axes: &'a [(char, usize)],
    /// The positions of each axis that its blocks hold.
    blocks: Vec<usize>,
    /// Of the axis that is distributed over lanes, where there is one: how many lanes, and which axis.
    lanes: (usize, usize),
    /// Of each axis, the lane of the loop over them, and the lane where it begins.
    lane: Vec<usize>,
    start: Vec<usize>,
    bits: usize,
    /// Of each axis, the index of the loop over what its blocks leave.
    rest: Vec<usize>,
    /// Of each axis, the position inside its blocks, as far as their loops have been entered.
    within: Vec<usize>,
    /// The same of blocks whose weight is given.
    apart: Vec<usize>,
    cells: Vec<Option<Coordinate>>,
}

impl Walk<'_> {
    fn run(&mut self, factors: &[Factor]) {
        let Some((&factor, faster)) = factors.split_first() else {
            let index = |axis: usize| {
                let row = self.rest[axis] * self.lanes_of(axis) + self.lane[axis];
                let block = row.checked_sub(self.start[axis])?;
                Some(block * self.blocks[axis] + self.within[axis] + self.apart[axis])
                    .filter(|index| *index < self.axes[axis].1)
            };
            self.cells.push((0..self.axes.len()).map(index).collect());
            return;
        };
        let start = self.cells.len();
        let axis = self.axes.iter().position(|axis| Some(axis.0) == factor.letter());
        match (factor, axis) {
            (Factor::Axis(_), Some(axis)) => {
                let blocks = self.axes[axis].1.div_ceil(self.blocks[axis]);
                let size = (self.start[axis] + blocks).div_ceil(self.lanes_of(axis));
                for i in 0..size {
                    self.rest[axis] = i;
                    self.step(faster, size);
                }
            }
            (Factor::Block(_, size), Some(axis)) => {
                let outer = self.within[axis];
                for i in 0..size {
                    self.within[axis] = outer * size + i;
                    self.step(faster, size);
                }
                self.within[axis] = outer;
            }
            (Factor::Weighted(_, size, weight), Some(axis)) => {
                for _ in 0..size {
                    self.step(faster, size);
                    self.apart[axis] += weight;
                }
                self.apart[axis] -= size * weight;
            }
            (Factor::Align(bytes), _) => {
                self.run(faster);
                while (self.cells.len() - start) * self.bits % (bytes * 8) != 0 {
                    self.cells.push(None);
                }
            }
            (Factor::Broadcast(_), Some(_)) => self.run(faster),
            (Factor::Lanes(_, lanes, first), Some(axis)) => {
                self.lanes = (lanes, axis);
                self.start[axis] = first;
                for lane in 0..lanes {
                    let start = self.cells.len();
                    self.lane[axis] = lane;
                    self.step(faster, lanes);
                    if lanes > 1 {
                        self.end_byte(start);
                    }
                }
            }
            _ => panic!("{factor:?} has no place in a memory order over {:?}", self.axes),
        }
    }

    fn lanes_of(&self, axis: usize) -> usize {
        if self.lanes.1 == axis { self.lanes.0 } else { 1 }
    }

    /// One step of a loop of this number of steps.
    fn step(&mut self, faster: &[Factor], size: usize) {
        let start = self.cells.len();
        self.run(faster);
        if size > 1 {
            self.end_row(start);
        }
    }

    /// Rows of elements of less than a byte end at a whole byte, unless several rows fill one.
    fn end_row(&mut self, start: usize) {
        let row = (self.cells.len() - start) * self.bits;
        if row > 0 && 8 % row != 0 {
            self.end_byte(start);
        }
    }

    /// What began at this position ends at a whole byte.
    fn end_byte(&mut self, start: usize) {
        while self.bits < 8 && (self.cells.len() - start) * self.bits % 8 != 0 {
            self.cells.push(None);
        }
    }
}

/// The factors of a memory order with blanks between them: `O I H W 4i 16o 4i`, `4i/16` for a block with
/// its weight, and `align64` for an alignment to 64 bytes.
#[allow(dead_code, reason = "tests of random layouts have their factors")]
pub(crate) fn factors(text: &str) -> Vec<Factor> {
    let one = |word: &str| {
        if let Some(bytes) = word.strip_prefix("align") {
            return Factor::Align(bytes.parse().unwrap());
        }
        let (word, weight) = word.split_once('/').unwrap_or((word, ""));
        let (number, letter) = word.split_at(word.len() - 1);
        let letter = letter.to_uppercase().chars().next().unwrap();
        if number.is_empty() {
            Factor::Axis(letter)
        } else if !weight.is_empty() {
            Factor::Weighted(letter, number.parse().unwrap(), weight.parse().unwrap())
        } else {
            Factor::Block(letter, number.parse().unwrap())
        }
    };
    text.split_whitespace().map(one).collect()
}

/// What a relayout leaves at one position of the destination.
#[allow(dead_code, reason = "most tests move nothing")]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Origin {
    /// The element at this offset of the source.
    Element(usize),
    /// The fill of padding.
    Fill,
    /// What was there before.
    Untouched,
}

/// The relayout: of each position of `destination`, where what it holds comes from.
#[allow(dead_code, reason = "most tests move nothing")]
pub(crate) fn relayout(source: &Memory, destination: &Memory) -> Vec<Origin> {
    let origin = |cell: &Option<Coordinate>| {
        let Some(coordinate) = cell else {
            return if destination.strided { Origin::Untouched } else { Origin::Fill };
        };
        let index_of = |letter| {
            let axis = destination.axes.iter().position(|axis| axis.0 == letter);
            coordinate[axis.expect("the same axes on both sides")]
        };
        let coordinate: Coordinate = source.axes.iter().map(|axis| index_of(axis.0)).collect();
        Origin::Element(source.offset(&coordinate))
    };
    destination.cells.iter().map(origin).collect()
}
