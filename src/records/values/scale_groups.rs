//! Groups of elements that share scales, and what is computed for each.

use alloc::vec::Vec;

use layout_kernels::{Work, truncated};
use layout_records::RecordError;
use layout_types::spec::greatest_divisor;

use super::field_tile::FieldTile;
use super::side::StoredField;
use super::tile_boxes::{TileAxis, runs_of};

/// The groups of a tile: boxes of coordinates that no shared field divides.
#[derive(Clone, Debug)]
pub(super) struct GroupTile {
    /// The elements of a run, all of one group, and the number of runs.
    run: usize,
    count: usize,
    /// The elements of each shared field for the runs.
    elements: Vec<(usize, RunElements)>,
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

    /// Gives each of some runs the number of its element.
    pub(super) fn spread(&self, numbers: &mut Vec<f32>, runs: usize) {
        if !self.is_own() {
            *numbers = (0..runs).map(|run| numbers[self.at(run)]).collect();
        }
    }

    /// Joins the numbers of all runs of each element, which get the result.
    pub(super) fn join(&self, numbers: &mut [f32], by: impl Fn(f32, f32) -> f32) {
        if self.is_own() {
            return;
        }
        let mut joined = numbers.to_vec();
        self.reduce(&mut joined, by);
        self.spread(&mut joined, numbers.len());
        numbers.copy_from_slice(&joined);
    }

    /// Makes one number for each element of those of its runs.
    pub(super) fn reduce(&self, numbers: &mut Vec<f32>, by: impl Fn(f32, f32) -> f32) {
        let mut joined: Vec<Option<f32>> = Vec::new();
        if self.is_own() {
            return;
        }
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
    ) -> Result<Self, RecordError> {
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
        let (run, groups) = runs_of(tile, &sizes, &shares)?;
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
        Ok(Self { run, count: groups.len(), elements })
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
                for (own, &$right) in self.left.iter_mut().zip(self.right) {
                    let $left = *own;
                    *own = $result;
                }
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
