//! TensorRT's `TensorFormat`, from the documentation of TensorRT 10.
//!
//! | name | memory order | elements |
//! |---|---|---|
//! | `kLINEAR` | the axes in order | all that TensorRT has |
//! | `kCHW2`, `kCHW4`, `kCHW16`, `kCHW32` | `N C/v H W v`: blocks of channels | f16 bf16; i8 f16; f16; f32 f16 i8 |
//! | `kCDHW32` | `N C/32 D H W 32` | f16 i8 |
//! | `kHWC8`, `kHWC16` | `N H W C`, pixels of channels rounded up to 8 or 16: not blocks | f16 bf16; f16 i8 f8e4m3 |
//! | `kDHWC8` | `N D H W C`, likewise | f16 bf16 |
//! | `kHWC`, `kDHWC` | `N H W C`, `N D H W C` | f32 u8; f32 |
//! | `kDLA_LINEAR` | `N C H W`, rows rounded up to 64 bytes | f16 i8 |
//! | `kDLA_HWC4` | `N H W C`, 1, 3 or 4 channels, 3 rounded up to 4, rows to 64 bytes (Orin; Xavier's 32 is not supported) | f16 i8 |
//!
//! Axes are matched by position from the end: the channels are the third axis from the end, or the fourth in formats
//! with D. The batch axis may be missing.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    bare, check_element, check_rank, first_name, letters, stored, usual_letters, whole_axes,
    written,
};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{self, BF16, Bool, F8E4M3, F16, F32, I4, I8, I32, I64, U8};
use layout_core::spec::{MAX_RANK, Name};

/// The rule of a format in addition to its memory order.
#[derive(Clone, Copy, PartialEq)]
enum Packing {
    /// The axes without padding.
    Linear,
    /// The number of channels in a block.
    Blocks(usize),
    /// The channels are rounded up to a multiple of this number.
    Rounded(usize),
    /// Rows of the DLA.
    Rows,
    /// Pixels of the DLA.
    Pixels,
}

use Packing::{Blocks, Linear, Pixels, Rounded, Rows};

type Row = (&'static str, &'static str, Packing, &'static [ElementType]);

const FORMATS: &[Row] = &[
    ("kLINEAR", "", Linear, &[F32, F16, BF16, I8, I32, I64, U8, Bool, F8E4M3, I4]),
    ("kCHW2", "NCHW*c", Blocks(2), &[F16, BF16]),
    ("kHWC8", "NHWC", Rounded(8), &[F16, BF16]),
    ("kCHW4", "NCHW*c", Blocks(4), &[I8, F16]),
    ("kCHW16", "NCHW*c", Blocks(16), &[F16]),
    ("kCHW32", "NCHW*c", Blocks(32), &[F32, F16, I8]),
    ("kDHWC8", "NDHWC", Rounded(8), &[F16, BF16]),
    ("kCDHW32", "NCDHW*c", Blocks(32), &[F16, I8]),
    ("kHWC", "NHWC", Rounded(1), &[F32, U8]),
    ("kDLA_LINEAR", "NCHW", Rows, &[F16, I8]),
    ("kDLA_HWC4", "NHWC", Pixels, &[F16, I8]),
    ("kHWC16", "NHWC", Rounded(16), &[F16, I8, F8E4M3]),
    ("kDHWC", "NDHWC", Rounded(1), &[F32]),
];

/// The alignment of rows of the DLA, in bytes.
const DLA_ROW: usize = 64;

/// Returns the layout of a format, with or without `k` before its name, over extents in the order C H W or C D H W,
/// with or without N. Padding holds zeros. `TensorFormat::` or `TensorFormat.` may come first.
///
/// # Errors
/// - TensorRT does not have the name, or the format has another number of axes.
/// - TensorRT does not store the element type in the format.
/// - `kDLA_HWC4` does not have this number of channels.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::tensorrt;
///
/// // The channels are rounded up, although the name looks like a block.
/// let pixels = tensorrt::parse("kHWC8", &[1, 7, 4, 4], ElementType::F16)?;
/// assert_eq!(pixels.to_string(), "NHWC<N = 1, C = 7, H = 4, W = 4>, f16, pad, align(W = 16)");
/// assert_eq!(
///     tensorrt::parse("kHWC8", &[1, 7, 4, 4], ElementType::I8).unwrap_err().to_string(),
///     "TensorRT does not store i8 as `kHWC8`; use f16 or bf16",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let layout = read(name, extents, element)?;
    check(name, element)?;
    Ok(layout)
}

/// Returns the name of a layout. If several formats match, the result is the first in the order of TensorRT's
/// enumeration.
///
/// # Errors
/// - No format describes the layout.
/// - TensorRT does not store the elements in the format.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    let names = FORMATS.iter().map(|row| row.0);
    let read = |name: &str| read(name, layout.extents(), layout.element());
    let check = |name: &str| check(name, layout.element());
    first_name(System::TensorRt, layout, names, read, check).map(LayoutName::new)
}

fn row(name: &str) -> Result<&'static Row, NameError> {
    let bare_name = bare(name, &["TensorFormat::", "TensorFormat."]);
    let found =
        FORMATS.iter().find(|row| row.0 == bare_name || row.0.strip_prefix('k') == Some(bare_name));
    found.ok_or(NameError::unknown(System::TensorRt, name))
}

fn check(name: &str, element: ElementType) -> Result<(), NameError> {
    let &(name, _, _, takes) = row(name)?;
    check_element(System::TensorRt, name, element, takes)
}

/// The layout, whatever elements TensorRT stores in it.
fn read(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let &(name, order, storage, _) = row(name)?;
    if storage == Linear {
        check_rank(System::TensorRt, name, (0, MAX_RANK), extents.len())?;
        let axes = usual_letters(extents.len());
        let format = whole_axes((0..axes.count()).map(|i| axes.at(i)))?;
        return stored(&format, axes, &[], extents, element);
    }
    let has_depth = order.contains('D');
    let rank = if has_depth { 5 } else { 4 };
    check_rank(System::TensorRt, name, (rank - 1, rank), extents.len())?;
    let without_batch = usize::from(extents.len() < rank);
    let axes = letters(&(if has_depth { "NCDHW" } else { "NCHW" })[without_batch..]);
    let channels = extents[1 - without_batch];
    let bytes = |count: usize| element.bytes_of(count).unwrap_or(0);
    // The alignments of pixels and rows, in bytes.
    let (block, [pixel, row]) = match storage {
        Blocks(block) => (block, [0, 0]),
        Rounded(1) | Linear => (0, [0, 0]),
        Rounded(count) => (0, [bytes(count), 0]),
        Rows => (0, [0, DLA_ROW]),
        Pixels if !matches!(channels, 1 | 3 | 4) => {
            let remedy = "use 1, 3 or 4 channels";
            let (axis, name) = ('C', Name::new(name));
            let system = System::TensorRt;
            return Err(NameError::Extent { system, name, axis, extent: channels, remedy });
        }
        Pixels => {
            let pixel = bytes(if channels == 1 { 1 } else { 4 });
            (0, [pixel, DLA_ROW])
        }
    };
    let format = written(&order[without_batch..], block)?;
    stored(&format, axes, &[('W', pixel), ('H', row)], extents, element)
}
