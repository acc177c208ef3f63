//! The steps of views, on tables of offsets.

use std::fmt;

use crate::element::Element;
use crate::memory::Memory;
use crate::notation::Notation;
use crate::table::{Table, position};
use test_support::Random;

/// The most axes of a random layout, though layouts have up to 12: each rank is code of its own here.
pub const MAX_RANK: usize = 12;
/// The most coordinates of a random view.
const MAX_COUNT: usize = 3000;

/// One step of a view.
#[allow(missing_docs, reason = "fields are the arguments of the call")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The axes in this coordinate order.
    Permute(String),
    /// Every `step`th coordinate of an axis, `length` of them, from `start` on.
    Slice { axis: char, start: usize, step: isize, length: usize },
    /// The coordinates of an axis below `at`, or those from it on.
    Split { axis: char, at: usize, is_high: bool },
    /// One coordinate of an axis.
    Index(char, usize),
    /// An axis backwards.
    Flip(char),
    /// An axis as several, the outer first.
    Tile { axis: char, tiles: Vec<(char, usize)> },
    /// Several axes as one.
    Merge(String, char),
    /// Other axes over the same coordinates.
    Reshape(Vec<(char, usize)>),
    /// A new axis of extent 1 at a position.
    Unsqueeze(char, usize),
    /// An axis of extent 1 as one of this extent.
    Broadcast(char, usize),
    /// Two axes at once.
    Diagonal(char, char, char),
    /// The coordinates in the order of another layout.
    Compose(Box<Notation>),
    /// Windows of an axis, one every `step` coordinates; `into` counts what is in one.
    Windows { axis: char, size: usize, step: usize, into: char },
}

impl Step {
    /// The view, or `None` where the step does not fit the table.
    pub fn apply(&self, table: &Table) -> Option<Table> {
        match self {
            Self::Permute(order) => permute(table, order),
            Self::Slice { axis, start, step, length } => {
                slice(table, *axis, *start, *step, *length)
            }
            Self::Split { axis, at, is_high } => {
                let rest = table.extent(*axis)?.checked_sub(*at)?;
                match is_high {
                    true => slice(table, *axis, *at, 1, rest),
                    false => slice(table, *axis, 0, 1, *at),
                }
            }
            Self::Index(axis, at) => {
                let one = slice(table, *axis, *at, 1, 1)?;
                renamed(&one, table.axis(*axis)?, 1, &[])
            }
            Self::Flip(axis) => {
                let extent = table.extent(*axis)?;
                slice(table, *axis, extent.saturating_sub(1), -1, extent)
            }
            Self::Tile { axis, tiles } => renamed(table, table.axis(*axis)?, 1, tiles),
            Self::Merge(axes, into) => merge(table, axes, *into),
            Self::Reshape(axes) => renamed(table, 0, table.letters.len(), axes),
            Self::Unsqueeze(letter, at) if *at <= table.letters.len() => {
                renamed(table, *at, 0, &[(*letter, 1)])
            }
            Self::Unsqueeze(..) => None,
            Self::Broadcast(axis, extent) => broadcast(table, *axis, *extent),
            Self::Diagonal(first, second, into) => diagonal(table, *first, *second, *into),
            Self::Compose(inner) => {
                let inner = Memory::new(inner)?.table;
                if inner.offsets.iter().any(|at| *at >= table.count()) {
                    return None;
                }
                let offsets = inner.offsets.iter().map(|&at| table.offsets[at]).collect();
                Some(Table { offsets, ..inner })
            }
            Self::Windows { axis, size, step, into } => windows(table, *axis, *size, *step, *into),
        }
    }

    /// Whether the library must take the step, if it fits the table.
    pub fn must_work(&self) -> bool {
        matches!(self, Self::Permute(_) | Self::Index(..) | Self::Broadcast(..))
    }

    /// A random step that fits the table; `None` where the choice does not.
    pub fn random(random: &mut Random, table: &Table, element: Element) -> Option<Self> {
        let free: Vec<char> = ('A'..='Z').filter(|letter| table.axis(*letter).is_none()).collect();
        let rank = table.letters.len();
        // Half of the steps are slices, tiles, merges and reshapes, which cut blocks.
        let kind = match random.once_in(2) {
            true => random.pick(&[6, 7, 8, 12, 13, 14, 15, 16]),
            false => random.below(21),
        };
        if rank == 0 && !matches!(kind, 0 | 1) {
            return None;
        }
        let axis = |random: &mut Random| random.pick(&table.letters);
        let step = match kind {
            0 | 1 if rank < MAX_RANK => {
                Self::Unsqueeze(random.pick(&free), random.between(0, rank))
            }
            2 | 3 => random_broadcast(random, table)?,
            4 | 5 => {
                let mut order = table.letters.clone();
                random.shuffle(&mut order);
                Self::Permute(order.into_iter().collect())
            }
            6..=8 => random_slice(random, table)?,
            9 => {
                let axis = axis(random);
                let at = random.between(0, table.extent(axis)?);
                Self::Split { axis, at, is_high: random.once_in(2) }
            }
            10 if random.once_in(2) => {
                let axis = axis(random);
                let extent = table.extent(axis).filter(|extent| *extent > 0)?;
                Self::Index(axis, random.below(extent))
            }
            10 | 11 => Self::Flip(axis(random)),
            12 | 13 => {
                let axis = axis(random);
                let sizes = random_factors(random, table.extent(axis)?, MAX_RANK + 1 - rank);
                let tiles = free.iter().copied().zip(sizes).collect();
                Self::Tile { axis, tiles }
            }
            14 | 15 => random_merge(random, table, free[0]),
            16 | 17 => {
                let sizes = random_factors(random, table.count(), MAX_RANK);
                Self::Reshape(free.iter().copied().zip(sizes).collect())
            }
            18 => {
                let axis = table.letters.iter().find(|letter| table.extent(**letter) == Some(1))?;
                Self::Index(*axis, 0)
            }
            20 if rank < MAX_RANK => random_windows(random, table, &free)?,
            19 if random.once_in(2) => Self::Diagonal(axis(random), axis(random), free[0]),
            19 => random_composition(random, table, element),
            _ => return None,
        };
        Some(step)
    }
}

/// An axis of one coordinate with more of them.
fn broadcast(table: &Table, axis: char, extent: usize) -> Option<Table> {
    let at = table.axis(axis).filter(|at| table.extents[*at] == 1)?;
    let mut extents = table.extents.clone();
    extents[at] = extent;
    let few = extents.iter().product::<usize>() <= MAX_COUNT;
    few.then(|| {
        Table::from_fn(table.letters.clone(), extents, |coordinate| {
            let mut from = coordinate.to_vec();
            from[at] = 0;
            table.at(&from)
        })
    })
}

/// A broadcast of an axis of one coordinate; `None` if there is no such axis.
fn random_broadcast(random: &mut Random, table: &Table) -> Option<Step> {
    let letters = table.letters.iter().copied();
    let ones: Vec<char> = letters.filter(|letter| table.extent(*letter) == Some(1)).collect();
    if ones.is_empty() {
        return None;
    }
    Some(Step::Broadcast(random.pick(&ones), random.pick(&[0, 1, 2, 2, 3, 4, 7])))
}

/// Windows of an axis, which count along one of `free`; `None` where the axis is empty.
fn random_windows(random: &mut Random, table: &Table, free: &[char]) -> Option<Step> {
    let axis = random.pick(&table.letters);
    let extent = table.extent(axis).filter(|extent| *extent > 0)?;
    let (size, step) = (random.between(1, extent.min(4)), random.pick(&[1, 1, 2, 3]));
    Some(Step::Windows { axis, size, step, into: random.pick(free) })
}

/// A merge of up to three axes, in any order, into `free`.
fn random_merge(random: &mut Random, table: &Table, free: char) -> Step {
    let mut axes = table.letters.clone();
    if random.once_in(2) {
        random.shuffle(&mut axes);
    }
    let rank = axes.len();
    let first = random.below(rank);
    let count = random.between(1, (rank - first).min(3));
    Step::Merge(axes[first..first + count].iter().collect(), free)
}

/// A slice of a random axis, often one that begins or ends inside blocks.
fn random_slice(random: &mut Random, table: &Table) -> Option<Step> {
    let axis = random.pick(&table.letters);
    let extent = table.extent(axis)?;
    if extent == 0 {
        return Some(Step::Slice { axis, start: 0, step: 1, length: 0 });
    }
    if random.once_in(3) {
        // A few coordinates from anywhere.
        let start = random.below(extent);
        let length = random.between(0, (extent - start).min(5));
        return Some(Step::Slice { axis, start, step: 1, length });
    }
    let step: isize = random.pick(&[1, 1, 1, 1, -1, -1, 2, -2, 3, 4, -4, 8]);
    let near = random.below(extent).min(random.below(5));
    let start = if step > 0 { near } else { extent - 1 - near };
    let left = if step > 0 { extent - 1 - start } else { start };
    let most = left / step.unsigned_abs() + 1;
    let length = most - random.below(most + 1).min(random.below(4));
    Some(Step::Slice { axis, start, step, length })
}

/// The layout of a random composition: few axes with random strides that stay below the count.
fn random_composition(random: &mut Random, table: &Table, element: Element) -> Step {
    let (mut axes, mut strides, mut left) =
        (Vec::new(), Vec::new(), table.count().saturating_sub(1));
    let mut dense = 1;
    for letter in ['X', 'Y', 'Z'].into_iter().take(random.between(1, 3)) {
        let stride = if random.once_in(3) { random.between(1, 7) } else { dense };
        let extent = random.between(1, (left / stride + 1).min(6));
        left -= (extent - 1) * stride;
        dense = stride * extent;
        axes.push((letter, extent));
        strides.push(stride as isize);
    }
    if random.once_in(2) {
        axes.reverse();
        strides.reverse();
    }
    Step::Compose(Box::new(Notation { strides: Some(strides), ..Notation::dense(axes, element) }))
}

/// Up to `most` factors of a number; 0 is a factor of 0.
pub fn random_factors(random: &mut Random, number: usize, most: usize) -> Vec<usize> {
    if number == 0 {
        let count = random.between(1, most.clamp(1, 3));
        let mut factors: Vec<usize> = (0..count).map(|_| random.between(0, 3)).collect();
        factors[random.below(count)] = 0;
        return factors;
    }
    let (mut factors, mut rest) = (Vec::new(), number);
    while factors.len() + 1 < most && factors.len() < 3 && !random.once_in(4) {
        let divisors: Vec<usize> =
            (1..=rest.min(64)).filter(|divisor| rest % divisor == 0).collect();
        let factor = random.pick(&divisors);
        factors.push(factor);
        rest /= factor;
    }
    factors.push(rest);
    random.shuffle(&mut factors);
    factors
}

fn permute(table: &Table, order: &str) -> Option<Table> {
    let axes: Vec<usize> = order.chars().map(|letter| table.axis(letter)).collect::<Option<_>>()?;
    if axes.len() != table.letters.len() {
        return None;
    }
    let letters = order.chars().collect();
    let extents = axes.iter().map(|&axis| table.extents[axis]).collect();
    Some(Table::from_fn(letters, extents, |coordinate| {
        let mut from = vec![0; axes.len()];
        for (&axis, &index) in axes.iter().zip(coordinate) {
            from[axis] = index;
        }
        table.at(&from)
    }))
}

fn slice(table: &Table, axis: char, start: usize, step: isize, length: usize) -> Option<Table> {
    let at = table.axis(axis)?;
    let extent = table.extents[at];
    let index = |i: usize| start.checked_add_signed(i as isize * step);
    if step == 0 || start > extent || (length > 0 && start >= extent) {
        return None;
    }
    if length > 0 && index(length - 1)? >= extent {
        return None;
    }
    let mut extents = table.extents.clone();
    extents[at] = length;
    Some(Table::from_fn(table.letters.clone(), extents, |coordinate| {
        let mut from = coordinate.to_vec();
        from[at] = index(coordinate[at]).expect("an index of the axis");
        table.at(&from)
    }))
}

/// The axes from `first` on, `count` of them, as others over the same coordinates.
fn renamed(table: &Table, first: usize, count: usize, axes: &[(char, usize)]) -> Option<Table> {
    let (mut letters, mut extents) = (table.letters.clone(), table.extents.clone());
    letters.splice(first..first + count, axes.iter().map(|axis| axis.0));
    extents.splice(first..first + count, axes.iter().map(|axis| axis.1));
    let distinct = (0..letters.len()).all(|i| !letters[..i].contains(&letters[i]));
    let same = extents.iter().product::<usize>() == table.count();
    let fits = distinct && same && letters.len() <= MAX_RANK;
    fits.then(|| Table { letters, extents, offsets: table.offsets.clone() })
}

fn merge(table: &Table, axes: &str, into: char) -> Option<Table> {
    let named: Vec<char> = axes.chars().collect();
    let first = *named.first()?;
    let mut order: Vec<char> = table
        .letters
        .iter()
        .copied()
        .filter(|letter| *letter == first || !named.contains(letter))
        .collect();
    let at = order.iter().position(|letter| *letter == first)?;
    order.splice(at..=at, named.iter().copied());
    let moved = permute(table, &order.into_iter().collect::<String>())?;
    let extent = moved.extents[at..at + named.len()].iter().product();
    renamed(&moved, at, named.len(), &[(into, extent)])
}

fn diagonal(table: &Table, first: char, second: char, into: char) -> Option<Table> {
    let (a, b) = (table.axis(first)?, table.axis(second)?);
    if a == b {
        return None;
    }
    let mut extents = table.extents.clone();
    let extent = extents[a].min(extents[b]);
    let mut letters = table.letters.clone();
    for axis in [a.max(b), a.min(b)] {
        letters.remove(axis);
        extents.remove(axis);
    }
    letters.push(into);
    extents.push(extent);
    let distinct = (0..letters.len()).all(|i| !letters[..i].contains(&letters[i]));
    distinct.then(|| {
        Table::from_fn(letters, extents, |coordinate| {
            let (&index, others) = coordinate.split_last().expect("the new axis");
            let mut from = others.to_vec();
            for axis in [a.min(b), a.max(b)] {
                from.insert(axis, index);
            }
            table.offsets[position(&table.extents, &from)]
        })
    })
}

fn windows(table: &Table, axis: char, size: usize, step: usize, into: char) -> Option<Table> {
    let (at, extent) = (table.axis(axis)?, table.extent(axis)?);
    if size == 0 || size > extent || step == 0 || table.axis(into).is_some() {
        return None;
    }
    let (mut letters, mut extents) = (table.letters.clone(), table.extents.clone());
    extents[at] = (0..).step_by(step).take_while(|start| start + size <= extent).count();
    letters.push(into);
    extents.push(size);
    if letters.len() > MAX_RANK || extents.iter().product::<usize>() > MAX_COUNT {
        return None;
    }
    Some(Table::from_fn(letters, extents, |coordinate| {
        let (inside, others) = coordinate.split_last().expect("the new axis");
        let mut from = others.to_vec();
        from[at] = from[at] * step + inside;
        table.at(&from)
    }))
}

/// A layout with the steps of a view of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Viewed {
    /// The layout of the buffer.
    pub root: Notation,
    /// The steps; those that do not fit are left out.
    pub steps: Vec<Step>,
}

impl Viewed {
    /// A layout without steps.
    pub fn plain(root: Notation) -> Self {
        Self { root, steps: Vec::new() }
    }
}

/// As code that makes it.
impl fmt::Display for Viewed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.root)?;
        self.steps.iter().try_for_each(|step| write!(formatter, "\n    .{step}"))
    }
}

/// As a call of the library.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Permute(order) => write!(formatter, "permute({order:?})"),
            Self::Slice { axis, start, step, length } => {
                write!(formatter, "slice({axis:?}, {start}, {step}, {length})")
            }
            Self::Split { axis, at, is_high } => {
                write!(formatter, "split({axis:?}, {at}).{}", usize::from(*is_high))
            }
            Self::Index(axis, at) => write!(formatter, "index({axis:?}, {at})"),
            Self::Flip(axis) => write!(formatter, "flip({axis:?})"),
            Self::Tile { axis, tiles } => write!(formatter, "tile({axis:?}, &{tiles:?})"),
            Self::Merge(axes, into) => write!(formatter, "merge({axes:?}, {into:?})"),
            Self::Reshape(axes) => write!(formatter, "reshape(&{axes:?})"),
            Self::Unsqueeze(letter, at) => write!(formatter, "unsqueeze({letter:?}, {at})"),
            Self::Broadcast(axis, extent) => write!(formatter, "broadcast({axis:?}, {extent})"),
            Self::Diagonal(a, b, into) => write!(formatter, "diagonal({a:?}, {b:?}, {into:?})"),
            Self::Compose(inner) => write!(formatter, "compose(&\"{inner}\")"),
            Self::Windows { axis, size, step, into } => {
                write!(formatter, "windows({axis:?}, {size}, {step}, {into:?})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(text: &str, steps: &[Step]) -> Vec<usize> {
        let table =
            Memory::new(&Notation::parse(text, "").expect("a layout")).expect("small").table;
        steps
            .iter()
            .fold(table, |table, step| step.apply(&table).expect("a step that fits"))
            .offsets
    }

    /// Tables that were written down by hand.
    #[test]
    fn steps_do_what_they_are_called() {
        let matrix = "AB<A = 2, B = 3>, u8";
        assert_eq!(offsets(matrix, &[Step::Permute("BA".into())]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(offsets(matrix, &[Step::Merge("BA".into(), 'C')]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(offsets(matrix, &[Step::Flip('B')]), [2, 1, 0, 5, 4, 3]);
        assert_eq!(offsets(matrix, &[Step::Diagonal('A', 'B', 'D')]), [0, 4]);
        assert_eq!(offsets(matrix, &[Step::Index('B', 1)]), [1, 4]);
        let tiles = vec![('C', 2), ('D', 2)];
        let tile = [Step::Tile { axis: 'A', tiles }, Step::Permute("DC".into())];
        assert_eq!(offsets("A<A = 4>, u8", &tile), [0, 2, 1, 3]);
        let broadcast = [Step::Unsqueeze('C', 2), Step::Broadcast('C', 2), Step::Index('A', 1)];
        assert_eq!(offsets(matrix, &broadcast), [3, 3, 4, 4, 5, 5]);
        let windows = [Step::Windows { axis: 'B', size: 2, step: 1, into: 'C' }];
        assert_eq!(offsets(matrix, &windows), [0, 1, 1, 2, 3, 4, 4, 5]);
        let inner = Notation::parse("XY<X = 2, Y = 2>, u8, strides = [1, 4]", "").expect("one");
        assert_eq!(offsets(matrix, &[Step::Compose(Box::new(inner))]), [0, 4, 1, 5]);
    }
}
