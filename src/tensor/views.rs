//! Tensors over parts of a buffer: views, and views to be changed that have no element in common.

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

/// A view of a tensor of elements `E`, to be changed.
pub type TensorViewMut<'a, E, const RANK: usize> =
    Tensor<Dynamic<E, RANK>, &'a mut [<E as Element>::Unit]>;

impl<L: LayoutType, B, S> Tensor<L, B, S> {
    /// The tensor with another layout over the same buffer, in any memory space.
    ///
    /// # Errors
    /// Those of `change`, a layout of another rank or element type, or of another length.
    pub fn into_view<const RANK: usize>(
        self,
        change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
    ) -> Result<Tensor<Dynamic<L::Element, RANK>, B, S>, LayoutError> {
        let layout = changed(&self.layout, change)?;
        Ok(Tensor { layout, buffer: self.buffer, space: PhantomData })
    }
}

/// The layout that `change` makes of another, of the same length.
fn changed<L: LayoutType, const RANK: usize>(
    layout: &L,
    change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
) -> Result<Dynamic<L::Element, RANK>, LayoutError> {
    let view = Dynamic::new(change(layout.layout())?)?;
    check_length("buffer", view.units(), layout.units())?;
    Ok(view)
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// A view of the tensor: `change` makes its layout out of this one's.
    ///
    /// The rank follows from the coordinates that the view is indexed by. Where there are none, write it:
    /// `view::<2>(..)`.
    ///
    /// # Errors
    /// Those of `change`, a layout of another rank or element type, or of another length.
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
    pub fn view<const RANK: usize>(
        &self,
        change: impl FnOnce(Layout) -> Result<Layout, LayoutError>,
    ) -> Result<TensorView<'_, L::Element, RANK>, LayoutError> {
        Tensor::with_layout(changed(&self.layout, change)?, self.buffer())
    }

    /// [`view`](Self::view), to be changed.
    ///
    /// # Errors
    /// As [`view`](Self::view).
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

impl<'a, E: Element, const RANK: usize> TensorViewMut<'a, E, RANK> {
    /// The coordinates of an axis below `at`, and those from it on, each in a buffer of its own:
    /// the two can be changed at once, on two threads.
    ///
    /// # Errors
    /// An axis that there is not or that is not as long, and parts that take turns in memory: those
    /// of the slowest axis do not.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("NHWC", &[4, 3, 2, 2], ElementType::F32)?;
    /// let mut batch = Tensor::with_layout(Dynamic::<f32, 4>::new(layout)?, [0.0; 48])?;
    /// let (mut first, mut rest) = batch.view_mut(Ok)?.split('N', 1)?;
    /// (first[[0, 0, 0, 0]], rest[[0, 0, 0, 0]]) = (1.0, 2.0);
    /// assert_eq!((batch[[0, 0, 0, 0]], batch[[1, 0, 0, 0]]), (1.0, 2.0));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn split(self, axis: char, at: usize) -> Result<(Self, Self), LayoutError> {
        let layout = self.layout.layout();
        let Cut { at, swapped, halves } = cut(&layout, axis, at)?;
        let (low, high) = (halves.0.part(0, at), halves.1.part(at, layout.len() - at));
        let (low_units, high_units) = self.buffer.split_at_mut(low.units());
        let low = Tensor::with_layout(Dynamic::new(low)?, low_units)?;
        let high = Tensor::with_layout(Dynamic::new(high)?, high_units)?;
        Ok(if swapped { (high, low) } else { (low, high) })
    }

    /// The tensor in chunks of `size` coordinates of an axis, the last of what is left, each in a
    /// buffer of its own.
    ///
    /// # Errors
    /// As [`split`](Self::split), chunks of no coordinates, and blocks of the axis in which chunks
    /// begin at so many places that it takes too long to find whether they take turns in memory.
    ///
    /// What `chunks` takes to find that out does not depend on the extent, and each chunk is cut when
    /// it is asked for.
    pub fn chunks(self, axis: char, size: usize) -> Result<ChunksMut<'a, E, RANK>, LayoutError> {
        let mut rest = self.layout.layout();
        let position = rest.axis(axis)?;
        let letter = rest.letters().at(position);
        if size == 0 {
            return Err(LayoutError(Rule::EmptyChunk { letter }));
        }
        // Whatever `next` will split can be split, as the first cuts that differ can.
        let Some(cuts) = rest.different_cuts(position, size) else {
            return Err(LayoutError(Rule::Interleaved { letter }));
        };
        for _ in 0..cuts {
            let Cut { halves, swapped, .. } = cut(&rest, letter, size)?;
            rest = if swapped { halves.0 } else { halves.1 };
        }
        Ok(ChunksMut { rest: Some(self), axis: letter, size })
    }
}

/// Two parts of an axis in two parts of the buffer.
struct Cut {
    /// Where the second part of the buffer begins, in elements.
    at: usize,
    /// Whether that is where the first part of the axis lies.
    swapped: bool,
    /// The layouts of what lies in the first part of the buffer, and of what lies in the second.
    halves: (Layout, Layout),
}

/// Errors unless the parts of the axis lie one behind the other.
fn cut(layout: &Layout, axis: char, at: usize) -> Result<Cut, LayoutError> {
    let letter = layout.letters().at(layout.axis(axis)?);
    let (first, second) = layout.split(axis, at)?;
    let (low, high) = (first.range(), second.range());
    let swapped = !low.is_empty() && !high.is_empty() && high.start < low.start;
    let halves = if swapped { (second, first) } else { (first, second) };
    let (low, high) = (halves.0.range(), halves.1.range());
    // The elements of a byte lie in one buffer.
    let at = match high.is_empty() {
        true => layout.len(),
        false => high.start - high.start % layout.element().per_byte(),
    };
    // A swizzle begins anew there.
    let at = if high.is_empty() { at } else { at - at % layout.swizzle_period() };
    if low.end > at {
        return Err(LayoutError(Rule::Interleaved { letter }));
    }
    Ok(Cut { at, swapped, halves })
}

/// Chunks along an axis, to be changed; see [`chunks`](TensorViewMut::chunks).
pub struct ChunksMut<'a, E: Element, const RANK: usize> {
    rest: Option<TensorViewMut<'a, E, RANK>>,
    axis: char,
    size: usize,
}

impl<'a, E: Element, const RANK: usize> Iterator for ChunksMut<'a, E, RANK> {
    type Item = TensorViewMut<'a, E, RANK>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take()?;
        let layout = rest.layout.layout();
        let extent = layout.extents()[layout.axis(self.axis).ok()?];
        if extent <= self.size {
            return (extent > 0).then_some(rest);
        }
        let (chunk, rest) = rest.split(self.axis, self.size).ok()?;
        self.rest = Some(rest);
        Some(chunk)
    }
}
