//! Chunks of a tensor that are written at once.

use super::views::{Built, build};
use super::{Verdict, bytes, ensure, first_difference, position, write};
use crate::element::Element;
use crate::guard::Buffer;
use crate::library;
use crate::step::Viewed;
use crate::table::for_each_coordinate;
use test_support::Random;

/// A tensor of 32-bit elements that is cut into chunks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The tensor.
    pub viewed: Viewed,
    /// The axis.
    pub axis: char,
    /// The coordinates of a chunk.
    pub size: usize,
    /// What the bytes and the position are made from.
    pub data: u64,
}

/// Each chunk holds the elements of its coordinates and no others.
///
/// # Errors
/// What went wrong.
pub fn check(case: &Parts) -> Result<Verdict, String> {
    let Some(Built { layout, table, length, .. }) = build(&case.viewed, |_| Ok(()))? else {
        return Ok(Verdict::Refused);
    };
    let Some(axis) = table.axis(case.axis) else { return Ok(Verdict::Refused) };
    let mut random = Random::new(case.data, 2);
    let before = bytes(&mut random, 4 * length);
    let align = library::facts(&layout).alignment.max(4);
    let mut buffer = Buffer::new(&before, position(&mut random, align));
    let found = library::parts(&layout, buffer.bytes_mut(), case.axis, case.size);
    ensure!(buffer.is_guarded(), "writes outside");
    let Ok(found) = found else { return Ok(Verdict::Refused) };
    ensure!(case.size > 0, "chunks of no coordinates");
    let count = table.extents[axis].div_ceil(case.size);
    ensure!(found == count, "{found} chunks, not {count}");
    let mut expected = before;
    for_each_coordinate(&table.extents, |coordinate| {
        let number = (coordinate[axis] / case.size) as f32;
        write(&mut expected, Element::Named("f32"), table.at(coordinate), &number.to_ne_bytes());
    });
    match first_difference(buffer.bytes(), &expected) {
        Some(text) => Err(text),
        None => Ok(Verdict::Done),
    }
}
