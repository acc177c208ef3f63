//! The formats of Arm's Ethos-U: `NHWC` and `NHCWB16`, as Vela 5.2.0 stores them.
//!
//! `NHCWB16` is `N H C/16 W 16(c)`: bricks of 16 channels, whatever the element type.

use super::error::{LayoutName, NameError};
use super::system::System;
use super::table::Table;
use crate::layout::Layout;
use crate::spec::ElementType::{self, I8, I16, I32, U8};

const FORMATS: Table = Table {
    system: System::EthosU,
    around: ("", ""),
    axes: "NCHW",
    formats: &[("NHWC", "NHWC", ELEMENTS), ("NHCWB16", "NHCW16c", ELEMENTS)],
};

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
    FORMATS.parse(name, extents, element)
}

/// The format of a layout, axes taken by position.
///
/// # Errors
/// A layout that no format describes, and an element type that Ethos-U does not have.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    FORMATS.print(layout)
}
