//! Quantization with scales computed from the elements.

use alloc::vec::Vec;
use core::fmt;

use layout_types::nests::Pair;
use layout_types::numbers::{add_sums, count_of, raise_magnitudes, scale_of};
use layout_types::plain::zeros;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Conversion, Element, FormatType, Layout, LayoutType, Number, Rounding, UnitOf};

use super::plan::ConversionPlan;
use crate::relayout::Matched;
use crate::tensor::Tensor;

/// A quantized tensor with its scales and the sums of its integers, which a quantized layer needs of its weights.
#[derive(Clone)]
pub struct Quantized<L> {
    /// The integers.
    pub tensor: Tensor<L>,
    /// The value of one step of the integers: one scale for each coordinate of the axis, or one for the whole tensor.
    pub scales: Vec<f32>,
    /// The sums of the integers, one for each scale. If the other factor of a matrix product has a zero point `z`, it
    /// adds `z` times the sum to each result.
    pub sums: Vec<i64>,
}

impl<L> fmt::Debug for Quantized<L>
where
    Tensor<L>: fmt::Debug,
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tensor, scales, sums } = self;
        let mut all = formatter.debug_struct("Quantized");
        all.field("tensor", tensor).field("scales", scales).field("sums", sums).finish()
    }
}

impl<L: LayoutType<Element: Number>, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Quantizes the tensor to another layout type and returns it in a new buffer on the heap. The scales are the
    /// smallest for which every element is in the range of the integers: one for each coordinate of `axis`, or one
    /// for the whole tensor if `axis` is `None`. 0 stays 0. The option `quantize` of `include_tensor!` does the same.
    ///
    /// # Errors
    /// - The integers are not signed, or have more than 32 bits.
    /// - The elements are not floats, or one of them is not finite.
    /// - The layout has no such axis.
    /// - The tensor has no elements, and the axis more than 65,536 coordinates.
    /// - Memory for scales and sums cannot be allocated.
    /// - [`convert_to`](Self::convert_to) returns an error.
    ///
    /// ```
    /// use tensor_layout::{Rounding, Tensor, layout};
    ///
    /// type Weights = layout!(OI<O = 2, I = 3>, f32);
    /// type Packed = layout!(OI4i<O = 2, I = 3>, i8, pad);
    ///
    /// let weights: Tensor<Weights, _> = [0.5, -1.27, 0.1, 0.0, 25.4, -12.6].into();
    /// let packed = weights.quantize_to::<Packed>('O', Rounding::HalfEven)?;
    /// assert_eq!(packed.tensor.buffer(), [50, -127, 10, 0, 0, 127, -63, 0]);
    /// assert_eq!(packed.scales, [0.01, 0.2]);
    /// assert_eq!(packed.sums, [-67, 64]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn quantize_to<M>(
        &self,
        axis: impl Into<Option<char>>,
        rounding: Rounding,
    ) -> Result<Quantized<M>, LayoutError>
    where
        M: FormatType<Element: Number>,
    {
        const { Matched::<L, M>::CHECKED };
        quantized::<L::Element, M>(&self.layout(), self.buffer(), axis.into(), rounding)
    }

    /// Returns the sums of the elements: one for each coordinate of `axis`, or one for the whole tensor if `axis` is
    /// `None`. The elements must be integers of up to 32 bits.
    ///
    /// # Errors
    /// - The elements are not such integers.
    /// - The layout has no such axis.
    /// - The tensor has no elements, and the axis more than 65,536 coordinates.
    /// - Memory for the sums cannot be allocated.
    /// - Several coordinates share an element.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// let packed: Tensor<layout!(OI4i<O = 2, I = 3>, i8, pad), _> = [1, 2, 3, 0, -4, 5, 6, 0].into();
    /// assert_eq!(packed.sums('O')?, [6, 7]);
    /// assert_eq!(packed.sums(None)?, [13]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn sums(&self, axis: impl Into<Option<char>>) -> Result<Vec<i64>, LayoutError> {
        let layout = self.layout();
        let axis = position(&layout, axis.into())?;
        sums_of::<L::Element>(&layout, self.buffer(), axis)
    }
}

/// Quantizes the elements of a layout; see [`Tensor::quantize_to`].
pub(crate) fn quantized<S: Number, M: FormatType<Element: Number>>(
    layout: &Layout,
    units: &[S::Unit],
    axis: Option<char>,
    rounding: Rounding,
) -> Result<Quantized<M>, LayoutError> {
    let element = <M::Element as Element>::TYPE;
    Conversion::quantize(1.0, 0).check_elements(S::TYPE, element)?;
    let position = position(layout, axis)?;
    let pair = Pair::new(layout, layout)?;
    let count = count_of(layout, position)?;
    let mut magnitudes = zeros(count)?;
    raise_magnitudes::<S>(&pair, position, units, &mut magnitudes)
        .map_err(|index| LayoutError(Rule::NotFinite { index }))?;
    let mut scales = zeros(count)?;
    for (scale, magnitude) in scales.iter_mut().zip(magnitudes) {
        *scale = scale_of(magnitude, element)?;
    }
    let zero_points = zeros(count)?;
    let conversion = match position.map(|axis| layout.letters().at(axis)) {
        Some(axis) => Conversion::quantize_per_axis(axis, &scales, &zero_points),
        None => Conversion::quantize(scales[0], 0),
    };
    let tensor = converted::<S, M>(layout, units, &conversion.rounding(rounding))?;
    let sums = tensor.sums(axis)?;
    Ok(Quantized { tensor, scales, sums })
}

/// Converts the elements of a layout; see [`Tensor::convert_to`].
pub(crate) fn converted<S: Number, M: FormatType<Element: Number>>(
    layout: &Layout,
    units: &[S::Unit],
    conversion: &Conversion<'_>,
) -> Result<Tensor<M>, LayoutError> {
    let mut tensor = Tensor::zeroed_in(M::with_extents_of(layout)?)?;
    let plan = ConversionPlan::<S, M::Element>::new(layout, &tensor.layout(), conversion)?;
    plan.run(units, tensor.buffer_mut())?;
    Ok(tensor)
}

fn sums_of<S: Number>(
    layout: &Layout,
    units: &[S::Unit],
    axis: Option<usize>,
) -> Result<Vec<i64>, LayoutError> {
    let pair = Pair::new(layout, layout)?;
    let mut sums = zeros(count_of(layout, axis)?)?;
    add_sums::<S>(&pair, axis, units, &mut sums)?;
    Ok(sums)
}

/// Returns the position of an axis.
fn position(layout: &Layout, axis: Option<char>) -> Result<Option<usize>, LayoutError> {
    axis.map(|letter| layout.axis(letter)).transpose()
}
