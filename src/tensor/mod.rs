//! Tensors: a buffer and the layout of what it holds.

mod arrays;
mod axis_lanes;
mod axis_runs;
mod bytes;
mod checked;
mod compare;
mod from_buffers;
mod iter;
mod layouts;
#[cfg(feature = "alloc")]
mod owned;
mod print;
mod slices;
mod space;
mod typed_views;
mod views;
mod window;
mod zip;
mod zip_loops;

#[cfg(feature = "alloc")]
pub use crate::buffers::HeapBuffer;
pub use crate::buffers::{Aligned, Alignment, PowerOfTwo};
pub use axis_lanes::{LaneMut, LanesMut};
#[doc(hidden)]
pub use from_buffers::{Included, included};
pub use iter::{Elements, ElementsInMemory};
pub use layout_kernels::add_products;
pub use space::{BufferIn, Host, Space};
pub use typed_views::{StaticView, StaticViewMut};
pub use views::{ChunksMut, TensorView, TensorViewMut};
pub use window::{same_padding, window};
pub use zip::{Operand, Tensors, Zip, zip};

use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use crate::buffers::Needs;
use layout_types::WholeElement;
use layout_types::spec::LayoutError;
use layout_types::{Layout, LayoutType, StaticLayout, UnitOf};

/// A buffer with a layout, indexed by coordinates. The buffer is an array, a slice, a `Vec` or similar.
///
/// ```
/// use tensor_layout::{Tensor, layout};
///
/// type Image = layout!(NHWC<N = 1, C = 2, H = 2, W = 2>, u8);
///
/// let mut image: Tensor<Image, _> = [0; Image::LEN].into();
/// image[[0, 1, 0, 0]] = 7; // coordinates are [n, c, h, w] in every format
/// assert_eq!(image.buffer(), [0, 7, 0, 0, 0, 0, 0, 0]);
/// ```
///
/// | to do this | call |
/// |---|---|
/// | make a tensor of an array, of a slice or a `Vec` | `into`, `try_into`, [`new`](Self::new), [`with_layout`](Self::with_layout) |
/// | make one that owns its elements | [`zeroed`](Self::zeroed), [`from_fn`](Self::from_fn), [`tensor!`](crate::tensor!) |
/// | read or write one element | `tensor[[n, c, h, w]]`, [`get`](Self::get), [`set`](Self::set) |
/// | visit all elements | [`iter`](Self::iter), [`for_each_mut`](Self::for_each_mut), [`map`](Self::map), [`zip`](fn@zip) of several tensors |
/// | write a kernel | [`row`](Self::row), [`panel`](Self::panel), [`part`](Self::part), [`row_along`](Self::row_along) |
/// | move to another format | [`to_layout`](Self::to_layout), [`relayout_into`](Self::relayout_into), [`#[derive(Relayout)]`](derive@crate::Relayout) |
/// | reduce or change along an axis | [`fold_axis`](Self::fold_axis), [`sum_axis`](Self::sum_axis), [`lanes_mut`](Self::lanes_mut) |
/// | change the element type | [`convert_to`](Self::convert_to), [`convert_into`](Self::convert_into), [`quantize_to`](Self::quantize_to) |
/// | take a part, or axes in another order | [`view`](Self::view), [`viewed`](Self::viewed) |
/// | lend it, give it back | [`borrow`](Self::borrow), [`buffer`](Self::buffer), [`as_bytes`](Self::as_bytes), [`into_buffer`](Self::into_buffer) |
///
/// The type parameter `L` is the layout: a type of `layout!`, or [`Dynamic`](crate::Dynamic) for a layout that is known
/// only at run time.
///
/// Any buffer that is an `AsRef<[_]>` can hold the elements. With feature `alloc`, `Tensor<L>` owns its elements on
/// the heap; [`tensor!`](crate::tensor!)`(L)` owns them in an array. Both have the alignment of the layout.
///
/// The type parameter `S` is the memory space of the buffer. Elements can be read and written only in the space
/// [`Host`].
///
/// The [guide](crate::guide::tensors) explains tensors, and [your own kernel](crate::guide::own_kernel) their loops.
pub struct Tensor<
    L,
    #[cfg(feature = "alloc")] B = HeapBuffer,
    #[cfg(not(feature = "alloc"))] B,
    S = Host,
> {
    layout: L,
    buffer: B,
    space: PhantomData<fn() -> S>,
}

impl<L: Clone, B: Clone, S> Clone for Tensor<L, B, S> {
    fn clone(&self) -> Self {
        let Self { layout, buffer, space } = self;
        Self { layout: layout.clone(), buffer: buffer.clone(), space: *space }
    }
}

impl<L: Copy, B: Copy, S> Copy for Tensor<L, B, S> {}

/// Methods that read no element and work in every memory space.
impl<L, B, S> Tensor<L, B, S> {
    /// Returns the layout as a [`Layout`].
    pub fn layout(&self) -> Layout
    where
        L: LayoutType,
    {
        self.layout.layout()
    }

    /// Returns the layout as a value of its own type.
    pub fn layout_type(&self) -> &L {
        &self.layout
    }

    /// Returns the extents in coordinate order, without padding.
    #[doc(alias("shape", "size"))]
    pub fn extents(&self) -> L::Coordinate
    where
        L: LayoutType,
    {
        self.layout.extents()
    }

    /// Returns the buffer.
    pub fn into_buffer(self) -> B {
        self.buffer
    }

    /// Returns what holds the buffer.
    pub(crate) fn holder(&self) -> &B {
        &self.buffer
    }

    /// Makes a tensor over a buffer that the caller has checked.
    #[cfg(feature = "arena")]
    pub(crate) fn over(buffer: B) -> Self
    where
        L: StaticLayout,
    {
        Self { layout: L::VALUE, buffer, space: PhantomData }
    }

    /// Returns the same buffer as one of another layout, for which the caller has checked it.
    pub(crate) fn in_layout<M>(self, layout: M) -> Tensor<M, B, S> {
        Tensor { layout, buffer: self.buffer, space: self.space }
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Makes a tensor of a static layout over `buffer`. For arrays, `From` does the same and cannot fail.
    ///
    /// # Errors
    /// - The length of the buffer in units differs from the layout's.
    /// - The buffer does not have the layout's alignment ([`Layout::align`]). An array that is passed by value moves
    ///   with the tensor, so the alignment of its type counts.
    pub fn new(buffer: B) -> Result<Self, LayoutError>
    where
        L: StaticLayout,
    {
        Self::with_layout(L::default(), buffer)
    }

    /// Makes a tensor of `layout` over `buffer`.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    pub fn with_layout(layout: L, buffer: B) -> Result<Self, LayoutError> {
        Needs::of(&layout).check(&buffer, buffer.as_ref())?;
        Ok(Self { layout, buffer, space: PhantomData })
    }

    /// Returns the units that hold the elements, in memory order. A unit is an element, or a byte for elements of
    /// less than a byte. A view returns its whole buffer, including the elements between its own.
    #[doc(alias("as_slice", "data"))]
    pub fn buffer(&self) -> &[UnitOf<L>] {
        self.buffer.as_ref()
    }

    /// Returns the units that hold the elements, in memory order, mutably.
    pub fn buffer_mut(&mut self) -> &mut [UnitOf<L>]
    where
        B: AsMut<[UnitOf<L>]>,
    {
        self.buffer.as_mut()
    }

    /// Returns the element at `coordinate`, or `None` if the coordinate lies outside the extents or the buffer has
    /// become too short since the tensor was made.
    #[inline]
    pub fn get(&self, coordinate: L::Coordinate) -> Option<L::Element> {
        checked::read(&self.layout, self.buffer.as_ref(), coordinate)
    }

    /// Stores the element at `coordinate`.
    ///
    /// # Errors
    /// - The coordinate lies outside the extents.
    /// - The buffer has become too short since the tensor was made.
    ///
    /// On an error, nothing is written.
    #[inline]
    pub fn set(&mut self, coordinate: L::Coordinate, element: L::Element) -> Result<(), LayoutError>
    where
        B: AsMut<[UnitOf<L>]>,
    {
        let units = self.buffer.as_mut();
        let given = units.len();
        match checked::write(&self.layout, units, coordinate, element) {
            Some(()) => Ok(()),
            None => Err(checked::refusal(&self.layout, coordinate, given)),
        }
    }

    /// Returns the element at `coordinate` without checks.
    ///
    /// # Safety
    /// - The coordinate must lie inside the extents.
    /// - The buffer must still have the length that [`new`](Self::new) checked.
    pub unsafe fn get_unchecked(&self, coordinate: L::Coordinate) -> L::Element {
        debug_assert!(self.layout.checked_offset_of(coordinate).is_ok());
        let offset = self.layout.offset_of(coordinate);
        // SAFETY: the caller promises a coordinate inside the extents and a buffer of the layout's length.
        unsafe { checked::read_inside::<L>(self.buffer.as_ref(), offset) }
    }

    /// Stores the element at `coordinate` without checks.
    ///
    /// # Safety
    /// The same as [`get_unchecked`](Self::get_unchecked).
    pub unsafe fn set_unchecked(&mut self, coordinate: L::Coordinate, element: L::Element)
    where
        B: AsMut<[UnitOf<L>]>,
    {
        debug_assert!(self.layout.checked_offset_of(coordinate).is_ok());
        let offset = self.layout.offset_of(coordinate);
        // SAFETY: the caller makes the same promises as for `get_unchecked`.
        unsafe { checked::write_inside::<L>(self.buffer.as_mut(), offset, element) }
    }
}

/// Returns the element at a coordinate.
///
/// # Panics
/// - If the coordinate lies outside the extents. The message names the axis.
/// - If the buffer has become too short since the tensor was made.
impl<L, B> Index<L::Coordinate> for Tensor<L, B>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    type Output = L::Element;

    #[inline]
    #[track_caller]
    fn index(&self, coordinate: L::Coordinate) -> &L::Element {
        checked::element(&self.layout, self.buffer.as_ref(), coordinate)
    }
}

/// Returns the element at a coordinate, mutably.
///
/// # Panics
/// - If the coordinate lies outside the extents. The message names the axis.
/// - If the buffer has become too short since the tensor was made.
impl<L, B> IndexMut<L::Coordinate> for Tensor<L, B>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, coordinate: L::Coordinate) -> &mut L::Element {
        checked::element_mut(&self.layout, self.buffer.as_mut(), coordinate)
    }
}
