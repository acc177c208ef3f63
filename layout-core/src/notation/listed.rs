//! Layouts with listed strides: views.
//!
//! A format without blocks has one stride for each axis, in coordinate order. A format with blocks has one stride for
//! each factor, in the order of the format. The digits follow from the format: a block of `n` has `n` values, and what
//! remains of an axis has the number of values that its extent needs.

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, MAX_FACTORS, MAX_RANK, Name, Rule, Spec,
    Summary, check_element, slot, weight,
};

use super::assembly::Fault;
use super::draft::Site;
use super::options::{BufferPart, Options};
use super::sort::sort;

/// A view: its digits in the order of the format, and the position of its first element.
pub(super) const fn view(
    options: &Options,
    format: &Format,
    element: ElementType,
    axes: &[AxisExtent],
) -> Result<Layout, Fault> {
    ok!(check_options(options, false));
    if let Err(error) = check_element(element) {
        return Err((error, Site::Format));
    }
    let spec = Spec { element, axes, factors: &[], fill: None };
    let mut layout = Layout::blank(element, spec.letters());
    let mut i = 0;
    while i < axes.len() {
        if let Some(extent) = axes[i].extent.value() {
            layout.set_extent(i, extent);
        }
        i += 1;
    }
    (layout.buffer.explicit, layout.buffer.overlapping) = (true, options.overlap);
    let (mut digits, count) = ok!(listed_digits(options, format, axes, &layout));
    sort(&mut digits, count);
    layout.set_digits(&digits, count);
    let digits = digits.split_at(count).0;
    ok!(place_in_buffer(options, digits, &mut layout));
    if !layout.buffer.overlapping {
        ok!(check_distinct(&layout));
    }
    if let Some(swizzling) = options.swizzle {
        let length = layout.len();
        if let Err(error) = layout.add_swizzle(swizzling) {
            return Err((error, Site::Swizzle));
        }
        if layout.len() > length && options.part.is_some() {
            let error = Rule::SwizzledOutside { span: layout.len(), length };
            return Err((LayoutError(error), Site::Part));
        }
    }
    let Some(Factor::LaneArray(lanes)) = options.lanes else { return Ok(layout) };
    match layout.over_lanes(lanes) {
        Ok(layout) => Ok(layout),
        Err(error) => Err((error, Site::Lanes)),
    }
}

/// Returns an error if an option contradicts listed strides.
pub(super) const fn check_options(options: &Options, owned: bool) -> Result<(), Fault> {
    let (mut aligned, mut pitched) = (options.lane_align.is_some(), false);
    let mut axis = 0;
    while axis < MAX_RANK {
        aligned |= options.aligns[axis].is_some();
        pitched |= options.pitches[axis].is_some();
        axis += 1;
    }
    let (other, subject) = if pitched {
        ("option `pitch`", Site::Pitches)
    } else if aligned {
        ("option `align`", Site::Aligns)
    } else if options.storage.is_some() {
        ("a storage", Site::Storage)
    } else if !owned && options.fill.is_some() {
        ("option `pad`", Site::Fill)
    } else if let (false, Some(Factor::Lanes(..))) = (owned, options.lanes) {
        ("lanes", Site::Distribution)
    } else {
        return Ok(());
    };
    Err((LayoutError(Rule::StridesWith { other: Name::new(other) }), subject))
}

/// One digit for each factor of the format, and their number.
const fn listed_digits(
    options: &Options,
    format: &Format,
    axes: &[AxisExtent],
    layout: &Layout,
) -> Result<([Digit; MAX_FACTORS], usize), Fault> {
    let too_large = (LayoutError(Rule::TooLarge { element: layout.element() }), Site::Extents);
    let (mut digits, mut count) = ([Digit::NONE; MAX_FACTORS], 0);
    ok!(check_count(options, format, axes));
    let factors = format.factors();
    let mut i = 0;
    while i < factors.len() {
        let factor = factors[i];
        let stride = stride_of(options, format, axes, i);
        i += 1;
        let Some(letter) = factor.letter() else { continue };
        let Some(axis) = layout.letters().position(letter) else { continue };
        let Some(memory) = format.axes().position(letter) else { continue };
        let Some(block) = block_of(format, letter) else { return Err(too_large) };
        let shift = options.from[memory];
        let (size, weight) = match factor {
            Factor::Block(_, 1) => continue,
            Factor::Block(_, size) | Factor::Weighted(_, size, _) => (size, weight(factors, i - 1)),
            _ => {
                let extent = layout.extent(axis);
                let stride = (index_of(format, axes, i - 1), stride);
                ok!(check_axis(options, format, letter, stride, (extent, block)));
                match extent.checked_add(shift) {
                    None => return Err(too_large),
                    Some(_) if extent == 0 => (0, block),
                    Some(end) => (end.div_ceil(block), block),
                }
            }
        };
        digits[count] = Digit { axis, size, weight, stride, shift };
        count += 1;
    }
    Ok((digits, count))
}

/// Returns an error unless there is one stride for each axis, or for each factor.
pub(super) const fn check_count(
    options: &Options,
    format: &Format,
    axes: &[AxisExtent],
) -> Result<(), Fault> {
    let (factors, given) = (format.factors().len(), options.stride_count);
    if factors == axes.len() {
        return options.check_stride_count(format, axes);
    }
    if factors != given {
        let error = Rule::FactorStrides { format: format.name(), factors, given };
        return Err((LayoutError(error), Site::Strides));
    }
    Ok(())
}

/// The position in the list of the stride of factor `i`.
pub(super) const fn index_of(format: &Format, axes: &[AxisExtent], i: usize) -> usize {
    let factors = format.factors();
    if factors.len() > axes.len() {
        return i;
    }
    let mut axis = 0;
    while axis + 1 < axes.len() && !factors[i].is_rest_of(axes[axis].letter) {
        axis += 1;
    }
    axis
}

/// The stride that is listed for factor `i`.
pub(super) const fn stride_of(
    options: &Options,
    format: &Format,
    axes: &[AxisExtent],
    i: usize,
) -> isize {
    match options.strides {
        Some(strides) => strides[index_of(format, axes, i)],
        None => 0,
    }
}

/// Returns an error if the stride or the blocks of an axis contradict its options.
const fn check_axis(
    options: &Options,
    format: &Format,
    letter: char,
    (at, stride): (usize, isize),
    (extent, block): (usize, usize),
) -> Result<(), Fault> {
    let Some(memory) = format.axes().position(letter) else { return Ok(()) };
    let shift = options.from[memory];
    if shift > 0 && shift >= block {
        let error = Rule::BlockPosition { letter, position: shift, block };
        return Err((LayoutError(error), Site::From(letter)));
    }
    ok!(options.stride_factor(format, letter, (at, stride)));
    if options.broadcast[memory] && block > 1 {
        return Err((LayoutError(Rule::BroadcastBlock { letter }), Site::Stride(at)));
    }
    if !options.broadcast[memory] && block == 1 && stride == 0 && extent > 1 {
        return Err((LayoutError(Rule::ZeroStride { letter, extent }), Site::Stride(at)));
    }
    Ok(())
}

/// The product of the blocks of an axis.
const fn block_of(format: &Format, letter: char) -> Option<usize> {
    Summary::of_factors(format.factors()).blocks[slot(letter)]
}

/// Sets the position of the elements in the buffer: that of the option `from`, or the whole buffer.
const fn place_in_buffer(
    options: &Options,
    digits: &[Digit],
    layout: &mut Layout,
) -> Result<(), Fault> {
    let element = layout.element();
    let too_large = (LayoutError(Rule::TooLarge { element }), Site::Extents);
    if layout.numel() == 0 {
        if let Some(BufferPart::View { start, length }) = options.part {
            (layout.buffer.base, layout.buffer.length) = (start as usize, length);
        }
        return match element.bytes_of(layout.len()) {
            Some(_) => Ok(()),
            None => Err((LayoutError(Rule::TooLarge { element }), Site::Part)),
        };
    }
    let mut reach = 0usize;
    let mut i = 0;
    while i < digits.len() {
        let Digit { size, stride, .. } = digits[i];
        let Some(span) = (size - 1).checked_mul(stride.unsigned_abs()) else {
            return Err(too_large);
        };
        reach = match reach.checked_add(span) {
            Some(reach) if reach < isize::MAX as usize => reach,
            _ => return Err(too_large),
        };
        i += 1;
    }
    // From here, no digit leads below 0.
    layout.buffer.base = reach;
    let range = layout.reach();
    let first = layout.offset([0; MAX_RANK].split_at(layout.rank()).0);
    match options.part {
        Some(BufferPart::View { start, length }) => {
            let shift = start as i128 - first as i128;
            let (low, end) = (range.start as i128 + shift, range.end as i128 + shift);
            if low < 0 || end > length as i128 {
                let error = Rule::OutsideOfBuffer { length };
                return Err((LayoutError(error), Site::Part));
            }
            layout.buffer.base = (layout.base() as i128 + shift) as usize;
            layout.buffer.length = length;
        }
        _ => {
            layout.buffer.base = layout.base().wrapping_sub(range.start);
            layout.buffer.length = range.end - range.start;
        }
    }
    match element.bytes_of(layout.len()) {
        Some(_) => Ok(()),
        None => Err(too_large),
    }
}

/// Returns an error if coordinates share an element by digits of strides other than 0, or if that takes too long to
/// find out.
const fn check_distinct(layout: &Layout) -> Result<(), Fault> {
    /// The largest number of values of digits that a search for the coordinate at an offset tries.
    const MOST_VALUES: usize = 1 << 13;
    if layout.numel() == 0 {
        return Ok(());
    }
    let mut values = 1usize;
    let digits = layout.digits();
    let digits = digits.as_slice();
    let mut i = 0;
    while i < digits.len() {
        values = values.saturating_mul(digits[i].size);
        i += 1;
    }
    let broken = if layout.digit_count() == layout.rank() || values > MOST_VALUES {
        layout.overlap_of_text()
    } else if let Err(error) = layout.check_open() {
        Some(error)
    } else {
        None
    };
    match broken {
        Some(error) => Err((error, Site::Strides)),
        None => Ok(()),
    }
}
