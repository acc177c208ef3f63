//! The loops of a `zip`. They are constants for static layouts and computed at run time for others.

use layout_types::nests::{Boxes, Level, Nest};
use layout_types::{Layout, Swizzle};

/// The maximal number of boxes whose loops are constants. Each box compiles to code of its own.
pub(super) const MAX_BOXES: usize = 4;

/// The number of innermost loops of a box that are separate constants, so that the compiler unrolls and vectorizes
/// them.
pub(super) const INNER: usize = 3;

/// The maximal number of loops around a row.
const MAX_OUTER: usize = 32;

/// All loops over static layouts.
pub(super) struct KnownLoops<const N: usize> {
    boxes: [Nest<N>; MAX_BOXES],
    count: usize,
    /// The swizzles that are applied to offsets.
    swizzles: [Option<Swizzle>; N],
}

impl<const N: usize> KnownLoops<N> {
    /// Returns the loops of box number `i`, if it exists.
    pub(super) const fn of_box(known: &Option<Self>, i: usize) -> Option<Nest<N>> {
        match known {
            Some(known) if i < known.count => Some(known.boxes[i]),
            _ => None,
        }
    }

    /// Returns the swizzles that are applied to the offsets of the loops.
    pub(super) const fn swizzles(known: &Option<Self>) -> [Option<Swizzle>; N] {
        match known {
            Some(known) => known.swizzles,
            None => [None; N],
        }
    }
}

/// Returns the loops over layouts that are all static. Returns `None` if a layout is not static or there are too many
/// boxes, and if axes or extents differ, which is an error at run time.
pub(super) const fn known_loops<const N: usize>(
    layouts: [Option<Layout>; N],
) -> Option<KnownLoops<N>> {
    let Some(first) = &layouts[0] else { return None };
    let mut all = [first; N];
    layout_types::each!(i, 0..N, {
        match &layouts[i] {
            Some(layout) => all[i] = layout,
            None => return None,
        }
    });
    let mut known = KnownLoops { boxes: [Nest::EMPTY; MAX_BOXES], count: 0, swizzles: [None; N] };
    let Ok(mut boxes) = Boxes::over(all) else { return None };
    while let Some(nest) = boxes.next() {
        if known.count == MAX_BOXES {
            return None;
        }
        known.boxes[known.count] = *nest;
        known.count += 1;
    }
    known.swizzles = boxes.swizzles(&known.boxes[0]);
    Some(known)
}

/// Splits off the innermost loops of a box, slowest first.
pub(super) const fn inner_loops<const N: usize>(nest: &Nest<N>) -> [Level<N>; INNER] {
    let mut inner = [Level::ONCE; INNER];
    layout_types::each!(i, 0..INNER, {
        inner[INNER - 1 - i] = nest.loop_around(i);
    });
    inner
}

/// Returns the loops around [`inner_loops`].
pub(super) const fn outer_loops<const N: usize>(nest: &Nest<N>) -> &[Level<N>] {
    let list = nest.levels();
    list.split_at(list.len().saturating_sub(INNER)).0
}

/// A row of elements: the offsets at which it begins, the offsets of one step, the number of steps, and the swizzles
/// of offsets.
pub(super) struct Row<const N: usize> {
    pub(super) start: [usize; N],
    pub(super) strides: [isize; N],
    pub(super) size: usize,
    pub(super) swizzles: Option<[Option<Swizzle>; N]>,
}

/// Calls `row` for each row of the loops.
#[inline(always)]
pub(super) fn for_each_row<const N: usize>(layouts: &[Layout; N], mut row: impl FnMut(Row<N>)) {
    // `zip` has checked that the axes and extents agree.
    let Ok(mut boxes) = Boxes::over(layouts.each_ref()) else { return };
    while let Some(&nest) = boxes.next() {
        let swizzles = boxes.swizzles(&nest);
        let swizzles = swizzles.iter().any(Option::is_some).then_some(swizzles);
        let nest = nest.with_long_rows();
        let (Level { size, strides, .. }, outer) = match nest.levels().split_last() {
            Some((inner, outer)) => (*inner, outer),
            None => (Level::ONCE, nest.levels()),
        };
        for_each_step(nest.offsets(), outer, |start| row(Row { start, strides, size, swizzles }));
    }
}

/// Applies the swizzle, if there is one, to an offset of the loops.
#[inline(always)]
pub(super) fn swizzled(swizzle: Option<Swizzle>, offset: usize) -> usize {
    match swizzle {
        Some(swizzle) => swizzle.apply(offset),
        None => offset,
    }
}

/// Calls `inner` with the offsets of each step of the loops, of which there are at most [`MAX_OUTER`].
#[inline(always)]
pub(super) fn for_each_step<const N: usize>(
    start: [usize; N],
    loops: &[Level<N>],
    mut inner: impl FnMut([usize; N]),
) {
    let mut offsets = start;
    let mut index = [0; MAX_OUTER];
    'steps: loop {
        inner(offsets);
        for (index, outer) in index.iter_mut().zip(loops).rev() {
            *index += 1;
            if *index < outer.size {
                step(&mut offsets, &outer.strides, 1);
                continue 'steps;
            }
            step(&mut offsets, &outer.strides, 1 - *index as isize);
            *index = 0;
        }
        break;
    }
}

/// Takes steps of a loop.
#[inline(always)]
fn step<const N: usize>(offsets: &mut [usize; N], strides: &[isize; N], steps: isize) {
    for (offset, stride) in offsets.iter_mut().zip(strides) {
        *offset = offset.wrapping_add_signed(stride.wrapping_mul(steps));
    }
}
