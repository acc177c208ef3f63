//! A model of views, and one operation on it and on the library's layout.

use std::collections::HashSet;

use ndarray::{ArrayD, Axis, Dimension, IxDyn};
use tensor_layout::spec::MAX_RANK;
use tensor_layout::{Layout, LayoutError};

use crate::support::random::Case;

/// What a view is: letters, and at each coordinate the offset of the element.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) letters: Vec<char>,
    pub(super) offsets: ArrayD<usize>,
}

impl Model {
    pub(super) fn new(case: &Case) -> Self {
        let memory = case.memory();
        let shape: Vec<usize> = case.axes.iter().map(|axis| axis.1).collect();
        Self {
            letters: case.axes.iter().map(|axis| axis.0).collect(),
            offsets: ArrayD::from_shape_fn(shape, |c| {
                memory.offset(c.as_array_view().as_slice().unwrap())
            }),
        }
    }

    fn extent(&self, axis: usize) -> usize {
        self.offsets.shape()[axis]
    }

    fn reshaped(&self, letters: Vec<char>, shape: &[usize]) -> Self {
        let flat: Vec<usize> = self.offsets.iter().copied().collect();
        Self { letters, offsets: ArrayD::from_shape_vec(shape, flat).unwrap() }
    }

    fn permuted(&self, order: &[usize]) -> Self {
        Self {
            letters: order.iter().map(|&axis| self.letters[axis]).collect(),
            offsets: self.offsets.clone().permuted_axes(order),
        }
    }

    fn indexed(&self, axis: usize, at: usize) -> Self {
        let mut letters = self.letters.clone();
        letters.remove(axis);
        Self { letters, offsets: self.offsets.index_axis(Axis(axis), at).to_owned() }
    }

    /// The single step of offsets along each axis, if there is one; 0 if there are no steps.
    pub(super) fn strides(&self) -> Option<Vec<Option<isize>>> {
        let stride = |axis| {
            let steps: HashSet<isize> = (1..self.extent(axis))
                .flat_map(|i| {
                    let low = self.offsets.index_axis(Axis(axis), i - 1);
                    let high = self.offsets.index_axis(Axis(axis), i);
                    let step = |(&low, &high)| high as isize - low as isize;
                    low.iter().zip(high.iter()).map(step).collect::<Vec<_>>()
                })
                .collect();
            (steps.len() < 2).then(|| steps.into_iter().next())
        };
        (0..self.letters.len()).map(stride).collect()
    }
}

/// Random numbers that an operation chooses from.
pub(super) type Dice = [usize; 8];

/// What an operation gives: what the library says, and the model.
pub(super) type Outcome = Option<(Result<Layout, LayoutError>, Model)>;

/// One operation, its arguments chosen by `dice`, on the library's layout and on the model; `None`
/// where it does not fit this layout.
pub(super) fn step(layout: &Layout, model: &Model, dice: Dice) -> Outcome {
    let own = Step { layout, model, dice };
    let kind = dice[0] % 13;
    if own.rank() == 0 && !matches!(kind, 8 | 9 | 11) {
        return None;
    }
    match kind {
        0 => own.permute(),
        1 | 2 | 12 => own.slice(),
        3 => own.index(),
        4 => own.flip(),
        5 | 6 => own.tile(),
        7 => own.merge(),
        8 => own.unsqueeze(),
        9 => own.index_or_broadcast(),
        10 => own.diagonal(),
        _ => own.reshape(),
    }
}

/// An operation on both.
struct Step<'a> {
    layout: &'a Layout,
    model: &'a Model,
    dice: Dice,
}

impl Step<'_> {
    fn rank(&self) -> usize {
        self.model.letters.len()
    }

    /// A random axis.
    fn any(&self, i: usize) -> usize {
        self.dice[i] % self.rank().max(1)
    }

    /// An axis by its letter in either case, or by its position if that is one digit.
    fn name(&self, axis: usize) -> char {
        let letter = self.model.letters[axis];
        match self.dice[7] % 3 {
            0 => letter,
            1 => letter.to_ascii_lowercase(),
            _ => char::from_digit(axis as u32, 10).unwrap_or(letter),
        }
    }

    /// Letters that no axis has.
    fn free(&self) -> Vec<char> {
        ('A'..='Z').filter(|letter| !self.model.letters.contains(letter)).collect()
    }

    fn permute(&self) -> Outcome {
        let mut order: Vec<usize> = (0..self.rank()).collect();
        order.sort_by_key(|&axis| self.dice[axis % 7 + 1].wrapping_mul(axis + 31) % 97);
        let names: String = order.iter().map(|&axis| self.name(axis)).collect();
        Some((self.layout.permute(&names), self.model.permuted(&order)))
    }

    fn slice(&self) -> Outcome {
        let (Self { model, dice, .. }, axis) = (self, self.any(1));
        let extent = model.extent(axis);
        let step: isize = [1, -1, 1, -1, 2, -2, 3, 4, -4, 8][dice[2] % 10];
        let (start, length) = match extent {
            0 => (0, 0),
            _ => {
                // Near the end that leaves much.
                let near = (dice[3] % extent).min(dice[6] % 5);
                let start = if step > 0 { near } else { extent - 1 - near };
                let room = if step > 0 { extent - 1 - start } else { start };
                let most = room / step.unsigned_abs() + 1;
                (start, most - dice[4] % (most + 1).min(4))
            }
        };
        let indices: Vec<usize> =
            (0..length).map(|i| (start as isize + i as isize * step) as usize).collect();
        let offsets = model.offsets.select(Axis(axis), &indices);
        let next = Model { letters: model.letters.clone(), offsets };
        Some((self.layout.slice(self.name(axis), start, step, length), next))
    }

    fn index(&self) -> Outcome {
        let (Self { model, dice, .. }, axis) = (self, self.any(1));
        let at = dice[2].checked_rem(model.extent(axis))?;
        Some((self.layout.index(self.name(axis), at), model.indexed(axis, at)))
    }

    fn flip(&self) -> Outcome {
        let axis = self.any(1);
        let mut next = self.model.clone();
        next.offsets.invert_axis(Axis(axis));
        Some((self.layout.flip(self.name(axis)), next))
    }

    fn tile(&self) -> Outcome {
        let (Self { layout, model, dice }, axis) = (self, self.any(1));
        let extent = model.extent(axis);
        let divisors: Vec<usize> = (1..=extent).filter(|n| extent % n == 0).collect();
        let pick = |i: usize| divisors.get(dice[i] % divisors.len().max(1)).copied();
        let inner = pick(2).unwrap_or(3);
        let mut sizes = vec![extent / inner, inner];
        if let Some(third) = pick(3).filter(|third| sizes[0] % third == 0) {
            sizes = vec![sizes[0] / third, third, inner];
        }
        let letters: Vec<char> = self.free()[dice[4] % 3..][..sizes.len()].to_vec();
        let mut all = model.letters.clone();
        all.splice(axis..=axis, letters.iter().copied());
        let mut shape = model.offsets.shape().to_vec();
        shape.splice(axis..=axis, sizes.iter().copied());
        if all.len() > MAX_RANK {
            return None;
        }
        let next = model.reshaped(all, &shape);
        let tiles: Vec<(char, usize)> = letters.into_iter().zip(sizes).collect();
        Some((layout.tile(self.name(axis), &tiles), next))
    }

    fn merge(&self) -> Outcome {
        let (Self { layout, model, dice }, axis) = (self, self.any(1));
        let mut chosen = vec![axis];
        for i in 2..2 + dice[5] % 3 {
            if !chosen.contains(&self.any(i)) {
                chosen.push(self.any(i));
            }
        }
        let names: String = chosen.iter().map(|&axis| self.name(axis)).collect();
        let mut order: Vec<usize> =
            (0..self.rank()).filter(|axis| !chosen.contains(axis)).collect();
        let at = order.iter().filter(|&&other| other < axis).count();
        order.splice(at..at, chosen.iter().copied());
        let moved = model.permuted(&order);
        let into = if dice[6] % 2 == 0 { self.free()[0] } else { model.letters[*chosen.last()?] };
        let (mut letters, mut shape) = (moved.letters.clone(), moved.offsets.shape().to_vec());
        letters.splice(at..at + chosen.len(), [into]);
        let size = shape[at..at + chosen.len()].iter().product();
        shape.splice(at..at + chosen.len(), [size]);
        Some((layout.merge(&names, into), moved.reshaped(letters, &shape)))
    }

    fn unsqueeze(&self) -> Outcome {
        let (at, letter) = (self.dice[1] % (self.rank() + 1), self.free()[0]);
        if self.rank() == MAX_RANK {
            return None;
        }
        let mut next = self.model.clone();
        next.letters.insert(at, letter);
        next.offsets.insert_axis_inplace(Axis(at));
        Some((self.layout.unsqueeze(letter, at), next))
    }

    fn index_or_broadcast(&self) -> Outcome {
        let Self { layout, model, dice } = self;
        let axis = model.offsets.shape().iter().position(|&extent| extent == 1)?;
        let extent = dice[1] % 4;
        let mut shape = model.offsets.shape().to_vec();
        shape[axis] = extent;
        if shape.iter().product::<usize>() > 2000 {
            return None;
        }
        if dice[2] % 2 == 0 {
            return Some((layout.index(self.name(axis), 0), model.indexed(axis, 0)));
        }
        let offsets = model.offsets.broadcast(shape).unwrap().to_owned();
        let next = Model { letters: model.letters.clone(), offsets };
        Some((layout.broadcast(self.name(axis), extent), next))
    }

    fn diagonal(&self) -> Outcome {
        let (Self { layout, model, .. }, rank) = (self, self.rank());
        let (axis, other) = (self.any(1), self.any(2));
        if axis == other {
            return None;
        }
        let is_kept = |own: usize| own != axis && own != other;
        let kept = || (0..rank).filter(|&own| is_kept(own));
        let letter = self.free()[0];
        let letters = kept().map(|own| model.letters[own]).chain([letter]).collect();
        let extent = model.extent(axis).min(model.extent(other));
        let shape: Vec<usize> = kept().map(|own| model.extent(own)).chain([extent]).collect();
        let offsets = ArrayD::from_shape_fn(shape, |c| {
            let mut left = c.slice()[..rank - 2].iter();
            let index = |i: usize| if is_kept(i) { *left.next().unwrap() } else { c[rank - 2] };
            model.offsets[IxDyn(&(0..rank).map(index).collect::<Vec<_>>())]
        });
        let found = layout.diagonal(self.name(axis), self.name(other), letter);
        Some((found, Model { letters, offsets }))
    }

    fn reshape(&self) -> Outcome {
        let mut count: usize = self.model.offsets.len();
        let mut sizes = Vec::new();
        for number in &self.dice[1..6] {
            let divisors: Vec<usize> = (1..=count.min(16)).filter(|n| count % n == 0).collect();
            if let (Some(&size), true) = (divisors.get(number % divisors.len().max(1)), count > 0) {
                sizes.push(size);
                count /= size;
            }
        }
        sizes.push(count);
        let axes: Vec<(char, usize)> = ('P'..).zip(sizes.iter().copied()).collect();
        let next = self.model.reshaped(axes.iter().map(|axis| axis.0).collect(), &sizes);
        Some((self.layout.reshape(&axes), next))
    }
}
