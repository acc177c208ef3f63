//! Every rule and its text: the fact with names and numbers, then the remedy after `;`.
//!
//! [`template`](super::template) explains the placeholders. `macro` is true if the reader writes `layout!` rather than
//! functions. A `where` clause computes the values that are not fields of the rule. Code panics with a rule marked
//! `#[panics]`.

use core::fmt;

use super::element::ElementType;
use super::factor::{Letters, MAX_FACTORS, MAX_RANK};
use super::rule_texts::{own_type, rules};
use super::rule_values::{
    EXPRESSION, above, above_block, are_halves, below, bits_of, braced, bytes_of, converts,
    covered, hexadecimal, letters, lower, most_of_slice, named, names, next_start, numbers,
    order_of, pairs, per_byte, range_of, signed, types, unknown_pairs, value, value_of, wide,
};
use super::template::{Pieces, Reader, Step, Steps, Template, Value};
use super::text::{ListText, Message, Name, same_text};

// One-word names for the types of fields.
type Address = u64;
type Bits = u64;
type Count = Option<usize>;
type Element = ElementType;
type Elements = &'static [ElementType];
type Index = [u32; MAX_RANK];
type Names = &'static [&'static str];
type Str = &'static str;

rules! {
    // Formats.
    FormatCharacter { format: Name, character: char } =>
        "format `{format}` contains `{character}`; write a letter for each axis and a number with a letter for each block, such as `NCHW4c`";
    NumberWithoutLetter { format: Name, number: usize, example: Name } =>
        "number {number} in `{format}` has no letter; name the axis of the block, such as `{example}`";
    EmptyBlock { letter: char } where { lower: lower(*letter) } =>
        "block `0{lower}` has size 0; write a block of at least 1, or remove it";
    RepeatedAxis { letter: char } where { lower: lower(*letter) } =>
        "axis `{letter}` appears twice; keep one, and write a block of the axis as a number with a letter, such as `4{lower}`";
    BlockWithoutAxis { letter: char, size: usize } where { lower: lower(*letter) } =>
        "block `{size}{lower}` divides axis `{letter}`, which the format does not name; add `{letter}` to the format, or remove the block";
    BlockTooLarge { format: Name } => "a block of `{format}` does not fit in `usize`; write a smaller block";
    AxisWeight { letter: char } where { lower: lower(*letter) } =>
        "axis `{letter}` has a weight, but only blocks have weights; remove the `/` and its number, or write a block such as `4{lower}/32`";
    WeightExpected { format: Name, letter: char, size: usize }
        where { block: Value::Text(Name::of_block(*letter, *size, 1).as_str()), lower: lower(*letter) } =>
        "block `{block}/` in `{format}` has no weight; write the number of coordinates in one step of the block, such as `{size}{lower}/32`";
    WeightEnd { weight: usize, letter: char } =>
        "weight {weight} runs into `{letter}`; write a space after the weight, such as `4r/32 4c`";
    ZeroWeight { letter: char } where { lower: lower(*letter) } =>
        "a block of axis `{letter}` has weight 0; write the number of coordinates in one step of the block, such as `4{lower}/32`";
    BlockOverlap { letter: char, size: usize, weight: usize, below: usize, below_weight: usize }
        where { covered: Value::Number(covered(*below, *below_weight)), block: Value::Text(Name::of_block(*letter, *size, *weight).as_str()),
            inner: Value::Text(Name::of_block(*letter, *below, *below_weight).as_str()), right: Value::Text(above_block(*letter, *size, *below, *below_weight).as_str()) } =>
        "blocks `{inner}` and `{block}` overlap: one step of `{block}` is {weight:coordinate|coordinates} of axis `{letter}`, but `{inner}` covers {covered}; write `{right}`, or smaller blocks";
    // `below` is 0 where no block has a smaller weight.
    BlockGap { letter: char, size: usize, weight: usize, below: usize, below_weight: usize }
        where { covered: Value::Number(covered(*below, *below_weight)), block: Value::Text(Name::of_block(*letter, *size, *weight).as_str()),
            inner: Value::Text(Name::of_block(*letter, *below, *below_weight).as_str()), right: Value::Text(above_block(*letter, *size, *below, *below_weight).as_str()),
            fits: Value::Flag(*weight % covered(*below, *below_weight) == 0),
            between: Value::Text(above_block(*letter, *weight / covered(*below, *below_weight), *below, *below_weight).as_str()) } =>
        "blocks of axis `{letter}` leave a gap: one step of `{block}` is {weight} coordinates, but {below?`{inner}` covers {covered}|there is no smaller block}; write `{right}`{fits?, or add the block `{between}`}";
    AxisWithoutFactor { letter: char } => "axis `{letter}` is missing from the format; add `{letter}` to it";
    TooManyAxes where { most: Value::Number(MAX_RANK) } => "layout has more than {most} axes; merge axes that are adjacent in memory";
    TooManyFactors where { most: Value::Number(MAX_FACTORS) } =>
        "layout has more than {most} axes and blocks; merge axes that are adjacent in memory, or remove blocks";

    // Axes and extents.
    ExtentCount { format: Name, axes: Letters, given: usize } =>
        "format `{format}` has {axes:axis|axes}{axes? ({axes})} but {given:extent is|extents are} given; {axes?write one extent for each axis, in this order|remove the extents}";
    NamedExtentCount { format: Name, axes: Letters, given: usize }
        where { named: Value::Text(unknown_pairs(*axes, format.as_str()).as_str()) } =>
        "format `{format}` has {axes:axis|axes} ({axes}) but {given:extent is|extents are} given; name each: `{named}`";
    ExtentOrder { list: ListText, first: Letters, second: Letters }
        where { format: Value::Text(value_of(list, 0)), one: Value::Text(pairs(list, *first).as_str()), other: Value::Text(pairs(list, *second).as_str()) } =>
        "extents of `{format}` could be read in two orders; write `{one}` or `{other}`";
    OpenOrder { first: Letters, second: Letters }
        where { pairs: Value::Text(named(*second).as_str()) } =>
        "extents {first} of this type could be given in another order, {second}; call `with_extents([{pairs}])`";
    ExtentPlace { letter: char, place: char } where { braced: Value::Text(braced(*letter).as_str()) } =>
        "`{letter}` stands at the place of {place}; write `{place} = {letter}`, or `{braced}`";
    #[panics] UnknownAxis { name: Name, axes: Letters } =>
        "layout has no axis `{name}`; {axes?write one of {axes}|remove it, since a scalar has no axes}";
    UnknownPosition { position: usize, axes: Letters } where { last: Value::Number(axes.count().saturating_sub(1)) } =>
        "layout has no axis at position {position}; {axes?write 0 to {last}, or one of {axes}|a scalar has no axes}";
    AxisLetter { letter: char } => "axis `{letter}` is not an upper-case ASCII letter; name axes A to Z";
    RepeatedName { letter: char } => "axis `{letter}` is given twice; keep one";
    KnownNumber { what: Str, letter: char, number: usize } => "axis `{letter}` has {what} {number} already; leave it out";
    MissingNumber { what: Str, letter: char } => "axis `{letter}` has no {what}; add `{macro?{letter} = ..|('{letter}', ..)}`";
    UnknownNumber { what: Str, letter: char } => "{what} of axis `{letter}` is not known, so this is no layout yet; {macro?write the number|give the number, or call `template`}";
    NoPitch { letter: char, axes: Letters } => "axis `{letter}` has no pitch written `_`; {axes?write one of {axes}|leave it out}";
    PitchOfExtents { letter: char } => "pitch of axis `{letter}` is known only at run time, and extents do not say it; make the layout by `with_extents_and_pitches`, and move into a tensor of it";
    OpenPitch { extents: Letters, axes: Letters }
        where { first: Value::Text(named(*extents).as_str()), second: Value::Text(named(*axes).as_str()) } =>
        "numbers of this type are extents and pitches; call `with_extents_and_pitches([{first}], [{second}])`";
    ZeroExtent { letter: char } => "axis `{letter}` has extent 0, so the tensor has no elements; write an extent of at least 1";
    NotDivisible { letter: char, extent: usize, block: usize }
        where { below: below(*extent, *block), above: above(*extent, *block) } =>
        "axis `{letter}` has extent {extent}, which is not a multiple of its block {block}; write {below?{below}{above? or }}{above}, or add the option `pad` to store the rest of the last block as padding";
    #[panics] CoordinateCount { axes: Letters, given: usize } =>
        "coordinate has {given:index|indices} but the layout has {axes:axis|axes} ({axes?{axes}|none}); write one index for each axis, in this order";
    // `axes` is empty if the axis is named.
    #[panics] OutOfBounds { letter: char, extent: usize, coordinate: usize } where { last: Value::Number(extent.saturating_sub(1)) } =>
        "coordinate {coordinate} is out of bounds for axis `{letter}` of extent {extent}; {extent?write 0 to {last}|index only tensors whose `numel()` is not 0}";
    #[panics] Coordinate { axes: Letters, letter: char, extent: usize, coordinate: usize }
        where { last: Value::Number(extent.saturating_sub(1)), order: Value::Text(order_of(*axes).as_str()) } =>
        "coordinate {coordinate} is out of bounds for axis `{letter}` of extent {extent}{axes?, in coordinates [{order}]}; {extent?write 0 to {last}|index only tensors whose `numel()` is not 0}";

    // Elements.
    UnknownElement { name: Name }
        where { known: Value::Text(ElementType::names_for_foreign(name.as_str()).as_str()) } =>
        "unknown element type `{name}`; write {known?`{known}`|bool, an integer such as i8 or u4, a float such as f32, f16, bf16 or f8e4m3, or a type that implements `PlainElement`}";
    ElementSize { bytes: usize, align: usize } =>
        "an element of {bytes:byte|bytes} with alignment {align} cannot be stored in an array; use a type of at least 1 byte whose alignment is a power of two that divides its size";
    HighFirst { element: Element } where { bytes: bytes_of(*element) } =>
        "option `high_first` orders the elements that share a byte, but `{element}` takes {bytes:byte|bytes}; remove the option, or write an element type of less than a byte, such as `u4`";
    Fill { bits: Bits, element: Element } =>
        "fill {bits} does not fit in one `{element}`; write the bits of one element, or 0 for a type of your own";
    RecastWidth { from: Element, to: Element } where { a: Value::Number(from.bits()), b: Value::Number(to.bits()) } =>
        "elements of type `{from}` and `{to}` have {a} and {b} bits, and neither is a multiple of the other; write a type whose width is a multiple or a divisor of {a} bits";
    RecastParts { from: Element, to: Element, parts: usize, letter: char } =>
        "one `{to}` element takes {parts} `{from}` elements, but those along axis `{letter}` are not contiguous in groups of {parts}; recast along an axis of stride 1, with extents and strides that are multiples of {parts}";
    FillOfAnother { bits: Bits, element: Element } =>
        "padding holds {bits} as `{element}`, which is another value in another element type; make a layout of the new element type with its own `pad`";

    // Strides, alignments and sizes.
    StrideCount { axes: Letters, given: usize } =>
        "{given:stride is|strides are} given for {axes:axis|axes} ({axes?{axes}|none}); write one stride for each axis, in this order";
    NamedStrideCount { axes: Letters, given: usize }
        where { named: Value::Text(unknown_pairs(*axes, "").as_str()) } =>
        "{given:stride is|strides are} given for {axes:axis|axes} ({axes}); name each: `strides = {named}`";
    StrideOrder { list: ListText, first: Letters, second: Letters }
        where { one: Value::Text(pairs(list, *first).as_str()), other: Value::Text(pairs(list, *second).as_str()) } =>
        "strides could be read in two orders; write `strides = {one}` or `strides = {other}`";
    BlockStrideName => "strides of a format with blocks have no names; write one for each axis and block, in the order of the format";
    Overlap { axes: Letters, first: Index, second: Index, exact: bool }
        where { one: Value::Text(numbers(first.split_at(axes.count()).0).as_str()), other: Value::Text(numbers(second.split_at(axes.count()).0).as_str()) } =>
        "{exact?coordinates {one} and {other}|two coordinates} share an offset; write strides that give every coordinate its own offset{macro?|, or copy the elements to another buffer first}";
    OverlapUnknown { steps: usize } =>
        "could not prove in {steps} steps that no two coordinates share an offset; make every stride larger than the span of all smaller ones";
    ZeroStride { letter: char, extent: usize } =>
        "axis `{letter}` has stride 0, so its {extent} coordinates share an offset; write another stride, or {macro?add the option `broadcast({letter})`|call `broadcast('{letter}')`} if they should";
    BroadcastStride { letter: char, stride: Name } =>
        "axis `{letter}` is broadcast but has stride {stride}; write stride 0, or remove `broadcast`";
    BroadcastBlock { letter: char } => "axis `{letter}` is broadcast but has blocks; remove its blocks, or remove `broadcast`";
    StridesWith { other: Name } => "explicit strides cannot be combined with {other}; remove one of the two";
    ByteStride { letter: char, bytes: isize, element: Element } where { size: bytes_of(*element) } =>
        "axis `{letter}` has byte stride {bytes}, which is not a multiple of the element size; write a multiple of {size}";
    Alignment { bytes: usize, element: Element }
        where { size: bytes_of(*element), example: Value::Number(element.bits().div_ceil(8).saturating_mul(16)) } =>
        "alignment {bytes?of {bytes:byte|bytes} is not a multiple of the element size|is 0}; write a multiple of {size:byte|bytes}{bytes?|, such as {example}}";
    Pitch { bytes: usize, element: Element } where { size: bytes_of(*element) } =>
        "pitch {bytes?of {bytes:byte|bytes} is not a multiple of the element size|is 0}; write a multiple of {size:byte|bytes}";
    OptionWith { name: Str, other: Str } => "option `{name}` cannot be combined with {other}; remove one of the two";
    PitchAlign { bytes: usize, align: usize } => "pitch of {bytes:byte|bytes} is not a multiple of the alignment of its axis, {align:byte|bytes}; write a multiple, or remove one of the two";
    ShortPitch { bytes: usize, row: usize } => "pitch of {bytes:byte|bytes} is shorter than its rows of {row:byte|bytes}; write at least {row}";
    OddRow { letter: char, length: usize, element: Element }
        where { bits: bits_of(*element), even: are_halves(*element), per_byte: per_byte(*element) } =>
        "rows of {length:element|elements} along axis `{letter}` end in the middle of a byte, since `{element}` has {bits:bit|bits}; make the rows {even?even|a multiple of {per_byte}}, or add the option `pad` to round them up to whole bytes";
    OddStride { letter: char, stride: isize, element: Element }
        where { bits: bits_of(*element), even: are_halves(*element), per_byte: per_byte(*element) } =>
        "axis `{letter}` has stride {stride}, which is not a whole number of bytes, since `{element}` has {bits:bit|bits}; write {even?an even stride|a multiple of {per_byte}}, 1 or -1";
    TooLarge { element: Element } where { most: Value::Number(isize::MAX as usize), bits: Value::Number(element.bits()), share: Value::Flag(element.bits() < 8) } =>
        "layout takes more than `isize::MAX` {share?elements|bytes} ({most}) at {bits} bits per element; write smaller extents, alignments or strides";

    // Lanes.
    NoLanes { letter: char } => "axis `{letter}` is distributed over 0 lanes; write the number of lanes of the accelerator";
    StartLane { letter: char, start: usize, lanes: usize } where { last: Value::Number(lanes.saturating_sub(1)) } =>
        "start lane {start} of axis `{letter}` is out of bounds for {lanes:lane|lanes}; write 0 to {last}";
    LanesOrder { letter: char } =>
        "lanes of axis `{letter}` are not the first factor; write one factor with lanes, before all others";
    LanesTwice { letter: char } =>
        "axis `{letter}` is already distributed over lanes; keep these lanes, or use a layout without them";
    LaneShare { length: usize, lanes: usize } =>
        "{length:element is|elements are} not shared equally by {lanes:lane|lanes}; write a number of lanes that divides {length}";
    LaneBytes { lanes: usize, len: usize, element: Element } where { bits: bits_of(*element) } =>
        "each of {lanes:lane|lanes} holds {len:element that ends|elements that end} in the middle of a byte, since `{element}` has {bits:bit|bits}; write fewer lanes, or longer axes";
    BroadcastLanes { letter: char } =>
        "axis `{letter}` is both broadcast and distributed over lanes; remove `broadcast`, or distribute another axis";
    Width { letter: char, extent: usize, width: usize } =>
        "width {width} of axis `{letter}` is out of bounds for extent {extent}; write a width of 1 to {extent}";

    // Text, and options that are malformed.
    FormatExpected => "expected a format and its extents; write them as in `NCHW4c<1, 64, 56, 56>, i8`";
    NotationVersion { version: Name, known: usize } =>
        "text is in version {version} of the notation and this library reads version {known}; read it with a newer version of tensor-layout";
    FormatMacro => "text cannot name a format of your own, which is a macro; write its letters, such as `NCHW4c`";
    ExtentsExpected => "expected the extents of the format; write them as in `NCHW<1, 3, 224, 224>`";
    ElementExpected =>
        "expected `,` and an element type after the extents; write them as in `NCHW<1, 3, 224, 224>, f32`";
    ExtentsNotClosed => "the list of extents has no end; add `>`";
    ListNotClosed => "the list of values has no end; add `)` or `]`";
    ValueExpected where { expression: Value::Text(EXPRESSION) } =>
        "expected a value; write a literal, or in `layout!` a const or `{expression}`";
    CommaExpected => "expected `,` between two values; add it";
    NameSign { letter: char, value: Name } => "`=` is missing between axis `{letter}` and its number; write `{letter} = {value}`";
    OptionExpected => "expected `,` and an option; write them as in `, pad`";
    MixedNames { what: Str, named: bool } => "named and positional {what} are mixed; name all of them{named?| or none}";
    NotWhole { what: Str, least: usize, text: Name } where { expression: Value::Text(EXPRESSION) } =>
        "{what} `{text}` is not an integer of at least {least}; write a literal, or in `layout!` a const or `{expression}`";
    NotAnInteger { what: Str, text: Name } where { expression: Value::Text(EXPRESSION) } =>
        "{what} `{text}` is not an integer; write a literal, or in `layout!` a const or `{expression}`";
    PastUsize { what: Str, text: Name } where { most: Value::Number(usize::MAX) } =>
        "{what} `{text}` does not fit in `usize`; write at most {most}";
    PastIsize { what: Str, text: Name } where { least: Value::Text(signed(isize::MIN).as_str()), most: Value::Number(isize::MAX as usize) } =>
        "{what} `{text}` does not fit in `isize`; write {least} to {most}";
    Suffix { what: Str, text: Name, suffix: Name } => "{what} `{text}` has type `{suffix}`; write the number without it";
    PadValue { text: Name, element: Element, number: bool } where { range: Value::Text(range_of(*element).as_str()) } =>
        "pad value {text} does not {number?fit in|have type} `{element}`; write {range}";
    PadOfPlain =>
        "pad values need an element type of this crate; write `pad`, which fills the padding of your own type with zero bytes";
    UnknownOption { name: Name } =>
        "unknown option `{name}`; write one of `pad`, `pad = VALUE`, `strides = [..]`, `align(AXIS = BYTES)`, `pitch(AXIS = BYTES)`, `broadcast(AXIS)`, `lanes(AXIS, LANES, start = LANE)`, `swizzle(B, M, S)`, `high_first`, `coordinates(AXES)`, `from START of LENGTH`, `len = LENGTH`, `overlap`, or a storage such as `bm1684x::aligned`";
    RepeatedOption { name: Name } => "option `{name}` is given twice; keep one";
    OptionForm { name: Str, form: Str } => "option `{name}` is malformed; write {form}";
    TwoStorages => "two storages are given; keep one";
    LanesAndStorage => "option `lanes` cannot be combined with a storage, which has its own lanes; remove one of the two";
    StorageForm { path: Name, storage: Str, width: bool, start: bool } =>
        "storage `{storage}` is malformed; write {width?`{path}(w = WIDTH)` or `{path}(w = WIDTH, start = LANE)`|{start?`{path}` or `{path}(start = LANE)`|`{path}`}}";
    BlockPosition { letter: char, position: usize, block: usize } =>
        "axis `{letter}` starts at position {position} in a block of {block}; write a position below the size of its blocks";
    FactorStrides { format: Name, factors: usize, given: usize } =>
        "{given:stride is|strides are} given for {factors:axis and block|axes and blocks} of `{format}`; write one stride for each, in this order";
    WithoutStrides { name: Str } => "option `{name}` needs strides; add the option `strides = [..]`";
    OutsideOfBuffer { length: usize } => "strides and extents reach outside a buffer of {length:element|elements}; write another start or a longer buffer";
    PartsOutside { length: usize } => "an axis of the view starts or ends inside a block, so parts may lead outside a buffer of {length:element|elements}; index by coordinates, or slice it to whole blocks";
    WithinBuffer { start: usize, span: usize, length: usize } => "tensor spans {span:element|elements}, which do not fit in a buffer of {length} from element {start} on; write a lower start or a longer buffer";
    StridesNotNested => "a stride is smaller than the space of the faster axes and blocks; write a larger one, or `from START of LENGTH` for a view";
    SwizzledOutside { span: usize, length: usize } => "swizzle may move elements up to offset {span}, but the buffer has {length:element|elements}; write a buffer of {span} elements or more";
    LengthTooShort { length: usize } => "strides and extents take more than {length:element|elements}; write a longer `len`";
    LanesNotFirst { letter: char, lanes: usize } where { lower: Value::Character(letter.to_ascii_lowercase()) } =>
        "with explicit strides, lanes are the first block of the format; begin it with `{lanes}{lower}`";
    BufferStart { given: usize, least: usize } => "alignment of the buffer, {given:byte|bytes}, is not a power of two of at least {least}; write {least}, or a larger power of two";
    CoordinateOrder { given: Letters, axes: Letters } => "coordinates ({given?{given}|none}) do not list all axes ({axes}); name each once";

    // Views.
    MissingAxis { letter: char } => "axis `{letter}` is missing; name every axis once";
    NoAxes => "no axis is given; name the axes to merge, slowest first";
    TakenLetter { letter: char } => "axis `{letter}` already exists; give the new axis another letter";
    NewPosition { letter: char, position: usize, rank: usize } =>
        "position {position} of new axis `{letter}` is out of bounds for {rank:axis|axes}; write 0 to {rank}";
    ViewRank { letter: char } where { most: Value::Number(MAX_RANK) } =>
        "new axis `{letter}` exceeds the maximum of {most} axes; merge or index another axis first";
    ViewBlocks { letter: char } where { most: Value::Number(MAX_FACTORS) } =>
        "blocks of axis `{letter}` exceed the maximum of {most} axes and blocks in one layout; index another axis first, or move the tensor to another format first";
    ZeroStep { letter: char } =>
        "slice of axis `{letter}` has step 0; write another step, or use `index`, `unsqueeze` and `broadcast` to repeat one coordinate";
    Slice { letter: char, extent: usize, start: usize, step: isize, length: usize }
        where { inside: Value::Flag(*start < *extent), most: Value::Number(most_of_slice(*extent, *start, *step)) } =>
        "slice of {length:coordinate|coordinates} from {start} in steps of {step} is out of bounds for axis `{letter}` of extent {extent}; {extent?{inside?take at most {most}|start below {extent}}|take 0 coordinates from 0}";
    SliceBlock { letter: char, block: usize, step: isize } =>
        "axis `{letter}` has blocks of {block}, and steps of {step} land at different positions in each block; write a step that divides the block or is a multiple of it, or move the tensor to another format first";
    Split { letter: char, extent: usize, at: usize } =>
        "split at {at} is out of bounds for axis `{letter}` of extent {extent}; write 0 to {extent}";
    Tile { letter: char, extent: usize, given: Count } where { counted: Value::Flag(given.is_some()) } =>
        "axis `{letter}` has extent {extent} but the tiles hold {counted?{given:coordinate|coordinates}|more coordinates than `usize` can count}; write extents whose product is {extent}";
    // `block` is the block that the tiles would cut, and `size` the coordinates of a tile, both with the axes inside
    // them. `start` is the start of the axis in its block if that is the reason, else 0.
    TileBlock { letter: char, block: usize, size: usize, start: usize }
        where { first: Value::Number(next_start(*start, *block, *size, 1)) } =>
        "axis `{letter}` {start?starts at position {start} in a block of {block}, where no tile of {size} starts; slice axis `{letter}` from {first}|has blocks of {block}, which tiles of {size} would cut; write tiles that divide the block or are a multiple of it}, or move the tensor to another format first";
    MergeBlock { letter: char, extent: usize, block: usize } =>
        "axis `{letter}` of extent {extent} starts or ends inside a block of {block}, so it can only be the slowest of the merged axes; name it first, slice it to whole blocks, or move the tensor to another format first";
    Reshape { count: usize, given: Count } where { counted: Value::Flag(given.is_some()) } =>
        "layout has {count:coordinate|coordinates} but the new extents hold {counted?{given}|more than `usize` can count}; write extents whose product is {count}";
    // The same as `TileBlock`, for the old axes of the new one: `slowest`, and others in it with `inside` coordinates.
    ReshapeBlock { letter: char, size: usize, block: usize, start: usize, slowest: char, inside: usize }
        where { first: Value::Number(next_start(*start, *block, *size, *inside)) } =>
        "new axis `{letter}` ends after {size:coordinate|coordinates}, {start?but the old axes start at position {start} in a block of {block}; slice axis `{slowest}` from {first}|which cuts the old axes' blocks of {block}; write extents whose products divide the block or are a multiple of it}, or move the tensor to another format first";
    Broadcast { letter: char, extent: usize } =>
        "axis `{letter}` has extent {extent}, and only extent 1 can be broadcast; use `index` and `unsqueeze` first";
    DiagonalOfOne { letter: char } => "both axes of the diagonal are `{letter}`; name two different axes";
    DiagonalBlock { first: char, second: char } =>
        "blocks of axes `{first}` and `{second}` do not divide each other; slice both axes inside one block, or move the tensor to another format first";
    Interleaved { letter: char } =>
        "parts of axis `{letter}` interleave in memory, so two slices cannot hold them; split the slowest axis, or move the tensor to another format first";
    EmptyChunk { letter: char } => "chunks of axis `{letter}` have 0 coordinates; write at least 1";
    ComposeSpan { span: usize, count: usize } =>
        "inner layout spans {span:element|elements} but the outer layout has {count:coordinate|coordinates}; use an inner layout that spans at most {count}";
    ComposeBlock { letter: char, block: usize } =>
        "steps along axis `{letter}` of the inner layout land at different positions in the outer layout's blocks of {block}; write strides and extents that divide the block, or move the tensor to another format first";

    WindowSize { letter: char, extent: usize, size: usize } =>
        "window of {size:coordinate|coordinates} does not fit axis `{letter}` of extent {extent}; {extent?write 1 to {extent}|take windows only of tensors whose `numel()` is not 0}";
    WindowBlock { letter: char, block: usize } =>
        "axis `{letter}` has blocks of {block}, so its windows are not a view; move the tensor to a format without blocks of the axis first";

    // Complements of tiles.
    LongPeriod { letter: char, most: usize } =>
        "steps along axis `{letter}` land at positions in blocks that do not repeat within {most} coordinates; take at most {most} coordinates, write steps that divide a block or are a multiple of it, or move the tensor to another format first";
    TileEmpty { letter: char } =>
        "axis `{letter}` of the tile has extent 0, so tiles cover no elements; write an extent of at least 1";
    TilePart { letter: char, extent: usize, block: usize } =>
        "axis `{letter}` of the tile, of extent {extent}, starts or ends inside a block of {block}, so tiles would leave gaps; use a tile of whole blocks";
    TileBroadcast { letter: char } =>
        "axis `{letter}` of the tile is broadcast, so its elements would count twice; index the axis first";
    TileStart { start: usize } => "tile begins at offset {start}; use a tile that begins at offset 0";
    TileStride { letter: char, stride: usize, span: usize } =>
        "axis `{letter}` of the tile has stride {stride}, which is not a multiple of the {span:element|elements} that its faster axes span; write a multiple of {span}";
    TileCount { size: usize, count: usize } =>
        "tile takes {size:element|elements}, which do not divide {count}; write a multiple of {size}";

    // Inverses.
    InversePart { letter: char, extent: usize, block: usize } =>
        "axis `{letter}` of extent {extent} starts or ends inside a block of {block}, so it has no inverse; slice it to whole blocks, or move the tensor to another format first";
    InverseStart { start: usize } =>
        "layout begins at offset {start}, but inverses count from 0; use a layout that begins at offset 0";
    InverseBroadcast { letter: char } =>
        "axis `{letter}` is broadcast, so an offset does not determine its index; index the axis first, or use `right_inverse`";
    InverseStride { letter: char, stride: usize, span: usize } =>
        "axis `{letter}` has stride {stride}, which is not a multiple of the {span:element|elements} that faster axes span; write a multiple of {span}, or use `right_inverse`";

    // Layout types.
    TypeElement { needed: Element, given: Element } =>
        "layout holds `{given}` but its type holds `{needed}`; make a layout of `{needed}`, or write `{given}` in the type";
    TypeAxes { needed: Letters, given: Letters } =>
        "layout has axes {given?{given}|none} but its type has {needed?{needed}|none}; make a layout with the axes of the type in its order, or write the layout's axes in the type";
    TypeExtent { letter: char, needed: usize, given: usize, permuted: bool } =>
        "axis `{letter}` has extent {given} but its type has {needed}{permuted?, whose extents are the same in another order}; {permuted?name the extents, as in `{letter} = {needed}`, or list them in coordinate order|make a layout of extent {needed}, or write `_` in the type}";
    TypeOrder { needed: Name, given: Name } where { same: Value::Flag(same_text(needed.as_str(), given.as_str())) } =>
        "layout {same?and its type are both `{needed}` but differ in padding, alignment or strides; move the tensor with a relayout, or write the layout's options in the type|`{given}` and its type `{needed}` place elements differently; move the tensor with a relayout, or write the layout's format and options in the type}";
    TypeLength { needed: usize, given: usize } =>
        "layout takes a buffer of {given:element|elements} but its type takes {needed}; move the tensor to its own buffer with a relayout, or write the layout's padding or alignment in the type";
    TypeRank { needed: usize, given: Letters } where { rank: Value::Number(given.count()) } =>
        "layout has {given:axis|axes} ({given?{given}|none}) but its type has {needed}; make a layout of rank {needed}, or write rank {rank} in the type";

    // Relayouts and conversions.
    ConstantTooLong { steps: usize, most: usize } =>
        "this relayout takes about {steps} steps of const evaluation, more than the limit of {most}; move the tensor in parts, pack it from a file with `include_tensor!`, or move it at run time with `run`";
    ArrayOnStack { bytes: usize, most: usize } =>
        "an array of {bytes:byte|bytes} would pass through the stack, more than the limit of {most}; write `tensor` or `Tensor::zeroed`, whose tensors lie on the heap, or move with `tensors` to a `static` that begins as `ZEROED`";
    RelayoutAxes { source: Letters, destination: Letters } =>
        "source has axes {source?{source}|none} but destination has {destination?{destination}|none}; use layouts with the same axes";
    RelayoutExtent { letter: char, source: usize, destination: usize, permuted: bool } =>
        "axis `{letter}` has extent {source} in the source but {destination} in the destination{permuted?, whose extents are the same in another order}; {permuted?name the extents on both sides, as in `{letter} = {source}`, or list them in coordinate order|{macro?write the same extent on both sides, with the option `pad` on a side that stores more|slice the longer one, or store more than the extent with the option `pad`}}";
    RelayoutElement { source: Element, destination: Element } =>
        "source holds `{source}` but destination holds `{destination}`; write the same element type on both sides, or convert the elements{macro? with `convert = Conversion::cast()` after the layouts|, as `convert` does}";
    RelayoutOverlap =>
        "coordinates of the destination share elements, so it cannot hold every element of the source; {macro?remove its `broadcast`|move to the layout before `broadcast` or `windows`, or `index` the axis}";
    NotANumber { element: Element } => "no conversion reads or writes `{element}`; convert its elements before or after the relayout";
    Conversion { conversion: Name, source: Element, destination: Element }
        where { converts: Value::Text(converts(conversion.as_str())) } =>
        "`{conversion}` converts {converts}, not `{source}` to `{destination}`; change one of the two types, or use `cast`";
    Wrapping => "`wrapping` is for `cast` and `offset` between integers, and the results of other conversions stay in range; leave it out";
    ParameterCount { parameters: Name, letter: char, extent: usize, given: usize } => "axis `{letter}` has extent {extent} but the number of {parameters} is {given}; write one for each coordinate of the axis";
    Scale { index: usize } => "scale at index {index} is not a positive finite number; write the size of one step of the quantized integer";
    UnsignedScale { element: Element } => "scales can be derived for signed integers only, not for `{element}`; use `Conversion::quantize` with a scale and a zero point";
    NotFinite { index: usize } => "element {index} of the buffer is not finite, so no scale can be derived; use `Conversion::quantize` with a scale, or replace the number";
    NumberForEach { letter: char, extent: usize } =>
        "tensor has no elements, so the {extent} coordinates of axis `{letter}` get no scales or sums of their own; {macro?remove the axis, for one scale of the whole tensor|pass `None` for one of the whole tensor}, or pass a tensor with elements";
    SumElement { element: Element } => "only integers of up to 32 bits can be summed, not `{element}`; quantize the tensor, or convert it first";
    FixedPoint { parameter: Name, value: i32, index: usize, least: i32, most: i32, element: Element }
        where { value: Value::Text(signed(*value as isize).as_str()), least: Value::Text(signed(*least as isize).as_str()), most: Value::Number(*most as usize) } =>
        "{parameter} {value} at index {index} is out of range for `{element}`; write a number from {least} to {most}, such as `FixedPoint::factor` returns";
    ActivationRange { low: i32, high: i32, element: Element }
        where { low: Value::Text(signed(*low as isize).as_str()), high: Value::Text(signed(*high as isize).as_str()), range: Value::Text(range_of(*element).as_str()) } =>
        "{low} to {high} is not a range of `{element}`; write two of its numbers, the smaller first, each {range}";
    ZeroPoint { value: i32, element: Element } => "zero point {value} is out of range for `{element}`; write the integer that represents 0.0";

    // Relayouts in place.
    InPlaceSubByte { element: Element } where { bits: bits_of(*element) } =>
        "elements of `{element}` have {bits:bit|bits}, but a relayout in place moves whole bytes; move the tensor to another buffer with `run` or `relayout`";
    InPlaceSwizzle { element: Element } where { bytes: bytes_of(*element) } =>
        "elements of `{element}` take {bytes:byte|bytes}, but a relayout in place of a swizzled layout moves units of a power of two; move the tensor to another buffer with `run` or `relayout`";
    InPlaceShared { letter: char } =>
        "coordinates along axis `{letter}` share elements of the source, so the destination needs more elements; move the tensor to another buffer with `run` or `relayout`";
    InPlaceGaps { side: Name, bytes: usize, elements: usize } =>
        "{side} takes {bytes:byte|bytes} but its elements take {elements}, and a relayout in place needs a layout without padding or gaps; move the tensor to another buffer with `run` or `relayout`";
    InPlaceReversed { letter: char } =>
        "axis `{letter}` is reversed, but a relayout in place needs positive strides; move the tensor to another buffer with `run` or `relayout`";
    InPlaceBlocks { letter: char, smaller: usize, larger: usize } =>
        "axis `{letter}` has blocks of {smaller} and of {larger}, which do not divide each other; move the tensor in place to a format without blocks of this axis first, or to another buffer with `run` or `relayout`";
    InPlaceLoops { most: usize } =>
        "a relayout in place is one nest of at most {most} loops, but this one needs more loops or more nests; move the tensor to another buffer with `run` or `relayout`";

    // Buffers.
    UnitSize { needed: usize, given: usize } =>
        "buffers hold units of {given:byte|bytes} but the layouts take units of {needed:byte|bytes}; pass buffers of the element type, or of `u8` for elements of less than a byte";
    #[panics] BufferLength { buffer: Str, needed: usize, given: usize } =>
        "{buffer} has length {given} but its layout takes {needed}; pass a buffer of length {needed}";
    BufferTail { needed: usize, given: usize } =>
        "buffer has length {given} but its layout takes {needed}, with padding after the last element; pass a buffer of length {needed}, or write `pitch(..)` in place of `align(..)` if the buffer ends with the last element";
    BufferBytes { needed: usize, given: usize } =>
        "buffer has {given:byte|bytes} but its layout takes {needed}; pass exactly {needed:byte|bytes}";
    // No element needs an alignment above 16.
    BufferAlignment { address: Bits, needed: usize } where { rows: Value::Flag(*needed > 16) } =>
        "buffer begins at address {address}, which is not a multiple of {needed:byte|bytes}, the alignment of its layout; copy it to an aligned tensor of `tensor!(..)` or `Tensor::zeroed`{rows?, or write `pitch(..)` in place of `align(..)` if only the distance of rows is given}";
    HolderAlignment { given: usize, needed: usize } =>
        "buffer is in a value that may move and is aligned to {given:byte|bytes}, but its layout needs an alignment of {needed}; use an aligned tensor of `tensor!(..)` or `Tensor::zeroed`";
    PromisedAlignment { given: usize, needed: usize } =>
        "buffer is aligned to {given:byte|bytes} by its type, but its layout needs an alignment of {needed}; pass it to `Tensor::new`, which checks its address, or own it as `tensor!(..)`";
    #[panics] Allocation { bytes: usize, align: usize } =>
        "could not allocate {bytes:byte|bytes} aligned to {align}; use a smaller tensor, or free memory";
    // Rows and panels: parts that an index of digits selects. `digit` counts from 0.
    #[panics] NoDigit { letter: char, weight: usize } =>
        "axis `{letter}` has no digit of {weight:coordinate|coordinates}; write 1, the product of its innermost blocks, or that of all its blocks";
    DigitCount { digits: usize, given: usize } =>
        "index has {given:number|numbers} but the layout has {digits:digit|digits}; write one for each of the slowest digits in memory order, such as `[n, c, h]` of NCHW4";
    #[panics] DigitIndex { letter: char, digit: usize, size: usize, index: usize } =>
        "index {index} is out of bounds for digit {digit} of the memory order, which is of axis `{letter}` and has {size:value|values}; write a number below {size}, which counts blocks if the axis has blocks";
    RowGap { letter: char, stride: isize, space: usize } =>
        "axis `{letter}` has stride {stride}, but the faster digits take {space:element|elements}, so a row has gaps; index this axis too, or take the elements with `part`";
    RowBlocks { digits: usize, length: usize } =>
        "row without the {digits} slowest digits has {length:element|elements}, fewer than its type, since an axis in it has blocks; index the blocks of that axis too, or take them with `panel`";
    #[panics] Window { letter: char, start: usize, length: usize, extent: usize } where { last: Value::Number(extent.saturating_sub(*length)) } =>
        "window of {length:coordinate|coordinates} from {start} on is out of bounds for axis `{letter}` of extent {extent}; begin at {last} or lower";
    #[panics] WindowStart { letter: char, start: usize, block: usize } =>
        "coordinate {start} of axis `{letter}` is inside a block of {block}; begin at a multiple of {block}, or use `view`";
    RowStride { letter: char, stride: isize } =>
        "axis `{letter}` has stride {stride}, so its elements are not a slice; take the axis of stride 1, or move the tensor to another format first";
    ZipAxes { number: usize, given: Letters, last: Letters } =>
        "tensor {number} of the zip has axes {given} but the last has {last}; use tensors of the same axes";
    ZipExtent { letter: char, number: usize, given: usize, last: usize, order: Letters } =>
        "axis `{letter}` has extent {given} in tensor {number} of the zip but {last} in the last{order?, whose extents are the same in another order}; {order?name the extents of tensor {number}, which are those of {order}, or list them in coordinate order|`slice` the longer one}";
    SharedElements { letter: char } =>
        "coordinates along axis `{letter}` share elements, so each would change more than once; index the axis, or change the elements before `broadcast` or `windows`";

    // Chips, storages and local memory.
    UnknownChip { name: Name, known: Names } =>
        "unknown chip `{name}`; write {known}, or in `layout!` the path of a `Chip` constant of your own";
    NoMemory { name: Name, remedy: Str } => "chip `{name}` has no valid memory; give it {remedy}";
    UnknownStorage { name: Name, known: Names } => "unknown storage `{name}`; write {known}";
    // `expected` is empty if any format of `axes` axes is allowed.
    StorageFormat { storage: Str, format: Name, expected: Str, axes: usize }
        where { example: Value::Text(if *axes == 1 { "N" } else { "MN" }) } =>
        "storage `{storage}` does not take format `{format}`; write {expected?`{expected}`|a format of {axes:axis|axes} without blocks, such as `{example}`}";
    // `axes` is 0 if there are too many steps.
    StorageSteps { storage: Str, lanes: bool, axes: usize } where { last: Value::Number(axes.saturating_sub(1)) } =>
        "storage `{storage}` has steps that do not form a memory order; {lanes?write `Step::Lanes` once, as the first step|{axes?write `Step::Rest` once for each axis, numbered 0 to {last}|write 1 to 16 steps, with a `Step::Rest` for each axis}}";
    StorageElement { storage: Str, name: Name, known: Elements } =>
        "storage `{storage}` does not take element type `{name}`; write {known}";
    StorageArgument { storage: Str, argument: Str, takes: bool } =>
        "storage `{storage}` {takes?needs argument `{argument}`; {macro?add `({argument} = ..)`|pass it}|has no argument `{argument}`; remove it}";
    LaneCount { tensor: Name, chip: Name, lanes: usize, needed: usize } =>
        "tensor `{tensor}` is {lanes?distributed over {lanes:lane|lanes}|not distributed over lanes}, but `{chip}` has {needed}; give its layout a storage of that chip, such as `{chip}::aligned`";
    LaneCapacity { tensor: Name, address: usize, needs: usize, has: usize, lane: usize } =>
        "tensor `{tensor}` takes {needs:byte|bytes} of lane {lane}{address? from byte {address}}, but a lane has {has}; split the tensor, or distribute it over more lanes{address?, or write a lower address}";
    AddressAlignment { tensor: Name, address: usize, alignment: usize }
        where { below: below(*address, *alignment), above: above(*address, *alignment) } =>
        "tensor `{tensor}` begins at byte {address}, but needs a multiple of {alignment}; write {below}{above? or {above}}";
    // `end` is the byte after the last shared one.
    LocalOverlap { tensor: Name, other: Name, start: usize, end: usize } where { last: Value::Number(*end - 1) } =>
        "tensors `{tensor}` and `{other}` both take bytes {start} to {last}; write another address, or remove it to have one chosen";
    SharedBank { tensor: Name, other: Name, bank: usize } =>
        "tensors `{tensor}` and `{other}` share bank {bank} but must be apart; write another address, or remove it to have one chosen";
    NoRoom { tensor: Name, needs: usize, has: usize } =>
        "no free space was found for tensor `{tensor}`, which needs {needs} of the {has:byte|bytes} of a lane; make tensors smaller, or keep fewer apart";
    InPlaceBytes { tensor: Name, other: Name, needs: usize, has: usize } =>
        "tensor `{tensor}` takes {needs:byte|bytes}, but `{other}`, in whose place it is written, takes {has}; remove `in place`";
    // `several` says that there are other memories, where some of the tensors may lie.
    MemoryBytes { memory: Name, has: usize, needs: usize, bound: usize, several: bool }
        where { huge: Value::Flag(*needs == usize::MAX), fits: Value::Flag(*bound <= *has) } =>
        "tensors in memory `{memory}` {huge?are too large to add up; make them smaller|need {needs:byte|bytes}, but it has {has}; {fits?give addresses by hand, since a plan may need as few as {bound}|{several?these tensors never need fewer than {bound}: make the memory larger, or put some in another, `NAME: LAYOUT in MEMORY`|no plan needs fewer than {bound}: make the memory larger, or tensors smaller}}}";
    TransferLanes { local: bool } =>
        "{local?local side of a transfer is not distributed over lanes; give its layout a storage of the chip, such as `bm1684x::aligned`|global side of a transfer is distributed over lanes; use a layout without lanes}";
    AddressRange { tensor: Name, address: Address, bytes: Address, last: Address }
        where { most: Value::Text(wide(*last - (*bytes - 1)).as_str()) } =>
        "tensor `{tensor}` begins at byte {address} and takes {bytes} bytes, so it ends after the last address; write at most {most}";
    TransferSubByte { element: Element } where { even: are_halves(*element) } =>
        "transfer moves whole bytes, but {even?pairs of `{element}` elements|the `{element}` elements of a byte} do not stay adjacent; move them on the host, or use a global layout with the same blocks";

    // Swizzles, and accesses of memory.
    SwizzleStart { start: usize, period: usize } =>
        "start {start} is not a multiple of {period:element|elements}, the period of the swizzle; write a multiple of {period}";
    SwizzleShift { bits: usize, shift: isize } where { most: Value::Number(shift.unsigned_abs()), below: Value::Flag(*shift < 0) } =>
        "swizzle of {bits:bit|bits} has shift {shift}, so the bits that it reads and those that it changes overlap; {below?write a shift of at most -{bits}|write a shift of at least {bits}}, or at most {most} bits";
    SwizzleRange { bits: usize, base: usize, shift: isize } =>
        "swizzle ({bits}, {base}, {shift}) uses bits above those of the largest offset; write smaller numbers, such as (3, 3, 3)";
    SwizzleUnit { base: usize, element: Element } where { bytes: bytes_of(*element), whole: Value::Flag(element.bits().is_power_of_two()), least: Value::Number((element.bits() / 8).trailing_zeros() as usize) } =>
        "swizzle of units of 2^{base} bytes splits elements of type `{element}`, which take {bytes:byte|bytes}; {whole?write a base of at least {least}|write the swizzle in elements}";
    SwizzlePhases { vec: usize, per_phase: usize, max_phase: usize } =>
        "swizzle has vec = {vec}, per_phase = {per_phase} and max_phase = {max_phase}, which must be powers of two; write numbers such as vec = 8, per_phase = 1 and max_phase = 8";
    SwizzleRow { groups: usize, vec: usize, row: usize } where { power: Value::Flag(row.is_power_of_two()) } =>
        "swizzle moves {groups} groups of {vec:element|elements} within a row, but rows of {row:element|elements} are {power?shorter; write a `vec * max_phase` of at most {row}, or longer rows|not a power of two; write `swizzle(B, M, S)`, or rows of a power of two}";
    SwizzleLanes { letter: char } =>
        "axis `{letter}` is distributed over lanes, which a swizzle would mix; remove the swizzle or the lanes";
    UnknownSwizzle { name: Name, known: Names } =>
        "`{name}` is not the name of a swizzle; write {known}, or `swizzle(B, M, S)`";
    RepeatedSwizzle => "layout has two swizzles; keep one";
    Swizzled { operation: Str } => "{operation} cannot take a layout with a swizzle; move the tensor to a layout without one first";
    AccessLanes { lanes: usize, most: usize } =>
        "access has {lanes:lane|lanes}; write an access of 1 to {most} lanes for each instruction";
    AccessBytes { lane: usize, apart: usize } =>
        "the elements of lane {lane} are not contiguous: two in a row are {apart:element|elements} apart; let each lane read contiguous elements, or make one access for each element";
    AccessSubByte { lane: usize, offset: usize } =>
        "lane {lane} reads elements from {offset} that begin or end inside a byte; let each lane read whole bytes";
    AccessEmpty => "access has 0 bytes for each lane; let each lane read at least one byte";
    AccessFragment => "fragment is not distributed over lanes; write the option `lanes(32)`, or use `Layout::over_lanes`";
    AccessRegisters { end: usize, registers: usize } =>
        "registers end at {end}, but each lane of the fragment holds {registers}; write a range within 0..{registers}";
    AccessPadding { lane: usize, register: usize } =>
        "register {register} of lane {lane} holds padding; write a fragment without padding";
    AccessSize { bytes: usize, most: usize } => "access has {bytes:byte|bytes} for each lane; let each lane read at most {most}";
}
