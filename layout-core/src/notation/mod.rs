//! Layouts as text: the notation of `layout!`, parsed at run time, and printed.
//!
//! ```text
//! NCHW4c<2, 63, 3, 3>, i8, pad = -1
//! BSHD<B = 8, H = 12, S = 128, D = 64>, f32
//! NCHW<2, 3, 224, 224>, f16, align(H = 64)
//! MK<4, 3>, i8, strides = [0, 1], broadcast(M)
//! NCHW<1, 64, 7, 7>, f16, bm1684x::aligned(start = 2)
//! ```
//!
//! Every layout prints as text that parses to the same layout. Views, and buffers with gaps that no `align` makes,
//! have options that `layout!` does not take:
//!
//! | option | meaning |
//! |---|---|
//! | `strides = [36, 12, 4, 1]` after a format with blocks | one stride for each axis and block, in the order of the format |
//! | `from 72 of 144` | a view: coordinate 0 is at element 72 of a buffer of 144 |
//! | `len = 144` | a buffer of 144 elements whose gaps between the strides are padding |
//! | `align = 64` | the buffer begins at a multiple of 64 bytes |
//! | `overlap` | coordinates may share elements, as in overlapping windows |
//! | `C from 3` | coordinate 0 of `C` is at position 3 of its block |
//! | `coordinates(N, H, W, C)` | the coordinate order, if it is not the conventional one |
//! | `plain(12, align = 4)` as element | a type of the user's own, of 12 bytes |
//!
//! A stored text begins with the version of the notation, `v1:`; see `version`.
//!
//! `cursor` and `literal` parse pieces of text, `values` checks them, and `option_names` has the names of the options.
//! `read` combines the pieces. `options` and `listed` make the layout, and `assembly` chooses between them. `print`
//! and `print_fill` do the reverse.

mod assembly;
mod cursor;
mod error;
mod listed;
mod literal;
mod option_names;
mod options;
mod print;
mod print_fill;
mod read;
#[cfg(feature = "serde")]
mod serde;
mod values;
mod version;
mod with_element;

use core::str::FromStr;

use crate::layout::Layout;
use crate::spec::{ElementType, LayoutError};

pub use error::NotationError;
pub use option_names::{LAYOUT_OPTIONS, LayoutOption};
pub use values::fill as pad;

impl Layout {
    /// Parses the notation of [`layout!`](crate), which is also what a layout prints as.
    ///
    /// Numbers are literals. Constants, extents written `_`, and formats and chips of your own are available only in
    /// `layout!`. Extents may be 0. An element type of your own is written with its size, `plain(12, align = 4)`.
    ///
    /// In addition to the options of `layout!`, there are options for views:
    ///
    /// | option | meaning |
    /// |---|---|
    /// | `strides = [36, 12, 4, 1]` after a format with blocks | one stride for each axis and block, in the order of the format |
    /// | `from 72 of 144` | a view: coordinate 0 is at element 72 of a buffer of 144 elements |
    /// | `len = 144` | a buffer of 144 elements whose gaps between the strides are padding |
    /// | `align = 64` | the buffer begins at a multiple of 64 bytes |
    /// | `overlap` | coordinates may share elements, as in overlapping windows |
    /// | `C from 3` | coordinate 0 of `C` is at position 3 of its block |
    /// | `coordinates(N, H, W, C)` | the coordinate order, if it is not the conventional one |
    ///
    /// Before a stored text stands the version of the notation, `v1:NCHW<1, 3, 4, 4>, u8`; see
    /// [`versioned`](Self::versioned). A text without a version is one of the newest.
    ///
    /// Law: `Layout::parse(&layout.to_string()) == Ok(layout)`.
    ///
    /// # Errors
    /// The text is not a layout, or the layout breaks a rule. The error names the part of the text and the remedy.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let act: Layout = "NCHW4<2, 64, 3, 3>, f16".parse()?;
    /// assert_eq!(act.offset(&[1, 5, 0, 2]), 576 + 36 + 2 * 4 + 1);
    /// let pixel = act.index('N', 1)?.slice('C', 5, 1, 8)?;
    /// assert_eq!(
    ///     pixel.to_string(),
    ///     "CHW4c<8, 3, 3>, f16, strides = [36, 12, 4, 1], C from 1, from 613 of 1152",
    /// );
    /// assert_eq!(pixel.to_string().parse(), Ok(pixel));
    ///
    /// const ROWS: Layout = match Layout::parse("HW<480, 640>, u8, align(H = 4096)") {
    ///     Ok(layout) => layout,
    ///     Err(error) => error.panic(),
    /// };
    /// assert_eq!(ROWS.len(), 480 * 4096);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
    pub const fn parse(text: &str) -> Result<Self, NotationError> {
        read::layout(text)
    }
}

/// See [`Layout::parse`].
impl FromStr for Layout {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::parse(text)
    }
}

/// Reads the name of an element type as `layout!` takes it, `f32` or `u4, high_first`, or `plain(12, align = 4)` for a
/// type of your own. The error of a name that another system uses, such as `float32`, says what to write.
impl FromStr for ElementType {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        values::element(text)
    }
}
