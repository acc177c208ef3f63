//! What must hold of a tree whatever its extents are: digits fit on the way to each field, other blocks exist, and
//! pieces make one field.

use layout_core::LayoutError;
use layout_core::spec::{Letters, MAX_RANK, Name, Rule};

use crate::digit_weights::{assign, text_of};
use crate::error::Broken;
use crate::item::{DigitChange, MOST_ITEMS, MarkKind, NO_AXIS, WrittenDigit, WrittenItem};
use crate::read::marks::WORDS;
use crate::record_rules::RecordRule;
use crate::tree::{ItemList, MOST_DIGITS, RecordTree};

/// The most pieces of a field.
pub(crate) const MOST_PIECES: usize = 10;

/// Sets all weights, and checks the tree. `given` has a bit for each digit whose weight is written.
pub(crate) const fn check(tree: &mut RecordTree, given: u64) -> Result<(), Broken> {
    let letters = letters_of(tree);
    let mut item = 0;
    while item < tree.count() {
        match tree.digit(item) {
            Some(WrittenDigit { letter, .. })
                if letter != NO_AXIS && letters.position(letter as char).is_none() =>
            {
                return Err((RecordRule::Layout(LayoutError(Rule::TooManyAxes)), item));
            }
            _ => item += 1,
        }
    }
    layout_core::each!(i, 0..letters.count(), {
        ok!(assign(tree, given, letters.at(i) as u8));
    });
    layout_core::each!(node, 0..tree.count(), {
        if tree.is_element(node) {
            let path = ok!(tree.path(node));
            ok!(check_operands(tree, node, &path));
            layout_core::each!(i, 0..letters.count(), {
                ok!(check_reach(tree, node, &path, letters.at(i) as u8));
            });
        }
    });
    layout_core::each!(node, 0..tree.count(), {
        if tree.is_element(node) && !tree.is_unused(node) {
            ok!(check_pieces(tree, node));
        }
        if tree.is_node(node) {
            ok!(check_marks(tree, node));
        }
    });
    Ok(())
}

/// Checks that marks are about axes that the node has: its own digits, or for padding any digit in it or before it.
const fn check_marks(tree: &RecordTree, node: usize) -> Result<(), Broken> {
    let mut item = tree.digits_end(node);
    while item < tree.end(node) {
        if let Some(mark) = tree.mark(item) {
            let is_pad = matches!(mark.kind, MarkKind::Pad);
            let (first, end) = match is_pad {
                true => (0, tree.count()),
                false => (node + 1, tree.digits_end(node)),
            };
            let (mut at, mut is_there) = (first, mark.letter == 0);
            while at < end {
                if let Some(digit) = tree.digit(at) {
                    is_there |= digit.letter == mark.letter;
                }
                at += 1;
            }
            match tree.own_mark(node, mark.kind, mark.letter) {
                Some((_, first)) if first < item => {
                    let name = Name::new(mark.kind.name());
                    let error = LayoutError(Rule::RepeatedOption { name });
                    return Err((RecordRule::Layout(error), item));
                }
                _ => {}
            }
            if let MarkKind::Words = mark.kind {
                let is_piece = fixed(tree, &ok!(tree.path(node))).0 > 0;
                if node == 0 || tree.element(node).is_none() || is_piece {
                    return Err((WORDS, item));
                }
                let field = tree.called(node);
                let mut other = tree.digits_end(node);
                while other < tree.end(node) {
                    if let WrittenItem::Mark(own) = tree.item(other) {
                        let is_same = own.letter == mark.letter;
                        let strides = matches!(own.kind, MarkKind::Pitch | MarkKind::Align);
                        if matches!(own.kind, MarkKind::Words) && other != item {
                            return Err((RecordRule::WordsTwice { field }, item));
                        }
                        if is_same && strides {
                            let (name, axis) = (own.kind.name(), mark.letter as char);
                            return Err((RecordRule::WordsStep { name, axis, field }, other));
                        }
                    }
                    other += 1;
                }
            }
            if !is_there {
                let (axis, field) = (mark.letter as char, tree.called(node));
                let rule =
                    RecordRule::MarkAxis { name: mark.kind.name(), axis, field, pads: is_pad };
                return Err((rule, item));
            }
        }
        item = tree.end(item);
    }
    Ok(())
}

/// The letters of all axes, in the order in which they are first written.
pub(crate) const fn letters_of(tree: &RecordTree) -> Letters {
    let mut letters = Letters::EMPTY;
    layout_core::each!(item, 0..tree.count(), {
        if let Some(digit) = tree.digit(item) {
            let letter = digit.letter as char;
            let is_new = digit.letter != NO_AXIS && letters.position(letter).is_none();
            if is_new && letters.count() < MAX_RANK {
                letters = letters.with(letter);
            }
        }
    });
    letters
}

/// What a field has of an axis.
#[derive(Clone, Copy)]
pub(crate) struct FieldReach {
    /// The number of consecutive coordinates that share an element, or 0 without a digit of the axis.
    pub(crate) share: usize,
    /// The number of coordinates that its blocks cover.
    pub(crate) covered: usize,
    /// Whether it has the rest of the axis.
    pub(crate) has_rest: bool,
    /// Whether blocks divide what is stored of the axis.
    pub(crate) has_blocks: bool,
}

/// What a field of a checked tree has of an axis.
pub(crate) const fn reach(tree: &RecordTree, path: &ItemList, letter: u8) -> FieldReach {
    let mut all = FieldReach { share: 0, covered: 0, has_rest: false, has_blocks: false };
    layout_core::each!(i, 0..path.count, {
        match tree.digit(path.at(i)) {
            Some(digit) if digit.letter == letter => {
                let (weight, size) = (digit.weight as usize, digit.size as usize);
                let covered = weight * if size == 0 { 1 } else { size };
                all.share = if all.share > 0 && all.share < weight { all.share } else { weight };
                all.covered = if all.covered < covered { covered } else { all.covered };
                all.has_rest |= size == 0;
                all.has_blocks |= size > 1;
            }
            _ => {}
        }
    });
    all
}

/// Checks that the blocks of an axis on the way to a field neither overlap nor leave a gap.
const fn check_reach(
    tree: &RecordTree,
    node: usize,
    path: &ItemList,
    letter: u8,
) -> Result<(), Broken> {
    let (mut done, mut all, mut has_rest) = (0u64, 0, false);
    loop {
        let item = lightest(tree, path, letter, done);
        let Some(digit) = tree.digit(item) else { return Ok(()) };
        let weight = digit.weight as usize;
        let covered = if done == 0 { weight } else { all };
        done |= 1 << item;
        if weight != covered || has_rest {
            let (field, axis, digit) = (tree.called(node), letter as char, text_of(&digit, true));
            return Err((RecordRule::Gap { field, axis, digit, covered }, item));
        }
        has_rest = digit.is_rest();
        all = match covered.checked_mul(if has_rest { 1 } else { digit.size as usize }) {
            Some(all) => all,
            None => return Err((RecordRule::WideNumber, item)),
        };
    }
}

/// The digit of the smallest weight, those of one value first and the rest last, or an item that is not a digit.
const fn lightest(tree: &RecordTree, path: &ItemList, letter: u8, done: u64) -> usize {
    let (mut found, mut least) = (MOST_ITEMS, (u32::MAX, u32::MAX));
    layout_core::each!(i, 0..path.count, {
        if let Some(digit) = tree.digit(path.at(i)) {
            let own = (digit.weight, if digit.is_rest() { u32::MAX } else { digit.size });
            let is_less =
                found == MOST_ITEMS || own.0 < least.0 || own.0 == least.0 && own.1 < least.1;
            if digit.letter == letter && done >> path.at(i) & 1 == 0 && is_less {
                (found, least) = (path.at(i), own);
            }
        }
    });
    if found == MOST_ITEMS { 0 } else { found }
}

/// The block of a size, an axis and a weight on the way to a field. Weight 0 is any.
pub(crate) const fn operand(
    tree: &RecordTree,
    path: &ItemList,
    digit: &WrittenDigit,
) -> Option<WrittenDigit> {
    let mut i = 0;
    while i < path.count {
        match tree.digit(path.at(i)) {
            Some(other)
                if other.letter == digit.operand
                    && other.size == digit.number
                    && (digit.operand_weight == 0 || digit.operand_weight == other.weight) =>
            {
                return Some(other);
            }
            _ => i += 1,
        }
    }
    None
}

/// Checks the digits that others are added to.
pub(crate) const fn check_operands(
    tree: &RecordTree,
    node: usize,
    path: &ItemList,
) -> Result<(), Broken> {
    let mut i = 0;
    while i < path.count {
        let item = path.at(i);
        i += 1;
        let Some(digit) = tree.digit(item) else { continue };
        if !digit.change.has_operand() {
            continue;
        }
        let text = changed_text(&digit);
        let Some(other) = operand(tree, path, &digit) else {
            let (size, weight) = (digit.number, digit.operand_weight);
            let block = WrittenDigit { letter: digit.operand, size, weight, ..digit };
            let field = tree.called(node);
            let operand = text_of(&block, weight > 0);
            return Err((RecordRule::NoOperand { digit: text, field, operand }, item));
        };
        if other.letter == digit.letter || !matches!(other.change, DigitChange::None) {
            return Err((RecordRule::OperandBlock { digit: text }, item));
        }
        let is_xor = matches!(digit.change, DigitChange::Xor);
        let are_powers = digit.size.is_power_of_two() && other.size.is_power_of_two();
        if is_xor && (!are_powers || other.size > digit.size) {
            return Err((RecordRule::XorSizes { digit: text }, item));
        }
    }
    Ok(())
}

/// A digit and the one that is added to it: `4k-8n`.
pub(crate) const fn changed_text(digit: &WrittenDigit) -> Name {
    let mut text = text_of(digit, false);
    text.push(match digit.change {
        DigitChange::Minus => "-",
        DigitChange::Plus => "+",
        DigitChange::Xor => "^",
        DigitChange::Fixed | DigitChange::None => return text,
    });
    let operand = WrittenDigit { letter: digit.operand, size: digit.number, ..*digit };
    let weight = digit.operand_weight;
    text.push(text_of(&WrittenDigit { weight, ..operand }, weight > 0).as_str());
    text
}

/// The digit of which a piece has one step.
pub(crate) const fn fixed(tree: &RecordTree, path: &ItemList) -> (usize, Option<WrittenDigit>) {
    let (mut count, mut found) = (0, None);
    layout_core::each!(i, 0..path.count, {
        if let Some(digit) = tree.digit(path.at(i)) {
            if matches!(digit.change, DigitChange::Fixed) {
                (count, found) = (count + 1, Some(digit));
            }
        }
    });
    (count, found)
}

/// Whether two pieces have the same elements, axes and blocks, and are in one buffer.
const fn are_alike(tree: &RecordTree, a: usize, b: usize) -> Result<bool, Broken> {
    let (first, second) = (ok!(tree.path(a)), ok!(tree.path(b)));
    let mut alike = !tree.content_differs(a, b)
        && tree.buffer(a) == tree.buffer(b)
        && tree.is_high_first(a) == tree.is_high_first(b);
    let letters = letters_of(tree);
    layout_core::each!(i, 0..letters.count(), {
        let letter = letters.at(i) as u8;
        let (a, b) = (reach(tree, &first, letter), reach(tree, &second, letter));
        alike &= a.share == b.share && a.covered == b.covered && a.has_rest == b.has_rest;
    });
    Ok(alike)
}

/// Whether two pieces have the same digits at the same distances wherever they lie. A field holds them once.
const fn have_same_digits(tree: &RecordTree, a: usize, b: usize) -> bool {
    let (count, other) = (tree.digits_end(a) - a, tree.digits_end(b) - b);
    let has_marks = tree.end(a) > a + count || tree.end(b) > b + other;
    let mut same = count == other && tree.parent(a) == tree.parent(b) && (a == b || !has_marks);
    let mut i = 1;
    while same && i < count {
        if let (Some(one), Some(two)) = (tree.digit(a + i), tree.digit(b + i)) {
            let is_step = matches!(one.change, DigitChange::Fixed);
            same = one.letter == two.letter
                && one.size == two.size
                && one.weight == two.weight
                && one.change as u8 == two.change as u8
                && one.operand == two.operand
                && one.operand_weight == two.operand_weight
                && (is_step || one.number == two.number);
        }
        i += 1;
    }
    same
}

/// Checks the pieces of the field of a node, if the node is the first of them.
const fn check_pieces(tree: &RecordTree, node: usize) -> Result<(), Broken> {
    let path = ok!(tree.path(node));
    let (own_count, first) = fixed(tree, &path);
    let (mut pieces, mut steps, mut last) = (0, 0u64, node);
    let mut digits = path.count;
    let mut is_wrong = own_count > 1;
    layout_core::each!(other, 0..tree.count(), {
        if tree.is_element(other) && tree.are_one(node, other) {
            if other < node {
                return Ok(());
            }
            pieces += 1;
            last = other;
            let path = ok!(tree.path(other));
            if !have_same_digits(tree, node, other) {
                // That of the step is not held.
                digits += path.count.saturating_sub(1);
                if digits > MOST_DIGITS {
                    return Err((RecordRule::TooManyDigits, other));
                }
            }
            match (fixed(tree, &path), first) {
                ((1, Some(own)), Some(first)) => {
                    let is_same = own.letter == first.letter
                        && own.size == first.size
                        && own.weight == first.weight;
                    let bit = if own.number < 64 { 1 << own.number } else { 0 };
                    is_wrong |= !is_same || steps & bit != 0 || bit == 0;
                    steps |= bit;
                    if is_same && !ok!(are_alike(tree, node, other)) {
                        let field = tree.called(node);
                        return Err((RecordRule::PieceElements { field }, other));
                    }
                }
                ((0, _), None) => is_wrong |= pieces > 1,
                _ => is_wrong = true,
            }
        }
    });
    if pieces > MOST_PIECES {
        return Err((RecordRule::TooManyPieces { field: tree.called(node) }, last));
    }
    let digit = match first {
        Some(first) => {
            is_wrong |= pieces != first.size as usize;
            text_of(&first, false)
        }
        None => Name::new("2k"),
    };
    match is_wrong {
        true => {
            let (field, once) = (tree.called(node), pieces == 1);
            Err((RecordRule::PieceSteps { field, once, digit }, last))
        }
        false => Ok(()),
    }
}
