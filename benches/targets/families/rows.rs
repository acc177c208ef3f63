//! The two outer axes of rows exchanged.

use crate::cases::{Case, ELEMENTS};

/// The elements of a row.
const LENGTHS: [usize; 30] = [
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 18, 20, 24, 28, 30, 32, 36, 40, 48, 56, 64, 72, 80,
    96, 100, 128, 250,
];

/// Each length and width.
pub(crate) fn cases() -> Vec<Case> {
    let of = |element| LENGTHS.map(|length| rows(length, element, 800_000));
    ELEMENTS.into_iter().flat_map(of).collect()
}

/// Equal numbers of rows and columns that take about this number of bytes.
pub(crate) fn rows(length: usize, element: &'static str, bytes: usize) -> Case {
    let case = |side: usize| {
        let shape = format!("{side}x{side}x{length}");
        Case::new("ABW->BAW", ["ABW", "BAW"], &shape, element)
    };
    let row = case(1).source.bytes();
    case((bytes / row).isqrt())
}
