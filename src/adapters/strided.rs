//! The layout of extents and strides that come from elsewhere.

use std::vec::Vec;

use layout_types::spec::{AxisExtent, Factor, Length, Letters, MAX_RANK, Name, Spec};
use layout_types::{ElementType, Layout, LayoutError};

/// The layout of these axes, with one stride in elements for each.
pub(super) fn from_strides(
    axes: &str,
    extents: &[usize],
    strides: &[isize],
    element: ElementType,
) -> Result<Layout, LayoutError> {
    let letters: Vec<char> = axes.chars().map(|letter| letter.to_ascii_uppercase()).collect();
    if letters.len() > MAX_RANK {
        return Err(LayoutError::TooManyAxes);
    }
    if let Some(&letter) = letters.iter().find(|letter| !letter.is_ascii_uppercase()) {
        return Err(LayoutError::AxisLetter { letter });
    }
    if letters.len() != extents.len() {
        let known = letters.iter().fold(Letters::EMPTY, |all, &letter| all.with(letter));
        let (format, given) = (Name::new(axes), extents.len());
        return Err(LayoutError::ExtentCount { format, axes: known, given });
    }
    let axis = |(&letter, &extent)| AxisExtent { letter, extent: Length::Runtime(extent) };
    let factor = |(axis, &stride): (&AxisExtent, &isize)| match (stride, axis.extent.value()) {
        (0, Some(2..)) => Factor::Broadcast(axis.letter),
        _ => Factor::Stride(axis.letter, stride),
    };
    let axes: Vec<AxisExtent> = letters.iter().zip(extents).map(axis).collect();
    let factors: Vec<Factor> = axes.iter().zip(strides).map(factor).collect();
    Layout::new(&Spec { element, axes: &axes, factors: &factors, fill: None })
}
