//! The formats of Arm's Ethos-U: `NHWC` and `NHCWB16`, as Vela 5.2.0 stores them.
//!
//! `NHCWB16` is `N H C/16 W 16(c)`: bricks of 16 channels, whatever the element type.

use super::error::{LayoutName, NameError};
use super::memory_order::{check_element, check_rank, first_name, letters, stored};
use super::system::System;
use crate::layout::Layout;
use crate::spec::ElementType::{self, I8, I16, I32, U8};
use crate::spec::Format;

/// Name and memory order.
const FORMATS: &[(&str, &str)] = &[("NHWC", "NHWC"), ("NHCWB16", "NHCW16c")];

const ELEMENTS: &[ElementType] = &[I8, U8, I16, I32];

/// The layout of a format over `extents` in the order N C H W.
///
/// # Errors
/// Another name, not four extents, an element type that Ethos-U does not have, or a rule of layouts that is
/// broken.
///
/// ```
/// use tensor_layout::names::ethosu;
/// use tensor_layout::{ElementType, Layout};
///
/// let bricks = ethosu::parse("NHCWB16", &[1, 20, 2, 3], ElementType::I8)?;
/// assert_eq!(bricks, Layout::parse("NHCW16c<1, 20, 2, 3>, i8, pad = 0")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let unknown = NameError::unknown(System::EthosU, name);
    let &(name, order) = FORMATS.iter().find(|row| row.0 == name).ok_or(unknown)?;
    check_rank(System::EthosU, name, (4, 4), extents.len())?;
    check_element(System::EthosU, name, element, ELEMENTS)?;
    stored(&Format::parse(order)?, letters("NCHW"), &[], extents, element)
}

/// The format of a layout, axes taken by position.
///
/// # Errors
/// A layout that no format describes, and an element type that Ethos-U does not have.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    check_element(System::EthosU, "NHWC", layout.element(), ELEMENTS)?;
    let names = FORMATS.iter().map(|row| row.0);
    let read = |name: &str| parse(name, layout.extents(), layout.element());
    first_name(System::EthosU, layout, names, read, |_| Ok(())).map(LayoutName::new)
}
