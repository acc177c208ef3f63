//! Converting one tensor into another.

#[cfg(feature = "alloc")]
use layout_types::FormatType;
use layout_types::spec::LayoutError;
use layout_types::{Conversion, LayoutType, Number, UnitOf};

use super::plan::ConversionPlan;
use crate::relayout::Matched;
use crate::tensor::Tensor;

impl<L, B> Tensor<L, B>
where
    L: LayoutType<Element: Number>,
    B: AsRef<[UnitOf<L>]>,
{
    /// Moves and converts every element to the same coordinate of `destination`. Axes are matched by letter.
    ///
    /// The conversion fills the padding of the destination and leaves gaps between explicit strides unchanged. Axes
    /// or known extents that differ between the types are a compile error. Each call makes a plan. To use one plan
    /// for many tensors, call [`ConversionPlan::run`]; a derived [`Relayout`](derive@crate::Relayout) has its
    /// plan as a constant.
    ///
    /// # Errors
    /// - [`ConversionPlan::new`] returns an error.
    /// - A buffer has become shorter than its layout.
    ///
    /// On an error, nothing is written.
    ///
    /// ```
    /// use tensor_layout::{Conversion, Tensor, layout};
    ///
    /// type Image = layout!(NHWC<N = 1, C = 3, H = 1, W = 2>, u8);
    /// type Input = layout!(NCHW<1, 3, 1, 2>, f32);
    /// const NORMALIZED: Conversion = Conversion::normalize(100.0, 0.5);
    ///
    /// let image: Tensor<Image, _> = [100, 102, 104, 106, 108, 110].into();
    /// let mut input: Tensor<Input, _> = [0.0; Input::LEN].into();
    /// image.convert_into(&mut input, &NORMALIZED)?;
    /// assert_eq!(input.buffer(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn convert_into<M, C>(
        &self,
        destination: &mut Tensor<M, C>,
        conversion: &Conversion<'_>,
    ) -> Result<(), LayoutError>
    where
        M: LayoutType<Element: Number>,
        C: AsRef<[UnitOf<M>]> + AsMut<[UnitOf<M>]>,
    {
        // Here too, so that the compile error ends at the caller's line.
        const { Matched::<L, M>::CHECKED };
        try_run_conversion(self, destination, conversion)
    }

    /// Converts the tensor to another layout type and returns it in a new buffer on the heap. Extents written `_` in
    /// the type are those of this tensor.
    ///
    /// # Errors
    /// - In the cases of [`convert_into`](Self::convert_into).
    /// - The extents break a rule of the layout.
    /// - Memory cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::{Conversion, Tensor, layout};
    ///
    /// type Image = layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let input = image.convert_to::<layout!(NCHW<_, 2, 1, 2>, f32)>(&Conversion::cast())?;
    /// assert_eq!(input.buffer(), [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("astype", "cast", "to_dtype"))]
    #[cfg(feature = "alloc")]
    pub fn convert_to<M>(&self, conversion: &Conversion<'_>) -> Result<Tensor<M>, LayoutError>
    where
        M: FormatType<Element: Number>,
    {
        const { Matched::<L, M>::CHECKED };
        let mut converted = Tensor::zeroed_in(M::with_extents_of(&self.layout())?)?;
        self.convert_into(&mut converted, conversion)?;
        Ok(converted)
    }
}

/// Converts one tensor into another.
#[inline]
pub fn try_run_conversion<L, M, B, C>(
    source: &Tensor<L, B>,
    destination: &mut Tensor<M, C>,
    conversion: &Conversion<'_>,
) -> Result<(), LayoutError>
where
    L: LayoutType<Element: Number>,
    M: LayoutType<Element: Number>,
    B: AsRef<[UnitOf<L>]>,
    C: AsRef<[UnitOf<M>]> + AsMut<[UnitOf<M>]>,
{
    const { Matched::<L, M>::CHECKED };
    let plan = ConversionPlan::<L::Element, M::Element>::new(
        &source.layout(),
        &destination.layout(),
        conversion,
    )?;
    plan.run(source.buffer(), destination.buffer_mut())
}
