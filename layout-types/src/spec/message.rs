//! The one text for each rule: the fact with names and numbers, then what to write instead.

use core::fmt;

use super::element::ElementType;
use super::error::LayoutError;
use super::phrases::{PADDED, Reader, push_axis, push_count, push_letters, push_named};
use super::text::Message;

use LayoutError::*;

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
            Format(error) => error.write(&mut m, reader),
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
            AxisLetter { letter } => {
                push_axis(&mut m, letter);
                m.push(" is not an upper-case ASCII letter; name axes by A to Z");
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
                m.push_bits(bits);
                m.push(" is not one element of `");
                m.push(element.name().as_str());
                m.push("`; write bits that fit it, or 0 for a type of your own");
            }
            StrideCount { axes, given } => {
                push_count(&mut m, given, "stride is", "strides are");
                m.push(" given for ");
                push_count(&mut m, axes.count(), "axis", "axes");
                m.push(" (");
                push_letters(&mut m, axes);
                m.push("); write one stride for each, in this order");
            }
            Overlap { axes, first, second, exact } => {
                if exact {
                    m.push("coordinates ");
                    m.push_list(first.split_at(axes.count()).0);
                    m.push(" and ");
                    m.push_list(second.split_at(axes.count()).0);
                } else {
                    m.push("two coordinates");
                }
                m.push(" share an offset; write strides that keep all coordinates apart");
                if let Reader::Function = reader {
                    m.push(", or copy the elements to memory of their own first");
                }
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
            CoordinateCount { axes, given } => {
                m.push("coordinate has ");
                push_count(&mut m, given, "index", "indices");
                m.push(" for ");
                push_count(&mut m, axes.count(), "axis", "axes");
                m.push(" (");
                push_letters(&mut m, axes);
                m.push("); write one index for each, in this order");
            }
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
            View(error) => error.write(&mut m),
            Relayout(error) => error.write(&mut m, reader),
            InPlace(error) => error.write(&mut m),
            Type(error) => error.write(&mut m),
            Buffer(error) => error.write(&mut m),
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
    #[doc(hidden)]
    pub const fn panic_in_type(&self) -> ! {
        panic!("{}", self.message_in_type().as_str())
    }
}

/// The message; as `{:#}`, with what to write instead in `layout!`.
impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_type = formatter.alternate();
        if in_type { self.message_in_type() } else { self.message() }.fmt(formatter)
    }
}

impl core::error::Error for LayoutError {}
