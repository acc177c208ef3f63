//! Groups of elements that share scales, and what is computed for each.

use alloc::vec::Vec;

use layout_kernels::{Work, truncated};

use super::field_tile::FieldTile;
use super::value_side::StoredField;
use super::value_tiles::{TileAxis, greatest_divisor, runs_of};

/// The groups of a tile: boxes of coordinates that no shared field divides.
#[derive(Clone, Debug)]
pub(super) struct GroupTile {
    count: usize,
    /// The elements of a run, all of one group, and the group of each run.
    run: usize,
    groups: Vec<u32>,
    /// The element of each shared field for each group, unless these are the same numbers.
    elements: Vec<(usize, Option<Vec<u32>>)>,
    /// Whether each shared field has one element for each group.
    are_alike: bool,
}

impl GroupTile {
    pub(super) fn new(
        fields: &[StoredField],
        tiles: &[FieldTile],
        own: &[usize],
        axes: &[TileAxis],
        tile: &[usize],
    ) -> Self {
        let share = |field: usize, axis: usize| match fields[field].shared(axes[axis].letter) {
            0 => usize::MAX,
            share => share,
        };
        let ranks = 0..axes.len();
        // Each group is in one group of each field. 0 stands for all coordinates, and every number divides it.
        let common = |axis: usize| {
            let all = own.iter().map(|&field| fields[field].shared(axes[axis].letter));
            match all.fold(0, greatest_divisor) {
                0 => usize::MAX,
                share => share,
            }
        };
        let shares: Vec<usize> = ranks.map(common).collect();
        let sizes: Vec<usize> = tile.iter().zip(&shares).map(|(a, b)| a.div_ceil(*b)).collect();
        let (run, groups) = runs_of(tile, &sizes, &shares);
        let count: usize = sizes.iter().product();
        let elements = own
            .iter()
            .map(|&field| {
                let element = |group: usize| {
                    let (mut rest, mut at, mut step) = (group, 0, 1);
                    for axis in (0..sizes.len()).rev() {
                        let size = tiles[field].sizes[axis];
                        if size > 1 {
                            at += rest % sizes[axis] * shares[axis] / share(field, axis) * step;
                        }
                        rest /= sizes[axis];
                        step *= size;
                    }
                    at as u32
                };
                let elements: Vec<u32> = (0..count).map(element).collect();
                let is_same = elements.iter().enumerate().all(|(i, own)| *own as usize == i);
                (field, if is_same { None } else { Some(elements) })
            })
            .collect();
        let are_alike = own.iter().all(|&field| tiles[field].count == count);
        Self { count, run, groups, elements, are_alike }
    }

    /// Whether each group is one run, and each shared field has an element for each.
    pub(super) fn is_in_order(&self) -> bool {
        let is_own = self.groups.iter().enumerate().all(|(i, group)| *group as usize == i);
        is_own && self.groups.len() == self.count && self.are_alike
    }

    pub(super) const fn are_alike(&self) -> bool {
        self.are_alike
    }

    /// For each group the element of a field of the tile, unless it is the one of its number.
    #[inline(always)]
    pub(super) fn elements(&self, field: usize) -> Option<&[u32]> {
        self.elements.iter().find(|elements| elements.0 == field)?.1.as_deref()
    }

    /// The number of groups.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The elements of a run, all of one group.
    #[inline(always)]
    pub(super) fn run(&self) -> usize {
        self.run
    }

    /// The group of each run.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[u32] {
        &self.groups
    }
}

/// An operator, whose results take the place of its left operands.
pub(super) struct GroupOperation<'a> {
    pub(super) sign: u8,
    pub(super) left: &'a mut [f32],
    pub(super) right: &'a [f32],
}

impl Work for GroupOperation<'_> {
    #[inline(always)]
    fn run(self) {
        macro_rules! each {
            (|$left:ident, $right:ident| $result:expr) => {
                self.left.iter_mut().zip(self.right).for_each(|(own, &$right)| {
                    let $left = *own;
                    *own = $result;
                })
            };
        }
        let whole = |value| truncated(value, i32::MIN, i32::MAX);
        match self.sign {
            b'*' => each!(|left, right| left * right),
            b'/' => each!(|left, right| left / right),
            b'+' => each!(|left, right| left + right),
            b'-' => each!(|left, right| left - right),
            b'|' => each!(|left, right| (whole(left) | whole(right)) as f32),
            _ => each!(|left, right| (whole(left) << truncated(right, 0, 31)) as f32),
        }
    }
}
