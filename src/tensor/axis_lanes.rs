//! Lanes of a tensor: its parts of one axis, which are changed or folded one after another.

use core::fmt;
use core::marker::PhantomData;
#[cfg(feature = "alloc")]
use core::ops::Add;
use core::ops::{Index, IndexMut};

use super::Tensor;
#[cfg(feature = "alloc")]
use super::checked::read_inside;
use super::checked::shared_axis;
use crate::buffers::check_length;
#[cfg(feature = "alloc")]
use layout_types::spec::{Factor, Spec};
use layout_types::spec::{LayoutError, Rule, broken};
#[cfg(feature = "alloc")]
use layout_types::{Element, ElementType, typed::Reduced};
use layout_types::{LastAxis, Layout, LayoutType, UnitOf, WholeElement};

/// Lanes of a tensor.
impl<L: LayoutType<Element: WholeElement>, B: AsMut<[UnitOf<L>]>> Tensor<L, B> {
    /// Iterates over the lanes along an axis, one for each coordinate of the other axes, the last of them the fastest.
    /// A lane holds all elements along the axis, as that of ndarray's `lanes_mut`.
    ///
    /// # Errors
    /// - The layout has no such axis.
    /// - Several coordinates share an element.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// // The softmax of each row of scores.
    /// let mut scores: Tensor<layout!(MK<2, 3>, f32), _> = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0].into();
    /// for mut row in scores.lanes_mut('K')? {
    ///     let most = row.iter().fold(f32::NEG_INFINITY, |most, &score| most.max(score));
    ///     row.iter_mut().for_each(|score| *score = (*score - most).exp());
    ///     let sum: f32 = row.iter().sum();
    ///     row.iter_mut().for_each(|score| *score /= sum);
    /// }
    /// assert_eq!(scores[[0, 1]], 1.0 / 3.0);
    /// assert!((scores[[1, 2]] - 0.665).abs() < 1e-3);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn lanes_mut(&mut self, axis: char) -> Result<LanesMut<'_, L>, LayoutError> {
        let Self { layout, buffer, .. } = self;
        if let Some(letter) = shared_axis(layout) {
            return Err(LayoutError(Rule::SharedElements { letter }));
        }
        let (value, units) = (layout.layout(), buffer.as_mut());
        let lanes = AxisLanes::new(layout, &value, axis)?;
        check_length("buffer", layout.units(), units.len())?;
        Ok(LanesMut { lanes, units: units.as_mut_ptr(), tensor: PhantomData })
    }
}

/// The lanes along an axis.
struct AxisLanes<'a, L: LayoutType> {
    layout: &'a L,
    axis: usize,
    steps: LastAxis,
    extent: usize,
    /// The first coordinate of the next lane.
    next: L::Coordinate,
    /// The number of lanes that are left.
    left: usize,
}

impl<'a, L: LayoutType> AxisLanes<'a, L> {
    fn new(layout: &'a L, value: &Layout, axis: char) -> Result<Self, LayoutError> {
        let axis = value.axis(axis)?;
        let others = value.extents().iter().enumerate().filter(|(other, _)| *other != axis);
        let left = others.fold(1usize, |left, (_, extent)| left.saturating_mul(*extent));
        let (steps, extent) = (LastAxis::at(value, axis), value.extents()[axis]);
        Ok(Self { layout, axis, steps, extent, next: L::ORIGIN, left })
    }

    /// Returns the next lane.
    fn advance(&mut self) -> Option<Lane<'a, L>> {
        self.left = self.left.checked_sub(1)?;
        let Self { layout, axis, steps, extent, next, .. } = *self;
        let coordinate = self.next.as_mut();
        for other in (0..coordinate.len()).rev().filter(|other| *other != axis) {
            coordinate[other] += 1;
            if coordinate[other] < layout.extent_of(other) {
                break;
            }
            coordinate[other] = 0;
        }
        Some(Lane { layout, axis, steps, extent, coordinate: next })
    }
}

/// The coordinates of a lane.
struct Lane<'a, L: LayoutType> {
    layout: &'a L,
    axis: usize,
    steps: LastAxis,
    extent: usize,
    /// The first coordinate.
    coordinate: L::Coordinate,
}

impl<L: LayoutType> Clone for Lane<'_, L> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<L: LayoutType> Lane<'_, L> {
    /// Returns the offset of an element. The index must be less than the extent.
    #[inline]
    fn offset(&self, index: usize) -> usize {
        let mut coordinate = self.coordinate;
        coordinate.as_mut()[self.axis] = index;
        self.layout.offset_of(coordinate)
    }

    /// Returns the offsets of all elements in order, run by run of those that are evenly spaced.
    #[inline]
    fn offsets(&self) -> impl Iterator<Item = usize> + use<'_, L> {
        let (mut index, mut offset, mut run) = (0, 0usize, 0);
        core::iter::from_fn(move || {
            if index == self.extent {
                return None;
            }
            if run == 0 {
                (offset, run) = (self.offset(index), self.steps.run_from(index));
            } else {
                offset = offset.wrapping_add(self.steps.stride);
            }
            (index, run) = (index + 1, run - 1);
            Some(offset)
        })
    }
}

/// An iterator over the lanes along an axis; see [`Tensor::lanes_mut`].
pub struct LanesMut<'a, L: LayoutType<Element: WholeElement>> {
    lanes: AxisLanes<'a, L>,
    /// The first element of the buffer, which has the layout's length.
    units: *mut L::Element,
    tensor: PhantomData<&'a mut L::Element>,
}

impl<'a, L: LayoutType<Element: WholeElement>> Iterator for LanesMut<'a, L> {
    type Item = LaneMut<'a, L>;

    fn next(&mut self) -> Option<Self::Item> {
        let lane = self.lanes.advance()?;
        Some(LaneMut { lane, units: self.units, tensor: PhantomData })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.lanes.left, Some(self.lanes.left))
    }
}

impl<L: LayoutType<Element: WholeElement>> ExactSizeIterator for LanesMut<'_, L> {}

impl<L: LayoutType<Element: WholeElement>> fmt::Debug for LanesMut<'_, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LanesMut").field("left", &self.len()).finish_non_exhaustive()
    }
}

/// The elements of a tensor along an axis, at one coordinate of the other axes; see [`Tensor::lanes_mut`].
pub struct LaneMut<'a, L: LayoutType<Element: WholeElement>> {
    lane: Lane<'a, L>,
    /// The first element of the buffer, which has the layout's length.
    units: *mut L::Element,
    tensor: PhantomData<&'a mut L::Element>,
}

impl<L: LayoutType<Element: WholeElement + fmt::Debug>> fmt::Debug for LaneMut<'_, L> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl<L: LayoutType<Element: WholeElement>> LaneMut<'_, L> {
    /// Iterates over the elements.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &L::Element> {
        // SAFETY: layout types are sealed, so the offsets of coordinates are less than the layout's length, which the
        // buffer has by the check of `lanes_mut`. The elements of the lane belong to it alone: no two coordinates
        // share an element, also by that check, and each lane has other coordinates.
        self.lane.offsets().map(|offset| unsafe { &*self.units.wrapping_add(offset) })
    }

    /// Iterates over the elements mutably.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut L::Element> {
        let units = self.units;
        // SAFETY: the same proof as in `iter`. The coordinates of the lane differ, so each reference points to another
        // element; the lane stays mutably borrowed as long as they do.
        self.lane.offsets().map(move |offset| unsafe { &mut *units.wrapping_add(offset) })
    }

    /// Returns the elements as a slice, if they are contiguous and in order.
    pub fn as_slice_mut(&mut self) -> Option<&mut [L::Element]> {
        let Lane { steps, extent, .. } = self.lane;
        if extent > 1 && (steps.stride != 1 || steps.run_from(0) < extent) {
            return None;
        }
        if extent == 0 {
            return Some(&mut []);
        }
        let first = self.units.wrapping_add(self.lane.offset(0));
        // SAFETY: the elements of the lane follow one another from the first one. The rest is the proof of `iter_mut`.
        Some(unsafe { core::slice::from_raw_parts_mut(first, extent) })
    }

    /// # Panics
    /// If the index is outside of the extent.
    #[track_caller]
    fn checked_offset(&self, index: usize) -> usize {
        let Lane { layout, axis, extent, .. } = self.lane;
        if index >= extent {
            let letter = layout.letter_of(axis);
            panic!("{}", broken::OutOfBounds { letter, extent, coordinate: index })
        }
        self.lane.offset(index)
    }
}

/// Returns the element at a coordinate of the axis.
///
/// # Panics
/// If the coordinate lies outside the extent.
impl<L: LayoutType<Element: WholeElement>> Index<usize> for LaneMut<'_, L> {
    type Output = L::Element;

    #[track_caller]
    fn index(&self, index: usize) -> &L::Element {
        // SAFETY: the index is inside the extent. The rest is the proof of `iter`.
        unsafe { &*self.units.wrapping_add(self.checked_offset(index)) }
    }
}

/// Returns the element at a coordinate of the axis, mutably.
///
/// # Panics
/// If the coordinate lies outside the extent.
impl<L: LayoutType<Element: WholeElement>> IndexMut<usize> for LaneMut<'_, L> {
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut L::Element {
        // SAFETY: the index is inside the extent. The rest is the proof of `iter_mut`.
        unsafe { &mut *self.units.wrapping_add(self.checked_offset(index)) }
    }
}

/// A tensor of elements `E` with all axes of `L` but one.
#[cfg(feature = "alloc")]
type Reduction<L, E> = Tensor<<<L as LayoutType>::Coordinate as Reduced>::Layout<E>>;

/// Folds along an axis.
#[cfg(feature = "alloc")]
impl<L: LayoutType<Coordinate: Reduced>, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Folds the elements along an axis, and returns the tensor of the other axes, in coordinate order and contiguous,
    /// as ndarray's `fold_axis`.
    ///
    /// # Errors
    /// - The layout has no such axis.
    /// - Memory cannot be allocated.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// let scores: Tensor<layout!(MK<2, 3>, f32), _> = [0.0, 7.0, 5.0, 1.0, 2.0, 3.0].into();
    /// let most = scores.fold_axis('K', f32::NEG_INFINITY, f32::max)?;
    /// assert_eq!([most[[0]], most[[1]]], [7.0, 3.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn fold_axis<A: Element>(
        &self,
        axis: char,
        first: A,
        mut fold: impl FnMut(A, L::Element) -> A,
    ) -> Result<Reduction<L, A>, LayoutError> {
        let value = self.layout();
        let mut lanes = AxisLanes::new(&self.layout, &value, axis)?;
        let units = self.buffer();
        check_length("buffer", self.layout.units(), units.len())?;
        let layout = others(&value, lanes.axis, A::TYPE)?.try_into()?;
        Tensor::from_fn_in(layout, |_| {
            let Some(lane) = lanes.advance() else { return first };
            lane.offsets().fold(first, |folded, offset| {
                // SAFETY: the offset is one of a coordinate, and the buffer has the layout's length, as checked above.
                fold(folded, unsafe { read_inside::<L>(units, offset) })
            })
        })
    }

    /// Adds the elements along an axis: [`fold_axis`](Self::fold_axis) with `+`, from the element's default. To add
    /// small integers without overflow, fold them into wider ones.
    ///
    /// # Errors
    /// The same as [`fold_axis`](Self::fold_axis).
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// let image: Tensor<layout!(HWC<H = 1, W = 2, C = 3>, i32), _> = [1, 2, 3, 10, 20, 30].into();
    /// let gray = image.sum_axis('C')?;
    /// assert_eq!([gray[[0, 0]], gray[[0, 1]]], [6, 60]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn sum_axis(&self, axis: char) -> Result<Reduction<L, L::Element>, LayoutError>
    where
        L::Element: Add<Output = L::Element> + Default,
    {
        self.fold_axis(axis, L::Element::default(), |sum, element| sum + element)
    }
}

/// Returns the contiguous layout of all axes but one.
#[cfg(feature = "alloc")]
fn others(layout: &Layout, axis: usize, element: ElementType) -> Result<Layout, LayoutError> {
    let mut axes = layout.axes_and_extents();
    let count = layout.rank() - 1;
    axes[axis..=count].rotate_left(1);
    let factors = axes.map(|axis| Factor::Axis(axis.letter));
    let (axes, factors) = (&axes[..count], &factors[..count]);
    Layout::new(&Spec { element, axes, factors, fill: None })
}
