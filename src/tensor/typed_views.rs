//! Views whose layout is a type. Indexing such a view costs the same as indexing a tensor of a static layout.

use super::Tensor;
use crate::buffers::refuse_length;
use layout_types::spec::broken;
use layout_types::typed::{At, Operation, Viewed, Window};
use layout_types::{Layout, StaticLayout, UnitOf, WholeElement};

/// A view whose layout is a type, over a part of a buffer.
pub type StaticView<'a, L, O> = Tensor<Viewed<L, O>, &'a [UnitOf<L>]>;

/// The mutable version of [`StaticView`].
pub type StaticViewMut<'a, L, O> = Tensor<Viewed<L, O>, &'a mut [UnitOf<L>]>;

/// Views whose layout is a type.
///
/// The compiler checks what the type states. Only the coordinate of [`at`](Self::at) and the start of
/// [`window`](Self::window) come from run time: they decide where the view's part of the buffer begins, and indexing
/// does not check them again.
impl<L, B> Tensor<L, B>
where
    L: StaticLayout,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    /// Returns the view that an operation makes if its type states all of the operation:
    /// [`Slice`](layout_types::typed::Slice), [`Transpose`](layout_types::typed::Transpose) or
    /// [`Flip`](layout_types::typed::Flip).
    ///
    /// # Panics
    /// If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::typed::{Flip, Slice};
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Act = layout!(NCHW4<1, 8, 4, 4>, u8);
    /// let act = Tensor::<Act, _>::new(core::array::from_fn::<u8, { Act::LEN }, _>(|i| i as u8))?;
    /// let crop = act.viewed::<Slice<'H', 1, 1, 2>>();
    /// let mirrored = crop.viewed::<Flip<'W'>>();
    /// assert_eq!(mirrored[[0, 5, 1, 0]], act[[0, 5, 2, 3]]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn viewed<O: Operation<L::Coordinate>>(&self) -> StaticView<'_, L, O> {
        part(self.buffer.as_ref(), const { Viewed::<L, O>::START })
    }

    /// Returns the view at one coordinate of an axis. The view does not have that axis.
    ///
    /// # Panics
    /// - If the coordinate lies outside the extent.
    /// - If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Batch = layout!(NHWC<N = 4, C = 3, H = 2, W = 2>, u8);
    /// let batch = Tensor::<Batch, _>::new(core::array::from_fn::<u8, { Batch::LEN }, _>(|i| i as u8))?;
    /// for n in 0..4 {
    ///     let green = batch.at::<'N'>(n);
    ///     let green = green.at::<'C'>(1); // of coordinates [h, w]
    ///     assert_eq!(green[[1, 0]], batch[[n, 1, 1, 0]]);
    /// }
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn at<const AXIS: char>(&self, coordinate: usize) -> StaticView<'_, L, At<AXIS>>
    where
        At<AXIS>: Operation<L::Coordinate>,
    {
        let start = start_of::<L, At<AXIS>>(const { position(&L::LAYOUT, AXIS) }, coordinate, 1);
        part(self.buffer.as_ref(), start)
    }

    /// Returns the view of `LENGTH` neighboring coordinates of an axis from `start` on. A block of the axis must
    /// begin at `start`.
    ///
    /// # Panics
    /// - In the cases of [`at`](Self::at).
    /// - If `start` is inside a block.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Image = layout!(NCHW<1, 3, 8, 8>, u8);
    /// let image = Tensor::<Image, _>::new(core::array::from_fn::<u8, { Image::LEN }, _>(|i| i as u8))?;
    /// for h in 0..8 - 2 {
    ///     let rows = image.window::<'H', 3>(h);
    ///     assert_eq!(rows[[0, 1, 2, 4]], image[[0, 1, h + 2, 4]]);
    /// }
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn window<const AXIS: char, const LENGTH: usize>(
        &self,
        start: usize,
    ) -> StaticView<'_, L, Window<AXIS, LENGTH>>
    where
        Window<AXIS, LENGTH>: Operation<L::Coordinate>,
    {
        let axis = const { position(&L::LAYOUT, AXIS) };
        let start = start_of::<L, Window<AXIS, LENGTH>>(axis, start, LENGTH);
        part(self.buffer.as_ref(), start)
    }

    /// The mutable version of [`viewed`](Self::viewed).
    ///
    /// # Panics
    /// The same as [`viewed`](Self::viewed).
    #[inline]
    #[track_caller]
    pub fn viewed_mut<O: Operation<L::Coordinate>>(&mut self) -> StaticViewMut<'_, L, O>
    where
        B: AsMut<[UnitOf<L>]>,
    {
        part_mut(self.buffer.as_mut(), const { Viewed::<L, O>::START })
    }

    /// The mutable version of [`at`](Self::at).
    ///
    /// # Panics
    /// The same as [`at`](Self::at).
    #[inline]
    #[track_caller]
    pub fn at_mut<const AXIS: char>(&mut self, coordinate: usize) -> StaticViewMut<'_, L, At<AXIS>>
    where
        At<AXIS>: Operation<L::Coordinate>,
        B: AsMut<[UnitOf<L>]>,
    {
        let start = start_of::<L, At<AXIS>>(const { position(&L::LAYOUT, AXIS) }, coordinate, 1);
        part_mut(self.buffer.as_mut(), start)
    }

    /// The mutable version of [`window`](Self::window).
    ///
    /// # Panics
    /// The same as [`window`](Self::window).
    #[inline]
    #[track_caller]
    pub fn window_mut<const AXIS: char, const LENGTH: usize>(
        &mut self,
        start: usize,
    ) -> StaticViewMut<'_, L, Window<AXIS, LENGTH>>
    where
        Window<AXIS, LENGTH>: Operation<L::Coordinate>,
        B: AsMut<[UnitOf<L>]>,
    {
        let axis = const { position(&L::LAYOUT, AXIS) };
        let start = start_of::<L, Window<AXIS, LENGTH>>(axis, start, LENGTH);
        part_mut(self.buffer.as_mut(), start)
    }
}

/// Returns the position of an axis.
const fn position(layout: &Layout, axis: char) -> usize {
    match layout.axis(axis) {
        Ok(axis) => axis,
        Err(error) => error.panic_in_type(),
    }
}

/// Returns where the buffer of a view begins that takes `length` coordinates of an axis from `from` on.
///
/// # Panics
/// - If the coordinates leave the extent.
/// - If there are several and `from` is inside a block.
#[inline(always)]
#[track_caller]
fn start_of<L: StaticLayout, O: Operation<L::Coordinate>>(
    axis: usize,
    from: usize,
    length: usize,
) -> usize {
    let extent = L::VALUE.extent_of(axis);
    let inside = from < extent && length <= extent - from;
    let block = const { Viewed::<L, O>::BLOCK };
    if !inside || length != 1 && from % block != 0 {
        refuse::<L>(axis, from, length, block)
    }
    let mut coordinate = L::ORIGIN;
    let origin = L::VALUE.offset_of(coordinate);
    coordinate.as_mut()[axis] = from;
    let distance = L::VALUE.offset_of(coordinate).wrapping_sub(origin);
    const { Viewed::<L, O>::START }.wrapping_add(distance)
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse<L: StaticLayout>(axis: usize, start: usize, length: usize, block: usize) -> ! {
    let (letter, extent) = (L::VALUE.letter_of(axis), L::VALUE.extent_of(axis));
    match start < extent && length <= extent - start {
        true => panic!("{}", broken::WindowStart { letter, start, block }),
        false if length == 1 => {
            panic!("{}", broken::Coordinate { letter, extent, coordinate: start })
        }
        false => panic!("{}", broken::Window { letter, start, length, extent }),
    }
}

/// Returns the tensor over the units from `start` on.
#[inline(always)]
#[track_caller]
fn part<V: StaticLayout>(units: &[UnitOf<V>], start: usize) -> Tensor<V, &[UnitOf<V>]> {
    let needed = const { V::LAYOUT.units() };
    match units.get(start..).and_then(|rest| rest.get(..needed)) {
        Some(buffer) => Tensor { layout: V::VALUE, buffer, space: core::marker::PhantomData },
        None => refuse_length("buffer", start + needed, units.len()),
    }
}

/// The mutable version of [`part`].
#[inline(always)]
#[track_caller]
fn part_mut<V: StaticLayout>(units: &mut [UnitOf<V>], start: usize) -> Tensor<V, &mut [UnitOf<V>]> {
    let needed = const { V::LAYOUT.units() };
    let given = units.len();
    match units.get_mut(start..).and_then(|rest| rest.get_mut(..needed)) {
        Some(buffer) => Tensor { layout: V::VALUE, buffer, space: core::marker::PhantomData },
        None => refuse_length("buffer", start + needed, given),
    }
}
