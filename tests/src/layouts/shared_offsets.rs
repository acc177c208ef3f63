//! Text of blocks with listed strides is an error exactly if two coordinates share an offset, and the error names two that
//! do. Axes may begin and end inside their blocks.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::spec::Rule;
use tensor_layout::{Layout, LayoutError};

use crate::support::random;

/// An axis: its blocks from the fastest on, its extent, and the position of its first coordinate in its blocks.
type Axis = (Vec<usize>, usize, usize);

/// One digit in memory order: the axis, the weight, the size of a block, and the stride.
type Digit = (usize, usize, Option<usize>, isize);

fn axis() -> impl Strategy<Value = Axis> {
    (vec(2..5usize, 0..3), 1..13usize, any::<prop::sample::Index>()).prop_map(
        |(blocks, extent, at)| {
            let start = at.index(blocks.iter().product());
            (blocks, extent, start)
        },
    )
}

/// The digits of axes from the slowest to the fastest, with strides that mostly leave enough space for the faster ones.
fn digits(axes: &[Axis], order: &[usize], spaces: &[(u8, bool)]) -> Vec<Digit> {
    let mut digits = Vec::new();
    for (axis, (blocks, extent, start)) in axes.iter().enumerate() {
        let mut weight = 1;
        for &size in blocks {
            digits.push((axis, weight, Some(size), size));
            weight *= size;
        }
        digits.push((axis, weight, None, (extent + start).div_ceil(weight)));
    }
    let turn = order.iter().copied().chain(0..);
    let mut sorted: Vec<_> = digits.into_iter().zip(turn).collect();
    sorted.sort_by_key(|(_, turn)| *turn);
    let mut span = 1;
    let mut placed = Vec::new();
    for (i, ((axis, weight, block, size), _)) in sorted.into_iter().enumerate().rev() {
        let (space, is_back) = spaces[i % spaces.len()];
        let stride = match space {
            0 => 1 + span / 2,
            1 => (span - 1).max(1),
            _ => span,
        };
        span += stride * (size - 1);
        placed.push((
            axis,
            weight,
            block,
            if is_back { -(stride as isize) } else { stride as isize },
        ));
    }
    placed.reverse();
    placed
}

fn letter(axis: usize) -> char {
    (b'P' + axis as u8) as char
}

fn text(axes: &[Axis], digits: &[Digit]) -> String {
    let factor = |(axis, weight, block, _): &Digit| match block {
        Some(size) => format!("{size}{}/{weight} ", letter(*axis).to_ascii_lowercase()),
        None => letter(*axis).to_string(),
    };
    let format: String = digits.iter().map(factor).collect();
    let extents: Vec<_> =
        axes.iter().enumerate().map(|(i, axis)| format!("{} = {}", letter(i), axis.1)).collect();
    let strides: Vec<_> = digits.iter().map(|digit| digit.3).collect();
    let starts = axes.iter().enumerate().filter(|(_, axis)| axis.2 > 0);
    let starts: String =
        starts.map(|(i, axis)| format!(", {} from {}", letter(i), axis.2)).collect();
    let order: Vec<_> = (0..axes.len()).map(|axis| letter(axis).to_string()).collect();
    let (extents, order) = (extents.join(", "), order.join(", "));
    // A format without blocks has its strides in coordinate order.
    let strides = match digits.len() == axes.len() {
        true => {
            let named = digits.iter().map(|digit| format!("{} = {}", letter(digit.0), digit.3));
            format!("[{}]", named.collect::<Vec<_>>().join(", "))
        }
        false => format!("{strides:?}"),
    };
    format!("{format}<{extents}>, u8, strides = {strides}, coordinates({order}){starts}")
}

/// The offset of a coordinate relative to others.
fn offset(axes: &[Axis], digits: &[Digit], coordinate: &[usize]) -> isize {
    let of = |(axis, weight, block, stride): &Digit| {
        let value = (coordinate[*axis] + axes[*axis].2) / weight;
        block.map_or(value, |size| value % size) as isize * stride
    };
    digits.iter().map(of).sum()
}

fn coordinates(axes: &[Axis]) -> Vec<Vec<usize>> {
    axes.iter().fold(vec![Vec::new()], |all, axis| {
        all.iter().flat_map(|c| (0..axis.1).map(|i| [&c[..], &[i]].concat())).collect()
    })
}

proptest! {
    #![proptest_config(random::cases(4000))]

    #[test]
    fn texts_are_refused_if_coordinates_share_an_offset(
        axes in vec(axis(), 1..4),
        order in vec(0..9usize, 12),
        spaces in vec((0..8u8, any::<bool>()), 12),
    ) {
        let mut digits = digits(&axes, &order, &spaces);
        if digits.len() == axes.len() {
            // Without blocks, strides are listed in coordinate order.
            digits.sort_by_key(|digit| digit.0);
        }
        let text = text(&axes, &digits);
        let mut first = HashMap::new();
        let all = coordinates(&axes);
        let shared = all.iter().any(|c| first.insert(offset(&axes, &digits, c), c).is_some());
        match text.parse::<Layout>() {
            Ok(layout) => {
                prop_assert!(!shared, "{text}");
                prop_assert!(layout.is_unique());
            }
            Err(error) => {
                let LayoutError(Rule::Overlap { first, second, exact: true, .. }) = error.error() else {
                    return Err(TestCaseError::fail(format!("{text}: {error}")));
                };
                let [a, b] = [first, second].map(|c| c[..axes.len()].iter().map(|&i| i as usize).collect::<Vec<_>>());
                prop_assert!(shared && a != b && all.contains(&a) && all.contains(&b), "{text}: {error}");
                prop_assert_eq!(offset(&axes, &digits, &a), offset(&axes, &digits, &b), "{}: {}", text, error);
            }
        }
    }
}
