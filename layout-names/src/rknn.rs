//! The formats of Rockchip's RKNN: `NCHW`, `NHWC` and `NC1HWC2`.
//!
//! `NC1HWC2` is `N C/C2 H W C2`. The driver reports C2, which depends on the chip. On the RK3588 it is 16 bytes: 16
//! elements of i8, or 8 of f16. [`parse`] and [`print`] use these; [`nc1hwc2`] takes another number. This is not
//! checked against a document of Rockchip's.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{bare, check_element, check_rank, first_name, letters, stored, written};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{
    self, BF16, Bool, F16, F32, I4, I8, I16, I32, I64, U8, U16, U32,
};

/// Name and memory order, in which `*` is C2.
const FORMATS: &[(&str, &str)] = &[("NCHW", "NCHW"), ("NHWC", "NHWC"), ("NC1HWC2", "NCHW*c")];

const ELEMENTS: &[ElementType] = &[F32, F16, BF16, I8, U8, I16, U16, I32, U32, I64, Bool, I4];

/// The bits of C2 on the RK3588.
const BLOCK_BITS: usize = 128;

/// Returns the layout of a format over `extents` in the order N C H W. `RKNN_TENSOR_` may come first.
///
/// # Errors
/// - RKNN does not have the name.
/// - There are not four extents.
/// - RKNN does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::rknn;
/// use tensor_layout::{ElementType, Layout};
///
/// let native = rknn::parse("NC1HWC2", &[1, 20, 3, 5], ElementType::I8)?;
/// assert_eq!(native, Layout::parse("NCHW16c<1, 20, 3, 5>, i8, pad = 0")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    read(name, extents, element, BLOCK_BITS / element.bits().max(1))
}

/// Returns the layout of `NC1HWC2` with block `c2`, which the driver reports as the last number of the tensor's dims.
///
/// # Errors
/// The errors of [`parse`].
pub fn nc1hwc2(extents: &[usize], element: ElementType, c2: usize) -> Result<Layout, NameError> {
    read("NC1HWC2", extents, element, c2)
}

/// Returns the name of a layout. Axes are matched by position.
///
/// # Errors
/// - No format describes the layout.
/// - RKNN does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    check_element(System::Rknn, "NCHW", layout.element(), ELEMENTS)?;
    let names = FORMATS.iter().map(|row| row.0);
    let read = |name: &str| parse(name, layout.extents(), layout.element());
    first_name(System::Rknn, layout, names, read, |_| Ok(())).map(LayoutName::new)
}

fn read(
    name: &str,
    extents: &[usize],
    element: ElementType,
    c2: usize,
) -> Result<Layout, NameError> {
    let unknown = NameError::unknown(System::Rknn, name);
    let bare_name = bare(name, &["RKNN_TENSOR_"]);
    let &(name, order) = FORMATS.iter().find(|row| row.0 == bare_name).ok_or(unknown)?;
    check_rank(System::Rknn, name, (4, 4), extents.len())?;
    check_element(System::Rknn, name, element, ELEMENTS)?;
    stored(&written(order, c2)?, letters("NCHW"), &[], extents, element)
}
