//! Small layouts, all of them: at most three axes, short extents, few blocks, each option, each width.

use crate::element::Element;
use crate::notation::{Notation, Part};
use test_support::Random;

/// A way through a tree of choices. One function that asks it makes each thing of the tree in turn, or a random one.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Of each choice so far, what was chosen, and among how many.
    taken: Vec<(usize, usize)>,
    /// How many of them have been asked for.
    asked: usize,
    random: Option<Random>,
}

impl Choices {
    /// A random way.
    pub fn random(random: Random) -> Self {
        Self { random: Some(random), ..Self::default() }
    }

    /// A number below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        if self.asked == self.taken.len() {
            let first = self.random.as_mut().map_or(0, |random| random.below(end));
            self.taken.push((first, end));
        }
        self.asked += 1;
        self.taken[self.asked - 1].0
    }

    /// One of `list`, which is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Goes on to the next way; false after the last.
    pub fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some((chosen, end)) = self.taken.pop() {
            if chosen + 1 < end {
                self.taken.push((chosen + 1, end));
                return true;
            }
        }
        false
    }
}

/// The largest of the layouts that [`small`] makes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most axes.
    pub axes: usize,
    /// The longest extent.
    pub extent: usize,
    /// The most blocks.
    pub blocks: usize,
}

impl Bounds {
    /// What `--enumerate` tries, in hours.
    pub const ALL: Self = Self { axes: 3, extent: 4, blocks: 2 };
}

/// A type of each width, of both orders in a byte, and one without a name.
const ELEMENTS: [Element; 9] = [
    Element::Named("u1"),
    Element::HighFirst("u1"),
    Element::Named("u2"),
    Element::Named("i4"),
    Element::Named("u8"),
    Element::Named("f16"),
    Element::Named("f32"),
    Element::Named("f64"),
    Element::Bytes(3),
];

/// Swizzles of either direction, small and larger than the layouts, and one that changes nothing.
const SWIZZLES: [(usize, usize, isize); 6] =
    [(1, 0, 1), (2, 1, 2), (1, 3, 1), (1, 0, -1), (3, 1, -6), (2, 0, 1)];

/// One of the layouts within bounds, those included that break a rule.
pub fn small(choices: &mut Choices, bounds: Bounds) -> Notation {
    let element = choices.pick(&ELEMENTS);
    let letters = ['A', 'B', 'C'];
    let letters = &letters[..choices.below(bounds.axes + 1)];
    let axes = letters.iter().map(|&letter| (letter, choices.below(bounds.extent + 1))).collect();
    let mut new = Notation::dense(axes, element);
    if letters.is_empty() {
        new.pad = choices.pick(&[None, Some(0)]);
        return new;
    }
    let option = choices.below(7);
    if option == 6 {
        strides(choices, &mut new);
        return new;
    }
    // A memory order: each axis before or after those that are placed.
    let mut order = Vec::new();
    for &part in &new.order {
        order.insert(choices.below(order.len() + 1), part);
    }
    new.order = order;
    blocks(choices, &mut new, bounds.blocks);
    new.pad = choices.pick(&[None, Some(u64::from(!matches!(element, Element::Bytes(_))))]);
    match option {
        1 => new.align.push((choices.pick(letters), choices.pick(&[1, 2, 3, 8]))),
        2 => {
            let chosen = choices.below((1 << letters.len()) - 1) + 1;
            let letters = letters.iter().enumerate();
            let letters = letters.filter(|(at, _)| chosen >> at & 1 == 1);
            new.broadcast = letters.map(|(_, letter)| *letter).collect();
        }
        3 => {
            let (lanes, start) = choices.pick(&[(1, 0), (2, 0), (2, 1), (3, 1), (2, 2)]);
            new.lanes = Some((choices.pick(letters), lanes, start));
        }
        4 => new.swizzle = Some(choices.pick(&SWIZZLES)),
        5 => new.pitch.push((choices.pick(letters), choices.pick(&[2, 5, 8, 64]))),
        _ => {}
    }
    new
}

/// Blocks at any places of the order, the outer of two of one axis first or second.
fn blocks(choices: &mut Choices, new: &mut Notation, most: usize) {
    let letters: Vec<char> = new.axes.iter().map(|axis| axis.0).collect();
    let mut from = 0;
    let mut first: Option<(usize, char, usize)> = None;
    for _ in 0..choices.below(most + 1) {
        let (letter, size) = (choices.pick(&letters), choices.pick(&[2, 3]));
        let at = from + choices.below(new.order.len() + 1 - from);
        new.order.insert(at, Part::Block(letter, size));
        if let Some((before, _, weight)) = first.filter(|first| first.1 == letter) {
            if choices.below(2) == 1 {
                new.order[before] = Part::Weighted(letter, weight, 1);
                new.order[at] = Part::Weighted(letter, size, weight);
            }
        }
        (from, first) = (at + 1, Some((at, letter, size)));
    }
}

fn strides(choices: &mut Choices, new: &mut Notation) {
    let stride = |_: &_| choices.pick(&[0, 1, 2, 3, 4, 8, -1, -3]);
    new.strides = Some(new.axes.iter().map(stride).collect());
    let axes = new.axes.iter().map(|axis| axis.0);
    let chosen = choices.below(new.axes.len() + 1);
    new.broadcast = axes.skip(chosen).take(1).collect();
    new.swizzle = choices.below(2).eq(&1).then(|| choices.pick(&SWIZZLES));
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_small_layout_comes_once() {
        let bounds = Bounds { axes: 2, extent: 1, blocks: 1 };
        let (mut choices, mut texts, mut count) = (Choices::default(), HashSet::new(), 0);
        loop {
            texts.insert(small(&mut choices, bounds).to_string());
            count += 1;
            if !choices.advance() {
                break;
            }
        }
        assert_eq!((texts.len(), count), (count, count));
    }
}
