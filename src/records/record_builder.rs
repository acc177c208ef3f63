//! Records built by calls: the notation, a part at a time.

use alloc::format;
use alloc::string::String;

use layout_records::{Record, RecordError, RecordTemplate, UseFault};
use layout_types::ElementType;

/// Builds a [`Record`] from calls, at run time.
///
/// It writes the text of the record, so the same mistakes have the same words as in a text, and the range of an error is
/// one of [`text`](Self::text).
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::records::{Record, RecordBuilder};
///
/// let page = RecordBuilder::new("P")
///     .group("k", "S D")
///     .field("d", "", ElementType::F16)
///     .field("q", "32d", ElementType::I8)
///     .end()
///     .value("d * q")
///     .field("v", "S D", ElementType::F16)
///     .end()
///     .align(64)
///     .extents(&[('P', 4), ('S', 16), ('D', 64)]);
/// let text = "P<P = 4, S = 16, D = 64>, { k: S D { d: f16, q: 32d i8 } = d * q, v: S D f16 } align(64)";
/// assert_eq!(page.build()?, Record::parse(text)?);
///
/// let error = RecordBuilder::new("N<4>").field("x", "", ElementType::F32).build().unwrap_err();
/// assert_eq!(
///     error.message().as_str(),
///     "`N<4>` is not an axis, block, element type or group; write a field as in `q: 16k 2k/16 u4`, its digits before \
///      its element type",
/// );
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct RecordBuilder {
    format: String,
    extents: String,
    content: String,
    /// The number of groups that have no end yet.
    open: usize,
    /// What stands between items of the outermost group.
    separator: &'static str,
    /// The first text that is not part of a record.
    error: Option<RecordError>,
}

impl RecordBuilder {
    /// Begins a record with these digits before its fields, such as `MK`, or none. Its fields follow one another in one
    /// buffer.
    pub fn new(format: &str) -> Self {
        Self::with_separator(format, ",")
    }

    /// Begins a record with a buffer for each of its outermost fields and groups.
    pub fn with_buffers(format: &str) -> Self {
        Self::with_separator(format, ";")
    }

    fn with_separator(format: &str, separator: &'static str) -> Self {
        let (extents, content) = (String::new(), String::from("{"));
        let new = Self { format: format.into(), extents, content, open: 1, separator, error: None };
        new.checked(format)
    }

    /// Adds a field with its digits, such as `16k 2k/16`, and its element type. A field `_` is unused bits.
    pub fn field(self, name: &str, digits: &str, element: ElementType) -> Self {
        self.item(name, digits, element.name().as_str())
    }

    /// Begins a group of fields, which `digits` repeat. The name is that before the names of its fields, or empty.
    pub fn group(mut self, name: &str, digits: &str) -> Self {
        self = self.item(name, digits, "{");
        self.open += 1;
        self
    }

    /// Ends the group that began last, or the record itself. What follows is about all of it.
    pub fn end(mut self) -> Self {
        self.content += " }";
        self.open = self.open.saturating_sub(1);
        self
    }

    fn item(self, name: &str, digits: &str, content: &str) -> Self {
        let mut new = self.checked(name).checked(digits);
        let separator = match new.open {
            _ if new.content.ends_with('{') => "",
            1 => new.separator,
            _ => ",",
        };
        let name = if name.is_empty() { String::new() } else { format!(" {name}:") };
        let digits = if digits.is_empty() { String::new() } else { format!(" {digits}") };
        new.content += &format!("{separator}{name}{digits} {content}");
        new
    }

    /// Aligns the last field, or the last group that has an end, to a multiple of `bytes`, as `align(BYTES)` does.
    pub fn align(self, bytes: usize) -> Self {
        self.mark(&format!("align({bytes})"))
    }

    /// Aligns the steps of an axis, as `align(AXIS = BYTES)` does.
    pub fn align_axis(self, axis: char, bytes: usize) -> Self {
        self.mark(&format!("align({axis} = {bytes})"))
    }

    /// Sets the distance of the steps of an axis, as `pitch(AXIS = BYTES)` does.
    pub fn pitch(self, axis: char, bytes: usize) -> Self {
        self.mark(&format!("pitch({axis} = {bytes})"))
    }

    /// Lets axes end inside of blocks, as `pad` does.
    pub fn pad(self) -> Self {
        self.mark("pad")
    }

    /// Lets an axis end inside of blocks, as `pad(AXIS = POLICY)` does: a value, `last` or `keep`.
    pub fn pad_axis(self, axis: char, policy: &str) -> Self {
        self.mark(&format!("pad({axis} = {policy})")).checked(policy)
    }

    /// Stores the highest bits first, as `high_first` does.
    pub fn high_first(self) -> Self {
        self.mark("high_first")
    }

    /// Adds a value rule, such as `d * (q - 8)`. It is the last mark.
    pub fn value(self, rule: &str) -> Self {
        self.mark(&format!("= {rule}")).checked(&rule.replace("<<", ""))
    }

    fn mark(mut self, text: &str) -> Self {
        self.content += " ";
        self.content += text;
        self
    }

    /// Sets extents by the letters of their axes.
    pub fn extents(mut self, extents: &[(char, usize)]) -> Self {
        for (axis, extent) in extents {
            let before = if self.extents.is_empty() { "" } else { ", " };
            self.extents += &format!("{before}{axis} = {extent}");
        }
        self
    }

    /// Records the error of a part with signs that would end it.
    fn checked(mut self, part: &str) -> Self {
        if self.error.is_none() && part.contains(['{', '}', ':', ';', ',', '=', '<']) {
            self.error = Some(RecordError::of_use(UseFault::Content(part)));
        }
        self
    }

    /// The text of the record in the notation of [`Record::parse`].
    pub fn text(&self) -> String {
        let Self { format, extents, content, .. } = self;
        let extents = if extents.is_empty() { String::new() } else { format!("<{extents}>") };
        let comma = if format.is_empty() && extents.is_empty() { "" } else { ", " };
        format!("{format}{extents}{comma}{content}{}", " }".repeat(self.open))
    }

    /// Returns the record. Groups without an end have theirs here.
    ///
    /// # Errors
    /// Those of [`Record::parse`], and parts with signs such as braces and commas.
    pub fn build(&self) -> Result<Record, RecordError> {
        self.error.map_or_else(|| Record::parse(&self.text()), Err)
    }

    /// Returns the record without the extents that are not set.
    ///
    /// # Errors
    /// Those of [`RecordTemplate::parse`], and those of [`build`](Self::build) about parts.
    pub fn template(&self) -> Result<RecordTemplate, RecordError> {
        self.error.map_or_else(|| RecordTemplate::parse(&self.text()), Err)
    }
}
