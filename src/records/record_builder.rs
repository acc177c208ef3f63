//! Records built by calls: the notation, a part at a time.

use alloc::format;
use alloc::string::String;

use layout_records::{Record, RecordError, UseFault};
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
///     .mark("align(64)")
///     .extents(&[('P', 4), ('S', 16), ('D', 64)]);
/// let text = "P<P = 4, S = 16, D = 64>, { k: S D { d: f16, q: 32d i8 } = d * q, v: S D f16 } align(64)";
/// assert_eq!(page.build()?, Record::parse(text)?);
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
    /// That of the first part that would end what is around it.
    error: Option<RecordError>,
}

impl RecordBuilder {
    /// Begins a record with these digits before its fields, such as `MK`, or none. Its fields follow one another in one
    /// buffer.
    pub fn new(format: &str) -> Self {
        let (extents, content) = (String::new(), String::from("{"));
        let format = String::from(format);
        let new = Self { format, extents, content, open: 1, separator: ",", error: None };
        let format = new.format.clone();
        new.checked(&format)
    }

    /// Puts each of the outermost fields and groups into a buffer of its own.
    pub fn in_buffers(self) -> Self {
        Self { separator: ";", ..self }
    }

    /// Adds a field with its digits, such as `16k 2k/16`, and its element type. A field `_` is unused bits.
    pub fn field(self, name: &str, digits: &str, element: ElementType) -> Self {
        self.item(name, digits, element.name().as_str())
    }

    /// Begins a group of fields, which `digits` repeat. The name is that before the names of its fields, or empty.
    pub fn group(self, name: &str, digits: &str) -> Self {
        let new = self.item(name, digits, "{");
        Self { open: new.open + 1, ..new }
    }

    /// Ends the group that began last, or the record itself. What follows is about all of it.
    pub fn end(mut self) -> Self {
        self.content += " }";
        Self { open: self.open.saturating_sub(1), ..self }
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

    /// Adds a mark to the last field, or to the group that has just ended: `align(4)`, `pitch(H = 64)`, `pad`,
    /// `pad(K = last)` or `high_first`.
    pub fn mark(mut self, mark: &str) -> Self {
        self.content += &format!(" {mark}");
        self.checked(&mark.replacen('=', "", 1))
    }

    /// Adds a value rule, such as `d * (q - 8)`, after all marks.
    pub fn value(mut self, rule: &str) -> Self {
        self.content += &format!(" = {rule}");
        self.checked(&rule.replace("<<", ""))
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
            self.error = Some(RecordError::of_use(UseFault::Part(part)));
        }
        self
    }

    /// The text of the record in the notation of [`Record::parse`]. Groups without an end have theirs here.
    pub fn text(&self) -> String {
        let Self { format, extents, content, .. } = self;
        let extents = if extents.is_empty() { String::new() } else { format!("<{extents}>") };
        let comma = if format.is_empty() && extents.is_empty() { "" } else { ", " };
        format!("{format}{extents}{comma}{content}{}", " }".repeat(self.open))
    }

    /// Returns the record. [`text`](Self::text) is that of a template too.
    ///
    /// # Errors
    /// Those of [`Record::parse`], and parts with signs such as braces and commas.
    pub fn build(&self) -> Result<Record, RecordError> {
        self.error.map_or_else(|| Record::parse(&self.text()), Err)
    }
}
