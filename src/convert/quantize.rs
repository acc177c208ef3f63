//! Quantizing with scales that the elements ask for.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_types::nests::Pair;
use layout_types::numbers::{add_sums, count_of, raise_magnitudes, scale_of};
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Conversion, Element, FormatType, Layout, LayoutType, Number, Rounding, UnitOf};

use super::plan::ConversionPlan;
use super::run::convert;
use crate::tensor::Tensor;

/// A tensor of integers, what one step of them is worth, and their sums: what a quantized layer needs of its weights.
#[derive(Clone)]
pub struct Quantized<L> {
    /// The integers.
    pub tensor: Tensor<L>,
    /// What one step of the integers is worth: one for each coordinate of the axis, or one of the whole tensor.
    pub scales: Vec<f32>,
    /// The sums of the integers, as many as scales. A zero point `z` of what the weights are multiplied with adds `z`
    /// times the sum to each result.
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
    /// The tensor quantized to another layout type, in a buffer of its own on the heap, with the smallest scales with
    /// which no element is past the range of the integers: one for each coordinate of `axis`, or one for all where it
    /// is `None`. 0 stays 0. `include_tensor!` has the same as the option `quantize`.
    ///
    /// # Errors
    /// Integers that are not signed or have more than 32 bits, elements that are not floats, an element that is not
    /// finite; an axis that there is not; errors of [`convert_to`](Self::convert_to).
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
        quantized::<L::Element, M>(&self.layout(), self.buffer(), axis.into(), rounding)
    }

    /// The sums of the elements, integers of up to 32 bits: one for each coordinate of `axis`, or one of all where it
    /// is `None`.
    ///
    /// # Errors
    /// Other elements, an axis that there is not, coordinates that share elements, a buffer that is no longer as long
    /// as it was.
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

/// The elements of a layout quantized; see [`Tensor::quantize_to`].
pub(crate) fn quantized<S: Number, M: FormatType<Element: Number>>(
    layout: &Layout,
    units: &[S::Unit],
    axis: Option<char>,
    rounding: Rounding,
) -> Result<Quantized<M>, LayoutError> {
    let element = <M::Element as Element>::TYPE;
    Conversion::quantize(1.0, 0).check_elements(S::TYPE, element)?;
    let position = position(layout, axis)?;
    let mut magnitudes = vec![0.0; count_of(layout, position)];
    let pair = Pair::new(layout, layout)?;
    raise_magnitudes::<S>(&pair, position, units, &mut magnitudes)
        .map_err(|index| LayoutError(Rule::NotFinite { index }))?;
    let scales = magnitudes.into_iter().map(|magnitude| scale_of(magnitude, element));
    let scales: Vec<f32> = scales.collect::<Result<_, _>>()?;
    let zero_points = vec![0; scales.len()];
    let conversion = match axis {
        Some(axis) => Conversion::quantize_per_axis(axis, &scales, &zero_points),
        None => Conversion::quantize(scales[0], 0),
    };
    let tensor = converted::<S, M>(layout, units, &conversion.rounding(rounding))?;
    let sums = tensor.sums(axis)?;
    Ok(Quantized { tensor, scales, sums })
}

/// The elements of a layout converted; see [`Tensor::convert_to`].
pub(crate) fn converted<S: Number, M: FormatType<Element: Number>>(
    layout: &Layout,
    units: &[S::Unit],
    conversion: &Conversion<'_>,
) -> Result<Tensor<M>, LayoutError> {
    let mut tensor = Tensor::zeroed_in(M::with_extents_of(layout)?)?;
    let plan = ConversionPlan::<S, M::Element>::new(layout, &tensor.layout(), conversion)?;
    convert(&plan, units, tensor.buffer_mut())?;
    Ok(tensor)
}

fn sums_of<S: Number>(
    layout: &Layout,
    units: &[S::Unit],
    axis: Option<usize>,
) -> Result<Vec<i64>, LayoutError> {
    let mut sums = vec![0; count_of(layout, axis)];
    add_sums::<S>(&Pair::new(layout, layout)?, axis, units, &mut sums)?;
    Ok(sums)
}

/// The position of an axis.
fn position(layout: &Layout, axis: Option<char>) -> Result<Option<usize>, LayoutError> {
    axis.map(|letter| layout.axis(letter)).transpose()
}
