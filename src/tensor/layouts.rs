//! The same elements under another layout type, or borrowed.

use core::marker::PhantomData;

use super::Tensor;
use super::checked::{whole, whole_mut};
use crate::buffers::check_promised_alignment;
use layout_types::spec::LayoutError;
use layout_types::{Layout, LayoutType, StaticLayout, UnitOf};

impl<L: LayoutType, B, S> Tensor<L, B, S> {
    /// The tensor as one of another static layout that places every element where this one does, without a
    /// copy. Layouts that do not are a compile error.
    ///
    /// Two layouts are the same map where they have the same elements, axes and extents, every coordinate at the
    /// same offset of as long a buffer, and the same padding: NCHW and NHWC with one channel, for example.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Gray = layout!(NHWC<1, 1, 2, 3>, u8);
    /// type Planes = layout!(NCHW<1, 1, 2, 3>, u8);
    ///
    /// let gray: Tensor<Gray, _> = [1, 2, 3, 4, 5, 6].into();
    /// let planes = gray.into_layout::<Planes>();
    /// assert_eq!(planes[[0, 0, 1, 2]], 6);
    /// ```
    pub fn into_layout<M>(self) -> Tensor<M, B, S>
    where
        L: StaticLayout,
        M: StaticLayout<Element = L::Element>,
    {
        const {
            if let Err(error) = L::LAYOUT.check_is::<M>(&M::LAYOUT) {
                error.panic_in_type()
            }
            if let Err(error) = check_promised_alignment(&L::LAYOUT, &M::LAYOUT) {
                error.panic()
            }
        }
        Tensor { layout: M::VALUE, buffer: self.buffer, space: PhantomData }
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// [`into_layout`](Self::into_layout) where run time knows one of the layouts.
    ///
    /// # Errors
    /// Another map than that of the type, with what differs, or a buffer that is not aligned as the type asks.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, Layout, Tensor, layout};
    ///
    /// type Batch = layout!(NHWC<_, 3, 1, 2>, u8);
    ///
    /// let layout = Layout::parse("NHWC<2, 3, 1, 2>, u8")?; // from a file
    /// let images = Tensor::with_layout(Dynamic::<u8, 4>::new(layout)?, vec![7; 12])?;
    /// let batch = images.try_into_layout::<Batch>()?;
    /// assert_eq!(batch.extents(), [2, 3, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_into_layout<M>(self) -> Result<Tensor<M, B>, LayoutError>
    where
        M: LayoutType<Element = L::Element> + TryFrom<Layout, Error = LayoutError>,
    {
        Tensor::with_layout(M::try_from(self.layout())?, self.buffer)
    }

    /// The tensor over a slice: to pass one on without its buffer's type, and for loops over indices.
    ///
    /// The length of the slice is checked here, so that an index of a static layout need not compare it: begin a
    /// kernel with `let x = x.borrow();`.
    ///
    /// # Panics
    /// If the buffer of a static layout is no longer as long as it was.
    #[inline]
    #[track_caller]
    pub fn borrow(&self) -> Tensor<L, &[UnitOf<L>]>
    where
        L: Clone,
    {
        let (layout, buffer) = (self.layout.clone(), whole::<L>(self.buffer.as_ref()));
        Tensor { layout, buffer, space: PhantomData }
    }

    /// [`borrow`](Self::borrow), to be changed.
    ///
    /// # Panics
    /// As [`borrow`](Self::borrow).
    #[inline]
    #[track_caller]
    pub fn borrow_mut(&mut self) -> Tensor<L, &mut [UnitOf<L>]>
    where
        L: Clone,
        B: AsMut<[UnitOf<L>]>,
    {
        let (layout, buffer) = (self.layout.clone(), whole_mut::<L>(self.buffer.as_mut()));
        Tensor { layout, buffer, space: PhantomData }
    }
}
