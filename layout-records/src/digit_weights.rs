//! Weights of digits: the number of coordinates in one step.
//!
//! The digits of a node lie above those of the items in its braces. A block without a weight gets the next free one
//! from the right, above all blocks in the braces.

use layout_core::spec::Name;

use crate::error::Broken;
use crate::item::{MOST_ITEMS, NO_AXIS, WrittenDigit};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

/// What the digits of an axis in a node cover: a number of coordinates, 0 without a digit, or [`ALL`].
type Covered = u64;

/// All coordinates of an axis.
const ALL: Covered = u64::MAX;

/// What the items in the braces of a node cover, and the first of them that does.
#[derive(Clone, Copy)]
struct Inside {
    covered: Covered,
    node: u8,
    /// Another item that covers something else, or 0.
    other: Covered,
    other_node: u8,
}

impl Inside {
    const NOTHING: Self = Self { covered: 0, node: 0, other: 0, other_node: 0 };

    /// Adds an item that stands before those added so far.
    const fn add(&mut self, own: Self) {
        if own.covered == 0 {
            return;
        }
        let first = *self;
        *self = own;
        if own.other == 0 && first.covered != 0 {
            if first.covered != own.covered {
                (self.other, self.other_node) = (first.covered, first.node);
            } else {
                (self.other, self.other_node) = (first.other, first.other_node);
            }
        }
    }
}

/// Gives the digits of an axis their weights, except those whose bit in `given` is set.
pub(crate) const fn assign(tree: &mut RecordTree, given: u64, letter: u8) -> Result<(), Broken> {
    let mut inside = [Inside::NOTHING; MOST_ITEMS];
    let mut node = tree.count();
    while node > 0 {
        node -= 1;
        if !tree.is_node(node) {
            continue;
        }
        let mut own = inside[node];
        if tree.has_digit(node, letter, false) {
            let covered = ok!(assign_own(tree, given, letter, node, own));
            own = Inside { covered, node: node as u8, ..Inside::NOTHING };
        } else if own.other == 0 {
            // The item, not what is in it, is what an error names.
            own.node = node as u8;
        }
        if node > 0 {
            inside[tree.parent(node)].add(own);
        }
    }
    Ok(())
}

/// Gives the digits of a node itself their weights. Returns what they cover with those in its braces.
const fn assign_own(
    tree: &mut RecordTree,
    given: u64,
    letter: u8,
    node: usize,
    inside: Inside,
) -> Result<Covered, Broken> {
    if inside.other != 0 {
        return Err(differing(tree, letter, inside));
    }
    let end = tree.digits_end(node);
    // A bit for each block that has no place yet, and the rest of the axis.
    let (mut left, mut rest) = (0u64, 0);
    let mut item = node + 1;
    while item < end {
        if let Some(digit) = tree.digit(item) {
            if digit.letter == letter && digit.is_rest() {
                rest = item;
            } else if digit.letter == letter {
                let is_below = given >> item & 1 == 1 && (digit.weight as u64) < inside.covered;
                left |= (!is_below as u64) << item;
            }
            if digit.letter == letter && inside.covered == ALL {
                return Err((RecordRule::RestTwice { axis: letter as char }, item));
            }
        }
        item += 1;
    }
    let mut covered = if inside.covered == 0 { 1 } else { inside.covered };
    let mut started = inside.covered != 0;
    while left != 0 {
        let (at, weight) = next(tree, left, given, covered);
        let Some(mut digit) = tree.digit(at) else { break };
        if weight != covered && (started || weight < covered) {
            return Err(misplaced(tree, at, covered));
        }
        covered = weight;
        digit.weight = ok!(narrow(covered, at));
        tree.set_digit(at, digit);
        left &= !(1 << at);
        covered = match covered.checked_mul(digit.size as u64) {
            Some(covered) => covered,
            None => return Err((RecordRule::WideNumber, at)),
        };
        started = true;
    }
    let Some(mut digit) = tree.digit(rest) else { return Ok(covered) };
    if given >> rest & 1 == 0 {
        digit.weight = ok!(narrow(covered, rest));
        tree.set_digit(rest, digit);
    } else if started && digit.weight as u64 != covered {
        return Err(misplaced(tree, rest, covered));
    }
    Ok(ALL)
}

const fn narrow(weight: u64, item: usize) -> Result<u32, Broken> {
    match weight <= u32::MAX as u64 {
        true => Ok(weight as u32),
        false => Err((RecordRule::WideNumber, item)),
    }
}

/// The block that comes next of those left, and its weight: the one whose weight is that, else the last one without a
/// weight, else the one of the smallest weight.
const fn next(tree: &RecordTree, left: u64, given: u64, covered: u64) -> (usize, u64) {
    let (mut free, mut least, mut weight) = (0, 0, u64::MAX);
    layout_core::each!(item, 0..MOST_ITEMS, {
        if left >> item & 1 == 1 {
            if given >> item & 1 == 0 {
                free = item;
            } else if let Some(digit) = tree.digit(item) {
                if digit.weight as u64 == covered {
                    return (item, covered);
                }
                if (digit.weight as u64) < weight {
                    (least, weight) = (item, digit.weight as u64);
                }
            }
        }
    });
    if free > 0 { (free, covered) } else { (least, weight) }
}

const fn misplaced(tree: &RecordTree, item: usize, covered: u64) -> Broken {
    let Some(digit) = tree.digit(item) else { return (RecordRule::WideNumber, item) };
    let rule = RecordRule::Weight {
        digit: text_of(&digit, true),
        axis: digit.letter as char,
        rest: digit.is_rest(),
        covered: covered as usize,
        weight: digit.weight as usize,
    };
    (rule, item)
}

/// The error of two items in one group that cover different numbers of coordinates, at the one that covers less.
const fn differing(tree: &RecordTree, letter: u8, inside: Inside) -> Broken {
    let axis = letter as char;
    let Inside { covered, node, other, other_node } = inside;
    let (first, second) = (tree.called(node as usize), tree.called(other_node as usize));
    if covered == ALL || other == ALL {
        let (first, second, node) = match covered == ALL {
            true => (first, second, other_node),
            false => (second, first, node),
        };
        let item = digit_in(tree, node as usize, letter);
        return (RecordRule::CoversAll { axis, first, second }, item);
    }
    let smaller = if covered < other { node } else { other_node } as usize;
    let item = digit_in(tree, smaller, letter);
    let mut shared = Name::EMPTY;
    if let Some(digit) = tree.digit(item) {
        if covered < other && other % covered == 0 && digit.weight == 1 && !digit.is_rest() {
            let weight = (other / covered) as u32;
            shared = text_of(&WrittenDigit { weight, ..digit }, true);
        }
    }
    let (covered, other) = (covered as usize, other as usize);
    (RecordRule::Covers { axis, first, covered, second, other, shared }, item)
}

/// The first digit of an axis in a node, or in the items in its braces.
pub(crate) const fn digit_in(tree: &RecordTree, node: usize, letter: u8) -> usize {
    let mut item = node;
    while item < tree.end(node) {
        match tree.digit(item) {
            Some(digit) if digit.letter == letter => return item,
            _ => item += 1,
        }
    }
    node
}

/// A digit as text: `K`, `4k`, and with its weight `K/64`, `4k/32`.
pub(crate) const fn text_of(digit: &WrittenDigit, with_weight: bool) -> Name {
    let mut text = Name::EMPTY;
    if digit.is_rest() {
        text.push_char(digit.letter as char);
    } else {
        text.push_number(digit.size as usize);
        if digit.letter != NO_AXIS {
            text.push_char(digit.letter.to_ascii_lowercase() as char);
        }
    }
    if with_weight {
        text.push("/");
        text.push_number(digit.weight as usize);
    }
    text
}
