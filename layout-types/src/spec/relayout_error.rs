//! What can be wrong with a relayout or a conversion, and the text for it.

use super::element::ElementType;
use super::factor::Letters;
use super::phrases::{PADDED, Reader, push_axis, push_letters};
use super::text::{Message, Name};

use RelayoutError::*;

/// A relayout or a conversion that there is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RelayoutError {
    /// A relayout in const evaluation that takes too long.
    ConstantTooLong {
        /// About how many steps it takes.
        steps: usize,
        /// How many it may.
        most: usize,
    },
    /// A relayout between different axes.
    Axes {
        /// The axes of the source.
        source: Letters,
        /// The axes of the destination.
        destination: Letters,
    },
    /// A relayout between different extents.
    Extent {
        /// The axis.
        letter: char,
        /// Its extent in the source.
        source: usize,
        /// Its extent in the destination.
        destination: usize,
    },
    /// A relayout between different element types.
    Element {
        /// The element type of the source.
        source: ElementType,
        /// The element type of the destination.
        destination: ElementType,
    },
    /// A relayout into a layout in which coordinates share an element.
    Overlap,
    /// A conversion between element types that it is not for.
    Conversion {
        /// `quantise`, `dequantise` or `normalise`.
        conversion: Name,
        /// The element type of the source.
        source: ElementType,
        /// The element type of the destination.
        destination: ElementType,
    },
    /// More or fewer parameters of a conversion than coordinates of their axis.
    ParameterCount {
        /// What they are: `scales`, `zero points`, `means`.
        parameters: Name,
        /// The axis.
        letter: char,
        /// Its extent.
        extent: usize,
        /// How many parameters there are.
        given: usize,
    },
    /// A scale that is not positive and finite.
    Scale {
        /// Which one; 0 where there is one for the tensor.
        index: usize,
    },
    /// A zero point that is not a value of the quantised integer.
    ZeroPoint {
        /// The zero point.
        value: i32,
        /// The integer.
        element: ElementType,
    },
}

impl RelayoutError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message, reader: Reader) {
        match *self {
            ConstantTooLong { steps, most } => {
                m.push("this relayout would take const evaluation about ");
                m.push_number(steps);
                m.push(" steps, and the compiler stops it after ");
                m.push_number(most);
                m.push("; move the tensor in parts, pack it out of a file with `include_tensor!`, or move it at run time with `run`");
            }
            Axes { source, destination } => {
                m.push("source has axes ");
                push_letters(m, source);
                m.push(" but destination has ");
                push_letters(m, destination);
                m.push("; a relayout needs the same axes on both sides");
            }
            Extent { letter, source, destination } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(source);
                m.push(" in the source but ");
                m.push_number(destination);
                m.push(" in the destination; ");
                match reader {
                    Reader::Type => m.push("write the same extent on both sides, with the option `pad` on a side that stores more"),
                    Reader::Function => {
                        m.push("`slice` the longer one, or have ");
                        m.push(PADDED);
                        m.push(" store more than the extent");
                    }
                }
            }
            Element { source, destination } => {
                m.push("source holds `");
                m.push(source.name().as_str());
                m.push("` but destination `");
                m.push(destination.name().as_str());
                m.push(
                    "`; write the same type on both sides, or convert the elements on the way: ",
                );
                m.push(match reader {
                    Reader::Type => "`convert = Conversion::cast()` after the layouts",
                    Reader::Function => "`convert` with a `ConversionPlan`",
                });
            }
            Overlap => {
                m.push("coordinates share elements of the destination, so it cannot hold every element of the source; ");
                m.push(match reader {
                    Reader::Type => "remove its `broadcast`",
                    Reader::Function => {
                        "move to the layout that it had before `broadcast`, or `index` that axis"
                    }
                });
            }
            Conversion { conversion, source, destination } => {
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
                push_axis(m, letter);
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
        }
    }
}
