//! Every rule and its text: the fact with names and numbers, then what to write instead.
//!
//! `macro` in a template is true where the reader writes `layout!`. What a template needs besides
//! the fields of its rule is computed behind `where`.

use super::element::ElementType;
use super::factor::{Letters, MAX_FACTORS, MAX_RANK};
use super::format::Format;
use super::template::{Reader, Value, fill};
use super::text::{Message, Name, same_text};

// What the fields of rules are, by one word each.
type Address = u64;
type Bits = u64;
type Count = Option<usize>;
type Element = ElementType;
type Elements = &'static [ElementType];
type Index = [u32; MAX_RANK];
type Names = &'static [&'static str];
type Str = &'static str;

/// The value of a field in a template.
macro_rules! value {
    (Address, $field:ident) => {
        Value::Wide(*$field)
    };
    (Bits, $field:ident) => {
        Value::Bits(*$field)
    };
    (Count, $field:ident) => {
        match *$field {
            Some(count) => Value::Number(count),
            None => Value::Flag(false),
        }
    };
    (Element, $field:ident) => {
        Value::Text($field.name().as_str())
    };
    (Elements, $field:ident) => {
        Value::Elements($field)
    };
    (Index, $field:ident) => {
        Value::Indices($field)
    };
    (Letters, $field:ident) => {
        Value::Letters(*$field)
    };
    (Name, $field:ident) => {
        Value::Text($field.as_str())
    };
    (Names, $field:ident) => {
        Value::Names($field)
    };
    (Str, $field:ident) => {
        Value::Text($field)
    };
    (bool, $field:ident) => {
        Value::Flag(*$field)
    };
    (char, $field:ident) => {
        Value::Character(*$field)
    };
    (i32, $field:ident) => {
        Value::Signed(*$field as isize)
    };
    (isize, $field:ident) => {
        Value::Signed(*$field)
    };
    (usize, $field:ident) => {
        Value::Number(*$field)
    };
}

macro_rules! rules {
    ($(
        $rule:ident $({ $($field:ident: $kind:ident),+ })?
        $(where { $($name:ident: $value:expr),+ })? =>
        $text:literal;
    )+) => {
        /// A rule that is broken, with what its text names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the texts say what rules and fields are")]
        pub enum Rule {
            $($rule $({ $($field: $kind),+ })?,)+
        }

        impl Rule {
            /// The text for `reader`.
            pub(super) const fn message(&self, reader: Reader) -> Message {
                let mut message = Message::EMPTY;
                let is_macro = Value::Flag(matches!(reader, Reader::Macro));
                match self {
                    $(Self::$rule $({ $($field),+ })? => fill(&mut message, $text, &[
                        ("macro", is_macro),
                        $($((stringify!($name), $value),)+)?
                        $($((stringify!($field), value!($kind, $field)),)+)?
                    ]),)+
                }
                message
            }
        }

        /// The rules' templates, and the names that each may use.
        #[cfg(test)]
        pub(super) const TEMPLATES: &[(&str, &[&str])] = &[$(($text, &[
            "macro", $($(stringify!($name),)+)? $($(stringify!($field),)+)?
        ]),)+];
    };
}

rules! {
    // Formats.

    FormatCharacter { format: Name, character: char } =>
        "format `{format}` contains `{character}`; write letters for axes and a number with a letter for each block, such as `NCHW4c`";
    NumberWithoutLetter { format: Name, number: usize, letter: char }
        where { example: Value::Text(block_named(format, *number, *letter).as_str()) } =>
        "number {number} in `{format}` has no letter; name the axis it blocks, such as `{example}`";
    EmptyBlock { letter: char } where { lower: Value::Character(letter.to_ascii_lowercase()) } =>
        "block `0{lower}` holds no positions; write a block of at least 1 or remove it";
    RepeatedAxis { letter: char } where { lower: Value::Character(letter.to_ascii_lowercase()) } =>
        "axis `{letter}` appears twice; keep one, and write a block of it as a number with a letter, such as `4{lower}`";
    BlockWithoutAxis { letter: char, size: usize } where { lower: Value::Character(letter.to_ascii_lowercase()) } =>
        "block `{size}{lower}` has no axis; add `{letter}` where the rest of the axis lies, or block an axis that is there";
    BlockTooLarge { format: Name } =>
        "a block of `{format}` does not fit `usize`; write a smaller one";
    AxisWithoutFactor { letter: char } =>
        "axis `{letter}` has no place in memory; add it to the format";
    TooManyAxes where { most: Value::Number(MAX_RANK) } =>
        "layout has more than {most} axes; merge axes that stay together";
    TooManyFactors where { most: Value::Number(MAX_FACTORS) } =>
        "layout has more than {most} axes and blocks; merge those that stay together";
    UnknownOrder { axes: Letters }
        where { fields: Value::Named(*axes, Reader::Macro), pairs: Value::Named(*axes, Reader::Function) } =>
        "the coordinate order of axes {axes} is not known; name the extents in that order: `{macro?<{fields}>|Layout::builder(..).named_extents(&[{pairs}])}`";

    // Axes and extents.

    ExtentCount { format: Name, axes: Letters, given: usize } =>
        "layout `{format}` names {axes:axis|axes}{axes? ({axes})} but {given:extent is|extents are} given; write one extent for each axis, in this order";
    UnknownAxis { name: Name, axes: Letters } =>
        "there is no axis `{name}`; {axes?write one of {axes}|the layout has no axes}";
    UnknownPosition { position: usize, axes: Letters } where { last: Value::Number(axes.count().saturating_sub(1)) } =>
        "there is no axis at position {position}; {axes?write 0 to {last}, or one of {axes}|the layout has no axes}";
    AxisLetter { letter: char } =>
        "axis `{letter}` is not an upper-case ASCII letter; name axes by A to Z";
    RepeatedName { letter: char } =>
        "axis `{letter}` is given twice; keep one";
    MissingExtent { letter: char } =>
        "axis `{letter}` has no extent; add `{macro?{letter} = ..|('{letter}', ..)}`";
    UnknownExtent { letter: char } =>
        "extent of axis `{letter}` is not known; write {macro?it, or find it at run time with `_` in `layout!`|`Length::Runtime` of it}";
    ZeroExtent { letter: char } =>
        "axis `{letter}` has extent 0, so the tensor holds nothing; write an extent of at least 1";
    NotDivisible { letter: char, extent: usize, block: usize }
        where { below: Value::Number(*extent / *block * *block), above: match (*extent / *block * *block).checked_add(*block) { Some(above) => Value::Number(above), None => Value::Text("a smaller extent") } } =>
        "axis `{letter}` has extent {extent}, which is not a multiple of its block {block}; write {below?{below} or }{above}, or {macro?add the option `pad` to|have `Layout::padded`, `contiguous_padded` or the option `pad`} store the rest of the last block as padding";
    CoordinateCount { axes: Letters, given: usize } =>
        "coordinate has {given:index|indices} for {axes:axis|axes} ({axes?{axes}|none}); write one index for each, in this order";
    Coordinate { letter: char, extent: usize, coordinate: usize } =>
        "axis `{letter}` has extent {extent}{extent? but the coordinate is {coordinate}; write one below the extent|, so there is no coordinate {coordinate} nor any other; index tensors whose `count()` is not 0}";

    // Elements.

    UnknownElement { name: Name }
        where { known: match ElementType::name_for_foreign(name.as_str()) { Some(known) => Value::Text(known), None => Value::Text("") } } =>
        "unknown element type `{name}`; {known?write `{known}`|element types are i4, u4, i8 to i64, u8 to u64, f16, bf16, f32, f64, f8e4m3, f8e5m2, and types that implement `PlainElement`}";
    ElementSize { bytes: usize, align: usize } =>
        "element of {bytes:byte|bytes} with alignment {align} cannot be stored; use a type of at least one byte, whose alignment is a power of two and divides its size";
    Fill { bits: Bits, element: Element } =>
        "fill of bits {bits} is not one element of `{element}`; write bits that fit it, or 0 for a type of your own";

    // Strides, alignments and sizes.

    StrideCount { axes: Letters, given: usize } =>
        "{given:stride is|strides are} given for {axes:axis|axes} ({axes?{axes}|none}); write one stride for each, in this order";
    Overlap { axes: Letters, first: Index, second: Index, exact: bool }
        where { one: Value::Indices(first.split_at(axes.count()).0), other: Value::Indices(second.split_at(axes.count()).0) } =>
        "{exact?coordinates {one} and {other}|two coordinates} share an offset; write strides that keep all coordinates apart{macro?|, or copy the elements to memory of their own first}";
    OverlapUnknown { steps: usize } =>
        "whether these strides keep all coordinates apart was not found in {steps} steps; write strides each of which is larger than the reach of all smaller ones";
    ZeroStride { letter: char, extent: usize } =>
        "axis `{letter}` has stride 0, so its {extent} coordinates share an offset; write another stride, or add the option `{macro?broadcast({letter})|broadcast('{letter}')}` if they shall";
    BroadcastStride { letter: char, stride: Name } =>
        "axis `{letter}` is broadcast but has stride {stride}; write stride 0 or remove the option `broadcast`";
    BroadcastBlock { letter: char } =>
        "axis `{letter}` is broadcast but has blocks; remove its blocks or the option `broadcast`";
    StridesWith { other: Name } =>
        "explicit strides replace the memory order, so they contradict {other}; remove one of the two";
    ByteStride { letter: char, bytes: isize, element: Element } where { size: Value::Number(element.bits().div_ceil(8)) } =>
        "axis `{letter}` has a stride of {bytes} bytes, which is not a whole number of elements; write a multiple of {size:byte|bytes}";
    Alignment { bytes: usize, element: Element } where { size: Value::Number(element.bits().div_ceil(8)) } =>
        "alignment {bytes?of {bytes:byte is|bytes is} not a whole number of elements|is 0}; write a multiple of {size:byte|bytes}{bytes?|, such as 64}";
    OddRow { letter: char, length: usize, element: Element } =>
        "rows of {length:element|elements} along axis `{letter}` end in the middle of a byte, since `{element}` takes 4 bits; make them even, or {macro?add the option `pad` to|have `Layout::padded`, `contiguous_padded` or the option `pad`} round rows up to whole bytes";
    OddStride { letter: char, stride: isize, element: Element } =>
        "axis `{letter}` has stride {stride}, which begins rows in the middle of a byte, since `{element}` takes 4 bits; write 1 or an even stride";
    TooLarge { element: Element } where { most: Value::Number(isize::MAX as usize), bits: Value::Number(element.bits()) } =>
        "layout takes more than {most} bytes (isize::MAX), the most that memory can hold, at {bits:bit|bits} an element; write smaller extents, alignments or strides";

    // Lanes.

    NoLanes { letter: char } =>
        "axis `{letter}` is dealt over 0 lanes; write how many lanes the accelerator has";
    StartLane { letter: char, start: usize, lanes: usize } where { last: Value::Number(lanes.saturating_sub(1)) } =>
        "axis `{letter}` begins at lane {start} of {lanes:lane|lanes}; write a start lane of 0 to {last}";
    LanesOrder { letter: char } =>
        "axis `{letter}` is dealt over lanes inside of another factor; deal one axis, before all other factors";
    BroadcastLanes { letter: char } =>
        "axis `{letter}` is broadcast but dealt over lanes; remove `broadcast`, or deal another axis";
    Width { letter: char, extent: usize, width: usize } =>
        "axis `{letter}` is cut into pieces of {width} for the lanes, but has extent {extent}; write a width of 1 to {extent}";

    // Views.

    MissingAxis { letter: char } =>
        "axis `{letter}` is left out; name every axis once";
    NoAxes =>
        "no axis is named; name the axes to be merged, the slowest first";
    TakenLetter { letter: char } =>
        "axis `{letter}` is there already; give the new axis another letter";
    NewPosition { letter: char, position: usize, rank: usize } =>
        "new axis `{letter}` has position {position} but there are {rank:axis|axes}; write at most {rank}";
    ViewRank { letter: char } where { most: Value::Number(MAX_RANK) } =>
        "new axis `{letter}` is one more than the {most} that a layout can have; merge, index or squeeze another one first";
    ViewBlocks { letter: char } where { most: Value::Number(MAX_FACTORS) } =>
        "axis `{letter}` has blocks that are more, with those of the other axes, than the {most} axes and blocks that a layout can have; index or squeeze another axis first, or move the tensor to another format first";
    ZeroStep { letter: char } =>
        "slice of axis `{letter}` has step 0; write another step, or index the axis, unsqueeze and broadcast";
    Slice { letter: char, extent: usize, start: usize, step: isize, length: usize }
        where { begins: Value::Flag(*start < *extent), most: Value::Number(most_of_slice(*extent, *start, *step)) } =>
        "axis `{letter}` has extent {extent} but the slice takes {length:coordinate|coordinates} from {start} on in steps of {step}; {extent?{begins?take at most {most}|begin below the extent}|take 0 coordinates from 0 on}";
    SliceBlock { letter: char, block: usize, step: isize } =>
        "axis `{letter}` lies in blocks of {block}, and no step of {step} fits them; write a step that divides a block or is a multiple of it, or move the tensor to another format first";
    Split { letter: char, extent: usize, at: usize } =>
        "axis `{letter}` has extent {extent} but is split at {at}; split it at most at its extent";
    Tile { letter: char, extent: usize, given: Count } where { counted: Value::Flag(given.is_some()) } =>
        "axis `{letter}` has extent {extent} but the tiles hold {counted?{given:coordinate|coordinates}|more coordinates than `usize` can count}; write extents whose product is {extent}";
    // `block` is what the tiles would cut, `size` the coordinates of a tile, each with what is inside
    // it; `start` is where in such a block the axis begins, if that is what is wrong.
    TileBlock { letter: char, block: usize, size: usize, start: usize }
        where { first: Value::Number(next_start(*start, *block, *size, 1)) } =>
        "axis `{letter}` {start?begins at {start} in a block of {block}, where no tile of {size} does; slice axis `{letter}` from {first} on|lies in blocks of {block}, which tiles of {size} would cut; write tiles that divide a block or are a multiple of it}, or move the tensor to another format first";
    MergeBlock { letter: char, extent: usize, block: usize } =>
        "axis `{letter}` has {extent:coordinate|coordinates} that begin or end inside a block of {block}, so no axis goes on after it; put it before those that it is merged with, slice it to whole blocks, or move the tensor to another format first";
    Reshape { count: usize, given: Count } where { counted: Value::Flag(given.is_some()) } =>
        "layout has {count:coordinate|coordinates} but the new extents hold {counted?{given:coordinate|coordinates}|more coordinates than `usize` can count}; write extents whose product is {count}";
    // As `TileBlock`, of the axes that the new one is made of: `slowest`, and others inside it, which
    // have `inside` coordinates.
    ReshapeBlock { letter: char, size: usize, block: usize, start: usize, slowest: char, inside: usize }
        where { first: Value::Number(next_start(*start, *block, *size, *inside)) } =>
        "new axis `{letter}` ends after {size:coordinate|coordinates}, {start?but the axes that it is made of begin at {start} in a block of {block}; slice axis `{slowest}` from {first} on|which would cut the blocks of {block} in which the axes lie that it is made of; write extents whose products divide a block or are a multiple of it}, or move the tensor to another format first";
    Broadcast { letter: char, extent: usize } =>
        "axis `{letter}` has extent {extent}; only an axis of extent 1 can be broadcast: index it and unsqueeze first";
    Squeeze { letter: char, extent: usize } =>
        "axis `{letter}` has extent {extent}; only an axis of extent 1 can go: choose one coordinate with `index`";
    DiagonalBlock { first: char, second: char } =>
        "blocks of axes `{first}` and `{second}` do not divide one another; slice both inside a block, or move the tensor to another format first";
    Interleaved { letter: char } =>
        "parts of axis `{letter}` take turns in memory, so two slices cannot hold them; split the slowest axis, or move the tensor to another format first";
    EmptyChunk { letter: char } =>
        "chunks of axis `{letter}` have 0 coordinates; write at least 1";
    ComposeSpan { span: usize, count: usize } =>
        "inner layout spans {span:element|elements} but the outer has {count:coordinate|coordinates}; compose with one that spans no more";
    ComposeBlock { letter: char, block: usize } =>
        "steps along axis `{letter}` of the inner layout leave the blocks of {block} in which the outer lies; write strides and extents that divide them, or move the tensor to another format first";

    // Complements of tiles.

    LongPeriod { letter: char, most: usize } =>
        "steps along axis `{letter}` enter blocks so that they do not repeat within {most} coordinates; take at most {most} coordinates, write steps that divide a block or are a multiple of it, or move the tensor to another format first";
    TileEmpty { letter: char } =>
        "axis `{letter}` of the tile has extent 0, so no number of tiles covers anything; write an extent of at least 1";
    TilePart { letter: char, extent: usize, block: usize } =>
        "axis `{letter}` of the tile has {extent:coordinate|coordinates} that begin or end inside a block of {block}, so tiles beside it would leave gaps; write a tile of whole blocks";
    TileBroadcast { letter: char } =>
        "axis `{letter}` of the tile is broadcast, so its elements would count twice; index it";
    TileStart { start: usize } =>
        "tile begins at offset {start}; write one that begins at 0";
    TileStride { letter: char, stride: usize, room: usize } =>
        "axis `{letter}` of the tile has stride {stride}, which is not a multiple of the {room:element|elements} that its faster axes take; write a multiple of {room}";
    TileCount { size: usize, count: usize } =>
        "the layout takes {size:element|elements} at a time, which do not divide {count}; write a multiple of {size}";

    // Layout types.

    TypeElement { needed: Element, given: Element } =>
        "layout holds `{given}` but its type says `{needed}`; make the layout of the type's elements, or write the other element type";
    TypeAxes { needed: Letters, given: Letters } =>
        "layout has axes {given?{given}|none} but its type says {needed?{needed}|none}; make a layout of those axes in that order, or write the other ones in the type";
    TypeExtent { letter: char, needed: usize, given: usize } =>
        "axis `{letter}` has extent {given} but its type says {needed}; make a layout of that extent, or write `_` in the type";
    TypeOrder { needed: Name, given: Name } where { same: Value::Flag(same_text(needed.as_str(), given.as_str())) } =>
        "layout {same?and its type are both `{needed}` but differ in padding, alignment or strides; move the tensor with a relayout, or write the layout's options in the type|`{given}` places elements elsewhere than its type `{needed}`, by its order, padding, alignment or strides; move the tensor with a relayout, or write the other format or option in the type}";
    TypeLength { needed: usize, given: usize } =>
        "layout is that of a buffer of {given:element|elements} but its type of one of {needed}; move the tensor to a buffer of its own with a relayout, or write the padding or alignment that it has in the type";
    TypeRank { needed: usize, given: Letters } where { rank: Value::Number(given.count()) } =>
        "layout has {given:axis|axes} ({given?{given}|none}) but its type says {needed}; make a layout of that rank, or write rank {rank}";

    // Relayouts and conversions.

    ConstantTooLong { steps: usize, most: usize } =>
        "this relayout would take const evaluation about {steps} steps, and the compiler stops it after {most}; move the tensor in parts, pack it out of a file with `include_tensor!`, or move it at run time with `run`";
    RelayoutAxes { source: Letters, destination: Letters } =>
        "source has axes {source?{source}|none} but destination has {destination?{destination}|none}; a relayout needs the same axes on both sides";
    RelayoutExtent { letter: char, source: usize, destination: usize } =>
        "axis `{letter}` has extent {source} in the source but {destination} in the destination; {macro?write the same extent on both sides, with the option `pad` on a side that stores more|`slice` the longer one, or have `Layout::padded`, `contiguous_padded` or the option `pad` store more than the extent}";
    RelayoutElement { source: Element, destination: Element } =>
        "source holds `{source}` but destination `{destination}`; write the same type on both sides, or convert the elements on the way: {macro?`convert = Conversion::cast()` after the layouts|`convert` with a `ConversionPlan`}";
    RelayoutOverlap =>
        "coordinates share elements of the destination, so it cannot hold every element of the source; {macro?remove its `broadcast`|move to the layout that it had before `broadcast`, or `index` that axis}";
    Conversion { conversion: Name, source: Element, destination: Element }
        where { quantises: Value::Flag(same_text(conversion.as_str(), "quantise")), dequantises: Value::Flag(same_text(conversion.as_str(), "dequantise")) } =>
        "`{conversion}` does not turn `{source}` into `{destination}`; it turns {quantises?floats into integers of up to 32 bits|{dequantises?integers of up to 32 bits into floats|numbers into floats}}, and `cast` anything into anything";
    ParameterCount { parameters: Name, letter: char, extent: usize, given: usize } =>
        "axis `{letter}` has extent {extent} but the number of {parameters} is {given}; write one for each coordinate of the axis";
    Scale { index: usize } =>
        "scale {index} is not a positive finite number; write the size of one step of the quantised integer";
    ZeroPoint { value: i32, element: Element } =>
        "zero point {value} is not a value of `{element}`; write the integer that stands for 0.0";

    // Relayouts in place.

    InPlaceNibbles { element: Element } =>
        "elements of `{element}` take 4 bits, and a relayout in place moves whole bytes; move the tensor to another buffer with `run` or `relayout`";
    InPlaceShared { letter: char } =>
        "coordinates along axis `{letter}` share elements of the source, which has too few of them for the destination; move the tensor to another buffer with `run` or `relayout`";
    InPlaceGaps { side: Name, bytes: usize, elements: usize } =>
        "{side} takes {bytes:byte|bytes} but its elements alone {elements}, and a relayout in place leaves no room for padding or gaps; move the tensor to another buffer with `run` or `relayout`";
    InPlaceReversed { letter: char } =>
        "axis `{letter}` is reversed, and a relayout in place goes forwards only; move the tensor to another buffer with `run` or `relayout`";
    InPlaceBlocks { letter: char, smaller: usize, larger: usize } =>
        "axis `{letter}` is cut into blocks of {smaller} and of {larger}, which do not divide each other; move the tensor in place to a format without blocks of this axis and from there, or to another buffer with `run` or `relayout`";
    InPlaceLoops { most: usize } =>
        "going through all elements in the order of the destination takes more than one set of up to {most} nested loops; move the tensor to another buffer with `run` or `relayout`";

    // Buffers.

    UnitSize { needed: usize, given: usize } =>
        "buffers are made of units of {given:byte|bytes} but the layouts of units of {needed:byte|bytes}; pass buffers of the element type, or of `u8` for 4-bit elements";
    BufferLength { buffer: Name, needed: usize, given: usize } =>
        "{buffer} has length {given} but its layout takes {needed}; pass a buffer of exactly that length";
    BufferBytes { needed: usize, given: usize } =>
        "buffer has {given:byte|bytes} but its layout takes {needed}; pass exactly as many";
    BufferAlignment { needed: usize, past: usize } =>
        "buffer begins {past:byte|bytes} past a multiple of {needed}, where no element can; pass memory that is aligned for its elements, or copy it there";
    SharedElements { letter: char } =>
        "coordinates along axis `{letter}` share elements, each of which would be changed more than once; index the axis, or change the elements before it is broadcast";

    // Chips, storages and local memory.

    UnknownChip { name: Name, known: Names } =>
        "unknown chip `{name}`; write {known}, or the path of a `Chip` constant of your own";
    NoMemory { name: Name, remedy: Str } =>
        "chip `{name}` describes no memory; give it {remedy}";
    UnknownStorage { name: Name, known: Names } =>
        "unknown storage `{name}`; write {known}";
    // `expected` is empty where any format of `axes` axes will do.
    StorageFormat { storage: Str, format: Name, expected: Str, axes: usize }
        where { example: Value::Text(if *axes == 1 { "N" } else { "MN" }) } =>
        "storage `{storage}` is not for format `{format}`; write {expected?`{expected}`|a format of {axes:axis|axes} and no blocks, such as `{example}`}";
    StorageElement { storage: Str, name: Name, known: Elements } =>
        "storage `{storage}` does not take elements of type `{name}`; write {known}";
    StorageArgument { storage: Str, argument: Str, takes: bool } =>
        "storage `{storage}` {takes?needs `{argument}`; write `{storage}({argument} = ..)`|has no `{argument}`; remove it}";
    LaneCount { tensor: Name, chip: Name, lanes: usize, needed: usize } =>
        "tensor `{tensor}` is {lanes?dealt over {lanes:lane|lanes}|not dealt over lanes}, but `{chip}` has {needed}; give its layout a storage of that chip, such as `{chip}::aligned`";
    LaneCapacity { tensor: Name, address: usize, needs: usize, has: usize, lane: usize } =>
        "tensor `{tensor}` needs {needs:byte|bytes} of lane {lane}{address? from {address} on}, but a lane has {has}; split the tensor, or deal it over more lanes{address?, or place it lower}";
    AddressAlignment { tensor: Name, address: usize, alignment: usize }
        where { below: Value::Number(*address / *alignment * *alignment), above: match (*address / *alignment * *alignment).checked_add(*alignment) { Some(above) => Value::Number(above), None => Value::Flag(false) } } =>
        "tensor `{tensor}` begins at byte {address}, but its storage needs a multiple of {alignment}; write {below}{above? or {above}}";
    // `end` is the byte after the last shared one.
    LocalOverlap { tensor: Name, other: Name, start: usize, end: usize } where { last: Value::Number(*end - 1) } =>
        "tensor `{tensor}` and tensor `{other}` both take bytes {start} to {last}; write another address, or none to have one chosen";
    SharedBank { tensor: Name, other: Name, bank: usize } =>
        "tensor `{tensor}` and tensor `{other}` share bank {bank} but are to be kept apart; write another address, or none to have one chosen";
    NoRoom { tensor: Name, needs: usize, has: usize } =>
        "no room was found for tensor `{tensor}`, which needs {needs} of the {has:byte|bytes} of a lane, beside the others; make tensors smaller, or keep fewer apart";
    TransferLanes { local: bool } =>
        "the {local?local side of a transfer is not dealt over lanes; give its layout a storage of the chip, such as `bm1684x::aligned`|global side of a transfer is dealt over lanes; give it a layout without them}";
    AddressRange { tensor: Name, address: Address, bytes: Address, last: Address }
        where { most: Value::Wide(*last - (*bytes - 1)) } =>
        "tensor `{tensor}` begins at byte {address} and takes {bytes} bytes, which end past the last address; write at most {most}";
    TransferNibbles { element: Element } =>
        "a transfer moves whole bytes, but pairs of `{element}` elements do not stay together; move them on the host, or into a global layout with the same blocks";
}

/// How many coordinates a slice of an axis can take.
const fn most_of_slice(extent: usize, start: usize, step: isize) -> usize {
    let rest = if step < 0 { start } else { extent.saturating_sub(1).saturating_sub(start) };
    match rest.checked_div(step.unsigned_abs()) {
        Some(steps) => steps + 1,
        None => 1,
    }
}

/// From which coordinate of an axis on tiles of `size` would fit, where it begins at `start` in a
/// block, and each of its coordinates is `inside` of those that sizes and blocks are counted in.
const fn next_start(start: usize, block: usize, size: usize, inside: usize) -> usize {
    let step = if block % size == 0 && size % inside == 0 { size } else { block };
    (step - start % step) / inside
}

/// The format with this letter after it, or the block alone where that is not a format. A block of no
/// positions stands for a channel count that other notations leave open.
const fn block_named(format: &Name, number: usize, letter: char) -> Name {
    let mut whole = *format;
    whole.push_char(letter.to_ascii_lowercase());
    if !format.is_cut() && Format::parse(whole.as_str()).is_ok() {
        return whole;
    }
    let mut block = Name::EMPTY;
    block.push_number(if number == 0 { 16 } else { number });
    block.push_char(letter.to_ascii_lowercase());
    block
}
