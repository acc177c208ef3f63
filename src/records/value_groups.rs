//! Groups of elements that share scales, and what is computed for each.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::value_form::GroupValue;
use super::value_side::StoredField;
use super::value_tiles::{FieldTile, TileAxis, runs_of};

/// The groups of a tile: boxes of coordinates that no shared field divides.
#[derive(Clone, Debug)]
pub(super) struct GroupTile {
    count: usize,
    /// The elements of a run, all of one group, and the group of each run.
    run: usize,
    groups: Vec<u32>,
    /// The element of each shared field for each group.
    elements: Vec<(usize, Vec<u32>)>,
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
        let least = |axis| own.iter().map(|&field| share(field, axis)).min().unwrap_or(usize::MAX);
        let shares: Vec<usize> = ranks.map(least).collect();
        let sizes: Vec<usize> = tile.iter().zip(&shares).map(|(a, b)| a.div_ceil(*b)).collect();
        let (run, groups) = runs_of(tile, &sizes, &shares);
        let count: usize = sizes.iter().product();
        let elements: Vec<(usize, Vec<u32>)> = own
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
                (field, (0..count).map(element).collect())
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

    /// Computes a value for each group. `field` returns all elements of a field in the tile.
    pub(super) fn evaluate(
        &self,
        value: &GroupValue,
        field: &mut impl FnMut(usize) -> Vec<f32>,
    ) -> Vec<f32> {
        match value {
            GroupValue::Number(number) => vec![*number; self.count],
            GroupValue::Field(own) => {
                let values = field(*own);
                match self.elements.iter().find(|elements| elements.0 == *own) {
                    Some((_, elements)) => elements.iter().map(|&i| values[i as usize]).collect(),
                    None => values,
                }
            }
            GroupValue::Operation(sign, operands) => {
                let mut left = self.evaluate(&operands[0], field);
                let right = self.evaluate(&operands[1], field);
                left.iter_mut().zip(right).for_each(|(left, right)| {
                    *left = match sign {
                        b'*' => *left * right,
                        b'+' => *left + right,
                        b'-' => *left - right,
                        b'|' => (*left as i32 | right as i32) as f32,
                        _ => ((*left as i32) << (right as i32).clamp(0, 31)) as f32,
                    };
                });
                left
            }
        }
    }

    /// The runs of elements, each with its group.
    #[inline(always)]
    pub(super) fn runs(&self) -> impl Iterator<Item = (Range<usize>, usize)> + '_ {
        let run = |(i, &group): (usize, &u32)| (i * self.run..(i + 1) * self.run, group as usize);
        self.groups.iter().enumerate().map(run)
    }
}
