//! Strides of layouts, and layouts made from strides.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Factor, LayoutError, Length, Letters, MAX_RANK, Name, PerAxis, Rule,
    Spec, check_stride_count,
};

impl Layout {
    /// The stride of each axis in elements, in coordinate order. `None` if an axis has blocks that one stride cannot
    /// describe, or if there is a swizzle.
    ///
    /// Law: `offset(c + 1 on axis k) == offset(c) + strides[k]`, if both are coordinates.
    pub const fn strides(&self) -> Option<PerAxis<isize>> {
        if self.swizzle().is_some() {
            return None;
        }
        let mut strides = [0; MAX_RANK];
        each!(axis, 0..self.rank(), {
            strides[axis] = match AxisDigits::of(self, axis).stride() {
                Some(stride) => stride,
                None => return None,
            };
        });
        Some(PerAxis::new(strides, self.rank()))
    }

    /// Returns a layout from extents and strides, as other libraries have them. Strides count elements. `axes` names the
    /// entries of both lists and is the coordinate order of the layout: "HWC" and [480, 640, 3] have H = 480.
    ///
    /// A stride of 0 makes the axis broadcast. If a stride is negative, coordinate 0 of the axis is the last one in
    /// memory. [`LayoutBuilder::byte_strides`] takes strides in bytes.
    ///
    /// [`LayoutBuilder::byte_strides`]: crate::LayoutBuilder::byte_strides
    ///
    /// # Errors
    /// - The number of extents or strides is not the number of letters.
    /// - A letter is repeated.
    /// - Two coordinates share an offset, although they differ on an axis that is not broadcast.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let tensor = Layout::from_strides("NCHW", &[1, 64, 5, 4], &[1280, 1, 256, 64], ElementType::F32)?;
    /// assert!(tensor.matches("NHWC") && !tensor.is_contiguous());
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn from_strides(
        axes: &str,
        extents: &[usize],
        strides: &[isize],
        element: ElementType,
    ) -> Result<Self, LayoutError> {
        let letters = ok!(letters(axes, extents.len(), strides.len()));
        let rank = letters.count();
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let mut factors = [Factor::Axis('A'); MAX_RANK];
        each!(i, 0..rank, {
            let letter = letters.at(i);
            axes[i] = AxisExtent { letter, extent: Length::Runtime(extents[i]) };
            factors[i] = match strides[i] {
                0 if extents[i] > 1 => Factor::Broadcast(letter),
                stride => Factor::Stride(letter, stride),
            };
        });
        let (axes, factors) = (axes.split_at(rank).0, factors.split_at(rank).0);
        Self::new(&Spec { element, axes, factors, fill: None })
    }

    /// Returns a layout of digits, each an axis, a size and a stride. The digits of an axis are listed one after the
    /// other, from the fastest to the slowest. `lowest` is the lowest offset of a coordinate.
    ///
    /// # Errors
    /// - There are more digits than a layout can have.
    /// - Coordinates share an offset, although they differ in a digit of a stride other than 0.
    /// - A stride of elements of less than a byte is not a whole number of bytes.
    /// - The layout takes more than `isize::MAX` bytes.
    #[doc(hidden)]
    pub fn from_digits(
        axes: Letters,
        digits: &[(usize, usize, isize)],
        lowest: usize,
        element: ElementType,
    ) -> Result<Self, LayoutError> {
        let mut layout = Self::from_strides("", &[], &[], element)?.origin();
        let too_large = LayoutError(Rule::TooLarge { element });
        let (mut below, mut above) = (0usize, lowest);
        for axis in 0..axes.count() {
            let letter = axes.at(axis);
            let (mut axis_digits, mut extent) = (AxisDigits::NONE, 1usize);
            for &(_, size, stride) in digits.iter().filter(|digit| digit.0 == axis) {
                if size > 1 && !element.is_row(stride.unsigned_abs()) {
                    return Err(LayoutError(Rule::OddStride { letter, stride, element }));
                }
                extent = extent.checked_mul(size).ok_or(too_large)?;
                let way = size.saturating_sub(1).checked_mul(stride.unsigned_abs());
                let end = if stride < 0 { &mut below } else { &mut above };
                *end = way.and_then(|way| end.checked_add(way)).ok_or(too_large)?;
                axis_digits = axis_digits.with(size, stride);
            }
            if extent > isize::MAX as usize || below.max(above) > isize::MAX as usize {
                return Err(too_large);
            }
            layout.put(axis, letter, &axis_digits.normalized(0, extent))?;
        }
        if layout.numel() == 0 {
            layout.buffer.length = 0;
            return Ok(layout);
        }
        let length = below.checked_add(above).and_then(|last| last.checked_add(1));
        let length = length.filter(|&length| element.bytes_of(length).is_some());
        (layout.buffer.base, layout.buffer.length) =
            (below.saturating_add(lowest), length.ok_or(too_large)?);
        layout.check_open()?;
        Ok(layout)
    }
}

/// Returns the characters as axes, in upper case. `extents` and `strides` are the numbers of these.
const fn letters(axes: &str, extents: usize, strides: usize) -> Result<Letters, LayoutError> {
    let bytes = axes.as_bytes();
    if bytes.len() > MAX_RANK {
        return Err(LayoutError(Rule::TooManyAxes));
    }
    let mut letters = Letters::EMPTY;
    each!(i, 0..bytes.len(), {
        let letter = crate::spec::character_at(axes, i).to_ascii_uppercase();
        if !letter.is_ascii_uppercase() {
            return Err(LayoutError(Rule::AxisLetter { letter }));
        }
        if letters.position(letter).is_some() {
            return Err(LayoutError(Rule::RepeatedName { letter }));
        }
        letters = letters.with(letter);
    });
    if extents != letters.count() {
        let format = Name::new(axes);
        return Err(LayoutError(Rule::ExtentCount { format, axes: letters, given: extents }));
    }
    ok!(check_stride_count(letters, strides));
    Ok(letters)
}
