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
//! Text, `layout!` and the builder fill in one template, which one function completes. So each option exists in all of
//! them, and each mistake has the same words on the same part.
//!
//! Every layout prints as text that parses to the same layout. [`Layout::parse`] has the options of views.
//!
//! A stored text begins with the version of the notation, `v1:`.
//!
//! `cursor` and `literal` parse pieces of text, `values` checks them, and `options` has the options with their names.
//! `layout_template` has what a layout is said to be: `read` fills it in from text, with where each part stands a
//! `draft`, and `builder` from calls. `complete` makes factors from it, and the layout from these. `print` finds the
//! options of a layout, and `sentence` writes them.

mod big;
mod builder;
mod built;
mod complete;
mod cursor;
mod draft;
mod error;
mod layout_template;
mod literal;
mod options;
mod print;
mod read;
mod sentence;
#[cfg(feature = "serde")]
mod serde;
mod values;

use core::fmt;
use core::str::FromStr;

use crate::layout::Layout;
use crate::spec::{ElementType, LayoutError, Name, Rule};
use read::{Mode, Reader};

#[cfg(feature = "serde")]
pub use self::serde::from_text;
pub use builder::LayoutBuilder;
pub use complete::Assembly;
pub use cursor::{Cursor, Span};
pub use draft::{Draft, Place, Site, Writing};
pub use error::NotationError;
pub use layout_template::LayoutTemplate;
pub use literal::is_literal;
pub use options::AxisBytes;
pub use read::{WrittenExtents, draft, format_faults};
pub use values::{element, fill, unsigned};

impl Layout {
    /// Parses the notation of [`layout!`](crate), which is also what a layout prints as.
    ///
    /// Numbers are literals. Constants, and formats and chips of your own are available only in `layout!`. Extents may
    /// be 0. An element type of your own is written with its size, `plain(12, align = 4)`. Text with extents or pitches
    /// written `_` is a [`LayoutTemplate`].
    ///
    /// Layouts that are views, and buffers with gaps that no `align` makes, have options of their own:
    ///
    /// | option | meaning |
    /// |---|---|
    /// | `strides = [36, 12, 4, 1]` after a format with blocks | one stride for each axis and block, in the order of the format |
    /// | `from 72 of 144` | a view: coordinate 0 is at element 72 of a buffer of 144 elements |
    /// | `len = 144` | a buffer of 144 elements whose gaps between the strides are padding |
    /// | `align = 64` | the buffer begins at a multiple of 64 bytes |
    /// | `overlap` | coordinates may share elements, as in overlapping windows |
    /// | `C from 3` | coordinate 0 of `C` is at position 3 of its block |
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
    #[inline]
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
    pub const fn parse(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::<1>::new(text, Mode::Text);
        reader.read();
        let fault = match reader.faults {
            [Some(fault)] => fault,
            [None] => match reader.template.layout() {
                Ok(layout) => return Ok(layout),
                Err((error, site)) => (error, reader.draft().span(site)),
            },
        };
        Err(NotationError::new(fault.0, text, fault.1))
    }
}

impl LayoutTemplate {
    /// Parses the notation of [`layout!`](crate), with `_` for extents and pitches that are not known. A text without
    /// `_` is a template too. [`LayoutBuilder::template`](crate::LayoutBuilder::template) makes the same of calls.
    ///
    /// Law: `LayoutTemplate::parse(&template.to_string()) == Ok(template)`.
    ///
    /// # Errors
    /// The text is not a layout, or the layout breaks a rule whatever its unknown numbers are.
    #[inline]
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
    pub const fn parse(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::<1>::new(text, Mode::Text);
        reader.read();
        let (error, span) = match (reader.faults, reader.template.checked()) {
            ([Some(fault)], _) => fault,
            ([None], Err((error, site))) => (error, reader.draft().span(site)),
            ([None], Ok(template)) => return Ok(template),
        };
        Err(NotationError::new(error, text, span))
    }
}

/// See [`Layout::parse`].
impl FromStr for Layout {
    type Err = NotationError;

    #[inline]
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::parse(text)
    }
}

/// See [`LayoutTemplate::parse`].
impl FromStr for LayoutTemplate {
    type Err = NotationError;

    #[inline]
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

/// The version that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// A value before its version.
pub struct Versioned<T>(pub T);

impl<T: fmt::Display> fmt::Display for Versioned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "v{VERSION}:{}", self.0)
    }
}

impl Layout {
    /// The text of the layout after the version of the notation, for files and messages that a later version of the
    /// library may read: `v1:NCHW<1, 3, 4, 4>, u8`. [`parse`](Self::parse) reads texts with and without a version, and
    /// refuses a version that it does not know. With feature `serde`, layouts are serialized so.
    ///
    /// ```
    /// use tensor_layout::{Layout, layout};
    ///
    /// let layout = <layout!(NCHW<1, 3, 4, 4>, u8)>::LAYOUT;
    /// let text = layout.versioned().to_string();
    /// assert_eq!(text, "v1:NCHW<1, 3, 4, 4>, u8");
    /// assert_eq!(Layout::parse(&text), Ok(layout));
    /// let error = Layout::parse("v2:NCHW<1, 3, 4, 4>, u8").unwrap_err();
    /// assert!(error.to_string().contains("version 2 of the notation"));
    /// ```
    pub fn versioned(&self) -> impl fmt::Display + use<> {
        Versioned(*self)
    }
}

impl Cursor<'_> {
    /// Consumes a version, if the text begins with one.
    ///
    /// # Errors
    /// Another version than that of this notation.
    pub const fn version(&mut self) -> Result<(), (LayoutError, Span)> {
        let mut ahead = *self;
        let word = ahead.word();
        let bytes = self.text(word).as_bytes();
        let mut digits = 1;
        while digits < bytes.len() && bytes[digits].is_ascii_digit() {
            digits += 1;
        }
        let is_version = bytes.len() > 1 && bytes[0] == b'v' && digits == bytes.len();
        // `v1::NAME!<..>` is a path.
        if !is_version || !ahead.eat(b':') || ahead.sees(b':') {
            return Ok(());
        }
        if !matches!(bytes, [b'v', b'1']) {
            let number = Span { start: word.start + 1, end: word.end };
            let version = Name::new(self.text(number));
            return Err((
                LayoutError(Rule::NotationVersion { version, known: VERSION as usize }),
                word,
            ));
        }
        *self = ahead;
        Ok(())
    }
}

/// Returns the text after its version, if it has one.
///
/// # Errors
/// Another version than [`VERSION`].
#[cfg(feature = "serde")]
pub(super) fn without_version(text: &str) -> Result<&str, LayoutError> {
    let mut cursor = Cursor::new(text);
    ok!(placed cursor.version());
    Ok(&text[cursor.at..])
}
