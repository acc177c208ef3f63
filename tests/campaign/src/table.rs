//! A table of offsets: what a layout is, with nothing computed.

use std::collections::HashSet;

/// The offset of every coordinate, in elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The axes in coordinate order.
    pub letters: Vec<char>,
    /// Their extents.
    pub extents: Vec<usize>,
    /// One offset for each coordinate, the last axis fastest.
    pub offsets: Vec<usize>,
}

impl Table {
    /// The table whose offset at each coordinate is `offset(coordinate)`.
    pub fn from_fn(
        letters: Vec<char>,
        extents: Vec<usize>,
        mut offset: impl FnMut(&[usize]) -> usize,
    ) -> Self {
        let mut offsets = Vec::new();
        for_each_coordinate(&extents, |coordinate| offsets.push(offset(coordinate)));
        Self { letters, extents, offsets }
    }

    /// The number of coordinates.
    pub fn count(&self) -> usize {
        self.offsets.len()
    }

    /// The position of an axis in the coordinate.
    pub fn axis(&self, letter: char) -> Option<usize> {
        self.letters.iter().position(|own| *own == letter)
    }

    /// The extent of an axis.
    pub fn extent(&self, letter: char) -> Option<usize> {
        Some(self.extents[self.axis(letter)?])
    }

    /// The offset of a coordinate.
    pub fn at(&self, coordinate: &[usize]) -> usize {
        self.offsets[position(&self.extents, coordinate)]
    }

    /// Whether no two coordinates share an offset.
    pub fn is_unique(&self) -> bool {
        let distinct: HashSet<usize> = self.offsets.iter().copied().collect();
        distinct.len() == self.count()
    }

    /// The one step of offsets along each axis; `None` where an axis has several. An axis that has
    /// no step at all has the stride `None`.
    pub fn strides(&self) -> Option<Vec<Option<isize>>> {
        let mut strides = vec![None; self.extents.len()];
        let mut is_strided = true;
        for_each_coordinate(&self.extents, |coordinate| {
            let here = self.at(coordinate) as isize;
            let mut next = coordinate.to_vec();
            for (axis, stride) in strides.iter_mut().enumerate() {
                next[axis] += 1;
                if next[axis] < self.extents[axis] {
                    let step = self.at(&next) as isize - here;
                    is_strided &= *stride.get_or_insert(step) == step;
                }
                next[axis] -= 1;
            }
        });
        is_strided.then_some(strides)
    }
}

/// How many coordinates come before `coordinate`.
pub fn position(extents: &[usize], coordinate: &[usize]) -> usize {
    coordinate.iter().zip(extents).fold(0, |position, (index, extent)| position * extent + index)
}

/// All coordinates, the last axis fastest.
pub fn for_each_coordinate(extents: &[usize], mut visit: impl FnMut(&[usize])) {
    if extents.contains(&0) {
        return;
    }
    let mut coordinate = vec![0; extents.len()];
    loop {
        visit(&coordinate);
        let mut axis = extents.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            coordinate[axis] += 1;
            if coordinate[axis] < extents[axis] {
                break;
            }
            coordinate[axis] = 0;
        }
    }
}
