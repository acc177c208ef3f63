//! PyTorch's memory formats: `contiguous_format`, `channels_last` and `channels_last_3d`.
//!
//! The shape is always N C H W or N C D H W; the name only determines the strides. An axis of extent 1 may have any
//! stride, so one tensor can match several formats. An empty tensor matches as in PyTorch.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    bare, check_element, check_rank, other_order, stored, usual_letters, whole_axes,
};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{
    self, BF16, Bool, F8E4M3, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0, F16, F32, F64, I8, I16, I32,
    I64, U8, U16, U32, U64,
};
use layout_core::spec::{Format, Letters, MAX_RANK};

/// The names, and the order of the axes by position. An empty list is the coordinate order.
const FORMATS: &[(&str, &[usize])] = &[
    ("contiguous_format", &[]),
    ("channels_last", &[0, 2, 3, 1]),
    ("channels_last_3d", &[0, 2, 3, 4, 1]),
];

const ELEMENTS: &[ElementType] = &[
    F32, F16, BF16, F64, I8, U8, I16, I32, I64, Bool, U16, U32, U64, F8E4M3, F8E5M2, F8E4M3FNUZ,
    F8E5M2FNUZ, F8E8M0,
];

/// Returns the layout of `torch.empty(extents, memory_format = name)`. Three axes are C H W, four N C H W, five N C D
/// H W, and others A B C and so on. `torch.` may come before the name.
///
/// # Errors
/// - PyTorch does not have the name, or the format has another number of axes.
/// - PyTorch does not have the element type.
/// - The layout breaks a rule.
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

/// Returns the first memory format that the layout matches, wherever in its buffer it begins. Axes are matched by
/// position.
///
/// # Errors
/// - The layout matches none of them.
/// - PyTorch does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    for &(name, _) in FORMATS {
        if is_contiguous(layout, name) == Ok(true) {
            check_element(System::PyTorch, name, layout.element(), ELEMENTS)?;
            return Ok(LayoutName::new(name));
        }
    }
    Err(other_order(System::PyTorch, layout))
}

/// Returns the result of `is_contiguous(memory_format = name)` in PyTorch.
///
/// # Errors
/// PyTorch does not have the name, or the format has another number of axes.
///
/// ```
/// use tensor_layout::names::pytorch;
/// use tensor_layout::{ElementType, Layout};
///
/// // With one pixel for each channel, both formats match.
/// let tensor = Layout::of("NCHW", &[2, 8, 1, 1], ElementType::F32)?;
/// assert!(pytorch::is_contiguous(&tensor, "contiguous_format")?);
/// assert!(pytorch::is_contiguous(&tensor, "channels_last")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_contiguous(layout: &Layout, name: &str) -> Result<bool, NameError> {
    check_rank(System::PyTorch, name, ranks(name)?, layout.rank())?;
    Ok(layout.lanes().is_none() && layout.matches(format(name, layout.letters())?))
}

fn positions(name: &str) -> Result<&'static [usize], NameError> {
    let found = FORMATS.iter().find(|row| row.0 == bare(name, &["torch."]));
    found.map(|&(_, positions)| positions).ok_or(NameError::unknown(System::PyTorch, name))
}

/// The smallest and the largest number of axes.
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
