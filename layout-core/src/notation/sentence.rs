//! Writes format, extents, element and options as text.

use core::fmt;

use super::layout_template::LayoutTemplate;
use super::options::{BufferPart, Stored};
use super::values;
use crate::spec::{
    AxisExtent, ElementType, Factor, Kind, Length, Name, Swizzling, half_floats, positions_allowed,
};

/// Writes text that [`LayoutTemplate::parse`] reads. Layouts print through it too.
impl fmt::Display for LayoutTemplate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, element, ref options, .. } = *self;
        write!(formatter, "{format}")?;
        self.write_extents(formatter)?;
        write!(formatter, ", {}", Notation(element))?;
        match options.fill {
            Some(0) => formatter.write_str(", pad")?,
            Some(bits) => write!(formatter, ", pad = {}", Fill { bits, element })?,
            None => {}
        }
        if let Some(strides) = &options.strides {
            self.write_strides(formatter, &strides[..options.stride_count])?;
        }
        let [aligns, pitches] = &options.bytes;
        self.write_axes(formatter, "align", aligns, options.lane_align)?;
        self.write_axes(formatter, "pitch", pitches, None)?;
        let broadcast = options.broadcast.map(|is| is.then_some(Length::Fixed(0)));
        self.write_axes(formatter, "broadcast", &broadcast, None)?;
        self.write_swizzle(formatter)?;
        self.write_storage(formatter)?;
        match options.lanes {
            Some(Factor::Lanes(axis, lanes, 0)) => write!(formatter, ", lanes({axis}, {lanes})")?,
            Some(Factor::Lanes(axis, lanes, start)) => {
                write!(formatter, ", lanes({axis}, {lanes}, start = {start})")?;
            }
            Some(Factor::LaneArray(lanes)) => write!(formatter, ", lanes({lanes})")?,
            _ => {}
        }
        self.write_coordinates(formatter)?;
        self.write_block_positions(formatter)?;
        if let Some(bytes) = options.alignment {
            write!(formatter, ", align = {bytes}")?;
        }
        if options.overlap {
            formatter.write_str(", overlap")?;
        }
        match options.part {
            Some(BufferPart::View { start, length }) => {
                write!(formatter, ", from {start} of {length}")
            }
            Some(BufferPart::Whole { length }) => write!(formatter, ", len = {length}"),
            None => Ok(()),
        }
    }
}

impl LayoutTemplate {
    /// Whether values without names could be read in another order.
    fn has_names(&self) -> bool {
        !positions_allowed(self.format.axes(), self.letters())
    }

    /// Writes the extents.
    fn write_extents(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.has_names();
        for (i, AxisExtent { letter, extent }) in self.axes().iter().enumerate() {
            formatter.write_str(if i == 0 { "<" } else { ", " })?;
            if named {
                write!(formatter, "{letter} = ")?;
            }
            match extent.value() {
                Some(extent) => write!(formatter, "{extent}")?,
                None => formatter.write_str("_")?,
            }
        }
        formatter.write_str(if self.axes().is_empty() { "" } else { ">" })
    }

    /// Writes `, strides = [9, 3, 1]`. Strides of blocks have no names.
    fn write_strides(&self, formatter: &mut fmt::Formatter<'_>, strides: &[isize]) -> fmt::Result {
        if strides.len() != self.axes().len() || !self.has_names() {
            return write!(formatter, ", strides = {strides:?}");
        }
        for (i, (axis, stride)) in self.axes().iter().zip(strides).enumerate() {
            formatter.write_str(if i == 0 { ", strides = [" } else { ", " })?;
            write!(formatter, "{} = {stride}", axis.letter)?;
        }
        formatter.write_str("]")
    }

    fn write_swizzle(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.options.swizzle {
            Some(Swizzling::Elements(bits, base, shift)) => {
                write!(formatter, ", swizzle({bits}, {base}, {shift})")
            }
            Some(Swizzling::Bytes(bits, base, shift)) => {
                write!(formatter, ", swizzle_bytes({bits}, {base}, {shift})")
            }
            Some(Swizzling::Phases(vec, per_phase, max_phase)) => write!(
                formatter,
                ", swizzle(vec = {vec}, per_phase = {per_phase}, max_phase = {max_phase})"
            ),
            None => Ok(()),
        }
    }

    fn write_storage(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Stored { chip, storage, start, width }) = self.options.storage else {
            return Ok(());
        };
        write!(formatter, ", {}::{}", chip.name, storage.name)?;
        match (start, storage.has_width()) {
            (0, false) => Ok(()),
            (start, false) => write!(formatter, "(start = {start})"),
            (0, true) => write!(formatter, "(w = {width})"),
            (start, true) => write!(formatter, "(start = {start}, w = {width})"),
        }
    }

    /// Writes `, align(H = 64, lanes = 32)`, or `, broadcast(N)` for values of 0.
    fn write_axes(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        option: &str,
        values: &[Option<Length>],
        lanes: Option<usize>,
    ) -> fmt::Result {
        let axes = self.format.axes();
        let mut before = "(";
        for (axis, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            if before == "(" {
                write!(formatter, ", {option}")?;
            }
            write!(formatter, "{before}{}", axes.at(axis))?;
            match value.value() {
                Some(0) => {}
                Some(value) => write!(formatter, " = {value}")?,
                None => formatter.write_str(" = _")?,
            }
            before = ", ";
        }
        if let Some(bytes) = lanes {
            if before == "(" {
                write!(formatter, ", {option}")?;
            }
            write!(formatter, "{before}lanes = {bytes}")?;
            before = ", ";
        }
        formatter.write_str(if before == "(" { "" } else { ")" })
    }

    /// Writes the coordinate order if it is not that of the format.
    fn write_coordinates(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.letters();
        if self.format.coordinate_order() == order {
            return Ok(());
        }
        for axis in 0..order.count() {
            formatter.write_str(if axis == 0 { ", coordinates(" } else { ", " })?;
            write!(formatter, "{}", order.at(axis))?;
        }
        formatter.write_str(")")
    }

    /// Writes `, C from 3`.
    fn write_block_positions(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.format.axes();
        for (axis, &position) in self.options.from[..axes.count()].iter().enumerate() {
            if position > 0 {
                write!(formatter, ", {} from {position}", axes.at(axis))?;
            }
        }
        Ok(())
    }
}

/// An element type as [`Layout::parse`] reads it. A layout does not know the name of a type of the user's own, but its
/// size and alignment.
pub(super) struct Notation(pub(super) ElementType);

impl fmt::Display for Notation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::Plain { bytes, align: 1 } => write!(formatter, "plain({bytes})"),
            ElementType::Plain { bytes, align } => {
                write!(formatter, "plain({bytes}, align = {align})")
            }
            named => formatter.write_str(named.name().as_str()),
        }
    }
}

/// The element that fills padding, in the syntax of `pad = VALUE`.
pub(super) struct Fill {
    pub(super) bits: u64,
    pub(super) element: ElementType,
}

impl fmt::Display for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bits, element } = *self;
        if let Some((low, _)) = element.integer_range() {
            // The bits above the sign bit equal the sign bit.
            let above = 64 - element.bits();
            return match low < 0 {
                true => fmt::Display::fmt(&(((bits << above) as i64) >> above), formatter),
                false => fmt::Display::fmt(&bits, formatter),
            };
        }
        // The shortest number that parses to these bits, if there is one.
        let forms = float(bits, element).map(|float| match element {
            ElementType::F64 => {
                [written(format_args!("{float}")), written(format_args!("{float:e}"))]
            }
            _ => {
                let float = float as f32;
                [written(format_args!("{float}")), written(format_args!("{float:e}"))]
            }
        });
        let read = |form: &&Name| values::fill(element, form.as_str()).ok() == Some(bits);
        match forms.iter().flatten().find(read) {
            Some(number) => fmt::Display::fmt(number, formatter),
            None => write!(formatter, "{}::from_bits({bits:#x})", element.low_first()),
        }
    }
}

/// Text of at most the length of a [`Name`]. Longer text ends in a character that no number has.
fn written(text: fmt::Arguments<'_>) -> Name {
    let mut name = Name::EMPTY;
    // A name truncates text, so writing to it cannot fail.
    let _ = fmt::write(&mut name, text);
    name
}

/// The value of a float with these bits.
fn float(bits: u64, element: ElementType) -> Option<f64> {
    match element {
        ElementType::F16 => Some(f64::from(half_floats::f16_to_f32(bits as u16))),
        ElementType::BF16 => Some(f64::from(half_floats::bf16_to_f32(bits as u16))),
        ElementType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        ElementType::F64 => Some(f64::from_bits(bits)),
        other => match other.kind() {
            kind @ (Kind::Float(_) | Kind::Scale) => Some(f64::from(kind.small_float(bits as u8))),
            _ => None,
        },
    }
}
