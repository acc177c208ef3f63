//! Extents against the blocks of a field, and what is written to padding.

use layout_core::LayoutError;
use layout_core::spec::{Name, Rule};

use crate::checked_tree::FieldReach;
use crate::digit_weights::text_of;
use crate::error::Broken;
use crate::item::MarkKind;
use crate::record_places::Extents;
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

/// What a move writes where blocks reach beyond an extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldPadding<'a> {
    /// Zero.
    Zero,
    /// A number or a parameter, as written.
    Value(&'a str),
    /// The element of the last coordinate.
    Last,
    /// Nothing: what is there stays.
    Keep,
}

/// The policy of padding of an axis at a node: that of the innermost mark around it.
pub(crate) const fn padding(
    tree: &RecordTree,
    node: usize,
    letter: u8,
) -> Option<FieldPadding<'_>> {
    let Some(mark) = tree.mark_around(node, MarkKind::Pad, letter) else { return None };
    let text = tree.text(mark.text);
    Some(match text.as_bytes() {
        b"" => FieldPadding::Zero,
        b"last" => FieldPadding::Last,
        b"keep" => FieldPadding::Keep,
        _ => FieldPadding::Value(text),
    })
}

/// Checks an extent against what a field has of the axis.
pub(crate) const fn check_extent(
    tree: &RecordTree,
    node: usize,
    extents: Extents<'_>,
    axis: usize,
    own: FieldReach,
) -> Result<(), Broken> {
    let (letter, extent) = (extents.letters.at(axis), extents.values[axis]);
    if own.share == 0 {
        return Ok(());
    }
    if !own.has_rest && own.covered < extent {
        let blocks = blocks_of(tree, node, letter as u8);
        let (field, covered) = (tree.called(node), own.covered);
        let rule = RecordRule::Reach { field, axis: letter, covered, extent, blocks };
        return Err((rule, node));
    }
    let steps = extent.div_ceil(own.share);
    let block = own.covered / own.share;
    if own.has_blocks && steps % block > 0 && padding(tree, node, letter as u8).is_none() {
        let rule = Rule::NotDivisible { letter, extent, block: own.covered };
        return Err((RecordRule::Layout(LayoutError(rule)), node));
    }
    Ok(())
}

/// The blocks of an axis that a field has, as text.
const fn blocks_of(tree: &RecordTree, node: usize, letter: u8) -> Name {
    let mut text = Name::EMPTY;
    let Ok(path) = tree.path(node) else { return text };
    layout_core::each!(i, 0..path.count, {
        if let Some(digit) = tree.digit(path.at(i)) {
            if digit.letter == letter {
                text.push(if text.is_empty() { "" } else { " " });
                text.push(text_of(&digit, digit.weight > 1).as_str());
            }
        }
    });
    text
}
