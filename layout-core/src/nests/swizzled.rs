//! Loops between layouts with swizzles: rows are divided where a swizzle splits them.

use crate::spec::{Swizzle, least};

/// The swizzles of some layouts.
pub(super) type Swizzles<const N: usize> = [Option<Swizzle>; N];

pub(super) const fn are_none<const N: usize>(swizzles: &Swizzles<N>) -> bool {
    let mut i = 0;
    while i < N && swizzles[i].is_none() {
        i += 1;
    }
    i == N
}

/// The swizzled offset.
pub(super) const fn swizzled(swizzle: Option<Swizzle>, offset: usize) -> usize {
    match swizzle {
        Some(swizzle) => swizzle.apply(offset),
        None => offset,
    }
}

/// The number of elements, from these offsets and at these distances, that stay in one group of each swizzle. A
/// swizzle moves all elements of a group by the same distance.
pub(super) const fn together(
    swizzles: &Swizzles<2>,
    source: (usize, isize),
    destination: (usize, isize),
) -> usize {
    let source = steps_in_group(swizzles[0], source.0, source.1);
    least(source, steps_in_group(swizzles[1], destination.0, destination.1))
}

/// The number of steps from `offset` that stay in its group.
const fn steps_in_group(swizzle: Option<Swizzle>, offset: usize, step: isize) -> usize {
    let Some(swizzle) = swizzle else { return usize::MAX };
    let place = offset & ((1 << swizzle.base()) - 1);
    match step {
        0 => usize::MAX,
        1.. => ((1 << swizzle.base()) - place).div_ceil(step as usize),
        _ => place / step.unsigned_abs() + 1,
    }
}
