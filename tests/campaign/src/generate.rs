//! Random layouts and views.

use crate::element::Element;
use crate::memory::Memory;
use crate::notation::{Notation, Part};
use crate::step::{MAX_RANK, Step, Viewed};
use crate::table::Table;
use test_support::Random;

/// Random extents with at most `limit` coordinates in all.
pub fn axes(random: &mut Random, limit: usize) -> Vec<(char, usize)> {
    let mut letters: Vec<char> = ('A'..='L').collect();
    random.shuffle(&mut letters);
    let rank = match random.once_in(16) {
        true => random.between(8, MAX_RANK),
        false => random.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8]),
    };
    let mut left = limit;
    let mut axes = Vec::new();
    for letter in letters.into_iter().take(rank) {
        let extent = match random.below(40) {
            0 => 0,
            // So small that several of many axes have more than one coordinate.
            1.. if rank > 8 => random.pick(&[1, 1, 1, 2, 2, 3, 4]),
            1..4 => random.between(1, 200),
            _ => random
                .pick(&[1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 24, 31, 32, 64]),
        };
        let extent = if extent > left { 1 } else { extent };
        left /= extent.max(1);
        axes.push((letter, extent));
    }
    axes
}

/// A random layout of these axes.
pub fn notation(random: &mut Random, axes: Vec<(char, usize)>, element: Element) -> Notation {
    let mut notation = match random.below(8) {
        0 | 1 if !axes.is_empty() => strided(random, axes, element),
        _ => ordered(random, axes, element),
    };
    if random.once_in(6) && notation.lanes.is_none() {
        notation.swizzle = Some(swizzle(random));
    }
    notation
}

/// Some bits of an offset, read from those above or below.
fn swizzle(random: &mut Random) -> (usize, usize, isize) {
    let bits = random.between(0, 3);
    let shift = random.between(bits, bits + 2) as isize;
    (bits, random.between(0, 4), if random.once_in(4) { -shift } else { shift })
}

/// A memory order, with blocks, padding, alignments, broadcast axes and lanes.
fn ordered(random: &mut Random, axes: Vec<(char, usize)>, element: Element) -> Notation {
    let mut notation = Notation::dense(axes, element);
    random.shuffle(&mut notation.order);
    if random.once_in(3) {
        notation.pad = Some(fill(random, element));
    }
    if random.once_in(2) {
        for _ in 0..random.between(1, 3) {
            block(random, &mut notation);
        }
    }
    if random.once_in(3) {
        weigh(random, &mut notation);
    }
    let letters: Vec<char> = notation.axes.iter().map(|axis| axis.0).collect();
    if letters.is_empty() {
        return notation;
    }
    let unit = element.bits().div_ceil(8);
    if random.once_in(4) {
        let axis = random.pick(&letters);
        notation.align.push((axis, unit * random.pick(&[1, 2, 4, 8, 5, 16])));
    }
    if random.once_in(6) && notation.pad.is_none() {
        for _ in 0..random.between(1, 2) {
            let (axis, least) = (random.pick(&letters), unit * random.pick(&[1, 2, 4, 8]));
            if !notation.pitch.iter().any(|pitch| pitch.0 == axis) {
                notation.pitch.push((axis, least * random.pick(&[2, 3, 16])));
            }
        }
    }
    let is_free = |notation: &Notation, letter| {
        let is_whole = |part: &Part| !matches!(part, Part::Block(own, _) | Part::Weighted(own, ..) if *own == letter);
        let mut bytes = notation.align.iter().chain(&notation.pitch);
        notation.order.iter().all(is_whole) && bytes.all(|bytes| bytes.0 != letter)
    };
    let axis = random.pick(&letters);
    if random.once_in(8) && is_free(&notation, axis) {
        notation.broadcast.push(axis);
    }
    let axis = random.pick(&letters);
    if random.once_in(10) && notation.broadcast.is_empty() && notation.pitch.is_empty() {
        let lanes = random.pick(&[1, 2, 3, 4, 8]);
        notation.lanes = Some((axis, lanes, random.below(lanes)));
    }
    notation
}

/// Adds a block to the order, after its axis. If it does not divide the extent, the layout needs `pad`.
fn block(random: &mut Random, notation: &mut Notation) {
    if notation.axes.is_empty() || notation.order.len() >= 15 {
        return;
    }
    let (letter, extent) = random.pick(&notation.axes);
    let size = random.pick(&[1, 2, 2, 3, 4, 4, 5, 8, 16]);
    let whole = size * notation.block(letter);
    if notation.pad.is_none() && extent % whole != 0 {
        return;
    }
    let axis = notation.order.iter().position(|part| *part == Part::Axis(letter)).expect("an axis");
    let at = random.between(axis + 1, notation.order.len());
    notation.order.insert(at, Part::Block(letter, size));
}

/// Nests the blocks of each axis in any order, whatever their order in memory.
fn weigh(random: &mut Random, notation: &mut Notation) {
    for (letter, _) in notation.axes.clone() {
        let is_own = |part: &Part| matches!(part, Part::Block(own, _) if *own == letter);
        let places = notation.order.iter().enumerate().filter(|(_, part)| is_own(part));
        let mut places: Vec<usize> = places.map(|(at, _)| at).collect();
        random.shuffle(&mut places);
        let mut weight = 1;
        for at in places {
            if let Part::Block(letter, size) = notation.order[at] {
                notation.order[at] = Part::Weighted(letter, size, weight);
                weight *= size;
            }
        }
    }
}

/// Strides of either sign: dense ones with gaps, sometimes any.
fn strided(random: &mut Random, axes: Vec<(char, usize)>, element: Element) -> Notation {
    let mut order: Vec<usize> = (0..axes.len()).collect();
    random.shuffle(&mut order);
    let mut strides = vec![0; axes.len()];
    let mut distance = 1;
    for axis in order {
        let extent = axes[axis].1;
        if extent > 1 && random.once_in(8) {
            continue;
        }
        if random.once_in(5) {
            distance += random.between(1, 9);
        }
        if element.per_byte() % distance != 0 {
            distance = distance.next_multiple_of(element.per_byte());
        }
        let stride = if random.once_in(20) { random.between(1, 5) } else { distance };
        strides[axis] = if random.once_in(4) { -(stride as isize) } else { stride as isize };
        distance = distance.max(stride * extent.max(1));
    }
    let mut notation = Notation::dense(axes, element);
    // A stride of 0 is one of an axis that is broadcast by name.
    for (axis, stride) in notation.axes.iter().zip(&strides) {
        if *stride == 0 && axis.1 > 1 {
            notation.broadcast.push(axis.0);
        }
    }
    notation.strides = Some(strides);
    notation
}

/// What padding holds.
fn fill(random: &mut Random, element: Element) -> u64 {
    match element {
        Element::Bytes(_) => 0,
        _ if random.once_in(2) => 0,
        _ => random.bits() >> (64 - element.bits()),
    }
}

/// One to three axes in many small blocks, without padding: what views of blocks are hardest on.
pub fn small_blocks(random: &mut Random, element: Element) -> Notation {
    let count = random.between(1, 3);
    let extent = |random: &mut Random| random.pick(&[2, 3, 4, 4, 6, 8, 12]);
    let axes = ['A', 'B', 'C'].into_iter().take(count).map(|letter| (letter, extent(random)));
    let mut notation = Notation::dense(axes.collect(), element);
    random.shuffle(&mut notation.order);
    for _ in 0..random.between(1, 4) {
        block(random, &mut notation);
    }
    if random.once_in(3) {
        weigh(random, &mut notation);
    }
    let letter = random.pick(&notation.axes).0;
    let is_block = |part: &Part| matches!(part, Part::Block(own, _) | Part::Weighted(own, ..) if *own == letter);
    if random.once_in(2) && !notation.order.iter().any(is_block) {
        notation.broadcast.push(letter);
    }
    if random.once_in(6) {
        notation.swizzle = Some(swizzle(random));
    }
    notation
}

/// A random view: a layout with up to `most` steps.
pub fn viewed(random: &mut Random, element: Element, limit: usize, most: usize) -> Viewed {
    let root = match random.once_in(4) {
        true => small_blocks(random, element),
        false => {
            let axes = axes(random, limit);
            notation(random, axes, element)
        }
    };
    let mut viewed = Viewed::plain(root);
    let Some(mut table) = table(&viewed) else { return viewed };
    for _ in 0..random.below(most + 1) {
        let step = Step::random(random, &table, element);
        if let Some((step, next)) = step.and_then(|step| Some((step.clone(), step.apply(&table)?)))
        {
            viewed.steps.push(step);
            table = next;
        }
    }
    viewed
}

/// The table of a view, with all steps that fit.
pub fn table(viewed: &Viewed) -> Option<Table> {
    let table = Memory::new(&viewed.root)?.table;
    Some(viewed.steps.iter().fold(table, |table, step| step.apply(&table).unwrap_or(table)))
}

/// A destination for a view: a layout of its axes, or a part of a larger one; rarely one that shares
/// elements or has other axes.
pub fn destination(random: &mut Random, table: &Table, element: Element) -> Viewed {
    let mut axes: Vec<(char, usize)> =
        table.letters.iter().copied().zip(table.extents.iter().copied()).collect();
    random.shuffle(&mut axes);
    if random.once_in(60) && !axes.is_empty() {
        axes[0].1 += 1;
    }
    let mut steps = Vec::new();
    let mut order = axes.clone();
    for (letter, extent) in &mut axes {
        if !random.once_in(6) || *extent == 0 {
            continue;
        }
        let before = random.below(4);
        let length = *extent;
        *extent += before + random.below(4);
        match random.once_in(3) {
            true => steps.push(Step::Slice {
                axis: *letter,
                start: before + length - 1,
                step: -1,
                length,
            }),
            false => steps.push(Step::Slice { axis: *letter, start: before, step: 1, length }),
        }
    }
    if random.once_in(8) {
        random.shuffle(&mut order);
        steps.push(Step::Permute(order.iter().map(|axis| axis.0).collect()));
    }
    let mut root = notation(random, axes, element);
    if !random.once_in(6) {
        root.broadcast.clear();
        root.strides = root.strides.filter(|strides| !strides.contains(&0));
    }
    Viewed { root, steps }
}

/// The rank of random layouts stays within what the library has.
const _: () = assert!(MAX_RANK == layout_core::spec::MAX_RANK);
