//! The scale factors of block-scaled matrix products in hipBLASLt: `BLK32_UE8M0_32_8`, for gfx950.
//!
//! Tiles of 32 rows by 8 columns of factors, each factor of 32 elements: `R/32 C/8 C%4 R%16 C/4%2 R/16%2`. Rows and
//! columns end inside a tile, and the rest holds zeros. UE8M0 is `u8`, as for cuBLASLt.

use super::error::{LayoutName, NameError};
use super::system::System;
use super::table::Table;
use crate::layout::Layout;
use crate::spec::ElementType::{self, U8};

const FORMATS: Table = Table {
    system: System::HipblasLt,
    around: ("HIPBLASLT_MATMUL_MATRIX_SCALE_", "_EXT"),
    axes: "RC",
    formats: &[("BLK32_UE8M0_32_8", "RC4c16r2c/4 2r/16", &[U8])],
};

/// The layout of the scale factors of a matrix, over rows and columns of factors: a 32nd of the matrix's.
///
/// # Errors
/// Another name, not two extents, elements that are not scale factors, or a rule of layouts that is broken.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::hipblaslt;
///
/// let scales = hipblaslt::parse("BLK32_UE8M0_32_8", &[40, 9], ElementType::U8)?;
/// assert_eq!((scales.offset(&[1, 0]), scales.offset(&[16, 0]), scales.offset(&[0, 4])), (4, 1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    FORMATS.parse(name, extents, element)
}

/// The format of a layout, axes taken by position.
///
/// # Errors
/// A layout that is not these tiles, and elements that are not scale factors.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    FORMATS.print(layout)
}
