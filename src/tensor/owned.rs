//! Tensors that own their elements on the heap.

use core::marker::PhantomData;

use super::Tensor;
use crate::buffers::{HeapBuffer, fail, unit_from_bits, wrong_length};
use layout_types::nests::Padding;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Element, LayoutType, StaticLayout, UnitOf, WithElement};

impl<L: LayoutType> Tensor<L> {
    /// A tensor on the heap whose bytes are all 0, those of padding too, whatever the layout fills it with: a
    /// relayout into the tensor fills it.
    ///
    /// What a `Vec` does where memory cannot be allocated is done here too.
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
    pub fn zeroed() -> Self
    where
        L: StaticLayout,
    {
        Self::zeroed_in(L::VALUE).unwrap_or_else(|_| fail(L::LAYOUT.bytes(), L::LAYOUT.align()))
    }

    /// [`zeroed`](Self::zeroed) for a layout that run time knows.
    ///
    /// # Errors
    /// Memory that cannot be allocated.
    pub fn zeroed_in(layout: L) -> Result<Self, LayoutError> {
        let buffer = HeapBuffer::zeroed(&layout.layout())?;
        Ok(Self { layout, buffer, space: PhantomData })
    }

    /// A tensor on the heap of what `element` returns for each coordinate, the last axis fastest. Padding
    /// holds what the layout fills it with.
    ///
    /// A layout whose coordinates share elements is a compile error.
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

    /// [`from_fn`](Self::from_fn) for a layout that run time knows.
    ///
    /// # Errors
    /// Coordinates that share elements, or memory that cannot be allocated.
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
        let layout = self.layout();
        if let Some(padding) = Padding::of(&layout) {
            padding.fill(self.buffer_mut(), unit_from_bits(layout.unit_of_fill()));
        }
        self.for_each_mut(|coordinate, place| *place = element(coordinate))?;
        Ok(self)
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// A tensor on the heap of the same layout with elements of another type: what `change` makes of each.
    ///
    /// To change elements where they lie, see [`for_each_mut`](Self::for_each_mut); kernels that cast, quantize and
    /// normalize are those of [`convert_into`](Self::convert_into).
    ///
    /// # Errors
    /// As [`Layout::with_element`](crate::Layout::with_element); coordinates that share elements; memory
    /// that cannot be allocated.
    ///
    /// # Panics
    /// If the buffer is no longer as long as it was when the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Pixels = layout!(HW<1, 3>, u8);
    ///
    /// let pixels: Tensor<Pixels, _> = [0, 51, 255].into();
    /// let scaled: Tensor<layout!(HW<1, 3>, f32)> = pixels.map(|pixel| f32::from(pixel) / 255.0)?;
    /// assert_eq!(scaled.buffer(), [0.0, 0.2, 1.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn map<E: Element>(
        &self,
        mut change: impl FnMut(L::Element) -> E,
    ) -> Result<Tensor<L::Of<E>>, LayoutError>
    where
        L: WithElement,
    {
        let layout = self.layout.with_element::<E>()?;
        Tensor::from_fn_in(layout, |coordinate| match self.get(coordinate) {
            Some(element) => change(element),
            None => wrong_length("buffer", self.layout.units(), self.buffer.as_ref().len()).panic(),
        })
    }
}
