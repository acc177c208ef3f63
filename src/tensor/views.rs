//! Tensors over parts of a buffer: views, and disjoint mutable views.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::Tensor;
use crate::buffers::check_length;
use layout_types::Element;
use layout_types::Layout;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Dynamic, LayoutType, UnitOf};

/// A view of a tensor of elements `E`.
pub type TensorView<'a, E, const RANK: usize> =
    Tensor<Dynamic<E, RANK>, &'a [<E as Element>::Unit]>;

/// A mutable view of a tensor of elements `E`.
pub type TensorViewMut<'a, E, const RANK: usize> =
    Tensor<Dynamic<E, RANK>, &'a mut [<E as Element>::Unit]>;

impl<L: LayoutType, B, S> Tensor<L, B, S> {
    /// Changes the layout and keeps the buffer, in any memory space. `change` makes the new layout of the old one.
    ///
    /// # Errors
    /// - `change` returns an error.
    /// - The new layout has another rank, element type or length.
    pub fn into_view<const RANK: usize>(
        self,
        change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
    ) -> Result<Tensor<Dynamic<L::Element, RANK>, B, S>, LayoutError> {
        let layout = changed(&self.layout, change)?;
        Ok(Tensor { layout, buffer: self.buffer, space: PhantomData })
    }
}

/// Returns the layout that `change` makes, if it has the same length.
fn changed<L: LayoutType, const RANK: usize>(
    layout: &L,
    change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
) -> Result<Dynamic<L::Element, RANK>, LayoutError> {
    let view = Dynamic::new(change(layout.layout())?)?;
    check_length("buffer", view.units(), layout.units())?;
    Ok(view)
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Returns a view of the tensor. `change` makes the view's layout of the tensor's layout.
    ///
    /// The compiler infers the rank from the coordinates that index the view. If the program indexes it nowhere,
    /// write the rank: `view::<2>(..)`.
    ///
    /// # Errors
    /// - `change` returns an error.
    /// - The new layout has another rank, element type or length.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("HWC", &[2, 3, 2], ElementType::U8)?;
    /// let buffer: Vec<u8> = (0..12).collect();
    /// let image = Tensor::with_layout(Dynamic::<u8, 3>::new(layout)?, buffer)?;
    /// let plane = image.view(|layout| layout.index('C', 1)?.permute("WH"))?;
    /// assert_eq!(plane[[1, 2]], image[[1, 2, 1]]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("permute", "transpose", "reshape", "slice", "squeeze"))]
    pub fn view<const RANK: usize>(
        &self,
        change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
    ) -> Result<TensorView<'_, L::Element, RANK>, LayoutError> {
        Tensor::with_layout(changed(&self.layout, change)?, self.buffer())
    }

    /// The mutable version of [`view`](Self::view).
    ///
    /// # Errors
    /// The same as [`view`](Self::view).
    pub fn view_mut<const RANK: usize>(
        &mut self,
        change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
    ) -> Result<TensorViewMut<'_, L::Element, RANK>, LayoutError>
    where
        B: AsMut<[UnitOf<L>]>,
    {
        Tensor::with_layout(changed(&self.layout, change)?, self.buffer.as_mut())
    }
}

/// Two mutable views.
type Halves<'a, E, const RANK: usize> = (TensorViewMut<'a, E, RANK>, TensorViewMut<'a, E, RANK>);

/// Parts of a mutable tensor that several threads can change at once. [`borrow_mut`](Tensor::borrow_mut) and
/// [`view_mut`](Tensor::view_mut) make such tensors.
impl<'a, L: LayoutType> Tensor<L, &'a mut [UnitOf<L>]> {
    /// Splits the tensor at coordinate `at` of an axis into two tensors with disjoint buffers. Two threads can change
    /// them at once.
    ///
    /// # Errors
    /// - The layout has no such axis, or its extent is less than `at`.
    /// - The parts interleave in memory. The parts of the slowest axis do not.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("NHWC", &[4, 3, 2, 2], ElementType::F32)?;
    /// let mut batch = Tensor::with_layout(Dynamic::<f32, 4>::new(layout)?, [0.0; 48])?;
    /// let (mut first, mut rest) = batch.borrow_mut().split('N', 1)?;
    /// (first[[0, 0, 0, 0]], rest[[0, 0, 0, 0]]) = (1.0, 2.0);
    /// assert_eq!((batch[[0, 0, 0, 0]], batch[[1, 0, 0, 0]]), (1.0, 2.0));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn split<const RANK: usize>(
        self,
        axis: char,
        at: usize,
    ) -> Result<Halves<'a, L::Element, RANK>, LayoutError>
    where
        L: LayoutType<Coordinate = [usize; RANK]>,
    {
        let layout = self.layout.layout();
        let Cut { at, swapped, halves } = cut(&layout, axis, at)?;
        let (low, high) = (halves.0.part(0, at)?, halves.1.part(at, layout.len() - at)?);
        let (low_units, high_units) = self.buffer.split_at_mut(low.units());
        let low = Tensor::with_layout(Dynamic::new(low)?, low_units)?;
        let high = Tensor::with_layout(Dynamic::new(high)?, high_units)?;
        Ok(if swapped { (high, low) } else { (low, high) })
    }

    /// Splits the tensor into chunks of `size` coordinates of an axis with disjoint buffers. The last chunk may be
    /// smaller.
    ///
    /// The check takes a time that does not depend on the extent. The iterator splits off each chunk when it is asked
    /// for the next one.
    ///
    /// # Errors
    /// - In the cases of [`split`](Self::split).
    /// - `size` is 0.
    /// - The axis has blocks in which chunks begin at too many different positions to check all of them.
    pub fn chunks<const RANK: usize>(
        self,
        axis: char,
        size: usize,
    ) -> Result<ChunksMut<'a, L::Element, RANK>, LayoutError>
    where
        L: LayoutType<Coordinate = [usize; RANK]>,
    {
        let mut rest = self.layout.layout();
        let position = rest.axis(axis)?;
        let letter = rest.letters().at(position);
        if size == 0 {
            return Err(LayoutError(Rule::EmptyChunk { letter }));
        }
        // If the cuts that differ from one another succeed, every cut in `next` succeeds.
        let Some(cuts) = rest.different_cuts(position, size) else {
            return Err(LayoutError(Rule::Interleaved { letter }));
        };
        for _ in 0..cuts {
            let Cut { halves, swapped, .. } = cut(&rest, letter, size)?;
            rest = if swapped { halves.0 } else { halves.1 };
        }
        let whole = Tensor::with_layout(Dynamic::new(self.layout.layout())?, self.buffer)?;
        Ok(ChunksMut { rest: Some(whole), axis: letter, size })
    }
}

/// Two parts of an axis in two parts of the buffer.
struct Cut {
    /// The offset at which the second part of the buffer begins, in elements.
    at: usize,
    /// Whether the first part of the axis lies in the second part of the buffer.
    swapped: bool,
    /// The layouts of the first and of the second part of the buffer.
    halves: (Layout, Layout),
}

/// Splits an axis in two. Returns an error unless one part lies entirely after the other.
fn cut(layout: &Layout, axis: char, at: usize) -> Result<Cut, LayoutError> {
    let letter = layout.letters().at(layout.axis(axis)?);
    let (first, second) = layout.split(axis, at)?;
    let (low, high) = (first.range(), second.range());
    let swapped = !low.is_empty() && !high.is_empty() && high.start < low.start;
    let halves = if swapped { (second, first) } else { (first, second) };
    let (low, high) = (halves.0.range(), halves.1.range());
    // The elements of one byte must lie in one buffer.
    let at = match high.is_empty() {
        true => layout.len(),
        false => high.start - high.start % layout.element().per_byte(),
    };
    // The second buffer must begin at a period of the swizzle.
    let at = if high.is_empty() { at } else { at - at % layout.swizzle_period() };
    if low.end > at {
        return Err(LayoutError(Rule::Interleaved { letter }));
    }
    Ok(Cut { at, swapped, halves })
}

/// An iterator over mutable chunks along an axis; see [`chunks`](Tensor::chunks).
pub struct ChunksMut<'a, E: Element, const RANK: usize> {
    rest: Option<TensorViewMut<'a, E, RANK>>,
    axis: char,
    size: usize,
}

impl<E: Element, const RANK: usize> ChunksMut<'_, E, RANK> {
    /// Returns the number of coordinates of the axis that are left.
    fn extent(&self) -> usize {
        let Some(rest) = &self.rest else { return 0 };
        let layout = rest.layout();
        layout.axis(self.axis).map_or(0, |axis| layout.extents()[axis])
    }
}

impl<E: Element, const RANK: usize> fmt::Debug for ChunksMut<'_, E, RANK> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { axis, size, .. } = self;
        let mut fields = formatter.debug_struct("ChunksMut");
        fields.field("axis", axis).field("size", size).field("left", &self.len()).finish()
    }
}

impl<'a, E: Element, const RANK: usize> Iterator for ChunksMut<'a, E, RANK> {
    type Item = TensorViewMut<'a, E, RANK>;

    fn next(&mut self) -> Option<Self::Item> {
        let extent = self.extent();
        let rest = self.rest.take()?;
        if extent <= self.size {
            return (extent > 0).then_some(rest);
        }
        let (chunk, rest) = rest.split(self.axis, self.size).ok()?;
        self.rest = Some(rest);
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.extent().div_ceil(self.size);
        (left, Some(left))
    }
}

impl<E: Element, const RANK: usize> ExactSizeIterator for ChunksMut<'_, E, RANK> {}

impl<E: Element, const RANK: usize> FusedIterator for ChunksMut<'_, E, RANK> {}
