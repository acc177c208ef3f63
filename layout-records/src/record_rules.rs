//! The rules of records, each with its sentence: the fact with names and numbers, then the remedy after `;`.
//!
//! The placeholders are those of the rules of layouts, of which a program without records has no more.

use layout_core::LayoutError;
use layout_core::reading::{Template, Value};
use layout_core::spec::{ListText, Message, Name};

// One-word names for the types of fields.
type Axis = char;
type Count = usize;
type Is = bool;
type Word = &'static str;

macro_rules! value {
    (Axis, $field:ident) => {
        Value::Character(*$field)
    };
    (Count, $field:ident) => {
        Value::Number(*$field)
    };
    (Is, $field:ident) => {
        Value::Flag(*$field)
    };
    (Word, $field:ident) => {
        Value::Text($field)
    };
    ($text:ident, $field:ident) => {
        Value::Text($field.as_str())
    };
}

macro_rules! record_rules {
    ($(
        $rule:ident $({ $($field:ident: $kind:ident),+ })?
        $(where { $($name:ident: $value:expr),+ })? => $text:literal;
    )+) => {
        /// A broken rule of records with the values of its text.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum RecordRule {
            /// A rule of every layout.
            Layout(LayoutError),
            $($rule $({ $($field: $kind),+ })?,)+
        }

        impl RecordRule {
            /// The fact and the remedy.
            pub(crate) const fn message(&self) -> Message {
                match self {
                    Self::Layout(error) => error.message_in_macro(),
                    $(Self::$rule $({ $($field),+ })? => Template {
                        text: $text,
                        names: &[$($(stringify!($name),)+)? $($(stringify!($field),)+)?],
                    }.filled(&[
                        $($(Value::Number($value),)+)?
                        $($(value!($kind, $field),)+)?
                    ]),)+
                }
            }
        }

        /// The sentences.
        #[cfg(test)]
        const SENTENCES: &[Template] = &[$(Template {
            text: $text,
            names: &[$($(stringify!($name),)+)? $($(stringify!($field),)+)?],
        },)+];
    };
}

record_rules! {
    // Digits, and what they cover. `shared` is empty if the first field does not share by a weight.

    Covers { axis: Axis, first: Name, covered: Count, second: Name, other: Count, shared: Name }
        where { sharing: match other.checked_div(*covered) { Some(sharing) => sharing, None => 0 } } =>
        "axis {axis}: `{first}` covers {covered} coordinates of a block and `{second}` {other}; {shared?if {sharing} share one, write `{shared}`|both must cover the same}";
    CoversAll { axis: Axis, first: Name, second: Name } =>
        "axis {axis}: `{first}` covers all coordinates and `{second}` a block of them; write {axis} before the braces alone, or in both";
    Weight { digit: Name, axis: Axis, rest: Is, covered: Count, weight: Count } =>
        "`{digit}`: the blocks of {axis} {rest?in the braces|below it} cover {covered:coordinate|coordinates}, not {weight}; leave the weight out, or change the blocks";
    RestTwice { axis: Axis } => "axis {axis} stands inside the braces and again before them; write it once";
    SameList { axis: Axis } => "axis {axis} is written twice; keep one, and write a block of it as a number with a letter";
    Gap { field: Name, axis: Axis, digit: Name, covered: Count } =>
        "`{field}`: the blocks of {axis} below `{digit}` cover {covered:coordinate|coordinates}; write a weight of {covered}, so that blocks leave no gap and do not overlap";
    Reach { field: Name, axis: Axis, covered: Count, extent: Count, blocks: Name } =>
        "`{field}` covers {covered} of the {extent} coordinates of {axis}; write {axis} before the braces, or `{axis} {blocks}` in `{field}`";
    PieceSteps { field: Name, once: Is, digit: Name } =>
        "{once?`{field}` fixes one step of a block only|`{field}` is written several times}, but pieces of a field fix each step of one block once; write `{field}: {digit}[0] ..`, `{field}: {digit}[1] ..` and so on";
    PieceElements { field: Name } => "pieces of `{field}` differ in their elements, axes, blocks or buffers; write the same in all of them";
    StepRange { digit: Name, size: Count } => "`{digit}` fixes a step that the block does not have; write a step below {size}";
    NoOperand { digit: Name, field: Name, operand: Name } =>
        "`{digit}`: `{field}` has no block {operand}; write a block of another axis of `{field}`";
    OperandBlock { digit: Name } =>
        "`{digit}`: the second block is of the same axis, fixed, or changed itself; write a plain block of another axis";
    XorSizes { digit: Name } =>
        "`{digit}`: an XOR takes sizes that are powers of two, the second one at most the first; write such sizes, or add with `+` or `-`";

    // Places.

    StartBit { field: Name, element: Name, bit: Count, fill: Count } =>
        "`{field}` begins at bit {bit}, and {element} begins at bytes; write `_: u{fill}` before it";
    RepeatedBits { field: Name, element: Name, bits: Count, fill: Count } =>
        "a block with `{field}` in it is repeated after {bits} bits, and {element} begins at bytes; write `_: u{fill}` at the end of the block";
    BitOrders { field: Name, fill: Count, ends: Is } =>
        "fields of both orders of bits meet in a byte where `{field}` {ends?ends|begins}; write `_: u{fill}` {ends?at the end of the block|before it}, or `high_first` after all of them";
    ShortStep { axis: Axis, pitch: Count, bytes: Count } =>
        "`pitch({axis} = {pitch})`: a step takes {bytes:byte|bytes}; write at least {bytes}";
    WordBits { field: Name, bytes: Count, bits: Count } =>
        "`{field}` has words of {bytes:byte|bytes}, which {bits:bit|bits} do not fill; write blocks that fill words, and `align({bytes})` where these begin";
    TooLarge => "record takes more bytes than an address counts; write smaller extents, blocks or pitches";

    // Text.

    NoElement { field: Name } => "`{field}` has no element type; write one after the digits, such as `u4`";
    NumberAlone { number: Name } => "`{number}`: a number is followed by the letter of its axis; write a block such as `{number}k`";
    UnnamedField => "a field has no name; write one and `:` before it, or `_:` for bits that belong to no field";
    ContentExpected { text: Name } =>
        "`{text}` is not an axis, block, element type or group; write a field as in `q: 16k 2k/16 u4`, its digits before its element type";
    OpenGroup => "a group has no end; add its closing brace";
    EmptyGroup => "a group has no fields; write at least one, as in `d: f16`";
    AfterItem { text: Name } => "`{text}` follows a field; write a comma before another field";
    AfterRecord { text: Name } => "`{text}` follows the record; remove it, or write marks before `=` and without commas";
    InnerBuffers => "`;` puts items into a buffer each, and stands in the outermost braces alone; write a comma";
    MixedBuffers => "items are separated by commas and by `;`; write `;` between all of them for a buffer each, else commas";
    UnknownElement { name: Name } =>
        "unknown element type `{name}`; write bool, an integer of 1 to 64 bits such as i8 or u4, or a float such as f32, f16, bf16 or f8e4m3";
    LongName { name: Name } =>
        "name `{name}` takes more than 64 bytes with the names of the groups around it; write shorter ones";
    UnknownMark { name: Name } => "`{name}` is not a mark; write `align(..)`, `pitch(..)`, `words(..)`, `pad` or `high_first`, or a comma before another field";
    MarkForm { name: Word, form: Word } => "mark `{name}` is malformed; write {form}";
    MarkAxis { name: Word, axis: Axis, field: Name, pads: Is } =>
        "`{name}` of axis {axis}: {pads?the record has no such axis|`{field}` has no digit of {axis} of its own}; {pads?name one of its axes|write the mark after the item that has the digit}";
    WordsTwice { field: Name } => "`{field}` has `words(..)` twice, and one string of bits is cut once; keep one of them";
    WordsStep { name: Word, axis: Axis, field: Name } =>
        "`{name}` of axis {axis} and words along it both say where the next string of bits of `{field}` is; keep one of them";
    NoFields => "element type or fields are missing after the extents; write them after a comma, as in `MK<2, 64>, f16`";
    NoValue => "value rule is missing after `=`; write one such as `d * (q - 8)`, or remove `=`";
    ForeignElement { name: Name } => "`{name}` is an element type of a program; write one of the library, such as `u8`";
    NamedExtents { axis: Axis } => "axis {axis} is not in the format, so its extent needs a name; write `{axis} = ..`";
    ExtentsMissing { axis: Axis } => "axis {axis} has no extent; write the extents before the fields, as in `<{axis} = 64>`";
    OpenExtent => "extent `_` is not known, so the text is not a record yet; write the number";
    UnknownRecord { name: Name, near: Name } => "no record is named `{name}`; write one of the library, such as `{near}`, or write its fields";
    RenamedAxis { name: Name, axis: Axis } => "`{name}` has no axis {axis}; rename one of its own, as in `ggml::Q8_0(k = d)`";
    TooManyItems => "record has more than 44 fields, digits and marks; write a part of it as another record";
    TooManyDigits => "a field has more than 24 digits; write fewer blocks";
    TooMuchText => "names and value rules take more than 224 bytes; write shorter ones";
    TooManyPieces { field: Name } => "`{field}` has more than 10 pieces; write fewer";
    WideNumber => "a number takes more than 32 bits; write smaller blocks and weights";

    // Questions about a record.

    UnknownField { name: Name, fields: ListText } => "record has no field `{name}`; {fields?write one of {fields}|it has no named fields}";
    IndexCount { axes: Count, given: Count } =>
        "{given:index is|indices are} given for {axes:axis|axes}; write one for each axis, in coordinate order";
    IndexRange { axis: Axis, extent: Count, index: Count } =>
        "index {index} is out of bounds for axis {axis} of extent {extent}; write a number below {extent}";
    SplitElements { field: Name, bits: Is } =>
        "elements of `{field}` {bits?do not begin and end at bytes|begin at bytes that are not multiples of their size}; match on `layout` of the field, which has an axis of {bits?bits|bytes} more";
    HighBytes { field: Name } =>
        "elements of `{field}` have their highest byte first; match on `layout` of the field, which has an axis of bytes more";
    BitOrder { field: Name, element: Name, high: Is } =>
        "elements of `{field}` begin with their {high?highest|lowest} bit; ask for `{high?HighFirst<{element}>|{element}}`";
    ChangedDigit { field: Name } =>
        "a digit of `{field}` is added to another one, which no strides express; take places from `bit_offset`";
    UnevenPieces { field: Name, words: Is } =>
        "{words?words cut strings of bits of `{field}`|pieces of `{field}` lie at unequal distances}, which no strides express; {words?read elements through `RecordBuffer`, or move the field to one without words|take places from `bit_offset`}";
    MovedMissing { field: Name } =>
        "the destination has a field `{field}` and the source has none; add it with a value, or leave it out";
    MovedAway { field: Name } => "the source has a field `{field}` and the destination has none; drop it by name, or write it in both";
    MovedElements { field: Name, from: Name, to: Name } =>
        "elements of `{field}` are {from} in the source and {to} in the destination, and no constant step makes one of the other; write one type in both, or convert their values";
    MovedAxes { field: Name } =>
        "axes or extents of `{field}` differ between source and destination; write records of the same extents";
    PadNumber { field: Name, text: Name } =>
        "padding `{text}` of `{field}` is not a number that an element holds; write one, or `last` or `keep`";
    AddedBits { field: Name, text: Name } => "elements of `{field}` do not hold the bits {text}; write a value of their type";
    AddedField { field: Name } =>
        "the source has a field `{field}` too, whose elements the added value replaces; drop it, or leave the value out";
    ChangedTwice { field: Name } => "field `{field}` is added twice, or dropped twice; write the change once";
    InPlace =>
        "tiles of the two records take different bytes, so a move in place would overwrite elements before it reads them; move to another buffer";
    StaticPasses { field: Name, most: Count } =>
        "fields up to `{field}` and their padding take more than {most} moves at compile time; make a `RecordPlan` at run time";
    StructField { field: Name, start: Count, end: Count, own: Count, own_end: Count } =>
        "field `{field}` takes bytes {start} to {end} of the struct and bytes {own} to {own_end} of a block of the record; write the fields of both in one order, with the alignments of the struct, `align(4)` for f32";
    StructBits { field: Name } =>
        "elements of `{field}` do not lie one after another in whole bytes of a block, as those of a struct do; leave the field to the record";
    StructSize { given: Count, needed: Count } =>
        "the struct has {given:byte|bytes} and a block of the record {needed}; write `align(..)` of the widest field, or unused bits at the end";
    StructFields { given: Count, needed: Count } =>
        "{given:field is|fields are} named of a record of {needed}; name each of them once, in any order";
    BlockBits { bits: Count } =>
        "blocks of {bits:bit|bits} do not begin at bytes; write a block of more coordinates, or unused bits at its end";
    BufferLength { side: Word, buffer: Count, needed: Count, given: Count } =>
        "buffer {buffer} of the {side} has {given:byte|bytes} and needs {needed}; give one of that length";
    BufferCount { side: Word, needed: Count, given: Count } =>
        "{given:buffer is|buffers are} given for the {side}, which has {needed}; give one for each item that `;` separates";
    FieldElement { field: Name, element: Name, asked: Name } =>
        "elements of `{field}` are {element}, not {asked}; ask for {element}";
    Unaligned { field: Name, align: Count } =>
        "`{field}` does not begin at a multiple of {align} bytes; copy the buffer to aligned memory, or read elements with `field`";
    NoRule => "record has several fields and no value rule; write one after them, such as `= d * (q - 8)`";
    ValueWord { word: Name, rule: Name } =>
        "value rule `{rule}`: `{word}` is not a field, number, operator or table there; write a rule of fields such as `d * (q - 8)`, or give a destination the value of the name";
    ValueDepth => "value rule has more than 16 brackets in one another; write fewer";
    ValueForm { rule: Name } =>
        "value rule `{rule}` is not a scale that elements share times one code of at most 8 bits for each, plus a minimum; write one such as `d * (q - 8)` or `d * q + m`";
    ValueTable { name: Name, tables: ListText } => "no table is named `{name}`; write one of {tables}";
    UnknownQuantizer { name: Name, quantizers: ListText } => "no quantizer is named `{name}`; write one of {quantizers}";
    QuantizerRule { quantizer: Name, rule: Name } =>
        "quantizer `{quantizer}` does not fit the value rule `{rule}` and the types of its fields; choose another quantizer, or write a rule of one scale and one code";
    ValueAxes { from: Name, to: Name } =>
        "the source has axes {from} and the destination {to}; write the same letters";
    ValueExtents { axis: Axis, from: Count, to: Count } =>
        "axis {axis} has extent {from} in the source and {to} in the destination; write the same extent";
    Swizzled =>
        "a side is swizzled, which the tiles of a conversion do not follow; move the tensor to another layout first";
    ValueBroadcast { field: Name, axis: Axis, extent: Count, whole: Count } =>
        "`{field}` has {extent:coordinate|coordinates} of axis {axis} and the tensor {whole}, so they do not share them evenly; write an extent that divides {whole}, or leave the axis out";
    QuantizerInteger { element: Name } =>
        "the destination has integers {element} and no scale; write floats such as f32, or a value rule such as `d * q`";
    ValueUnnamed { field: Name } =>
        "value rule of the destination does not name `{field}`, and the source has no field of that name that the same elements share; write a rule of its own such as `= d * sum(q)`, or give it a value";
    FieldRule { field: Name, rule: Name } =>
        "`{rule}` of `{field}` is not computed of numbers, sums of the codes of its values and what elements share, or not in up to 32 bits, integers for integers; write a rule such as `d * sum(q)`, or give the field a value";
    ValueShared { field: Name } =>
        "several coordinates share {field?an element of `{field}`|an element}, and no rule makes values of it; give each an element of its own, or write a rule";
    UnusedValue { name: Name } => "no rule of a field of the destination names `{name}`; leave the value out";
    QuantizerLevels { rule: Name } =>
        "value rule `{rule}` has a scale of several fields, which no quantizer of its codes chooses; quantize to a rule of one scale such as `d * q` or of two levels such as `d * s * q`, or by the program that the record is from";
    ValueGroups =>
        "scales of the destination that a search finds, or that have sums beside them, are shared along several axes, or by other elements than their zero points, minima and sums; quantize to a record whose scales are shared along one axis, each by the same elements";
    ValueElement { element: Name } => "elements {element} are not numbers; choose a number such as f32";
    ValuePlaces { count: Count } =>
        "{count:element|elements} are converted at once, which share a scale or a digit that is added to others, and too many lie at unequal distances; move them to rows of plain elements first, or share a scale among fewer";
    ValueRuns { count: Count, most: Count } =>
        "scales of {count:group|groups} of elements are converted at once, since they share another one or blocks of the sides divide no smaller part, and at most {most} can be; share scales among fewer, or write blocks of which one divides the other";
    ValueLength { bytes: Count, most: Count } =>
        "a buffer of a side takes {bytes:byte|bytes}, more than the {most} of which a conversion counts the bits; convert parts of it";
    ValueBytes { element: Name } =>
        "elements {element} are not whole bytes side by side with the lowest one first, and take more than 8 bits, so no values are computed from them; move them to elements of whole bytes first";
    RowsEnd { axis: Axis, start: Count, end: Count, bytes: Count, needed: Count } =>
        "rows {start} to {end} of axis {axis} take {bytes:byte|bytes}, and a record of them {needed}, since its end is aligned; write rows up to such an end";
    RowsOutermost { axis: Axis } =>
        "axis {axis} is not the slowest of every buffer, so its rows are not a part of the buffers; write it first in all of them";
    SliceMoved { axis: Axis } =>
        "a slice of axis {axis} is no record over the same buffers, since fields have no name, words cut strings of bits along the axis, or it stands before the braces of buffers; take rows of the axis, or move it to another record first";
    SliceWide { axis: Axis, bytes: Count } =>
        "a slice of axis {axis} of a buffer of {bytes} bytes leaves more than 2^32 unused units of 63 bits; take rows of the axis, or slices of them";
    RowsRange { axis: Axis, start: Count, end: Count, extent: Count } =>
        "rows {start} to {end} are out of bounds for axis {axis} of extent {extent}; write a range up to {extent}";
    RowsBlock { axis: Axis, start: Count, end: Count, block: Count } =>
        "rows {start} to {end} of axis {axis} do not begin and end at whole blocks; write multiples of {block}, or the end of the axis";
}

#[cfg(test)]
mod tests {
    use super::SENTENCES;

    #[test]
    fn sentences_have_the_form_of_errors() {
        for template in SENTENCES {
            let sentence = template.text;
            assert!(template.is_valid(), "{sentence}");
            assert!(!sentence.starts_with(char::is_uppercase), "{sentence}");
            assert!(!sentence.ends_with('.') && sentence.contains("; "), "{sentence}");
            assert!(sentence.matches('`').count() % 2 == 0, "{sentence}");
        }
    }
}
