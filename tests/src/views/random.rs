//! Views: random chains of operations, compared with ndarray, which applies them to an array of offsets, and
//! their errors.

use std::collections::HashSet;

use ndarray::{Dimension, IxDyn};
use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::spec::Rule;
use tensor_layout::{
    Coordinates, Dynamic, ElementType, Layout, LayoutError, LayoutType, Plan, Tensor,
};

use super::model::{Model, step};
use crate::support::oracle::expressible;
use crate::support::random::{self, Case};

/// Compares all properties of a view with the model.
fn check(layout: &Layout, model: &Model) -> Result<(), TestCaseError> {
    let letters: Vec<char> = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
    prop_assert_eq!(&letters, &model.letters);
    prop_assert_eq!(layout.extents(), model.offsets.shape());
    let all: Vec<(Vec<usize>, usize)> =
        model.offsets.indexed_iter().map(|(c, &offset)| (c.slice().to_vec(), offset)).collect();
    prop_assert_eq!(layout.numel(), all.len());
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
    by_rank!(0 1 2 3 4 5 6 7 8 9 10 11 12)
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
                    // Aligned as the layout asks, which a `Vec` need not be.
                    let mut tensor = Tensor::zeroed_in(layout).unwrap();
                    tensor.buffer_mut().copy_from_slice(&offsets);
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
    by_rank!(0 1 2 3 4 5 6 7 8 9 10 11 12);
    Ok(())
}

/// The view moved to a buffer of its own, and a tensor moved to the view, which changes nothing else.
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
    Plan::new(layout, &dense).unwrap().run(&buffer, &mut moved).unwrap();
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
    Plan::new(&dense, layout).unwrap().run(&other, &mut back).unwrap();
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

    /// After any operations, each coordinate has the offset that ndarray computes. Only blocks cause errors; a layout
    /// with one stride for each axis never does.
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
                Err(LayoutError(
                    rule @ (Rule::SliceBlock { .. }
                    | Rule::TileBlock { .. }
                    | Rule::MergeBlock { .. }
                    | Rule::ReshapeBlock { .. }
                    | Rule::DiagonalBlock { .. }),
                )) => {
                    let offsets: Vec<usize> = next.offsets.iter().copied().collect();
                    // A merge keeps the blocks of its axes. Offsets 0, 2, 1, 0, 2, 1 are those of blocks of three from
                    // the last of one on, but 0, 2, 1 came of blocks of two.
                    let keeps = matches!(rule, Rule::MergeBlock { .. } | Rule::ReshapeBlock { .. });
                    let exists = expressible::is_a_layout(next.offsets.shape(), &offsets, !keeps);
                    prop_assert!(!exists || offsets.is_empty(), "{} {:?}", layout, next);
                }
                Err(LayoutError(Rule::ViewBlocks { .. })) => {}
                Err(error) => prop_assert!(false, "{} in {}", error, layout),
            }
        }
        check_relayout(&layout, &model)?;
    }
}
