//! Explanations of a layout, as data and as text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use layout_core::chip::Lanes;
use layout_core::{ElementType, Format, Layout, Swizzle};

use crate::sheet::counted;
use crate::unreached;

/// The number of coordinates in the table of addresses.
const ADDRESSES: usize = 8;

/// The number of formats that are listed: axes of one coordinate may stand anywhere.
const FORMATS: usize = 24;

/// The facts that follow from a layout, as [`explain`] returns them. Prints as lines of text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The layout.
    pub layout: Layout,
    /// The axes in coordinate order, with their digits.
    pub axes: Vec<AxisExplanation>,
    /// One stride for each axis in coordinate order, in elements; `None` if an axis has several strides.
    pub strides: Option<Vec<isize>>,
    /// The element type.
    pub element: ElementType,
    /// The number of coordinates.
    pub numel: usize,
    /// The elements of the buffer, including padding and gaps.
    pub len: usize,
    /// The span: the largest offset of a coordinate plus one.
    pub span: usize,
    /// The size of the buffer in bytes.
    pub bytes: usize,
    /// The alignment of the buffer in bytes.
    pub align: usize,
    /// The elements that belong to the layout but to no coordinate. `None` if digits share elements in a way for
    /// which they were not counted.
    pub padding: Option<usize>,
    /// The elements of the buffer that belong neither to a coordinate nor to the layout's padding. `None` as for
    /// padding.
    pub gaps: Option<usize>,
    /// The fill value of padding as bits, if the layout declares one.
    pub fill: Option<u64>,
    /// The swizzle of offsets in elements.
    pub swizzle: Option<Swizzle>,
    /// The layout seen from the lanes of an accelerator, where it is distributed over them.
    pub lanes: Option<Lanes>,
    /// Whether no two coordinates share an offset.
    pub is_unique: bool,
    /// Whether every offset belongs to a coordinate.
    pub is_exhaustive: bool,
    /// Whether elements are contiguous in coordinate order.
    pub is_contiguous: bool,
    /// The first coordinates in coordinate order, at most eight, with their addresses.
    pub addresses: Vec<AddressExplanation>,
    /// The first formats that the strides match, at most 24.
    pub formats: Vec<Format>,
    /// The names of the layout in other systems.
    #[cfg(feature = "names")]
    pub names: Vec<layout_names::Named>,
}

/// An axis of a layout.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AxisExplanation {
    /// The letter.
    pub letter: char,
    /// The number of coordinates.
    pub extent: usize,
    /// The digits from the slowest to the fastest.
    pub digits: Vec<DigitExplanation>,
}

/// A digit of an axis: its value is `(coordinate + shift) / weight % size`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DigitExplanation {
    /// The number of values of the digit.
    pub size: usize,
    /// The number of coordinates of one step of the digit.
    pub weight: usize,
    /// The stride of one step of the digit, in elements.
    pub stride: isize,
    /// The position of coordinate 0.
    pub shift: usize,
}

/// The address of a coordinate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AddressExplanation {
    /// The coordinate.
    pub coordinate: Vec<usize>,
    /// Its offset, in elements.
    pub offset: usize,
    /// The offset of its first byte.
    pub byte: usize,
    /// The lowest of its bits in that byte: 0 for elements of a byte and more.
    pub bit: usize,
    /// How many bits it has.
    pub bits: usize,
}

/// Explains `layout`.
///
/// ```
/// use tensor_layout::Layout;
/// use tensor_layout::show::explain;
///
/// let act: Layout = "NCHW4<1, 6, 1, 2>, i8, pad".parse()?;
/// let explanation = explain(&act);
/// assert_eq!((explanation.len, explanation.padding), (16, Some(4)));
/// assert_eq!(explanation.axes[1].digits[1].stride, 1); // of C % 4
/// assert!(explanation.to_string().contains("\n  C  6  C / 4 has size 2, stride 8; C % 4 has size 4, stride 1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(layout: &Layout) -> Explanation {
    let unreached = match layout.is_exhaustive() {
        true => Some(0),
        false => unreached::count(layout),
    };
    let (padding, gaps) = match layout.has_padding() {
        true => (unreached, Some(0)),
        false => (Some(0), unreached),
    };
    Explanation {
        layout: *layout,
        axes: (0..layout.rank()).map(|axis| axis_of(layout, axis)).collect(),
        strides: layout.strides().map(|strides| strides.to_vec()),
        element: layout.element(),
        numel: layout.numel(),
        len: layout.len(),
        span: layout.span(),
        bytes: layout.bytes(),
        align: layout.align(),
        padding,
        gaps,
        fill: layout.fill(),
        swizzle: layout.swizzle(),
        lanes: layout.lanes(),
        is_unique: layout.is_unique(),
        is_exhaustive: layout.is_exhaustive(),
        is_contiguous: layout.is_contiguous(),
        addresses: (0..layout.numel().min(ADDRESSES)).map(|index| address(layout, index)).collect(),
        formats: layout.formats().take(FORMATS).collect(),
        #[cfg(feature = "names")]
        names: layout_names::of(layout).collect(),
    }
}

fn axis_of(layout: &Layout, axis: usize) -> AxisExplanation {
    let digits = layout.digits_along(axis);
    let digits = digits.iter().rev().map(|digit| DigitExplanation {
        size: digit.size,
        weight: digit.weight,
        stride: digit.stride,
        shift: digit.shift,
    });
    let digits = digits.collect();
    AxisExplanation { letter: layout.letters().at(axis), extent: layout.extents()[axis], digits }
}

/// Returns the address of coordinate number `index` in coordinate order.
fn address(layout: &Layout, mut index: usize) -> AddressExplanation {
    let mut coordinate = layout.extents().to_vec();
    for of in coordinate.iter_mut().rev() {
        let extent = *of;
        *of = index % extent;
        index /= extent;
    }
    let offset = layout.offset(&coordinate);
    let (element, bits) = (layout.element(), layout.element().bits());
    let (byte, bit) = element.in_bytes().at(offset);
    AddressExplanation { coordinate, offset, byte: byte * bits.div_ceil(8), bit, bits }
}

impl fmt::Display for DigitExplanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "size {}, stride {}", self.size, self.stride)
    }
}

impl fmt::Display for AxisExplanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { letter, extent, digits } = self;
        write!(formatter, "{letter}  {extent}")?;
        let slowest = digits.first().map_or(0, |digit| digit.weight);
        for (index, digit) in digits.iter().enumerate() {
            let DigitExplanation { size, weight, shift, .. } = *digit;
            let value =
                if shift > 0 { format!("({letter} + {shift})") } else { letter.to_string() };
            let quotient = if weight > 1 { format!("{value} / {weight}") } else { value };
            let part = match weight < slowest {
                true => format!("{quotient} % {size}"),
                false => quotient,
            };
            let before = if index == 0 { "  " } else { "; " };
            match digits.len() {
                1 if shift == 0 => write!(formatter, "{before}stride {}", digit.stride)?,
                _ => write!(formatter, "{before}{part} has {digit}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for AddressExplanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { coordinate, offset, byte, bit, bits } = self;
        write!(formatter, "{coordinate:?}  offset {offset}, byte {byte}")?;
        match bits {
            1 => write!(formatter, ", bit {bit}"),
            2..8 => write!(formatter, ", bits {bit} to {}", bit + bits - 1),
            _ => Ok(()),
        }
    }
}

/// Prints one fact a line. No line break follows the last.
impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, span, align, .. } = self;
        write!(formatter, "{layout}\n  ")?;
        for (count, what) in
            [(self.numel, "coordinate"), (self.len, "element"), (self.bytes, "byte")]
        {
            write!(formatter, "{}, ", counted(count, what))?;
        }
        write!(formatter, "span {span}, alignment {align}\n\naxes")?;
        for axis in &self.axes {
            write!(formatter, "\n  {axis}")?;
        }
        match &self.strides {
            Some(strides) => write!(formatter, "\nstrides\n  {strides:?}")?,
            None => write!(formatter, "\nstrides\n  an axis has several")?,
        }
        write!(formatter, "\nstorage\n  {}", self.storage())?;
        write!(formatter, "\nfirst coordinates")?;
        for address in &self.addresses {
            write!(formatter, "\n  {address}")?;
        }
        let formats = self.formats.iter().map(|format| format.to_string());
        let formats = formats.collect::<Vec<_>>().join(", ");
        write!(formatter, "\nformats\n  {}", if formats.is_empty() { "none" } else { &formats })?;
        if self.formats.len() == FORMATS {
            formatter.write_str(", and maybe others")?;
        }
        #[cfg(feature = "names")]
        {
            write!(formatter, "\nnames")?;
            if self.names.is_empty() {
                write!(formatter, "\n  none")?;
            }
            for name in &self.names {
                write!(formatter, "\n  {name}")?;
            }
        }
        Ok(())
    }
}

impl Explanation {
    /// Returns padding, gaps and the relation of offsets to coordinates in one line.
    fn storage(&self) -> String {
        let mut facts = Vec::new();
        match (self.padding, self.gaps) {
            (Some(0), Some(0)) => facts.push("no padding, no gaps".into()),
            (padding, Some(0)) => facts.push(format!("padding: {}", elements(padding))),
            (_, gaps) => facts.push(format!("gaps: {}", elements(gaps))),
        }
        facts.extend(self.fill.map(|bits| format!("filled with bits {bits:#x}")));
        facts.extend(self.swizzle.map(|swizzle| {
            format!("swizzle({}, {}, {})", swizzle.bits(), swizzle.base(), swizzle.shift())
        }));
        facts.extend(self.lanes.map(|lanes| {
            let (first, used) = lanes.used();
            let held = format!("{used} of them used from lane {first} on");
            let of = counted(lanes.bytes(), "byte");
            format!("{} of {of}, {held}", counted(lanes.count(), "lane"))
        }));
        let properties = [
            (self.is_unique, "unique", "coordinates share elements"),
            (self.is_contiguous, "contiguous", "not contiguous"),
        ];
        for (holds, yes, no) in properties {
            facts.push(if holds { yes } else { no }.into());
        }
        facts.join(", ")
    }
}

/// Returns a number of elements, or says that it is unknown.
fn elements(count: Option<usize>) -> String {
    count.map_or("not counted".into(), |count| counted(count, "element"))
}
