//! Random layouts that no table can hold, and steps that mostly fit them: extents and strides at which numbers run over.

use crate::element::Element;
use crate::notation::{Notation, Part};
use crate::step::Step;
use test_support::Random;

/// A layout of extents that no memory backs, and steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The layout.
    pub root: Notation,
    /// The steps, which may be wrong.
    pub steps: Vec<Step>,
}

/// Letters with extents, in coordinate order.
type Axes = Vec<(char, usize)>;

const BITS: usize = usize::BITS as usize;

/// Extents that numbers run over at.
const EXTENTS: [usize; 14] = [
    0,
    1,
    1 << 16,
    (1 << 26) + 1,
    usize::MAX >> (BITS / 2 + 1),
    usize::MAX >> (BITS / 2),
    1 << (BITS / 2),
    (1 << (BITS / 2)) + 1,
    usize::MAX / 3,
    usize::MAX >> 1,
    (usize::MAX >> 1) + 1,
    (usize::MAX >> 1) + 2,
    usize::MAX - 1,
    usize::MAX,
];

/// Strides that numbers run over at.
const STRIDES: [isize; 13] = [
    0,
    1,
    -1,
    2,
    3,
    -7,
    1 << 20,
    1 << (BITS / 2),
    -(1 << (BITS / 2)),
    1 << (BITS - 2),
    isize::MAX,
    isize::MIN,
    isize::MIN + 1,
];

/// A random extent: of the list, near a power of two, or small.
pub fn extent(random: &mut Random) -> usize {
    match random.below(6) {
        0 | 1 => random.between(0, 9),
        2 => (1usize << random.below(BITS)).wrapping_add(random.pick(&[0, 0, 1, usize::MAX])),
        _ => random.pick(&EXTENTS),
    }
}

/// A random layout and up to four steps.
pub fn random(random: &mut Random) -> Extreme {
    let element = match random.below(8) {
        0 => random.pick(&Element::ALL),
        1 => Element::Bytes(random.pick(&[5, 1 << 20, usize::MAX >> 5])),
        _ => random.pick(&[
            Element::Named("u8"),
            Element::Named("f32"),
            Element::Named("i4"),
            Element::HighFirst("u1"),
        ]),
    };
    let rank = if random.once_in(8) { random.between(5, 12) } else { random.between(1, 4) };
    let letters: Vec<char> = ('A'..='L').take(rank).collect();
    let axes = letters.iter().map(|letter| (*letter, extent(random))).collect();
    let mut root = Notation::dense(axes, element);
    random.shuffle(&mut root.order);
    match random.below(8) {
        0..=2 => root.axes[random.below(rank)].1 = 0,
        3 | 4 => broadcast_most(random, &mut root, &letters),
        5 | 6 => strided(random, &mut root),
        _ => one_is_long(random, &mut root),
    }
    options(random, &mut root, &letters);
    let (mut axes, mut steps) = (root.axes.clone(), Vec::new());
    for _ in 0..random.below(5) {
        let step = step(random, &axes);
        axes = axes_after(&step, &axes).unwrap_or(axes);
        steps.push(step);
    }
    Extreme { root, steps }
}

/// One axis takes memory, the others none.
fn broadcast_most(random: &mut Random, root: &mut Notation, letters: &[char]) {
    let kept = random.below(letters.len());
    root.broadcast = letters.iter().copied().filter(|letter| *letter != letters[kept]).collect();
    if root.axes[kept].1 > 1 << 30 {
        root.axes[kept].1 = random.between(1, 9);
    }
}

/// Few coordinates, or none, or many of stride 0, far apart.
fn strided(random: &mut Random, root: &mut Notation) {
    let mut strides = Vec::new();
    let is_empty = random.once_in(3);
    for axis in &mut root.axes {
        let stride = random.pick(&STRIDES);
        if stride != 0 && !is_empty {
            axis.1 = random.between(1, 3);
        }
        if stride == 0 && random.once_in(2) {
            root.broadcast.push(axis.0);
        }
        strides.push(stride);
    }
    if is_empty {
        let at = random.below(root.axes.len());
        root.axes[at].1 = 0;
    }
    root.strides = Some(strides);
}

/// Ones, and an axis that is as long as storage may be.
fn one_is_long(random: &mut Random, root: &mut Notation) {
    for axis in &mut root.axes {
        axis.1 = random.between(1, 2);
    }
    let long = random.below(root.axes.len());
    root.axes[long].1 = (usize::MAX >> 1) / random.pick(&[1, 1, 2, 3, 4, 8, 16]) - random.below(3);
}

/// Padding, blocks, alignments, lanes and swizzles.
fn options(random: &mut Random, root: &mut Notation, letters: &[char]) {
    let letter = random.pick(letters);
    if random.once_in(4) && !root.broadcast.contains(&letter) {
        root.pad = random.pick(&[Some(0), Some(0), None]);
        let size = random.pick(&[2, 4, 7, 1 << 16, 1 << (BITS / 2), 1 << (BITS - 2), usize::MAX]);
        root.order.push(match random.once_in(4) {
            true => Part::Weighted(letter, size, random.pick(&[1, 2, 3, 1 << 20, usize::MAX])),
            false => Part::Block(letter, size),
        });
        if random.once_in(3) {
            root.order.push(Part::Block(letter, random.pick(&[2, 3, 1 << 16])));
        }
    }
    if random.once_in(8) {
        let bytes = random.pick(&[1, 3, 64, 1 << 20, 1 << (BITS - 2), 1 << (BITS - 1), usize::MAX]);
        root.align.push((random.pick(letters), bytes));
    }
    if random.once_in(8) {
        let count = random.pick(&[1, 3, 64, 1 << (BITS / 2), usize::MAX >> 1, usize::MAX]);
        root.lanes = Some((random.pick(letters), count, random.pick(&[0, 1, count - 1, count])));
    }
    if random.once_in(4) {
        let bits = random.between(0, 6);
        let shift = random.between(bits, 20) as isize;
        let shift = if random.once_in(2) { -shift } else { shift };
        root.swizzle = Some((bits, random.pick(&[0, 1, 4, 20, 40, BITS - 1]), shift));
    }
}

/// A random step over these axes: most fit.
fn step(random: &mut Random, axes: &[(char, usize)]) -> Step {
    if axes.is_empty() {
        return Step::Unsqueeze('U', 0);
    }
    let (axis, own) = random.pick(axes);
    let (other, _) = random.pick(axes);
    let free: Vec<char> =
        ('M'..='Z').filter(|letter| axes.iter().all(|axis| axis.0 != *letter)).collect();
    match random.below(16) {
        0 => {
            let mut order: Vec<char> = axes.iter().map(|axis| axis.0).collect();
            random.shuffle(&mut order);
            Step::Permute(order.into_iter().collect())
        }
        1..=3 => slice(random, axis, own),
        4 => Step::Split { axis, at: index(random, own), is_high: random.once_in(2) },
        5 => Step::Index(axis, index(random, own)),
        6 => Step::Flip(axis),
        7 | 8 => Step::Tile { axis, tiles: tiles(random, Some(own), &free) },
        9 | 10 => {
            let mut order: Vec<char> = axes.iter().map(|axis| axis.0).collect();
            if random.once_in(2) {
                random.shuffle(&mut order);
            }
            let count = random.between(1, order.len());
            Step::Merge(order[..count].iter().collect(), free[0])
        }
        11 => {
            let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.1));
            Step::Reshape(tiles(random, count, &free))
        }
        12 => match axes.iter().find(|axis| axis.1 == 1) {
            Some(one) => Step::Broadcast(one.0, extent(random)),
            None => Step::Unsqueeze(free[0], random.below(axes.len() + 1)),
        },
        13 => Step::Diagonal(axis, other, free[0]),
        14 => {
            let size = index(random, own).saturating_add(random.below(2));
            Step::Windows { axis, size, step: extent(random), into: free[0] }
        }
        _ => composition(random, &free),
    }
}

/// An index of an axis, or the first after it.
fn index(random: &mut Random, extent: usize) -> usize {
    let last = extent.saturating_sub(1);
    random.pick(&[0, 1, 2, extent / 3, extent / 2, last.saturating_sub(1), last, extent])
}

/// A slice with a step of any size and mostly as many coordinates as there are.
fn slice(random: &mut Random, axis: char, own: usize) -> Step {
    let step = match random.below(8) {
        0 => random.pick(&STRIDES),
        1 => extent(random) as isize,
        _ => random.pick(&[1, 1, -1, -1, 2, -2, 3, 4]),
    };
    let start = index(random, own);
    let left = if step > 0 { own.saturating_sub(start) } else { start.saturating_add(1) };
    let most = left.div_ceil(step.unsigned_abs().max(1));
    let length = match random.below(6) {
        0 => extent(random),
        1 => random.between(0, 3),
        2 => most / 2,
        _ => most.saturating_sub(random.pick(&[0, 0, 1, 2])),
    };
    Step::Slice { axis, start, step, length }
}

/// Extents of a product, or any.
fn tiles(random: &mut Random, product: Option<usize>, free: &[char]) -> Axes {
    let count = random.between(0, 3);
    let mut extents: Vec<usize> = (0..count).map(|_| extent(random)).collect();
    if let (Some(mut rest), false) = (product, random.once_in(8)) {
        extents.clear();
        for _ in 0..count {
            let divisor = random.pick(&[1, 2, 3, 4, 5, 7, 1 << 16, 1 << (BITS / 2)]);
            let part = if rest > 0 && rest % divisor == 0 { divisor } else { extent(random) };
            if rest == 0 || rest % part.max(1) == 0 {
                rest /= part.max(1);
                extents.push(part);
            }
        }
        extents.push(rest);
        random.shuffle(&mut extents);
    }
    free.iter().copied().zip(extents).collect()
}

/// A layout of any strides that counts others' coordinates.
fn composition(random: &mut Random, free: &[char]) -> Step {
    let (mut axes, mut strides) = (Axes::new(), Vec::new());
    for letter in &free[..random.between(1, 3)] {
        let stride = random.pick(&STRIDES);
        let most = if stride == 0 { extent(random) } else { random.between(0, 4) };
        axes.push((*letter, most));
        strides.push(stride);
    }
    let element = Element::Named("u8");
    let root = Notation::dense(axes, element);
    let inner = match random.once_in(4) {
        true => root,
        false => Notation { strides: Some(strides), ..root },
    };
    Step::Compose(Box::new(inner))
}

/// The axes after a step, if it fits; the library decides whether it does.
fn axes_after(step: &Step, axes: &[(char, usize)]) -> Option<Axes> {
    let place = |letter: char| axes.iter().position(|axis| axis.0 == letter);
    let mut after = axes.to_vec();
    match step {
        Step::Permute(order) => {
            after =
                order.chars().map(|letter| Some(axes[place(letter)?])).collect::<Option<_>>()?;
        }
        Step::Slice { axis, length, .. } => after[place(*axis)?].1 = *length,
        Step::Split { axis, at, is_high: false } => after[place(*axis)?].1 = *at,
        Step::Split { axis, at, .. } => {
            let at_axis = place(*axis)?;
            after[at_axis].1 = axes[at_axis].1.checked_sub(*at)?;
        }
        Step::Index(axis, _) => drop(after.remove(place(*axis)?)),
        Step::Flip(_) => {}
        Step::Tile { axis, tiles } => {
            let at = place(*axis)?;
            after.splice(at..=at, tiles.iter().copied());
        }
        Step::Merge(letters, into) => {
            let product = |count: usize, letter| count.checked_mul(axes[place(letter)?].1);
            let extent = letters.chars().try_fold(1, product)?;
            let first = place(letters.chars().next()?)?;
            after[first] = (*into, extent);
            after.retain(|axis| axis.0 == *into || !letters.contains(axis.0));
        }
        Step::Reshape(tiles) => after = tiles.clone(),
        Step::Unsqueeze(letter, at) => after.insert((*at).min(axes.len()), (*letter, 1)),
        Step::Broadcast(axis, extent) => after[place(*axis)?].1 = *extent,
        Step::Diagonal(first, second, into) => {
            let extent = axes[place(*first)?].1.min(axes[place(*second)?].1);
            after.retain(|axis| axis.0 != *first && axis.0 != *second);
            after.push((*into, extent));
        }
        Step::Compose(inner) => after = inner.axes.clone(),
        Step::Windows { axis, size, step, into } => {
            let at = place(*axis)?;
            after[at].1 = axes[at].1.checked_sub(*size)?.checked_div(*step)? + 1;
            after.push((*into, *size));
        }
    }
    Some(after)
}
