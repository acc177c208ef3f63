//! Tensors that own their elements on the heap.

use core::marker::PhantomData;

use super::{Tensor, zip};
use crate::buffers::{HeapBuffer, fail, refuse_length};
use layout_types::nests::{Padding, check_fill_for_any};
use layout_types::plain;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Element, LayoutType, StaticLayout, UnitOf, WithElement};

impl<L: LayoutType> Tensor<L> {
    /// Allocates a tensor on the heap whose bytes are all 0, also the padding: the layout's fill value is ignored
    /// here, and a relayout into the tensor writes it.
    ///
    /// If memory cannot be allocated, the function does what `Vec` does.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Rows = layout!(HW<4, 12>, f32, align(H = 256));
    ///
    /// let mut rows = Tensor::<Rows>::zeroed();
    /// rows[[3, 11]] = 1.0;
    /// assert_eq!((rows[[3, 11]], rows.buffer().as_ptr().addr() % 256), (1.0, 0));
    /// ```
    #[doc(alias("zeros", "empty"))]
    pub fn zeroed() -> Self
    where
        L: StaticLayout,
    {
        Self::zeroed_in(L::VALUE).unwrap_or_else(|_| fail(L::LAYOUT.bytes(), L::LAYOUT.align()))
    }

    /// [`zeroed`](Self::zeroed) for a layout known at run time.
    ///
    /// # Errors
    /// Memory cannot be allocated.
    pub fn zeroed_in(layout: L) -> Result<Self, LayoutError> {
        let buffer = HeapBuffer::zeroed(&layout.layout())?;
        Ok(Self { layout, buffer, space: PhantomData })
    }

    /// Allocates a tensor on the heap and stores what `element` returns for each coordinate. The last axis is the
    /// fastest. Padding is filled as the layout declares.
    ///
    /// It is a compile error if several coordinates of the layout share an element.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Packed = layout!(NCHW4<1, 3, 1, 2>, u8, pad = 128);
    ///
    /// let packed = Tensor::<Packed>::from_fn(|[_, c, _, w]| (10 * c + w) as u8);
    /// assert_eq!(packed.buffer(), [0, 10, 20, 128, 1, 11, 21, 128]);
    /// ```
    pub fn from_fn(element: impl FnMut(L::Coordinate) -> L::Element) -> Self
    where
        L: StaticLayout,
    {
        const {
            if let Some(letter) = L::LAYOUT.shared_axis() {
                LayoutError(Rule::SharedElements { letter }).panic_in_type()
            }
        }
        match Self::zeroed().filled(element) {
            Ok(tensor) => tensor,
            Err(error) => error.panic(),
        }
    }

    /// [`from_fn`](Self::from_fn) for a layout known at run time.
    ///
    /// # Errors
    /// - Several coordinates share an element.
    /// - Memory cannot be allocated.
    pub fn from_fn_in(
        layout: L,
        element: impl FnMut(L::Coordinate) -> L::Element,
    ) -> Result<Self, LayoutError> {
        Self::zeroed_in(layout)?.filled(element)
    }

    fn filled(
        mut self,
        mut element: impl FnMut(L::Coordinate) -> L::Element,
    ) -> Result<Self, LayoutError> {
        self.fill_padding();
        self.for_each_mut(|coordinate, place| *place = element(coordinate))?;
        Ok(self)
    }

    fn fill_padding(&mut self) {
        let layout = self.layout();
        if let Some(padding) = Padding::of(&layout) {
            padding.fill(self.buffer_mut(), plain::from_bits(layout.unit_of_fill()));
        }
    }
}

/// Allocates a tensor whose bytes are all 0, as [`zeroed`](Tensor::zeroed) does.
impl<L: StaticLayout> Default for Tensor<L> {
    fn default() -> Self {
        Self::zeroed()
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Allocates a tensor of the same layout with elements of another type and stores what `change` returns for each
    /// element, in the order of [`iter`](Self::iter).
    ///
    /// To change elements in place, use [`for_each_mut`](Self::for_each_mut). [`convert_into`](Self::convert_into)
    /// has vectorized kernels that cast, quantize and normalize. If memory cannot be allocated, the function does what
    /// `Vec` does.
    ///
    /// It is a compile error if padding has a value, whose bits would be another value, or if the layout is not valid for
    /// the other elements.
    ///
    /// # Panics
    /// If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Pixels = layout!(HW<1, 3>, u8);
    ///
    /// let pixels: Tensor<Pixels, _> = [0, 51, 255].into();
    /// let scaled: Tensor<layout!(HW<1, 3>, f32)> = pixels.map(|pixel| f32::from(pixel) / 255.0);
    /// assert_eq!(scaled.buffer(), [0.0, 0.2, 1.0]);
    /// ```
    pub fn map<E: Element>(&self, mut change: impl FnMut(L::Element) -> E) -> Tensor<L::Of<E>>
    where
        L: StaticLayout + WithElement<Of<E>: StaticLayout>,
    {
        const {
            if let Err(error) = check_fill_for_any(&L::LAYOUT) {
                error.panic_in_type()
            }
        }
        Tensor::from_fn(|coordinate| match self.get(coordinate) {
            Some(element) => change(element),
            None => refuse_length("buffer", self.layout.units(), self.buffer.as_ref().len()),
        })
    }

    /// [`map`](Self::map) to a tensor of another layout, which may be known only at run time. Axes are matched by letter,
    /// and `change` is called in the order of [`zip`](fn@super::zip).
    ///
    /// # Errors
    /// - The axes or the extents differ.
    /// - Several coordinates of `layout` share an element.
    /// - Memory cannot be allocated.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let pixels = Layout::of("HW", &[1, 3], ElementType::U8)?; // from a file
    /// let pixels = Tensor::with_layout(Dynamic::<u8, 2>::new(pixels)?, [0, 51, 255])?;
    /// let floats = pixels.layout().with_element(ElementType::F32)?;
    /// let scaled = pixels.map_in(Dynamic::<f32, 2>::new(floats)?, |pixel| f32::from(pixel) / 255.0)?;
    /// assert_eq!(scaled.buffer(), [0.0, 0.2, 1.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn map_in<M: LayoutType>(
        &self,
        layout: M,
        mut change: impl FnMut(L::Element) -> M::Element,
    ) -> Result<Tensor<M>, LayoutError> {
        let mut mapped = Tensor::zeroed_in(layout)?;
        mapped.fill_padding();
        zip((self, &mut mapped))?.for_each(|element, place| *place = change(element));
        Ok(mapped)
    }
}
