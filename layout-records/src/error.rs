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

/// The value of a rule that follows from one of a fault.
macro_rules! converted {
    ($value:ident) => {
        $value
    };
    ($value:ident, $of:path) => {
        $of($value)
    };
}

macro_rules! use_faults {
    ($($fault:ident $(($($field:ident: $type:ty $(=> $of:path)?),+))? => $rule:ident;)+) => {
        /// What can be wrong where a record is used: a buffer, a field of it, or a move to another record.
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(missing_docs, reason = "the sentences of the rules say it")]
        pub enum UseFault<'a> {
            $($fault $(($($type),+))?,)+
        }

        impl UseFault<'_> {
            #[inline(always)]
            const fn rule(self) -> RecordRule {
                match self {
                    $(Self::$fault $(($($field),+))? => RecordRule::$rule $({
                        $($field: converted!($field $(, $of)?)),+
                    })?,)+
                }
            }
        }
    };
}

use_faults! {
    BufferLength(side: &'static str, buffer: usize, needed: usize, given: usize) => BufferLength;
    BufferCount(side: &'static str, needed: usize, given: usize) => BufferCount;
    Element(field: &'a str => Name::new, element: ElementType => ElementType::name, asked: ElementType => ElementType::name) => FieldElement;
    Unaligned(field: &'a str => Name::new, align: usize) => Unaligned;
    Missing(field: &'a str => Name::new) => MovedMissing;
    Away(field: &'a str => Name::new) => MovedAway;
    Elements(field: &'a str => Name::new, from: ElementType => ElementType::name, to: ElementType => ElementType::name) => MovedElements;
    Axes(field: &'a str => Name::new) => MovedAxes;
    Padding(field: &'a str => Name::new, text: &'a str => Name::new) => PadNumber;
    AddedBits(field: &'a str => Name::new, text: &'a str => Name::new) => AddedBits;
    AddedField(field: &'a str => Name::new) => AddedField;
    ChangedTwice(field: &'a str => Name::new) => ChangedTwice;
    ValueForm(rule: &'a str => Name::new) => ValueForm;
    ValueTable(name: &'a str => Name::new, tables: ListText) => ValueTable;
    UnknownQuantizer(name: &'a str => Name::new, quantizers: ListText) => UnknownQuantizer;
    QuantizerRule(quantizer: &'a str => Name::new, rule: &'a str => Name::new) => QuantizerRule;
    ValueAxes(from: &'a str => Name::new, to: &'a str => Name::new) => ValueAxes;
    ValueExtents(axis: char, from: usize, to: usize) => ValueExtents;
    Swizzled => Swizzled;
    ValueBroadcast(field: &'a str => Name::new, axis: char, extent: usize, whole: usize) => ValueBroadcast;
    QuantizerInteger(element: ElementType => ElementType::name) => QuantizerInteger;
    ValueUnnamed(field: &'a str => Name::new) => ValueUnnamed;
    FieldRule(field: &'a str => Name::new, rule: &'a str => Name::new) => FieldRule;
    ValueShared(field: &'a str => Name::new) => ValueShared;
    UnusedValue(name: &'a str => Name::new) => UnusedValue;
    QuantizerLevels(rule: &'a str => Name::new) => QuantizerLevels;
    ValueGroups => ValueGroups;
    ValueElement(element: ElementType => ElementType::name) => ValueElement;
    ValueBytes(element: ElementType => ElementType::name) => ValueBytes;
    ValuePlaces(count: usize) => ValuePlaces;
    ValueRuns(count: usize, most: usize) => ValueRuns;
    ValueLength(bytes: usize, most: usize) => ValueLength;
    InPlace => InPlace;
    StaticPasses(field: &'a str => Name::new, most: usize) => StaticPasses;
    Part(text: &'a str => Name::new) => ContentExpected;
    BitOrder(field: &'a str => Name::new, element: ElementType => ElementType::name, high: bool) => BitOrder;
    StructField(field: &'a str => Name::new, start: usize, end: usize, own: usize, own_end: usize) => StructField;
    StructBits(field: &'a str => Name::new) => StructBits;
    StructSize(given: usize, needed: usize) => StructSize;
    StructFields(given: usize, needed: usize) => StructFields;
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
    pub(crate) rule: RecordRule,
    span: Option<Span>,
    piece: Name,
}

impl RecordError {
    pub(crate) const fn new(rule: RecordRule) -> Self {
        Self { rule, span: None, piece: Name::EMPTY }
    }

    /// A result without the item at fault.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub(crate) const fn without_place<T: Copy>(result: Result<T, Broken>) -> Result<T, Self> {
        match result {
            Ok(value) => Ok(value),
            Err((rule, _)) => Err(Self::new(rule)),
        }
    }

    /// The error of what is done with a record elsewhere. A program has what its own faults need alone.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn of_use(fault: UseFault<'_>) -> Self {
        Self::new(fault.rule())
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
