//! The error of records, and its place in a text.

use core::fmt;
use core::ops::Range;

use layout_core::reading::Cursor;
use layout_core::spec::{ListText, Message, Name};
use layout_core::{ElementType, LayoutError, Span};

use crate::record_rules::RecordRule;

/// A rule that is broken, and the item at fault.
pub(crate) type Broken = (RecordRule, usize);

/// A rule that is broken, and the part of the text at fault.
pub(crate) type MisplacedRule = (RecordRule, Span);

/// What can be wrong where a record is used: a buffer, a field of it, or a move to another record.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the sentences of the rules say it")]
pub enum UseFault<'a> {
    BufferLength { side: &'static str, buffer: usize, needed: usize, given: usize },
    BufferCount { side: &'static str, needed: usize, given: usize },
    Element(&'a str, ElementType, ElementType),
    Unaligned(&'a str, usize),
    Missing(&'a str),
    Away(&'a str),
    Elements(&'a str, ElementType, ElementType),
    Axes(&'a str),
    Padding(&'a str, &'a str),
    AddedBits(&'a str, &'a str),
    AddedField(&'a str),
    ChangedTwice(&'a str),
    ValueForm(&'a str),
    ValueTable(&'a str, ListText),
    UnknownQuantizer(&'a str, ListText),
    QuantizerRule(&'a str, &'a str),
    ValueAxes,
    ValueDigit(&'a str, bool),
    ValueBroadcast(&'a str, char, usize, usize),
    QuantizerInteger(ElementType),
    ValueUnnamed(&'a str),
    FieldRule(&'a str, &'a str),
    ValueShared(&'a str),
    UnusedValue(&'a str),
    QuantizerLevels(&'a str),
    ValueGroups,
    ValueAlike,
    ValueElement(ElementType),
    ValueBytes(ElementType),
}

/// The error of a text that is not a record, with the part of the text that is wrong, or of a question about a record.
///
/// ```
/// use tensor_layout::records::Record;
///
/// let error = Record::parse("MK<2, 64>, { d: f16, q: 16k 2k/32 u4 }").unwrap_err();
/// assert_eq!(error.range(), Some(28..33));
/// assert_eq!(
///     error.to_string(),
///     "byte 28: `2k/32`: the blocks of K below it cover 16 coordinates, not 32; leave the \
///      weight out, or change the blocks",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RecordError {
    rule: RecordRule,
    span: Option<Span>,
    piece: Name,
}

impl RecordError {
    pub(crate) const fn new(rule: RecordRule) -> Self {
        Self { rule, span: None, piece: Name::EMPTY }
    }

    /// The error of what is done with a record elsewhere.
    #[doc(hidden)]
    pub const fn of_use(fault: UseFault<'_>) -> Self {
        Self::new(match fault {
            UseFault::BufferLength { side, buffer, needed, given } => {
                RecordRule::BufferLength { side, buffer, needed, given }
            }
            UseFault::BufferCount { side, needed, given } => {
                RecordRule::BufferCount { side, needed, given }
            }
            UseFault::Element(field, element, asked) => RecordRule::FieldElement {
                field: Name::new(field),
                element: element.name(),
                asked: asked.name(),
            },
            UseFault::Unaligned(field, align) => {
                RecordRule::Unaligned { field: Name::new(field), align }
            }
            UseFault::Missing(field) => RecordRule::MovedMissing { field: Name::new(field) },
            UseFault::AddedField(field) => RecordRule::AddedField { field: Name::new(field) },
            UseFault::ChangedTwice(field) => RecordRule::ChangedTwice { field: Name::new(field) },
            UseFault::Away(field) => RecordRule::MovedAway { field: Name::new(field) },
            UseFault::Elements(field, from, to) => RecordRule::MovedElements {
                field: Name::new(field),
                from: from.name(),
                to: to.name(),
            },
            UseFault::Axes(field) => RecordRule::MovedAxes { field: Name::new(field) },
            UseFault::Padding(field, text) => {
                RecordRule::PadNumber { field: Name::new(field), text: Name::new(text) }
            }
            UseFault::AddedBits(field, text) => {
                RecordRule::AddedBits { field: Name::new(field), text: Name::new(text) }
            }
            _ => rule_of_values(fault),
        })
    }

    /// Two records whose tiles take different bytes.
    #[doc(hidden)]
    pub const IN_PLACE: Self = Self::new(RecordRule::InPlace);

    /// A part of a record with signs that would end it.
    #[doc(hidden)]
    pub const fn of_part(text: &str) -> Self {
        Self::new(RecordRule::ContentExpected { text: Name::new(text) })
    }

    /// A tensor type with the other order of bits.
    #[doc(hidden)]
    pub const fn of_bit_order(field: &str, element: ElementType, high: bool) -> Self {
        let (field, element) = (Name::new(field), element.name());
        Self::new(RecordRule::BitOrder { field, element, high })
    }

    /// A field of a struct, the bytes that it takes, and those of the field of the record, if elements fill them.
    #[doc(hidden)]
    pub const fn of_struct(
        field: &str,
        [start, end]: [usize; 2],
        own: Option<(usize, usize)>,
    ) -> Self {
        let field = Name::new(field);
        Self::new(match own {
            Some((own, own_end)) => RecordRule::StructField { field, start, end, own, own_end },
            None => RecordRule::StructBits { field },
        })
    }

    /// A struct with other bytes than a block, or a list of other fields.
    #[doc(hidden)]
    pub const fn of_struct_size(given: usize, needed: usize, fields: bool) -> Self {
        Self::new(match fields {
            true => RecordRule::StructFields { given, needed },
            false => RecordRule::StructSize { given, needed },
        })
    }

    pub(crate) const fn at(text: &str, (rule, span): MisplacedRule) -> Self {
        Self { rule, span: Some(span), piece: Name::new(Cursor::new(text).text(span)) }
    }

    /// The range of bytes that are wrong, if it is the error of a text. It is empty at the end of the text if something
    /// is missing there.
    pub const fn range(&self) -> Option<Range<usize>> {
        match self.span {
            Some(span) => Some(span.start..span.end),
            None => None,
        }
    }

    /// The fact and the remedy, without the position.
    pub const fn message(&self) -> Message {
        self.rule.message()
    }

    /// Panics with the message, in const evaluation or at run time.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }
}

/// The rule that a conversion of values breaks.
const fn rule_of_values(fault: UseFault<'_>) -> RecordRule {
    match fault {
        UseFault::ValueForm(rule) => RecordRule::ValueForm { rule: Name::new(rule) },
        UseFault::ValueTable(name, tables) => {
            RecordRule::ValueTable { name: Name::new(name), tables }
        }
        UseFault::UnknownQuantizer(name, quantizers) => {
            RecordRule::UnknownQuantizer { name: Name::new(name), quantizers }
        }
        UseFault::QuantizerRule(quantizer, rule) => {
            RecordRule::QuantizerRule { quantizer: Name::new(quantizer), rule: Name::new(rule) }
        }
        UseFault::ValueDigit(field, swizzled) => {
            RecordRule::ValueDigit { field: Name::new(field), swizzled }
        }
        UseFault::ValueBroadcast(field, axis, extent, whole) => {
            RecordRule::ValueBroadcast { field: Name::new(field), axis, extent, whole }
        }
        UseFault::QuantizerInteger(element) => {
            RecordRule::QuantizerInteger { element: element.name() }
        }
        UseFault::ValueUnnamed(field) => RecordRule::ValueUnnamed { field: Name::new(field) },
        UseFault::FieldRule(field, rule) => {
            RecordRule::FieldRule { field: Name::new(field), rule: Name::new(rule) }
        }
        UseFault::ValueShared(field) => RecordRule::ValueShared { field: Name::new(field) },
        UseFault::UnusedValue(name) => RecordRule::UnusedValue { name: Name::new(name) },
        UseFault::QuantizerLevels(rule) => RecordRule::QuantizerLevels { rule: Name::new(rule) },
        UseFault::ValueGroups => RecordRule::ValueGroups,
        UseFault::ValueAlike => RecordRule::ValueAlike,
        UseFault::ValueElement(element) => RecordRule::ValueElement { element: element.name() },
        UseFault::ValueBytes(element) => RecordRule::ValueBytes { element: element.name() },
        _ => RecordRule::ValueAxes,
    }
}

/// The error of a layout of a field.
impl From<LayoutError> for RecordError {
    fn from(error: LayoutError) -> Self {
        Self::new(RecordRule::Layout(error))
    }
}

/// Writes the position, if there is one, then the message.
impl fmt::Display for RecordError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message();
        let Some(Range { start, .. }) = self.range() else {
            return formatter.write_str(message.as_str());
        };
        write!(formatter, "byte {start}")?;
        // Some sentences begin with the part themselves.
        let rest = message.as_str().strip_prefix('`');
        let rest = rest.and_then(|rest| rest.strip_prefix(self.piece.as_str()));
        let is_named = rest.is_some_and(|rest| rest.starts_with('`'));
        if !self.piece.is_empty() && !is_named {
            write!(formatter, ", `{}`", self.piece)?;
        }
        write!(formatter, ": {message}")
    }
}

layout_core::debug_as_display!(RecordError);

impl core::error::Error for RecordError {}
