//! How the storage of a layout divides into elements, padding and gaps.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Layout;

use crate::sheet::counted;

/// Returns the number of offsets below the length that belong to no coordinate. Returns `None` if coordinates share
/// offsets in a way that broadcast axes alone do not explain.
pub(crate) fn count(layout: &Layout) -> Option<usize> {
    let mut distinct = *layout;
    for axis in (0..layout.rank()).rev() {
        let digits = layout.digits_along(axis);
        if layout.extents()[axis] > 1
            && digits.iter().all(|digit| digit.stride == 0 || digit.size == 1)
        {
            distinct = distinct.index(layout.letters().at(axis), 0).ok()?;
        }
    }
    distinct.is_unique().then(|| layout.len() - distinct.numel())
}

/// Returns a note about padding or gaps, if there are any.
pub(crate) fn note(layout: &Layout) -> Option<String> {
    let what = match layout.has_padding() {
        true => "of padding",
        false => "of the buffer that do not belong to the layout",
    };
    match count(layout) {
        _ if layout.is_exhaustive() => None,
        Some(count) => Some(format!("{} {what}", counted(count, "element"))),
        None => Some(format!("elements {what}")),
    }
}

/// [`note`] for a picture with `hatched` hatched cells.
pub(crate) fn note_of(layout: &Layout, hatched: usize) -> Option<String> {
    let is_all = count(layout) == Some(hatched);
    note(layout).map(|note| match (hatched, is_all) {
        (0, _) => format!("not shown: {note}"),
        (_, true) => format!("hatched: {note}"),
        _ => format!("{note}, {hatched} of them shown hatched"),
    })
}

/// Returns the axes whose extent is not 1.
pub(crate) fn long_axes(layout: &Layout) -> Vec<usize> {
    (0..layout.rank()).filter(|&axis| layout.extents()[axis] != 1).collect()
}

/// Returns indices separated by commas.
pub(crate) fn listed(indices: impl IntoIterator<Item = usize>) -> String {
    let texts: Vec<String> = indices.into_iter().map(|index| index.to_string()).collect();
    texts.join(",")
}
