//! Tensors under another layout type with the same map, and borrowed tensors.

use core::marker::PhantomData;

use super::Tensor;
use super::checked::{whole, whole_mut};
use crate::buffers::check_promised_alignment;
use layout_types::nests::check_same;
use layout_types::spec::LayoutError;
use layout_types::{Layout, LayoutType, StaticLayout, UnitOf};

impl<L: LayoutType, B, S> Tensor<L, B, S> {
    /// Changes the layout type to another static layout with the same map, without a copy. A layout with another map
    /// is a compile error.
    ///
    /// Two layouts have the same map if their axes, extents, element types and padding agree, each coordinate has the
    /// same offset in both, and their buffers have the same length. NCHW and NHWC with one channel are an example.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Gray = layout!(NHWC<N = 1, C = 1, H = 2, W = 3>, u8);
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
            if let Err(error) = check_same(&M::LAYOUT, &L::LAYOUT) {
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
    /// [`into_layout`](Self::into_layout) for layouts known only at run time.
    ///
    /// # Errors
    /// - The map differs from that of the type. The error says what differs.
    /// - The buffer does not have the alignment that the type requires.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, Layout, Tensor, layout};
    ///
    /// type Batch = layout!(NHWC<N = _, C = 3, H = 1, W = 2>, u8);
    ///
    /// let layout = Layout::parse("NHWC<N = 2, C = 3, H = 1, W = 2>, u8")?; // from a file
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

    /// Borrows the tensor over a slice. Use it to pass a tensor on without the type of its buffer, and in front of
    /// loops over indices.
    ///
    /// `borrow` checks the length of the slice once, so that indexing with a static layout does not compare it again:
    /// begin a kernel with `let x = x.borrow();`.
    ///
    /// # Panics
    /// If the layout is static and the buffer has become shorter since the tensor was made.
    #[inline]
    #[track_caller]
    pub fn borrow(&self) -> Tensor<L, &[UnitOf<L>]>
    where
        L: Clone,
    {
        let (layout, buffer) = (self.layout.clone(), whole::<L>(self.buffer.as_ref()));
        Tensor { layout, buffer, space: PhantomData }
    }

    /// Borrows the tensor mutably over a slice; see [`borrow`](Self::borrow).
    ///
    /// # Panics
    /// The same as [`borrow`](Self::borrow).
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
