//! Rows, panels and parts: contiguous elements as slices and arrays.

use core::ops::Range;

use super::Tensor;
use crate::buffers::{refuse_length, wrong_length};
use layout_types::spec::{LayoutError, Rule, broken};
use layout_types::typed::{Panels, Parts, Rows};
use layout_types::{Element, LastAxis, LayoutType, UnitOf, WholeElement};

/// Rows, panels and parts of a static layout.
///
/// The index counts the slowest digits in memory order, and the result holds the faster ones. Digits are the axes and
/// blocks of the format as it is written: `NCHW4` has the digits `N`, `C / 4`, `H`, `W`, `C % 4`. An axis with blocks
/// is counted in blocks, so a loop over it divides nothing. The index is checked once for all elements.
///
/// | of `NCHW4<1, 64, 56, 56>, i8` | is |
/// |---|---|
/// | `x.row([n, c, h])` | `&[[i8; 4]; 56]` |
/// | `x.row([n, c, h, w])` | `&[i8; 4]` |
/// | `x.row([n, c, h, w, k])` | `&i8`, of channel `4 * c + k` |
/// | `x.panel([n, c, h])` | `&[[i8; 4]]`, of length 56 |
/// | `x.panel([n])` | `&[[[[i8; 4]; 56]; 56]]`, of length 16 |
/// | `x.part([n, c, h])` | `&[i8]`, of length 224 |
///
/// A row holds elements as they are stored: if the extent is not a multiple of the block, the last entries are
/// padding. Padding that an alignment adds after a row is not part of it.
impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Returns the elements at `index` of the slowest digits as nested arrays of the faster digits.
    ///
    /// A row is a compile error in these cases:
    ///
    /// - An axis of the row has blocks, so that no type can name its number of blocks. Index that axis too, or use
    ///   [`panel`](Self::panel).
    /// - The row has gaps, or elements of less than a byte. Use [`part`](Self::part).
    /// - The layout has extents known only at run time. Use [`row_along`](Self::row_along).
    ///
    /// # Panics
    /// - If a digit of the index is too large. The message names the axis.
    /// - If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Act = layout!(NCHW4<1, 8, 2, 3>, i8);
    /// let buffer: [i8; Act::LEN] = core::array::from_fn(|i| i as i8);
    /// let act = Tensor::<Act, _>::new(buffer)?;
    ///
    /// let row: &[[i8; 4]; 3] = act.row([0, 1, 1]); // channels 4 to 7 at h = 1
    /// assert_eq!(row, &[[36, 37, 38, 39], [40, 41, 42, 43], [44, 45, 46, 47]]);
    /// assert_eq!(row[2][3], act[[0, 7, 1, 2]]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn row<const DIGITS: usize, P>(&self, index: [usize; DIGITS]) -> &L::Row
    where
        L: Rows<DIGITS, P>,
        L::Element: WholeElement,
    {
        let units = elements(&self.layout, self.buffer.as_ref(), index, L::ROW_LEN);
        assert!(size_of::<L::Row>() == size_of_val(units));
        // SAFETY: nested arrays of elements have the alignment of the element and no padding, and the check above
        // found that the slice has their size.
        unsafe { &*units.as_ptr().cast() }
    }

    /// The mutable version of [`row`](Self::row).
    ///
    /// # Panics
    /// The same as [`row`](Self::row).
    #[inline]
    #[track_caller]
    pub fn row_mut<const DIGITS: usize, P>(&mut self, index: [usize; DIGITS]) -> &mut L::Row
    where
        L: Rows<DIGITS, P>,
        L::Element: WholeElement,
        B: AsMut<[UnitOf<L>]>,
    {
        let units = elements_mut(&self.layout, self.buffer.as_mut(), index, L::ROW_LEN);
        assert!(size_of::<L::Row>() == size_of_val(units));
        // SAFETY: the same proof as in `row`; the slice stays mutably borrowed as long as the row.
        unsafe { &mut *units.as_mut_ptr().cast() }
    }

    /// Returns the elements at `index` of the slowest digits as a slice with one nested array for each value of the
    /// next digit.
    ///
    /// # Panics
    /// The same as [`row`](Self::row).
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// // Columns in panels of 16, as the kernel of a matrix product reads them.
    /// type B = layout!(NK16n<N = 32, K = 8>, f32);
    /// let b = Tensor::<B, _>::new([1.0; B::LEN])?;
    /// let panel: &[[f32; 16]] = b.panel([1]); // columns 16 to 31
    /// assert_eq!(panel.len(), 8);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn panel<const DIGITS: usize, P>(&self, index: [usize; DIGITS]) -> &[L::Row]
    where
        L: Panels<DIGITS, P>,
        L::Element: WholeElement,
    {
        let rows = self.layout.digit_size(DIGITS);
        let units = elements(&self.layout, self.buffer.as_ref(), index, rows * L::ROW_LEN);
        assert!(rows * size_of::<L::Row>() == size_of_val(units));
        // SAFETY: the same proof as in `row` for each of the rows, which are contiguous.
        unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), rows) }
    }

    /// The mutable version of [`panel`](Self::panel).
    ///
    /// # Panics
    /// The same as [`row`](Self::row).
    #[inline]
    #[track_caller]
    pub fn panel_mut<const DIGITS: usize, P>(&mut self, index: [usize; DIGITS]) -> &mut [L::Row]
    where
        L: Panels<DIGITS, P>,
        L::Element: WholeElement,
        B: AsMut<[UnitOf<L>]>,
    {
        let rows = self.layout.digit_size(DIGITS);
        let units = elements_mut(&self.layout, self.buffer.as_mut(), index, rows * L::ROW_LEN);
        assert!(rows * size_of::<L::Row>() == size_of_val(units));
        // SAFETY: the same proof as in `panel`; the slice stays mutably borrowed as long as the rows.
        unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), rows) }
    }

    /// Returns the units from the first to the last element at `index` of the slowest digits, including padding
    /// between them. For elements of less than a byte, the units are the bytes that hold them.
    ///
    /// # Panics
    /// The same as [`row`](Self::row).
    ///
    /// ```
    /// use tensor_layout::{layout, tensor};
    ///
    /// // Rows begin at multiples of 8 bytes.
    /// type Image = layout!(NCHW<1, 2, 3, 5>, u8, align(H = 8));
    /// let image = <tensor!(Image)>::default();
    /// assert_eq!(image.part([0, 1, 2]).len(), 5);
    /// assert_eq!(image.part([0, 1]).len(), 8 + 8 + 5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn part<const DIGITS: usize>(&self, index: [usize; DIGITS]) -> &[UnitOf<L>]
    where
        L: Parts<DIGITS>,
    {
        let units = self.buffer.as_ref();
        let range = unit_range(&self.layout, units.len(), index);
        &units[range]
    }

    /// The mutable version of [`part`](Self::part).
    ///
    /// # Panics
    /// The same as [`row`](Self::row).
    #[inline]
    #[track_caller]
    pub fn part_mut<const DIGITS: usize>(&mut self, index: [usize; DIGITS]) -> &mut [UnitOf<L>]
    where
        L: Parts<DIGITS>,
        B: AsMut<[UnitOf<L>]>,
    {
        let units = self.buffer.as_mut();
        let range = unit_range(&self.layout, units.len(), index);
        &mut units[range]
    }
}

/// Rows of any layout.
impl<L: LayoutType<Element: WholeElement>, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Returns the elements along an axis of stride 1 from a coordinate up to the end of the axis, or up to the end
    /// of the block that contains the coordinate.
    ///
    /// # Errors
    /// - The layout has a swizzle.
    /// - The layout has no such axis, or the stride of the axis is not 1.
    /// - The coordinate lies outside the extents.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("HWC", &[2, 2, 3], ElementType::U8)?; // extents of C, H, W
    /// let units: Vec<u8> = (0..12).collect();
    /// let image = Tensor::with_layout(Dynamic::<u8, 3>::new(layout)?, units)?;
    /// assert_eq!(image.row_along('C', [0, 1, 2])?, [10, 11]);
    /// assert!(image.row_along('W', [0, 1, 0]).is_err()); // two elements apart
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn row_along(
        &self,
        axis: char,
        coordinate: L::Coordinate,
    ) -> Result<&[L::Element], LayoutError> {
        let range = along(&self.layout, axis, coordinate)?;
        let units = self.buffer.as_ref();
        let given = units.len();
        units.get(range).ok_or_else(|| wrong_length("buffer", self.layout.units(), given))
    }

    /// The mutable version of [`row_along`](Self::row_along).
    ///
    /// # Errors
    /// The same as [`row_along`](Self::row_along).
    pub fn row_along_mut(
        &mut self,
        axis: char,
        coordinate: L::Coordinate,
    ) -> Result<&mut [L::Element], LayoutError>
    where
        B: AsMut<[UnitOf<L>]>,
    {
        let range = along(&self.layout, axis, coordinate)?;
        let units = self.buffer.as_mut();
        let given = units.len();
        units.get_mut(range).ok_or_else(|| wrong_length("buffer", self.layout.units(), given))
    }
}

/// Returns the offsets of the elements along an axis of stride 1.
fn along<L: LayoutType>(
    of: &L,
    axis: char,
    coordinate: L::Coordinate,
) -> Result<Range<usize>, LayoutError> {
    let layout = of.layout();
    let axis = layout.axis(axis)?;
    let start = of.checked_offset_of(coordinate)?;
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "`row_along`" }));
    }
    let steps = LastAxis::at(&layout, axis);
    let from = coordinate.as_ref()[axis];
    let rest = layout.extents()[axis] - from;
    if steps.stride != 1 && rest > 1 {
        let (letter, stride) = (layout.letters().at(axis), steps.stride as isize);
        return Err(LayoutError(Rule::RowStride { letter, stride }));
    }
    Ok(start..start + steps.run_from(from))
}

/// Returns the range of units that a part takes.
///
/// # Panics
/// - If a digit of the index is too large.
/// - If the buffer is shorter than the layout.
#[inline(always)]
#[track_caller]
fn unit_range<L: Parts<DIGITS>, const DIGITS: usize>(
    layout: &L,
    units: usize,
    index: [usize; DIGITS],
) -> Range<usize> {
    let range = offsets(layout, units, index);
    let per_byte = const { per_byte::<L>() };
    if per_byte > 1 {
        return range.start / per_byte..range.end.div_ceil(per_byte);
    }
    range
}

/// Returns the number of elements in a unit.
const fn per_byte<L: LayoutType>() -> usize {
    <L::Element as Element>::TYPE.per_byte()
}

/// Returns the range of offsets that a part takes.
///
/// # Panics
/// The same as [`unit_range`].
#[inline(always)]
#[track_caller]
fn offsets<L: Parts<DIGITS>, const DIGITS: usize>(
    layout: &L,
    units: usize,
    index: [usize; DIGITS],
) -> Range<usize> {
    if layout.units() > units {
        refuse_length("buffer", layout.units(), units)
    }
    match layout.part(index) {
        Some(range) => range,
        None => refuse::<L, DIGITS>(index),
    }
}

/// Panics because a digit of the index is too large.
#[inline(always)]
#[track_caller]
fn refuse<L: Parts<DIGITS>, const DIGITS: usize>(index: [usize; DIGITS]) -> ! {
    // Passes numbers, since passing the index to a call would keep it in memory for every row.
    let (mut digit, mut value) = (0, 0);
    for (i, &index) in index.iter().enumerate().rev() {
        if index >= L::SLOWEST[i].1 {
            (digit, value) = (i, index);
        }
    }
    refuse_digit::<L, DIGITS>(digit, value)
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_digit<L: Parts<DIGITS>, const DIGITS: usize>(digit: usize, index: usize) -> ! {
    let (letter, size) = L::SLOWEST[digit];
    panic!("{}", broken::DigitIndex { letter, digit, size, index })
}

/// Returns the elements of a part.
#[inline(always)]
#[track_caller]
fn elements<'a, L: Parts<DIGITS, Element: WholeElement>, const DIGITS: usize>(
    layout: &L,
    units: &'a [UnitOf<L>],
    index: [usize; DIGITS],
    length: usize,
) -> &'a [L::Element] {
    let start = offsets(layout, units.len(), index).start;
    debug_assert!(start + length <= layout.units());
    // SAFETY: layout types are sealed, so the offsets of the digits in the index and of all faster digits, which have
    // `length` values, are less than the layout's length. `offsets` checked that the buffer has at least that length.
    unsafe { units.get_unchecked(start..start + length) }
}

/// The mutable version of [`elements`].
#[inline(always)]
#[track_caller]
fn elements_mut<'a, L: Parts<DIGITS, Element: WholeElement>, const DIGITS: usize>(
    layout: &L,
    units: &'a mut [UnitOf<L>],
    index: [usize; DIGITS],
    length: usize,
) -> &'a mut [L::Element] {
    let start = offsets(layout, units.len(), index).start;
    debug_assert!(start + length <= layout.units());
    // SAFETY: the same proof as in `elements`.
    unsafe { units.get_unchecked_mut(start..start + length) }
}
