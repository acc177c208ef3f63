//! Buffers with listed strides whose gaps are padding.

use super::assembly::{Assembly, Fault, Origin};
use super::draft::Site;
use super::listed::{check_count, check_options, index_of, stride_of};
use super::options::{BufferPart, Options};
use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, Factor, Format, LayoutError, Rule};

/// A buffer of `length` elements whose gaps are padding: a memory order in which each factor is aligned to its stride.
pub(super) const fn with_gaps(
    options: &Options,
    format: &Format,
    element: ElementType,
    axes: &[AxisExtent],
) -> Result<Layout, Fault> {
    ok!(check_options(options, true));
    ok!(check_count(options, format, axes));
    let Some(BufferPart::Whole { length }) = options.part else {
        return Err((LayoutError(Rule::PartWithoutStrides), Site::Part));
    };
    let mut parts = Assembly::EMPTY;
    parts.fill = options.fill;
    let listed = format.factors();
    let mut i = ok!(push_lanes(options, element, (format, axes), length, &mut parts));
    while i < listed.len() {
        let (at, stride) = (index_of(format, axes, i), stride_of(options, format, axes, i));
        match listed[i] {
            Factor::Axis(letter) => {
                match ok!(options.stride_factor(format, letter, (at, stride))) {
                    Factor::Broadcast(letter) => {
                        parts.push(Factor::Broadcast(letter), Origin::FORMAT)
                    }
                    _ => {
                        parts.push(listed[i], Origin::FORMAT);
                        parts.push_align(element, stride);
                    }
                }
            }
            factor => {
                parts.push(factor, Origin::FORMAT);
                parts.push_align(element, stride);
            }
        }
        i += 1;
    }
    if let Some(swizzling) = options.swizzle {
        parts.push(Factor::Swizzle(swizzling), Origin::of(Site::Swizzle, Site::Swizzle));
    }
    let mut layout = ok!(parts.resolved(element, axes));
    layout.buffer.set_alignment(element.align());
    ok!(check_owned(options, format, axes, &mut layout, length));
    Ok(layout)
}

/// Adds the lanes of a buffer of `length` elements, and their stride. Returns the number of factors of the format that
/// they are.
const fn push_lanes(
    options: &Options,
    element: ElementType,
    (format, axes): (&Format, &[AxisExtent]),
    length: usize,
    parts: &mut Assembly,
) -> Result<usize, Fault> {
    let listed = format.factors();
    let mut i = 0;
    if let Some(lanes) = options.lanes {
        parts.push(lanes, Origin::of(Site::Lanes, Site::Distribution));
    }
    match options.lanes {
        Some(Factor::Lanes(letter, lanes, _)) => {
            if lanes > 1 {
                let first = if listed.is_empty() { Factor::Align(1) } else { listed[0] };
                if !matches!(first, Factor::Block(own, size) | Factor::Weighted(own, size, _) if own as u32 == letter as u32 && size == lanes)
                {
                    let error = Rule::LanesNotFirst { letter, lanes };
                    return Err((LayoutError(error), Site::Lanes));
                }
                parts.push_align(element, stride_of(options, format, axes, 0));
                i = 1;
            } else {
                parts.push_align(element, length as isize);
            }
        }
        _ => parts.push_align(element, length as isize),
    }
    Ok(i)
}

impl Assembly {
    /// Adds an alignment to a stride, if the stride is a whole number of bytes.
    const fn push_align(&mut self, element: ElementType, stride: isize) {
        if stride > 0 && stride as usize % element.per_byte() == 0 {
            if let Some(bytes) = element.bytes_of(stride as usize) {
                self.push(Factor::Align(bytes), Origin::of(Site::Strides, Site::Strides));
            }
        }
    }
}

/// Returns an error unless the layout has the listed strides and length. If a stride is smaller than the space of the
/// faster factors, it was rounded up to a multiple of itself. A layout without elements may have any strides.
const fn check_owned(
    options: &Options,
    format: &Format,
    axes: &[AxisExtent],
    layout: &mut Layout,
    length: usize,
) -> Result<(), Fault> {
    let empty = layout.numel() == 0;
    let (mut digits, count) = (layout.digits().list, layout.digit_count());
    let mut digit = 0;
    let mut i = 0;
    while i < format.factors().len() {
        let stride = stride_of(options, format, axes, i);
        match format.factors()[i] {
            Factor::Block(_, 1) => {}
            Factor::Axis(letter) if options.is_broadcast(format, letter) => {}
            _ => {
                if empty {
                    digits[digit].stride = stride;
                } else if digits[digit].stride != stride {
                    return Err((LayoutError(Rule::StridesNotNested), Site::Strides));
                }
                digit += 1;
            }
        }
        i += 1;
    }
    if empty {
        layout.set_digits(&digits, count);
    }
    match layout.len() == length {
        true => Ok(()),
        false => {
            let error = match layout.swizzle() {
                Some(_) if layout.len() > length => {
                    Rule::SwizzledOutside { span: layout.len(), length }
                }
                _ => Rule::LengthTooShort { length },
            };
            Err((LayoutError(error), Site::Part))
        }
    }
}
