//! Groups of elements that share scales, and what is computed for each.

use alloc::vec::Vec;

use layout_kernels::{Work, truncated, work_on_best};

use super::field_tile::FieldTile;
use super::value_side::StoredField;
use super::value_tiles::{TileAxis, greatest_divisor, runs_of};

/// The groups of a tile: boxes of coordinates that no shared field divides.
#[derive(Clone, Debug)]
pub(super) struct GroupTile {
    /// The elements of a run, all of one group, and the number of runs.
    run: usize,
    count: usize,
    /// The elements of each shared field for the runs.
    elements: Vec<(usize, RunElements)>,
    /// Whether each group is one run, and each shared field has one element for each group.
    is_in_order: bool,
}

/// The element of a shared field for each run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RunElements {
    /// Each is that of this many runs.
    Each(usize),
    Listed(Vec<u32>),
}

impl RunElements {
    fn of(elements: Vec<u32>) -> Self {
        let each = elements.iter().take_while(|own| **own == 0).count().max(1);
        match elements.iter().enumerate().all(|(i, own)| *own as usize == i / each) {
            true => Self::Each(each),
            false => Self::Listed(elements),
        }
    }

    /// How many runs each element is that of, if all follow one another.
    pub(super) const fn each(&self) -> Option<usize> {
        if let Self::Each(each) = self { Some(*each) } else { None }
    }

    /// Whether each run has an element of its own.
    pub(super) const fn is_own(&self) -> bool {
        matches!(self, Self::Each(1))
    }

    /// The element of a run.
    fn at(&self, run: usize) -> usize {
        match self {
            Self::Each(each) => run / each,
            Self::Listed(elements) => elements[run] as usize,
        }
    }

    /// Joins the numbers of all runs of each element, which get the result.
    pub(super) fn join(&self, numbers: &mut [f32], by: impl Fn(f32, f32) -> f32) {
        let mut joined = numbers.to_vec();
        self.reduce(&mut joined, by);
        (0..numbers.len()).for_each(|run| numbers[run] = joined[self.at(run)]);
    }

    /// Makes one number for each element of those of its runs.
    pub(super) fn reduce(&self, numbers: &mut Vec<f32>, by: impl Fn(f32, f32) -> f32) {
        let mut joined: Vec<Option<f32>> = Vec::new();
        for (run, own) in numbers.iter().enumerate() {
            let at = self.at(run);
            joined.resize(joined.len().max(at + 1), None);
            joined[at] = Some(joined[at].map_or(*own, |old| by(old, *own)));
        }
        numbers.clear();
        numbers.extend(joined.into_iter().map(Option::unwrap_or_default));
    }
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
        let element = |field: usize, group: u32| {
            let (mut rest, mut at, mut step) = (group as usize, 0, 1);
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
        let of = |&field: &usize| {
            let elements = groups.iter().map(|&group| element(field, group)).collect();
            (field, RunElements::of(elements))
        };
        let elements = own.iter().map(of).collect();
        let count: usize = sizes.iter().product();
        let are_alike = own.iter().all(|&field| tiles[field].count == count);
        let is_own = groups.iter().enumerate().all(|(i, group)| *group as usize == i);
        let is_in_order = is_own && groups.len() == count && are_alike;
        Self { run, count: groups.len(), elements, is_in_order }
    }

    /// Whether each group is one run, and each shared field has an element for each.
    pub(super) const fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// The elements of a shared field for the runs.
    pub(super) fn elements(&self, field: usize) -> &RunElements {
        let own = self.elements.iter().find(|elements| elements.0 == field);
        own.map_or(&RunElements::Each(1), |own| &own.1)
    }

    /// The number of runs.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The elements of a run, all of one group.
    #[inline(always)]
    pub(super) fn run(&self) -> usize {
        self.run.max(1)
    }
}

/// Values for the groups of a tile, of which each is that of some runs.
#[derive(Default)]
pub(super) struct GroupList {
    pub(super) values: Vec<f32>,
    each: usize,
}

impl GroupList {
    /// One number for this many runs.
    pub(super) fn set_number(&mut self, number: f32, runs: usize) {
        self.values.clear();
        self.values.push(number);
        self.each = runs.max(1);
    }

    /// Takes the values as those of the elements of a shared field.
    pub(super) fn set_elements(&mut self, elements: &RunElements) {
        self.each = match elements {
            RunElements::Each(each) => *each,
            RunElements::Listed(elements) => {
                self.values = elements.iter().map(|&i| self.values[i as usize]).collect();
                1
            }
        };
    }

    /// Makes a value for each of this many runs.
    pub(super) fn spread(&mut self, runs: usize) {
        if self.each != 1 {
            let all = self.values.iter().flat_map(|own| core::iter::repeat_n(*own, self.each));
            (self.values, self.each) = (all.take(runs).collect(), 1);
        }
    }

    /// The results of an operator, with the list as its left operand. The other one has any values then.
    pub(super) fn operate(&mut self, sign: u8, right: &mut Self, runs: usize) {
        let is_even =
            |a: &Self, b: &Self| b.each % (PART * a.each) == 0 && a.values.len() % PART == 0;
        let is_turned = is_even(right, self) && matches!(sign, b'*' | b'+' | b'|');
        if is_turned {
            core::mem::swap(self, right);
        } else if self.each != right.each && !is_even(self, right) {
            self.spread(runs);
            right.spread(runs);
        }
        let (each, fine) = (right.each / self.each, &mut self.values);
        work_on_best(GroupOperation { sign, each, fine, coarse: &right.values });
    }
}

/// The left operands of an operator that have one right operand, if not each has its own: a multiple of these.
pub(super) const PART: usize = 8;

/// An operator, whose results take the place of its left operands. Each right operand is that of some left ones.
struct GroupOperation<'a> {
    sign: u8,
    each: usize,
    fine: &'a mut [f32],
    coarse: &'a [f32],
}

impl Work for GroupOperation<'_> {
    #[inline(always)]
    fn run(self) {
        macro_rules! each {
            (|$left:ident, $right:ident| $result:expr) => {{
                if self.each == 1 {
                    for (own, &$right) in self.fine.iter_mut().zip(self.coarse) {
                        let $left = *own;
                        *own = $result;
                    }
                    return;
                }
                let mut parts = self.fine.chunks_exact_mut(PART);
                for &$right in self.coarse {
                    for part in parts.by_ref().take(self.each / PART) {
                        for own in part {
                            let $left = *own;
                            *own = $result;
                        }
                    }
                }
            }};
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
