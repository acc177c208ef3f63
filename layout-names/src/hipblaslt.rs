//! The scale factors of block-scaled matrix products in hipBLASLt: `BLK32_UE8M0_32_8`, for gfx950.
//!
//! Tiles of 32 rows by 8 columns of factors, one factor for 32 elements: `R/32 C/8 C%4 R%16 C/4%2 R/16%2`. If rows or
//! columns end inside a tile, the rest of the tile holds zeros. UE8M0 is `f8e8m0` or `u8`, as for cuBLASLt.

use crate::error::{LayoutName, NameError};
use crate::system::System;
use crate::table::Table;
use layout_core::Layout;
use layout_core::spec::ElementType::{self, F8E8M0, U8};

const FORMATS: Table = Table {
    system: System::HipblasLt,
    around: ("HIPBLASLT_MATMUL_MATRIX_SCALE_", "_EXT"),
    axes: "RC",
    formats: &[("BLK32_UE8M0_32_8", "RC4c16r2c/4 2r/16", &[F8E8M0, U8])],
};

/// Returns the layout of the scale factors of a matrix. The extents are the rows and columns of factors: a 32nd of the
/// columns of the matrix.
///
/// # Errors
/// - hipBLASLt does not have the name.
/// - There are not two extents.
/// - The elements are not scale factors.
/// - The layout breaks a rule.
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

/// Returns the name of a layout. Axes are matched by position.
///
/// # Errors
/// - The layout does not have these tiles.
/// - The elements are not scale factors.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    FORMATS.print(layout)
}
