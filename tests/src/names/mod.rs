//! Names of other systems, against tables and readers that share no code with the library.

mod errors;
mod onednn;
mod round_trips;
mod spellings;
mod vectors;
mod xla;

use tensor_layout::Layout;
pub(crate) use test_support::coordinates;

/// The offset that digits give: axis, size and weight of each, the slowest first.
pub(crate) fn folded(digits: &[(usize, usize, usize)], coordinate: &[usize]) -> usize {
    digits
        .iter()
        .fold(0, |offset, &(axis, size, weight)| offset * size + coordinate[axis] / weight % size)
}

/// Compares all offsets and the length.
pub(crate) fn assert_digits(layout: &Layout, digits: &[(usize, usize, usize)], name: &str) {
    for coordinate in coordinates(layout.extents()) {
        let expected = folded(digits, &coordinate);
        assert_eq!(layout.offset(&coordinate), expected, "{name} at {coordinate:?}: {layout}");
    }
    let length = if layout.numel() == 0 { 0 } else { digits.iter().map(|digit| digit.1).product() };
    assert_eq!(layout.len(), length, "{name}: {layout}");
}
