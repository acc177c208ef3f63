//! Loops between layouts with swizzles: rows are cut where a swizzle tears them apart.

use super::levels::Place;
use super::nest::Row;
use crate::layout::Layout;
use crate::spec::Swizzle;

/// The swizzles of a source and a destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swizzles {
    source: Option<Swizzle>,
    destination: Option<Swizzle>,
}

impl Swizzles {
    pub(super) const NONE: Self = Self { source: None, destination: None };

    pub(super) const fn of(source: &Layout, destination: &Layout) -> Self {
        Self { source: source.swizzle(), destination: destination.swizzle() }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.source.is_none() && self.destination.is_none()
    }

    /// Where a place lies.
    pub(super) const fn place(&self, place: Place) -> Place {
        Place {
            source: swizzled(self.source, place.source),
            destination: swizzled(self.destination, place.destination),
            parameter: place.parameter,
        }
    }

    /// The first elements of a row that stay in one group of each swizzle, where they lie, and the rest of the
    /// row. A swizzle moves all of a group as far.
    pub(super) const fn cut(&self, row: &Row) -> (Row, Option<Row>) {
        let (source, destination) = (
            steps_in_group(self.source, row.source, row.source_step),
            steps_in_group(self.destination, row.destination, row.destination_step),
        );
        let size = if source < destination { source } else { destination };
        let size = if size < row.size { size } else { row.size };
        let first = Row {
            size,
            source: swizzled(self.source, row.source),
            destination: swizzled(self.destination, row.destination),
            ..*row
        };
        if size == row.size {
            return (first, None);
        }
        let steps = size as isize;
        let rest = Row {
            size: row.size - size,
            source: row.source.wrapping_add_signed(row.source_step.wrapping_mul(steps)),
            destination: row
                .destination
                .wrapping_add_signed(row.destination_step.wrapping_mul(steps)),
            ..*row
        };
        (first, Some(rest))
    }
}

const fn swizzled(swizzle: Option<Swizzle>, offset: usize) -> usize {
    match swizzle {
        Some(swizzle) => swizzle.apply(offset),
        None => offset,
    }
}

/// How many steps from `offset` on stay in its group.
const fn steps_in_group(swizzle: Option<Swizzle>, offset: usize, step: isize) -> usize {
    let Some(swizzle) = swizzle else { return usize::MAX };
    let place = offset & ((1 << swizzle.base()) - 1);
    match step {
        0 => usize::MAX,
        1.. => ((1 << swizzle.base()) - place).div_ceil(step as usize),
        _ => place / step.unsigned_abs() + 1,
    }
}
