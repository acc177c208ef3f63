//! Views: random chains of operations against ndarray, which does the same to an array of offsets,
//! and what is refused.

use std::collections::HashSet;

use ndarray::{ArrayD, Axis, Dimension, IxDyn};
use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::spec::Rule;
use tensor_layout::{
    Coordinates, Dynamic, ElementType, Layout, LayoutError, LayoutType, Plan, Tensor, relayout,
};

use crate::support::oracle::expressible;
use crate::support::random::{self, Case};

/// What a view is: letters, and at each coordinate the offset of the element.
#[derive(Clone, Debug)]
struct Model {
    letters: Vec<char>,
    offsets: ArrayD<usize>,
}

impl Model {
    fn new(case: &Case) -> Self {
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

    /// The one step of offsets along each axis, if there is one; 0 where there are no steps.
    fn strides(&self) -> Option<Vec<Option<isize>>> {
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
type Dice = [usize; 8];

/// One operation, its arguments chosen by `dice`, on the library's layout and on the model; `None`
/// where it does not fit this layout.
fn step(
    layout: &Layout,
    model: &Model,
    dice: Dice,
) -> Option<(Result<Layout, LayoutError>, Model)> {
    let rank = model.letters.len();
    let any = |i: usize| dice[i] % rank.max(1);
    // An axis by its letter in either case, or by its position.
    let name = |axis: usize| match dice[7] % 3 {
        0 => model.letters[axis],
        1 => model.letters[axis].to_ascii_lowercase(),
        _ => char::from_digit(axis as u32, 10).unwrap(),
    };
    let free: Vec<char> = ('A'..='Z').filter(|letter| !model.letters.contains(letter)).collect();
    let axis = any(1);
    if rank == 0 && !matches!(dice[0] % 13, 8 | 9 | 11) {
        return None;
    }
    let mut next = model.clone();
    let found = match dice[0] % 13 {
        0 => {
            let mut order: Vec<usize> = (0..rank).collect();
            order.sort_by_key(|&axis| dice[axis % 7 + 1].wrapping_mul(axis + 31) % 97);
            next = model.permuted(&order);
            let names: String = order.iter().map(|&axis| name(axis)).collect();
            layout.permute(&names)
        }
        1 => {
            next.letters.swap(axis, any(2));
            next.offsets.swap_axes(axis, any(2));
            layout.transpose(name(axis), name(any(2)))
        }
        2 | 12 => {
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
            next.offsets = model.offsets.select(Axis(axis), &indices);
            layout.slice(name(axis), start, step, length)
        }
        3 => {
            if model.extent(axis) == 0 {
                return None;
            }
            let at = dice[2] % model.extent(axis);
            next.letters.remove(axis);
            next.offsets = model.offsets.index_axis(Axis(axis), at).to_owned();
            layout.index(name(axis), at)
        }
        4 => {
            next.offsets.invert_axis(Axis(axis));
            layout.flip(name(axis))
        }
        5 | 6 => {
            let extent = model.extent(axis);
            let divisors: Vec<usize> = (1..=extent).filter(|n| extent % n == 0).collect();
            let pick = |i: usize| divisors.get(dice[i] % divisors.len().max(1)).copied();
            let inner = pick(2).unwrap_or(3);
            let mut sizes = vec![extent / inner, inner];
            if let Some(third) = pick(3).filter(|third| sizes[0] % third == 0) {
                sizes = vec![sizes[0] / third, third, inner];
            }
            let letters: Vec<char> = free[dice[4] % 3..][..sizes.len()].to_vec();
            let mut all = model.letters.clone();
            all.splice(axis..=axis, letters.iter().copied());
            let mut shape = model.offsets.shape().to_vec();
            shape.splice(axis..=axis, sizes.iter().copied());
            if all.len() > 8 {
                return None;
            }
            next = model.reshaped(all, &shape);
            let mut tiles: Vec<(char, usize)> = letters.into_iter().zip(sizes).collect();
            if dice[0] % 13 == 5 {
                layout.tile(name(axis), &tiles)
            } else {
                tiles.reverse();
                let mut order: Vec<usize> = (0..shape.len()).collect();
                order[axis..axis + tiles.len()].reverse();
                next = next.permuted(&order);
                layout.tile_inner_first(name(axis), &tiles)
            }
        }
        7 => {
            let mut chosen = vec![axis];
            for i in 2..2 + dice[5] % 3 {
                if !chosen.contains(&any(i)) {
                    chosen.push(any(i));
                }
            }
            let names: String = chosen.iter().map(|&axis| name(axis)).collect();
            let mut order: Vec<usize> = (0..rank).filter(|axis| !chosen.contains(axis)).collect();
            let at = order.iter().filter(|&&other| other < axis).count();
            order.splice(at..at, chosen.iter().copied());
            let moved = model.permuted(&order);
            let into = if dice[6] % 2 == 0 { free[0] } else { model.letters[*chosen.last()?] };
            let (mut letters, mut shape) = (moved.letters.clone(), moved.offsets.shape().to_vec());
            letters.splice(at..at + chosen.len(), [into]);
            let size = shape[at..at + chosen.len()].iter().product();
            shape.splice(at..at + chosen.len(), [size]);
            next = moved.reshaped(letters, &shape);
            layout.merge(&names, into)
        }
        8 => {
            let at = dice[1] % (rank + 1);
            if rank == 8 {
                return None;
            }
            next.letters.insert(at, free[0]);
            next.offsets.insert_axis_inplace(Axis(at));
            layout.unsqueeze(free[0], at)
        }
        9 => {
            let axis = model.offsets.shape().iter().position(|&extent| extent == 1)?;
            let extent = dice[1] % 4;
            let mut shape = model.offsets.shape().to_vec();
            shape[axis] = extent;
            if shape.iter().product::<usize>() > 2000 {
                return None;
            }
            if dice[2] % 2 == 0 {
                next.letters.remove(axis);
                next.offsets = model.offsets.index_axis(Axis(axis), 0).to_owned();
                layout.squeeze(name(axis))
            } else {
                next.offsets = model.offsets.broadcast(shape).unwrap().to_owned();
                layout.broadcast(name(axis), extent)
            }
        }
        10 => {
            let other = any(2);
            if axis == other {
                return None;
            }
            let extent = model.extent(axis).min(model.extent(other));
            let rest = |axes: usize| axes != axis && axes != other;
            next.letters =
                (0..rank).filter(|&axis| rest(axis)).map(|axis| model.letters[axis]).collect();
            let mut shape: Vec<usize> =
                (0..rank).filter(|&axis| rest(axis)).map(|axis| model.extent(axis)).collect();
            shape.push(extent);
            let letter = free[0];
            next.letters.push(letter);
            next.offsets = ArrayD::from_shape_fn(shape, |c| {
                let mut left = c.slice()[..rank - 2].iter();
                let index = |i: usize| if rest(i) { *left.next().unwrap() } else { c[rank - 2] };
                model.offsets[IxDyn(&(0..rank).map(index).collect::<Vec<_>>())]
            });
            layout.diagonal(name(axis), name(other), letter)
        }
        11 => {
            let mut count: usize = model.offsets.len();
            let mut sizes = Vec::new();
            for number in &dice[1..6] {
                let divisors: Vec<usize> = (1..=count.min(16)).filter(|n| count % n == 0).collect();
                if let (Some(&size), true) =
                    (divisors.get(number % divisors.len().max(1)), count > 0)
                {
                    sizes.push(size);
                    count /= size;
                }
            }
            sizes.push(count);
            let axes: Vec<(char, usize)> = ('P'..).zip(sizes.iter().copied()).collect();
            next = model.reshaped(axes.iter().map(|axis| axis.0).collect(), &sizes);
            layout.reshape(&axes)
        }
        _ => unreachable!(),
    };
    Some((found, next))
}

/// Everything that a view says of itself, against the model.
fn check(layout: &Layout, model: &Model) -> Result<(), TestCaseError> {
    let letters: Vec<char> = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
    prop_assert_eq!(&letters, &model.letters);
    prop_assert_eq!(layout.extents(), model.offsets.shape());
    let all: Vec<(Vec<usize>, usize)> =
        model.offsets.indexed_iter().map(|(c, &offset)| (c.slice().to_vec(), offset)).collect();
    prop_assert_eq!(layout.count(), all.len());
    for (c, offset) in &all {
        prop_assert_eq!(layout.offset(c), *offset, "offset of {:?} in {}", c, layout);
        let found = layout.coordinate(*offset).map(|c| layout.offset(&c));
        prop_assert_eq!(found, Some(*offset), "coordinate at {} in {}", offset, layout);
    }
    let reached: HashSet<usize> = all.iter().map(|(_, offset)| *offset).collect();
    for offset in (0..layout.len()).filter(|offset| !reached.contains(offset)) {
        prop_assert_eq!(layout.coordinate(offset), None);
    }
    let end = reached.iter().max().map_or(0, |last| last + 1);
    prop_assert_eq!(layout.range(), reached.iter().min().copied().unwrap_or(0)..end);
    prop_assert_eq!(layout.span(), end);
    prop_assert_eq!(layout.is_unique(), reached.len() == all.len());
    prop_assert_eq!(layout.is_exhaustive(), layout.len() == 0 || reached.len() == layout.len());
    let strides = model.strides();
    prop_assert!(layout.strides().is_some() || strides.is_none() || all.is_empty(), "{}", layout);
    for (axis, stride) in strides.iter().flatten().enumerate() {
        if let (Some(stride), Some(found)) = (stride, layout.strides()) {
            prop_assert_eq!(found[axis], *stride);
        }
    }
    let consecutive = all.iter().enumerate().all(|(i, (_, offset))| *offset == all[0].1 + i);
    prop_assert_eq!(layout.is_contiguous(), consecutive);
    let mut iterated = coordinates(layout);
    // Strides that interleave have no memory order to follow.
    let mut reach = 0;
    let nested = layout.digits().iter().rev().all(|digit| {
        let stride = digit.stride.unsigned_abs();
        reach += digit.size.saturating_sub(1) * stride;
        stride == 0 || stride > reach - (digit.size.saturating_sub(1)) * stride
    });
    let sorted = iterated.is_sorted_by_key(|c| model.offsets[IxDyn(c)]);
    prop_assert!(sorted || !nested, "{}", layout);
    iterated.sort();
    prop_assert_eq!(iterated, all.iter().map(|(c, _)| c.clone()).collect::<Vec<_>>());
    prop_assert_eq!(layout.to_string().parse(), Ok(*layout), "{}", layout);
    Ok(())
}

pub(super) fn coordinates(layout: &Layout) -> Vec<Vec<usize>> {
    macro_rules! by_rank {
        ($($rank:literal)*) => {
            match layout.rank() {
                $($rank => Coordinates::<$rank>::new(*layout).map(|c| c.to_vec()).collect(),)*
                other => panic!("rank {other}"),
            }
        };
    }
    by_rank!(0 1 2 3 4 5 6 7 8)
}

/// Elements in coordinate order, and in that of `Coordinates`, which was checked before.
fn check_iteration(layout: &Layout, model: &Model) -> Result<(), TestCaseError> {
    let expected = model
        .offsets
        .indexed_iter()
        .map(|(c, &offset)| (c.as_array_view().as_slice().unwrap().to_vec(), offset as f32));
    let offsets: Vec<f32> = (0..layout.len()).map(|offset| offset as f32).collect();
    macro_rules! by_rank {
        ($($rank:literal)*) => {
            match layout.rank() {
                $($rank => {
                    let layout = Dynamic::<f32, $rank>::new(*layout).unwrap();
                    let tensor = Tensor::with_layout(layout, offsets).unwrap();
                    let logical = tensor.iter().map(|(c, offset)| (c.to_vec(), offset));
                    prop_assert!(logical.eq(expected), "{:?}", layout);
                    let memory = tensor.iter_in_memory();
                    prop_assert_eq!(memory.len(), model.offsets.len());
                    let in_turn = memory.zip(coordinates(&layout.layout())).all(|((c, offset), next)| {
                        c[..] == next[..] && offset == model.offsets[IxDyn(&c)] as f32
                    });
                    prop_assert!(in_turn, "{:?}", layout);
                })*
                other => panic!("rank {other}"),
            }
        };
    }
    by_rank!(0 1 2 3 4 5 6 7 8);
    Ok(())
}

/// The view moved to a buffer of its own, and one of its own moved to the view, which touches
/// nothing else.
fn check_relayout(layout: &Layout, model: &Model) -> Result<(), TestCaseError> {
    match layout.element() {
        ElementType::F32 => {
            let element = |i: usize| i as f32;
            let read = |buffer: &[f32], offset: usize| buffer[offset];
            check_iteration(layout, model)?;
            check_units(layout, model, |units| (0..units).map(element).collect(), read)
        }
        ElementType::I4 | ElementType::U4 => {
            let pair = |i: usize| (i * 37 + i / 7) as u8;
            let read = |buffer: &[u8], offset: usize| buffer[offset / 2] >> (offset % 2 * 4) & 15;
            check_units(layout, model, |units| (0..units).map(pair).collect(), read)
        }
        _ => Ok(()),
    }
}

fn check_units<U: bytemuck::Pod + PartialEq + std::fmt::Debug>(
    layout: &Layout,
    model: &Model,
    units: impl Fn(usize) -> Vec<U>,
    read: impl Fn(&[U], usize) -> U,
) -> Result<(), TestCaseError> {
    let letters: String = model.letters.iter().collect();
    let dense = Layout::builder(&*letters, layout.element()).pad(0).extents_of(layout).unwrap();
    let buffer = units(layout.units());
    let mut moved = units(dense.units());
    relayout(&Plan::new(layout, &dense).unwrap(), &buffer, &mut moved).unwrap();
    for (c, &offset) in model.offsets.indexed_iter() {
        let found = read(&moved, dense.offset(c.slice()));
        prop_assert_eq!(found, read(&buffer, offset), "{:?} of {}", c, layout);
    }
    if layout.has_padding() {
        return Ok(()); // no view yet
    }
    if !layout.is_unique() {
        prop_assert_eq!(Plan::new(&dense, layout).unwrap_err(), LayoutError(Rule::RelayoutOverlap));
        return Ok(());
    }
    let mut other = units(dense.units());
    other.reverse();
    let mut back = buffer.clone();
    relayout(&Plan::new(&dense, layout).unwrap(), &other, &mut back).unwrap();
    let written: std::collections::HashMap<usize, usize> = model
        .offsets
        .indexed_iter()
        .map(|(c, &offset)| (offset, dense.offset(c.slice())))
        .collect();
    for offset in 0..layout.len() {
        let expected = match written.get(&offset) {
            Some(&from) => read(&other, from),
            None => read(&buffer, offset),
        };
        prop_assert_eq!(read(&back, offset), expected, "at {} of {}", offset, layout);
    }
    Ok(())
}

fn any_case() -> impl Strategy<Value = Case> {
    let element = prop_oneof![
        2 => Just((ElementType::F32, 32)),
        1 => Just((ElementType::I4, 4)),
        1 => random::element(),
    ];
    (random::axes(), element)
        .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true))
}

proptest! {
    #![proptest_config(random::cases(800))]

    /// Whatever is done to a layout, each coordinate lies where ndarray finds it. What is refused
    /// is blocks that are in the way, and never what has one stride for each axis.
    #[test]
    fn chains_agree_with_ndarray(
        case in any_case(),
        dice in vec(any::<[u16; 8]>(), 0..8),
    ) {
        let (mut layout, mut model) = (case.layout(), Model::new(&case));
        for dice in dice {
            let Some((found, next)) = step(&layout, &model, dice.map(usize::from)) else { continue };
            match found {
                Ok(view) => {
                    prop_assert_eq!(view.len(), layout.len());
                    prop_assert!(!view.has_padding());
                    (layout, model) = (view, next);
                    check(&layout, &model)?;
                }
                Err(
                    LayoutError(
                        Rule::SliceBlock { .. }
                        | Rule::TileBlock { .. }
                        | Rule::MergeBlock { .. }
                        | Rule::ReshapeBlock { .. }
                        | Rule::DiagonalBlock { .. },
                    ),
                ) => {
                    let offsets: Vec<usize> = next.offsets.iter().copied().collect();
                    let exists = expressible::is_a_layout(next.offsets.shape(), &offsets);
                    prop_assert!(!exists || offsets.is_empty(), "{} {:?}", layout, next);
                }
                Err(LayoutError(Rule::ViewBlocks { .. })) => {}
                Err(error) => prop_assert!(false, "{} in {}", error, layout),
            }
        }
        check_relayout(&layout, &model)?;
    }
}
