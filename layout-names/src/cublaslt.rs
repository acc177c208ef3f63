//! The scale factors of block-scaled matrix products in cuBLASLt: `VEC32_UE8M0` and `VEC16_UE4M3`.
//!
//! A row of the matrix has one scale factor for 32 or 16 of its elements. The factors are stored in tiles of 128 rows
//! by 4 columns, which PyTorch calls `SWIZZLE_32_4_4`: `R/128 C/4 R%32 R/32%4 C%4`. If rows or columns end inside a
//! tile, the rest of the tile holds zeros. Both names are the same memory order, and of `u8` the first
//! one.

use crate::error::{LayoutName, NameError};
use crate::system::System;
use crate::table::Table;
use layout_core::Layout;
use layout_core::spec::ElementType::{self, F8E4M3, F8E8M0, U8};

const FORMATS: Table = Table {
    system: System::CublasLt,
    around: ("CUBLASLT_MATMUL_MATRIX_SCALE_", ""),
    axes: "RC",
    formats: &[
        ("VEC32_UE8M0", "RC32r4r/32 4c", &[F8E8M0, U8]),
        ("VEC16_UE4M3", "RC32r4r/32 4c", &[F8E4M3, U8]),
    ],
};

/// Returns the layout of the scale factors of a matrix. The extents are the rows and columns of factors: a 32nd or a
/// 16th of the columns of the matrix. The name may begin with `CUBLASLT_MATMUL_MATRIX_SCALE_`.
///
/// # Errors
/// - cuBLASLt does not have the name.
/// - There are not two extents.
/// - The elements are not scale factors.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::cublaslt;
/// use tensor_layout::{ElementType, Layout};
///
/// // For a matrix of 130 rows by 160 columns.
/// let scales = cublaslt::parse("VEC32_UE8M0", &[130, 5], ElementType::U8)?;
/// assert_eq!(scales, Layout::parse("RC32r4r/32 4c<R = 130, C = 5>, u8, pad = 0")?);
/// assert_eq!((scales.offset(&[1, 0]), scales.offset(&[32, 0]), scales.len()), (16, 4, 2048));
/// assert_eq!(cublaslt::print(&scales)?.as_str(), "VEC32_UE8M0");
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
