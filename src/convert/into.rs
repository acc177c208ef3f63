//! Converting one tensor into another.

#[cfg(feature = "alloc")]
use layout_types::FormatType;
use layout_types::spec::LayoutError;
use layout_types::{Conversion, LayoutType, Number, UnitOf};

use super::plan::ConversionPlan;
use super::run::convert;
use crate::relayout::check_axes;
use crate::tensor::Tensor;

impl<L, B> Tensor<L, B>
where
    L: LayoutType<Element: Number>,
    B: AsRef<[UnitOf<L>]>,
{
    /// Moves every element to the same coordinate of `destination`, converted. Axes are matched by letter.
    ///
    /// Padding of the destination is filled, gaps between explicit strides stay as they are. Axes and known
    /// extents of other types are a compile error. The plan is made here; to use one plan for many tensors
    /// see [`convert`](crate::convert()), and [`Relayout`](derive@crate::Relayout) has it as a constant.
    ///
    /// # Errors
    /// As [`ConversionPlan::new`], or a buffer that no longer has the length of its layout. Nothing is
    /// written then.
    ///
    /// ```
    /// use tensor_layout::{Conversion, Tensor, layout};
    ///
    /// type Image = layout!(NHWC<1, 3, 1, 2>, u8);
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
        try_convert_tensors(self, destination, conversion)
    }

    /// The tensor converted to another layout type, in a buffer of its own on the heap. Extents that the type
    /// leaves open are this tensor's.
    ///
    /// # Errors
    /// As [`convert_into`](Self::convert_into); extents that break a rule of the layout; memory that cannot
    /// be allocated.
    ///
    /// ```
    /// use tensor_layout::{Conversion, Tensor, layout};
    ///
    /// type Image = layout!(NHWC<1, 2, 1, 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let input = image.convert_to::<layout!(NCHW<_, 2, 1, 2>, f32)>(&Conversion::cast())?;
    /// assert_eq!(input.buffer(), [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn convert_to<M>(&self, conversion: &Conversion<'_>) -> Result<Tensor<M>, LayoutError>
    where
        M: FormatType<Element: Number>,
    {
        let mut converted = Tensor::zeroed_in(M::with_extents_of(&self.layout())?)?;
        self.convert_into(&mut converted, conversion)?;
        Ok(converted)
    }
}

/// Converts one tensor into another.
#[inline]
pub fn try_convert_tensors<L, M, B, C>(
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
    const {
        if let Err(error) = check_axes::<L, M>() {
            error.panic_in_type()
        }
    }
    let plan = ConversionPlan::<L::Element, M::Element>::new(
        &source.layout(),
        &destination.layout(),
        conversion,
    )?;
    convert(&plan, source.buffer(), destination.buffer_mut())
}
