//! The formats of Ascend's CANN, from its documentation.
//!
//! C0 is the number of elements in 32 bytes: 16 for f16, 32 for i8. In `NC1HWC0_C04`, it is 4.
//!
//! | name | memory order |
//! |---|---|
//! | `ND` | the axes in order |
//! | `NC`, `NCL`, `NCHW`, `NHWC`, `HWCN`, `CHWN`, `NCDHW`, `NDHWC`, `DHWCN` | as in the name |
//! | `NC1HWC0`, `NC1HWC0_C04` | `N C/C0 H W C0` |
//! | `NDC1HWC0` | `N D C/C0 H W C0` |
//! | `FRACTAL_Z` | filters: `C/C0 H W N/16 16(n) C0` |
//! | `FRACTAL_Z_3D` | filters: `D C/C0 H W N/16 16(n) C0` |
//! | `FRACTAL_NZ` | matrices M N, after any batches: `N/C0 M/16 16(m) C0` |
//! | `FRACTAL_NZ_C0_2`, `_4`, `_8`, `_16`, `_32` | the same with this C0, whatever the elements are |
//! | `FRACTAL_ZZ` | matrices M K: `M/16 K/C0 16(m) C0` |
//! | `FRACTAL_ZN` | matrices K N: `K/C0 N/16 16(n) C0(k)` |
//!
//! Padding of blocks holds zeros. Filters with groups are not supported.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    alphabet, bare, check_element, check_rank, first_name, letters, stored, whole_axes, written,
};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{
    self, BF16, Bool, F8E4M3, F8E5M2, F16, F32, F64, I4, I8, I16, I32, I64, U8, U16, U32, U64,
};
use layout_core::spec::{Factor, Format, Letters, MAX_RANK};

/// Name, axes by position, and memory order, in which `*` is C0.
type Row = (&'static str, &'static str, &'static str);

const FORMATS: &[Row] = &[
    ("ND", "", ""),
    ("NC", "NC", "NC"),
    ("NCL", "NCL", "NCL"),
    ("NCHW", "NCHW", "NCHW"),
    ("NHWC", "NCHW", "NHWC"),
    ("HWCN", "NCHW", "HWCN"),
    ("CHWN", "NCHW", "CHWN"),
    ("NCDHW", "NCDHW", "NCDHW"),
    ("NDHWC", "NCDHW", "NDHWC"),
    ("DHWCN", "NCDHW", "DHWCN"),
    ("NC1HWC0", "NCHW", "NCHW*c"),
    ("NC1HWC0_C04", "NCHW", "NCHW4c"),
    ("NDC1HWC0", "NCDHW", "NDCHW*c"),
    ("FRACTAL_Z", "NCHW", "CHWN16n*c"),
    ("FRACTAL_Z_3D", "NCDHW", "DCHWN16n*c"),
    ("FRACTAL_NZ", "MN", "NM16m*n"),
    ("FRACTAL_NZ_C0_2", "MN", "NM16m2n"),
    ("FRACTAL_NZ_C0_4", "MN", "NM16m4n"),
    ("FRACTAL_NZ_C0_8", "MN", "NM16m8n"),
    ("FRACTAL_NZ_C0_16", "MN", "NM16m16n"),
    ("FRACTAL_NZ_C0_32", "MN", "NM16m32n"),
    ("FRACTAL_ZZ", "MK", "MK16m*k"),
    ("FRACTAL_ZN", "KN", "KN16n*k"),
];

const ELEMENTS: &[ElementType] =
    &[F32, F16, BF16, F64, I4, I8, U8, I16, U16, I32, U32, I64, U64, Bool, F8E4M3, F8E5M2];

/// The bits of C0.
const BLOCK_BITS: usize = 256;

/// Returns the layout of a format over `extents`, which are in the order N C H W, N C D H W, M N, M K or K N, whatever
/// the format. `ACL_FORMAT_` or `FORMAT_` may come first, and `FRACTAL_` may be missing.
///
/// # Errors
/// - Ascend does not have the name, or the format has another number of axes.
/// - Ascend does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::ascend;
/// use tensor_layout::{ElementType, Layout};
///
/// let five = ascend::parse("NC1HWC0", &[2, 20, 3, 5], ElementType::F16)?;
/// assert_eq!(five, Layout::parse("NCHW16c<2, 20, 3, 5>, f16, pad = 0")?);
/// let fractal = ascend::parse("FRACTAL_NZ", &[20, 40], ElementType::F16)?;
/// assert_eq!(fractal, Layout::parse("NM16m16n<M = 20, N = 40>, f16, pad = 0")?);
/// assert_eq!(ascend::print(&fractal)?.as_str(), "FRACTAL_NZ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let unknown = NameError::unknown(System::Ascend, name);
    let bare_name = bare(name, &["FORMAT_"]);
    let is_own =
        |row: &&Row| row.0 == bare_name || row.0.strip_prefix("FRACTAL_") == Some(bare_name);
    let &(name, axes, order) = FORMATS.iter().find(is_own).ok_or(unknown)?;
    check_element(System::Ascend, name, element, ELEMENTS)?;
    let rank = extents.len();
    if axes.is_empty() {
        check_rank(System::Ascend, name, (0, MAX_RANK), rank)?;
        let axes = alphabet(rank);
        return stored(&whole_axes((0..rank).map(|i| axes.at(i)))?, axes, &[], extents, element);
    }
    let most = if name.starts_with("FRACTAL_NZ") { MAX_RANK } else { axes.len() };
    check_rank(System::Ascend, name, (axes.len(), most), rank)?;
    let format = written(order, BLOCK_BITS / element.bits())?;
    let (format, axes) = after_batches(&format, letters(axes), rank)?;
    stored(&format, axes, &[], extents, element)
}

/// Returns the name of a layout. Axes are matched by position. If several formats match, the result is the first in
/// the table above.
///
/// # Errors
/// - No format describes the layout.
/// - Ascend does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    check_element(System::Ascend, "ND", layout.element(), ELEMENTS)?;
    let names = FORMATS.iter().map(|row| row.0);
    let read = |name: &str| parse(name, layout.extents(), layout.element());
    first_name(System::Ascend, layout, names, read, |_| Ok(())).map(LayoutName::new)
}

/// The format with slower axes A, B and so on, up to `rank` axes, and all axes.
fn after_batches(
    format: &Format,
    axes: Letters,
    rank: usize,
) -> Result<(Format, Letters), NameError> {
    let batches = alphabet(rank - axes.count());
    let mut order = crate::memory_order::FactorOrder::EMPTY;
    for i in 0..batches.count() {
        order.push(Factor::Axis(batches.at(i)))?;
    }
    for &factor in format.factors() {
        order.push(factor)?;
    }
    let axes = (0..axes.count()).map(|i| axes.at(i)).fold(batches, Letters::with);
    Ok((order.format(), axes))
}
