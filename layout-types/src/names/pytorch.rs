//! PyTorch's memory formats: `contiguous_format`, `channels_last` and `channels_last_3d`.
//!
//! The shape stays N C H W or N C D H W; the name says the strides alone. An axis of extent 1 may have any
//! stride, so that one tensor can be in several formats, and an empty one is in all that PyTorch asks for.

use super::error::{LayoutName, NameError};
use super::memory_order::{
    bare, check_element, check_rank, other_order, stored, usual_letters, whole_axes,
};
use super::system::System;
use crate::layout::Layout;
use crate::spec::ElementType::{
    self, BF16, Bool, F8E4M3, F8E5M2, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64,
};
use crate::spec::{Format, Letters, MAX_RANK};

/// The names, and the order of the axes by position; none for the coordinate order.
const FORMATS: &[(&str, &[usize])] = &[
    ("contiguous_format", &[]),
    ("channels_last", &[0, 2, 3, 1]),
    ("channels_last_3d", &[0, 2, 3, 4, 1]),
];

const ELEMENTS: &[ElementType] =
    &[F32, F16, BF16, F64, I8, U8, I16, I32, I64, Bool, U16, U32, U64, F8E4M3, F8E5M2];

/// The layout of `torch.empty(extents, memory_format = name)`; `torch.` may come before the name. Three axes are C H W, four N C H W, five
/// N C D H W, others A B C and so on.
///
/// # Errors
/// Another name, another number of extents, an element type that PyTorch does not have, or a rule of layouts
/// that is broken.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::pytorch;
///
/// let image = pytorch::parse("channels_last", &[1, 64, 5, 4], ElementType::F32)?;
/// assert_eq!(image.strides().unwrap().as_slice(), [1280, 1, 256, 64]);
/// assert_eq!(pytorch::print(&image)?.as_str(), "channels_last");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    check_rank(System::PyTorch, name, ranks(name)?, extents.len())?;
    check_element(System::PyTorch, name, element, ELEMENTS)?;
    let axes = usual_letters(extents.len());
    stored(&format(name, axes)?, axes, &[], extents, element)
}

/// The first memory format that the layout is in, wherever in its buffer it begins; axes are taken by
/// position.
///
/// # Errors
/// A layout in none of them, and an element type that PyTorch does not have.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    for &(name, _) in FORMATS {
        if is_contiguous(layout, name) == Ok(true) {
            check_element(System::PyTorch, name, layout.element(), ELEMENTS)?;
            return Ok(LayoutName::new(name));
        }
    }
    Err(other_order(System::PyTorch, layout))
}

/// What PyTorch answers to `is_contiguous(memory_format = name)`.
///
/// # Errors
/// Another name, or one of tensors with another number of axes.
///
/// ```
/// use tensor_layout::names::pytorch;
/// use tensor_layout::{ElementType, Layout};
///
/// // With one pixel a channel there is nothing to tell them apart.
/// let tensor = Layout::of("NCHW", &[2, 8, 1, 1], ElementType::F32)?;
/// assert!(pytorch::is_contiguous(&tensor, "contiguous_format")?);
/// assert!(pytorch::is_contiguous(&tensor, "channels_last")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_contiguous(layout: &Layout, name: &str) -> Result<bool, NameError> {
    check_rank(System::PyTorch, name, ranks(name)?, layout.rank())?;
    Ok(layout.lanes.is_none() && layout.is_in(&format(name, layout.letters())?))
}

fn positions(name: &str) -> Result<&'static [usize], NameError> {
    let found = FORMATS.iter().find(|row| row.0 == bare(name, &["torch."]));
    found.map(|&(_, positions)| positions).ok_or(NameError::unknown(System::PyTorch, name))
}

/// The least and the largest number of axes.
fn ranks(name: &str) -> Result<(usize, usize), NameError> {
    Ok(match positions(name)?.len() {
        0 => (0, MAX_RANK),
        rank => (rank, rank),
    })
}

fn format(name: &str, axes: Letters) -> Result<Format, NameError> {
    let positions = positions(name)?;
    match positions.is_empty() {
        true => whole_axes((0..axes.count()).map(|i| axes.at(i))),
        false => whole_axes(positions.iter().map(|&i| axes.at(i))),
    }
}
