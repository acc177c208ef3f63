//! Reads a whole text: the format, the extents, and the fields.

use layout_core::reading::WrittenExtents;
use layout_core::spec::{AxisExtent, Length, Letters, MAX_RANK, Rule, coordinate_order};
use layout_core::{LayoutError, Place, Span, Writing};

use crate::checked_tree::{check, letters_of, reach};
use crate::error::{Broken, MisplacedRule};
use crate::item::MOST_ITEMS;
use crate::read::{Names, RecordReader};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

/// What is read of a text, and where its parts stand.
pub(crate) struct ReadRecord<'a> {
    pub(crate) tree: RecordTree,
    /// The axes in coordinate order.
    pub(crate) letters: Letters,
    pub(crate) axes: [AxisExtent; MAX_RANK],
    pub(crate) spans: [Span; MOST_ITEMS],
    extents: WrittenExtents<'a>,
}

impl ReadRecord<'_> {
    /// Where a rule is broken.
    pub(crate) const fn fault(&self, (rule, item): Broken) -> MisplacedRule {
        let span = match rule {
            RecordRule::Layout(LayoutError(Rule::MissingNumber { letter, .. }))
                if self.extents.span().is_empty() =>
            {
                let span = self.spans[rest_of(&self.tree, letter)];
                return (RecordRule::ExtentsMissing { axis: letter }, span);
            }
            RecordRule::Layout(LayoutError(
                Rule::NotDivisible { letter, .. } | Rule::MissingNumber { letter, .. },
            )) => self.extents.place(letter).span,
            _ => self.spans[item],
        };
        (rule, span)
    }
}

impl ReadRecord<'_> {
    /// Where the extent of an axis stands, and how it is written, if it is.
    pub(crate) fn extent_place(&self, letter: char) -> Option<(Span, Writing)> {
        let Place { span, writing } = self.extents.place(letter);
        (span != self.extents.span()).then_some((span, writing))
    }
}

/// Reads a text, and checks what does not depend on extents. In a macro, records have names, and extents may be
/// expressions.
pub(crate) const fn read<'a>(
    text: &'a str,
    names: Option<Names<'a>>,
) -> Result<ReadRecord<'a>, MisplacedRule> {
    let in_macro = names.is_some();
    let names: Names<'_> = match names {
        Some(names) => names,
        None => &[],
    };
    let mut reader = RecordReader::new(text, names);
    if let Err((error, span)) = reader.cursor.version() {
        return Err((RecordRule::Layout(error), span));
    }
    let format = ok!(reader.read_format());
    let mut written = match WrittenExtents::read(text, reader.cursor.at, in_macro) {
        Ok(written) => written,
        Err((error, span)) => return Err((RecordRule::Layout(error), span)),
    };
    let has_head = !format.is_empty() || !written.span().is_empty();
    if !written.span().is_empty() {
        reader.cursor.at = written.span().end;
    }
    // Without extents, a template may have its fields directly after its format.
    let is_open = written.span().is_empty() && reader.cursor.sees(b'{');
    if has_head && !reader.cursor.eat(b',') && !is_open {
        let rule = match written.span().is_empty() {
            true => RecordRule::Layout(LayoutError(Rule::ExtentsExpected)),
            false => RecordRule::NoFields,
        };
        return Err((rule, reader.cursor.here()));
    }
    let format_letters = letters_of(&reader.tree);
    ok!(reader.read_record());
    if let Err((rule, item)) = check(&mut reader.tree, reader.given) {
        return Err((rule, reader.spans[item]));
    }
    let letters = letters_of(&reader.tree);
    let order = coordinate_order(letters);
    let listed = ok!(listed_axes(&reader, &written, letters, format_letters));
    let picked = picked(order, listed);
    let given = match written.span().is_empty() {
        true => [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK],
        false => match written.axes(format, listed, picked) {
            Ok(axes) => axes,
            Err((error, span)) => return Err((RecordRule::Layout(error), span)),
        },
    };
    let axes = ok_at!(axes_of(&reader.tree, order, &given, picked), reader.spans);
    Ok(ReadRecord {
        tree: reader.tree,
        letters: order,
        axes,
        spans: reader.spans,
        extents: written,
    })
}

/// The axes whose extents are listed, the slowest first: those with a rest somewhere, and those of blocks alone that
/// are named.
const fn listed_axes(
    reader: &RecordReader<'_>,
    written: &WrittenExtents<'_>,
    letters: Letters,
    format: Letters,
) -> Result<Letters, MisplacedRule> {
    let tree = &reader.tree;
    let mut listed = Letters::EMPTY;
    layout_core::each!(i, 0..letters.count(), {
        let letter = letters.at(i);
        let is_open = has_rest(tree, letter);
        let is_named = names(written, letter);
        if is_open || is_named {
            listed = listed.with(letter);
        }
        let is_positional = written.count() > 0 && written.name(0).is_empty();
        if is_open && is_positional && format.position(letter).is_none() {
            return Err((RecordRule::NamedExtents { axis: letter }, written.span()));
        }
    });
    Ok(listed)
}

/// Whether a digit is what remains of an axis.
pub(crate) const fn has_rest(tree: &RecordTree, letter: char) -> bool {
    rest_of(tree, letter) > 0
}

/// The first digit that is what remains of an axis, or 0.
const fn rest_of(tree: &RecordTree, letter: char) -> usize {
    let mut item = 0;
    while item < tree.count() {
        match tree.digit(item) {
            Some(digit) if digit.is_rest() && digit.letter == letter as u8 => return item,
            _ => item += 1,
        }
    }
    0
}

/// Whether a list of extents names an axis.
const fn names(written: &WrittenExtents<'_>, letter: char) -> bool {
    let mut value = 0;
    while value < written.count() {
        match written.name(value).as_bytes() {
            [byte] if byte.to_ascii_uppercase() == letter as u8 => return true,
            _ => value += 1,
        }
    }
    false
}

/// The letters of `order` that are in `listed`.
const fn picked(order: Letters, listed: Letters) -> Letters {
    let mut picked = Letters::EMPTY;
    layout_core::each!(i, 0..order.count(), {
        if listed.position(order.at(i)).is_some() {
            picked = picked.with(order.at(i));
        }
    });
    picked
}

/// All axes in coordinate order: those that are listed with their extents, the others with what their blocks cover.
const fn axes_of(
    tree: &RecordTree,
    order: Letters,
    given: &[AxisExtent; MAX_RANK],
    picked: Letters,
) -> Result<[AxisExtent; MAX_RANK], Broken> {
    let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
    layout_core::each!(i, 0..order.count(), {
        let letter = order.at(i);
        axes[i] = match picked.position(letter) {
            Some(at) => AxisExtent { letter, extent: given[at].extent },
            None => {
                let covered = ok!(covered(tree, letter as u8));
                AxisExtent { letter, extent: Length::Runtime(covered) }
            }
        };
    });
    Ok(axes)
}

/// The most coordinates that blocks of an axis without a rest cover.
pub(crate) const fn covered(tree: &RecordTree, letter: u8) -> Result<usize, Broken> {
    let mut most = 0;
    layout_core::each!(node, 0..tree.count(), {
        if tree.is_element(node) {
            let path = ok!(tree.path(node));
            let covered = reach(tree, &path, letter).covered;
            most = if covered > most { covered } else { most };
        }
    });
    Ok(most)
}
