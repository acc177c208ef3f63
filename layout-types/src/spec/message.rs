//! The one text for each rule: the fact with names and numbers, then what to write instead.

use core::fmt;

use super::element::ElementType;
use super::error::LayoutError;
use super::factor::{Letters, MAX_FACTORS, MAX_RANK};
use super::text::{Message, same_text};

use LayoutError::*;

/// Who is told what to write instead: the same thing has other names in types than in functions.
#[derive(Clone, Copy)]
enum Reader {
    /// Of `layout!`, and of the type that it makes.
    Type,
    /// Of a function's result.
    Function,
}

/// What makes a layout with padding, for both.
const PADDED: &str = "`Layout::padded`, `contiguous_padded` or the option `pad`";

impl LayoutError {
    /// The fact, then what to write instead where functions make layouts.
    pub const fn message(&self) -> Message {
        self.message_for(Reader::Function)
    }

    /// The fact, then what to write instead in `layout!`.
    #[doc(hidden)]
    pub const fn message_in_type(&self) -> Message {
        self.message_for(Reader::Type)
    }

    const fn message_for(&self, reader: Reader) -> Message {
        let mut m = Message::EMPTY;
        match *self {
            FormatCharacter { format, character } => {
                m.push("format `");
                m.push(format.as_str());
                m.push("` contains `");
                m.push_char(character);
                m.push("`; write letters for axes and a number with a letter for each block, such as `NCHW4c`");
            }
            NumberWithoutLetter { format, number, letter } => {
                m.push("number ");
                m.push_number(number);
                m.push(" in `");
                m.push(format.as_str());
                m.push("` has no letter; name the axis it blocks, such as `");
                if format.is_cut() {
                    m.push_number(number);
                } else {
                    m.push(format.as_str());
                }
                m.push_char(letter.to_ascii_lowercase());
                m.push("`");
            }
            EmptyBlock { letter } => {
                m.push("block `0");
                m.push_char(letter.to_ascii_lowercase());
                m.push("` holds no positions; write a block of at least 1 or remove it");
            }
            RepeatedAxis { letter } => {
                push_axis(&mut m, letter);
                m.push(" appears twice; keep one, and write a block of it as a number with a letter, such as `4");
                m.push_char(letter.to_ascii_lowercase());
                m.push("`");
            }
            BlockWithoutAxis { letter, size } => {
                m.push("block `");
                m.push_number(size);
                m.push_char(letter.to_ascii_lowercase());
                m.push("` has no axis; add `");
                m.push_char(letter);
                m.push("` where the rest of the axis lies, or block an axis that is there");
            }
            AxisWithoutFactor { letter } => {
                push_axis(&mut m, letter);
                m.push(" has no place in memory; add it to the format");
            }
            TooManyAxes => {
                m.push("format has more than ");
                m.push_number(MAX_RANK);
                m.push(" axes; merge axes that stay together");
            }
            TooManyFactors => {
                m.push("format has more than ");
                m.push_number(MAX_FACTORS);
                m.push(" axes and blocks; merge those that stay together");
            }
            UnknownOrder { axes } => {
                m.push("the coordinate order of axes ");
                push_letters(&mut m, axes);
                m.push(match reader {
                    Reader::Type => " is not known; name the extents in that order: `<",
                    Reader::Function => " is not known; name the extents in that order: `Layout::builder(..).named_extents(&[",
                });
                let mut i = 0;
                while i < axes.count() {
                    if i > 0 {
                        m.push(", ");
                    }
                    push_named(&mut m, axes.at(i), reader);
                    i += 1;
                }
                m.push(match reader {
                    Reader::Type => ">`",
                    Reader::Function => "])`",
                });
            }
            ExtentCount { format, axes, given } => {
                m.push("layout `");
                m.push(format.as_str());
                m.push("` names ");
                push_count(&mut m, axes.count(), "axis", "axes");
                if axes.count() > 0 {
                    m.push(" (");
                    push_letters(&mut m, axes);
                    m.push(")");
                }
                m.push(" but ");
                push_count(&mut m, given, "extent is", "extents are");
                m.push(" given; write one extent for each axis, in this order");
            }
            UnknownAxis { name, axes } => {
                m.push("there is no axis `");
                m.push(name.as_str());
                if axes.count() == 0 {
                    m.push("`; the layout has no axes");
                } else {
                    m.push("`; write one of ");
                    push_letters(&mut m, axes);
                }
            }
            RepeatedName { letter } => {
                push_axis(&mut m, letter);
                m.push(" is given twice; keep one");
            }
            MissingExtent { letter } => {
                push_axis(&mut m, letter);
                m.push(" has no extent; add `");
                push_named(&mut m, letter, reader);
                m.push("`");
            }
            UnknownExtent { letter } => {
                m.push("extent of axis `");
                m.push_char(letter);
                m.push(match reader {
                    Reader::Type => {
                        "` is not known; write it, or find it at run time with `_` in `layout!`"
                    }
                    Reader::Function => "` is not known; write `Length::Runtime` of it",
                });
            }
            ZeroExtent { letter } => {
                push_axis(&mut m, letter);
                m.push(" has extent 0, so the tensor holds nothing; write an extent of at least 1");
            }
            NotDivisible { letter, extent, block } => {
                push_axis(&mut m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(", which is not a multiple of its block ");
                m.push_number(block);
                m.push("; write ");
                let below = extent / block * block;
                if below > 0 {
                    m.push_number(below);
                    m.push(" or ");
                }
                match below.checked_add(block) {
                    Some(above) => m.push_number(above),
                    None => m.push("a smaller extent"),
                }
                m.push(match reader {
                    Reader::Type => ", or add the option `pad` to store",
                    Reader::Function => ", or have ",
                });
                if let Reader::Function = reader {
                    m.push(PADDED);
                    m.push(" store");
                }
                m.push(" the rest of the last block as padding");
            }
            UnknownElement { name } => {
                m.push("unknown element type `");
                m.push(name.as_str());
                match ElementType::name_for_foreign(name.as_str()) {
                    Some(known) => {
                        m.push("`; write `");
                        m.push(known);
                        m.push("`");
                    }
                    None => m.push(
                        "`; element types are i4, u4, i8 to i64, u8 to u64, f16, bf16, f32, f64, \
                         f8e4m3, f8e5m2, and types that implement `PlainElement`",
                    ),
                }
            }
            ElementSize { bytes, align } => {
                m.push("element of ");
                push_count(&mut m, bytes, "byte", "bytes");
                m.push(" with alignment ");
                m.push_number(align);
                m.push(" cannot be stored; use a type of at least one byte, whose alignment is a power of two and divides its size");
            }
            Fill { bits, element } => {
                m.push("fill of bits ");
                m.push_number(bits as usize);
                m.push(" is not one element of `");
                m.push(element.name().as_str());
                m.push("`; write bits that fit it, or 0 for a type of your own");
            }
            AxisLetter { letter } => {
                push_axis(&mut m, letter);
                m.push(" is not an upper-case ASCII letter; name axes by A to Z");
            }
            BlockTooLarge { format } => {
                m.push("a block of `");
                m.push(format.as_str());
                m.push("` does not fit `usize`; write a smaller one");
            }
            ConstantTooLarge { steps, most } => {
                m.push("this relayout would take const evaluation about ");
                m.push_number(steps);
                m.push(" steps, and the compiler stops it after ");
                m.push_number(most);
                m.push("; move the tensor in parts, pack it out of a file with `include_tensor!`, or move it at run time with `run`");
            }
            StrideCount { axes, given } => {
                push_count(&mut m, given, "stride is", "strides are");
                m.push(" given for ");
                push_count(&mut m, axes.count(), "axis", "axes");
                m.push(" (");
                push_letters(&mut m, axes);
                m.push("); write one stride for each, in this order");
            }
            Overlap { exact: false, .. } => {
                m.push("two coordinates share an offset; write strides that keep all coordinates apart");
            }
            Overlap { axes, first, second, .. } => {
                m.push("coordinates ");
                m.push_list(first.split_at(axes.count()).0);
                m.push(" and ");
                m.push_list(second.split_at(axes.count()).0);
                m.push(" share an offset; write strides that keep all coordinates apart");
            }
            OverlapUnknown { steps } => {
                m.push("whether these strides keep all coordinates apart was not found in ");
                m.push_number(steps);
                m.push(" steps; write strides each of which is larger than the reach of all smaller ones");
            }
            ZeroStride { letter, extent } => {
                push_axis(&mut m, letter);
                m.push(" has stride 0, so its ");
                m.push_number(extent);
                m.push(" coordinates share an offset; write another stride, or add the option `");
                m.push(match reader {
                    Reader::Type => "broadcast(",
                    Reader::Function => "broadcast('",
                });
                m.push_char(letter);
                m.push(match reader {
                    Reader::Type => ")` if they shall",
                    Reader::Function => "')` if they shall",
                });
            }
            BroadcastStride { letter, stride } => {
                push_axis(&mut m, letter);
                m.push(" is broadcast but has stride ");
                m.push(stride.as_str());
                m.push("; write stride 0 or remove the option `broadcast`");
            }
            BroadcastBlock { letter } => {
                push_axis(&mut m, letter);
                m.push(" is broadcast but has blocks; remove its blocks or the option `broadcast`");
            }
            NoLanes { letter } => {
                push_axis(&mut m, letter);
                m.push(" is dealt over 0 lanes; write how many lanes the accelerator has");
            }
            StartLane { letter, start, lanes } => {
                push_axis(&mut m, letter);
                m.push(" begins at lane ");
                m.push_number(start);
                m.push(" of ");
                push_count(&mut m, lanes, "lane", "lanes");
                m.push("; write a start lane of 0 to ");
                m.push_number(lanes - 1);
            }
            LanesOrder { letter } => {
                push_axis(&mut m, letter);
                m.push(" is dealt over lanes inside of another factor; deal one axis, before all other factors");
            }
            BroadcastLanes { letter } => {
                push_axis(&mut m, letter);
                m.push(
                    " is broadcast but dealt over lanes; remove `broadcast`, or deal another axis",
                );
            }
            Width { letter, extent, width } => {
                push_axis(&mut m, letter);
                m.push(" is cut into pieces of ");
                m.push_number(width);
                m.push(" for the lanes, but has extent ");
                m.push_number(extent);
                m.push("; write a width of 1 to ");
                m.push_number(extent);
            }
            ByteStride { letter, bytes, element } => {
                push_axis(&mut m, letter);
                m.push(" has a stride of ");
                m.push_signed(bytes);
                m.push(" bytes, which is not a whole number of elements; write a multiple of ");
                push_count(&mut m, element.bits().div_ceil(8), "byte", "bytes");
            }
            Chip(error) => error.write(&mut m),
            StridesWith { other } => {
                m.push("explicit strides replace the memory order, so they contradict ");
                m.push(other.as_str());
                m.push("; remove one of the two");
            }
            Alignment { bytes: 0, element } => {
                m.push("alignment is 0; write a multiple of ");
                push_count(&mut m, element.bits().div_ceil(8), "byte", "bytes");
                m.push(", such as 64");
            }
            Alignment { bytes, element } => {
                m.push("alignment of ");
                push_count(&mut m, bytes, "byte is", "bytes is");
                m.push(" not a whole number of elements; write a multiple of ");
                push_count(&mut m, element.bits().div_ceil(8), "byte", "bytes");
            }
            OddRow { letter, length, element } => {
                m.push("rows of ");
                push_count(&mut m, length, "element", "elements");
                m.push(" along axis `");
                m.push_char(letter);
                m.push("` end in the middle of a byte, since `");
                m.push(element.name().as_str());
                m.push("` takes 4 bits; make them even, or ");
                match reader {
                    Reader::Type => m.push("add the option `pad` to"),
                    Reader::Function => {
                        m.push("have ");
                        m.push(PADDED);
                    }
                }
                m.push(" round rows up to whole bytes");
            }
            OddStride { letter, stride, element } => {
                push_axis(&mut m, letter);
                m.push(" has stride ");
                m.push_signed(stride);
                m.push(", which begins rows in the middle of a byte, since `");
                m.push(element.name().as_str());
                m.push("` takes 4 bits; write 1 or an even stride");
            }
            TooLarge { element } => {
                m.push("layout takes more than ");
                m.push_number(isize::MAX as usize);
                m.push(" bytes (isize::MAX), the most that memory can hold, at ");
                push_count(&mut m, element.bits(), "bit", "bits");
                m.push(" an element; write smaller extents, alignments or strides");
            }
            RelayoutAxes { source, destination } => {
                m.push("source has axes ");
                push_letters(&mut m, source);
                m.push(" but destination has ");
                push_letters(&mut m, destination);
                m.push("; a relayout needs the same axes on both sides");
            }
            RelayoutExtent { letter, source, destination } => {
                push_axis(&mut m, letter);
                m.push(" has extent ");
                m.push_number(source);
                m.push(" in the source but ");
                m.push_number(destination);
                m.push(" in the destination; write the same extent on both sides, with the option `pad` on a side that stores more");
            }
            RelayoutElement { source, destination } => {
                m.push("source holds `");
                m.push(source.name().as_str());
                m.push("` but destination `");
                m.push(destination.name().as_str());
                m.push("`; write the same type on both sides, or convert the elements on the way: `convert = Conversion::cast()` after the layouts, or `convert` with a `ConversionPlan`");
            }
            RelayoutOverlap => {
                m.push("coordinates share elements of the destination, so it cannot hold every element of the source; remove its `broadcast`");
            }
            RelayoutInPlace { source, destination, padded } => {
                m.push("the source takes ");
                m.push_number(source);
                m.push(" bytes and the destination ");
                m.push_number(destination);
                m.push(if padded {
                    ", some of them padding, so that the elements do not just change places; move them to another buffer with `relayout`"
                } else {
                    ", which do not change places as whole elements in one set of loops: they have 4-bit elements, gaps, shared elements, reversed axes or blocks that do not divide each other; move them to another buffer with `relayout`"
                });
            }
            ConversionElement { conversion, source, destination } => {
                m.push("`");
                m.push(conversion.as_str());
                m.push("` does not turn `");
                m.push(source.name().as_str());
                m.push("` into `");
                m.push(destination.name().as_str());
                m.push("`; it turns ");
                m.push(match conversion.as_str().as_bytes() {
                    b"quantise" => "floats into integers of up to 32 bits",
                    b"dequantise" => "integers of up to 32 bits into floats",
                    _ => "numbers into floats",
                });
                m.push(", and `cast` anything into anything");
            }
            ParameterCount { parameters, letter, extent, given } => {
                push_axis(&mut m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(" but the number of ");
                m.push(parameters.as_str());
                m.push(" is ");
                m.push_number(given);
                m.push("; write one for each coordinate of the axis");
            }
            Scale { index } => {
                m.push("scale ");
                m.push_number(index);
                m.push(" is not a positive finite number; write the size of one step of the quantised integer");
            }
            ZeroPoint { value, element } => {
                m.push("zero point ");
                m.push_signed(value as isize);
                m.push(" is not a value of `");
                m.push(element.name().as_str());
                m.push("`; write the integer that stands for 0.0");
            }
            UnitSize { needed, given } => {
                m.push("buffers are made of units of ");
                push_count(&mut m, given, "byte", "bytes");
                m.push(" but the layouts of units of ");
                push_count(&mut m, needed, "byte", "bytes");
                m.push("; pass buffers of the element type, or of `u8` for 4-bit elements");
            }
            BufferLength { buffer, needed, given } => {
                m.push(buffer.as_str());
                m.push(" has length ");
                m.push_number(given);
                m.push(" but its layout takes ");
                m.push_number(needed);
                m.push("; pass a buffer of exactly that length");
            }
            BufferBytes { needed, given } => {
                m.push("buffer has ");
                push_count(&mut m, given, "byte", "bytes");
                m.push(" but its layout takes ");
                m.push_number(needed);
                m.push("; pass exactly as many");
            }
            BufferAlignment { needed, past } => {
                m.push("buffer begins ");
                push_count(&mut m, past, "byte", "bytes");
                m.push(" past a multiple of ");
                m.push_number(needed);
                m.push(", where no element can; pass memory that is aligned for its elements, or copy it there");
            }
            TypeElement { needed, given } => {
                m.push("layout holds `");
                m.push(given.name().as_str());
                m.push("` but its type says `");
                m.push(needed.name().as_str());
                m.push(
                    "`; make the layout of the type's elements, or write the other element type",
                );
            }
            TypeAxes { needed, given } => {
                m.push("layout has axes ");
                push_letters(&mut m, given);
                m.push(" but its type says ");
                push_letters(&mut m, needed);
                m.push("; make a layout of those axes in that order, or write the other ones in the type");
            }
            TypeExtent { letter, needed, given } => {
                push_axis(&mut m, letter);
                m.push(" has extent ");
                m.push_number(given);
                m.push(" but its type says ");
                m.push_number(needed);
                m.push("; make a layout of that extent, or write `_` in the type");
            }
            TypeOrder { needed, given } if same_text(needed.as_str(), given.as_str()) => {
                m.push("layout and its type are both `");
                m.push(needed.as_str());
                m.push("` but differ in padding, alignment or strides; move the tensor with a relayout, or write the layout's options in the type");
            }
            TypeOrder { needed, given } => {
                m.push("layout `");
                m.push(given.as_str());
                m.push("` places elements elsewhere than its type `");
                m.push(needed.as_str());
                m.push("`, by its order, padding, alignment or strides; move the tensor with a relayout, or write the other format or option in the type");
            }
            TypeLength { needed, given } => {
                m.push("layout is that of a buffer of ");
                push_count(&mut m, given, "element", "elements");
                m.push(" but its type of one of ");
                m.push_number(needed);
                m.push("; move the tensor to a buffer of its own with a relayout, or write the padding or alignment that it has in the type");
            }
            TypeRank { needed, given } => {
                m.push("layout has ");
                push_count(&mut m, given.count(), "axis", "axes");
                m.push(" (");
                push_letters(&mut m, given);
                m.push(") but its type says ");
                m.push_number(needed);
                m.push("; make a layout of that rank, or write rank ");
                m.push_number(given.count());
            }
            CoordinateCount { axes, given } => {
                m.push("coordinate has ");
                push_count(&mut m, given, "index", "indices");
                m.push(" for ");
                push_count(&mut m, axes.count(), "axis", "axes");
                m.push(" (");
                push_letters(&mut m, axes);
                m.push("); write one index for each, in this order");
            }
            SharedElements { letter } => {
                m.push("coordinates along ");
                push_axis(&mut m, letter);
                m.push(" share elements, each of which would be changed more than once; index the axis, or change the elements before it is broadcast");
            }
            View(error) => error.write(&mut m),
            Coordinate { letter, extent: 0, coordinate } => {
                push_axis(&mut m, letter);
                m.push(" has extent 0, so there is no coordinate ");
                m.push_number(coordinate);
                m.push(" nor any other; index tensors whose `count()` is not 0");
            }
            Coordinate { letter, extent, coordinate } => {
                push_axis(&mut m, letter);
                m.push(" has extent ");
                m.push_number(extent);
                m.push(" but the coordinate is ");
                m.push_number(coordinate);
                m.push("; write one below the extent");
            }
        }
        m
    }

    /// Stops const evaluation, or the program, with the message.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }

    /// [`panic`](Self::panic) for a type that cannot be.
    #[track_caller]
    pub(crate) const fn panic_in_type(&self) -> ! {
        panic!("{}", self.message_in_type().as_str())
    }
}

/// An axis that is still to get its extent.
const fn push_named(m: &mut Message, letter: char, reader: Reader) {
    match reader {
        Reader::Type => {
            m.push_char(letter);
            m.push(" = ..");
        }
        Reader::Function => {
            m.push("('");
            m.push_char(letter);
            m.push("', ..)");
        }
    }
}

pub(super) const fn push_axis(m: &mut Message, letter: char) {
    m.push("axis `");
    m.push_char(letter);
    m.push("`");
}

const fn push_letters(m: &mut Message, letters: Letters) {
    let mut i = 0;
    while i < letters.count() {
        if i > 0 {
            m.push(", ");
        }
        m.push_char(letters.at(i));
        i += 1;
    }
    if letters.count() == 0 {
        m.push("none");
    }
}

pub(super) const fn push_count(m: &mut Message, count: usize, one: &str, many: &str) {
    m.push_number(count);
    m.push(" ");
    m.push(if count == 1 { one } else { many });
}

/// The message; as `{:#}`, with what to write instead in `layout!`.
impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_type = formatter.alternate();
        if in_type { self.message_in_type() } else { self.message() }.fmt(formatter)
    }
}

impl core::error::Error for LayoutError {}
