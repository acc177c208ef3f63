//! Spacing: which offsets of a table one call of a kernel moves.

use core::ops::Range;

use super::Loop;

/// The maximal number of offsets of a table. Moves without vectors use no tables, and boards have no memory for them.
pub(crate) const MAX_OFFSETS: usize = if cfg!(vectors) { 128 } else { 1 };

/// How the offsets of a table are spaced, so that one call of a kernel moves many: `inner` of them are evenly spaced,
/// and so are `outer` groups of these. For example, 0 1 10 11 20 21 50 51 60 61 70 71 are two groups of three pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    pub(crate) inner: usize,
    pub(crate) outer: usize,
}

impl Spacing {
    pub(crate) const NONE: Self = Self { inner: 1, outer: 1 };

    /// Returns how every `step`th of the first `count` offsets is spaced. Each digit of a table repeats the offsets of
    /// those before it, so what holds for the first ones holds for all.
    pub(crate) const fn of(offsets: &[i32; MAX_OFFSETS], count: usize, step: usize) -> Self {
        let inner = evenly_spaced(offsets, count, step);
        Self { inner, outer: evenly_spaced(offsets, count, step * inner) }
    }
}

/// Returns how many of the first `count` offsets are evenly spaced, of which every `step`th is looked at.
const fn evenly_spaced(offsets: &[i32; MAX_OFFSETS], count: usize, step: usize) -> usize {
    let mut found = 1;
    while (found + 1) * step <= count
        && (found < 2
            || offsets[found * step] as i64 - offsets[(found - 1) * step] as i64
                == offsets[step] as i64 - offsets[0] as i64)
    {
        found += 1;
    }
    found
}

/// Calls `of` for the offsets of a table that one call of a kernel moves, every `step`th of the table. In a scratch
/// buffer, what belongs to them is `apart` bytes apart. `of` takes where the first is in the scratch buffer, its
/// offset, and the loops over the offsets of a group and over groups: the table's strides are those of the source, and
/// the scratch buffer's those of the destination. `spacing` must be that of every `step`th offset of the table.
#[inline(always)]
pub(crate) fn each_group(
    offsets: &[i32],
    (spacing, step): (Spacing, usize),
    indices: Range<usize>,
    apart: usize,
    mut of: impl FnMut(usize, isize, Loop, Loop),
) {
    debug_assert!(indices.end * step <= offsets.len(), "{indices:?} of {step}");
    let offset = |index: usize| offsets.get(index * step).map_or(0, |own| *own as isize);
    // Not 0, so that no division can panic.
    let (inner, outer) = (spacing.inner.max(1), spacing.outer.max(1));
    let strides = [1, inner].map(|index| offset(index).wrapping_sub(offset(0)));
    let mut index = indices.start;
    while index < indices.end {
        let (left, before) = (indices.end - index, index % inner);
        // What begins or ends inside a group is a group of its own.
        let (count, groups) = if before > 0 || left < inner {
            (left.min(inner - before), 1)
        } else {
            (inner, (left / inner).min(outer - index / inner % outer))
        };
        let own = Loop::new(count, strides[0], apart as isize);
        let all = Loop::new(groups, strides[1], (apart * count) as isize);
        of((index - indices.start) * apart, offset(index), own, all);
        index += count * groups;
    }
}

// Without vectors, tables have one offset.
#[cfg(all(test, vectors))]
mod tests {
    use super::{MAX_OFFSETS, Spacing, each_group};

    /// The groups of any part of a table are its offsets in order, and each one has all that are evenly spaced.
    #[test]
    fn groups_are_the_offsets_of_a_table() {
        let tables: [&[(usize, i32)]; 7] = [
            &[(12, 5)],
            &[(2, 100), (9, 3)],
            &[(2, 1), (3, 10), (2, 50)],
            &[(2, 1), (2, 2), (4, 10), (3, -7)],
            &[(7, 65536), (8, 8192)],
            &[(3, 0), (5, 1 << 30)],
            &[(1, 4)],
        ];
        for digits in tables {
            let (mut offsets, mut count) = ([0i32; MAX_OFFSETS], 1);
            for (size, stride) in digits {
                for i in count..count * size {
                    offsets[i] = offsets[i - count].wrapping_add(*stride);
                }
                count *= size;
            }
            for step in [1, digits[0].0] {
                let (all, spacing) = (count / step, Spacing::of(&offsets, count, step));
                for (start, end) in
                    (0..all).flat_map(|start| (start..=all).map(move |end| (start, end)))
                {
                    let (mut index, mut calls) = (start, 0);
                    each_group(
                        &offsets,
                        (spacing, step),
                        start..end,
                        3,
                        |position, offset, own, all| {
                            assert_eq!(
                                position,
                                3 * (index - start),
                                "{digits:?}, {start} to {end}"
                            );
                            let of_groups =
                                (0..all.size).flat_map(|i| (0..own.size).map(move |j| (i, j)));
                            for (group, i) in of_groups.map(|(i, j)| (i as isize, j as isize)) {
                                let expected = offsets[index * step] as isize;
                                let table = offset + own.source * i + all.source * group;
                                assert_eq!(table, expected, "{digits:?}, {index}");
                                let far = own.destination * i + all.destination * group;
                                assert_eq!(position as isize + far, 3 * (index - start) as isize);
                                index += 1;
                            }
                            calls += 1;
                        },
                    );
                    assert_eq!(index, end, "{digits:?}");
                    let most = all.div_ceil(spacing.inner * spacing.outer);
                    assert!((start, end) != (0, all) || calls == most, "{digits:?}: {calls} calls");
                }
            }
        }
    }
}
