//! The formats of Arm's Ethos-U: `NHWC` and `NHCWB16`, as Vela 5.2.0 stores them.
//!
//! `NHCWB16` is `N H C/16 W 16(c)`: bricks of 16 channels for every element type.

use crate::error::{LayoutName, NameError};
use crate::system::System;
use crate::table::Table;
use layout_core::Layout;
use layout_core::spec::ElementType::{self, I8, I16, I32, U8};

const FORMATS: Table = Table {
    system: System::EthosU,
    around: ("", ""),
    axes: "NCHW",
    formats: &[("NHWC", "NHWC", ELEMENTS), ("NHCWB16", "NHCW16c", ELEMENTS)],
};

const ELEMENTS: &[ElementType] = &[I8, U8, I16, I32];

/// Returns the layout of a format over `extents` in the order N C H W.
///
/// # Errors
/// - Ethos-U does not have the name.
/// - There are not four extents.
/// - Ethos-U does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::ethosu;
/// use tensor_layout::{ElementType, Layout};
///
/// let bricks = ethosu::parse("NHCWB16", &[1, 20, 2, 3], ElementType::I8)?;
/// assert_eq!(bricks, Layout::parse("NHCW16c<N = 1, C = 20, H = 2, W = 3>, i8, pad = 0")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    FORMATS.parse(name, extents, element)
}

/// Returns the name of a layout. Axes are matched by position.
///
/// # Errors
/// - No format describes the layout.
/// - Ethos-U does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    FORMATS.print(layout)
}
