//! Conversions of elements whose type changes in a relayout.

use super::arithmetic::{Arithmetic, Choices};
use super::fixed_point::FixedPoint;
use super::integers::Parameters;
use super::number::{Real, Value};
use layout_core::spec::{ElementType, LayoutError, Name, Rule};
use layout_core::{Layout, ok};

/// The conversion of elements in a relayout between element types: [`cast`](Self::cast), [`offset`](Self::offset),
/// [`quantize`](Self::quantize), [`dequantize`](Self::dequantize), [`requantize`](Self::requantize) or
/// [`normalize`](Self::normalize). It has one set of parameters for the tensor, or one for each coordinate of an axis.
///
/// ```
/// use tensor_layout::{Conversion, Rounding};
///
/// // Weights with a scale for each filter.
/// const SCALES: [f32; 4] = [0.5, 0.25, 0.125, 1.0];
/// const WEIGHTS: Conversion =
///     Conversion::quantize_per_axis('O', &SCALES, &[0; 4]).rounding(Rounding::HalfAway);
/// # let _ = WEIGHTS;
/// ```
///
/// # Arithmetic
///
/// Arithmetic is in `f32`. It is in `f64` if one of the element types has values that `f32` does not hold exactly:
/// `f64` and integers of 32 and 64 bits. Every operation rounds to nearest, ties to even, and none is fused with
/// another. Results are the same on every machine, except for the bits of a NaN.
///
/// - To a float: rounds to nearest, ties to even. Values that are too large become infinite, or NaN in a type without
///   infinity, and NaN stays NaN; with [`saturating`](Self::saturating) they become the largest finite number. Floats
///   of 16 bits are rounded from `f32`, so an `f64` or a large integer is rounded twice; smaller floats are rounded
///   once, from the `f64` that is nearest to an integer of 64 bits.
/// - To `f4e2m1`, `f6e2m3` and `f6e3m2`, which have neither infinity nor NaN: values that are too large become the
///   largest number, and NaN becomes zero, of either sign.
/// - To `f8e8m0`, a power of two: the nearer one, or the larger if both are equally near. What lies between the
///   smallest two becomes the larger. Zero, negative numbers and what is too large become NaN.
/// - To an integer: rounds to nearest, ties as [`rounding`](Self::rounding) says. Values out of range become the
///   smallest or the largest integer. NaN becomes the zero point, or 0 without one.
/// - From an integer to another: the same value, or the nearer end of the range; with [`wrapping`](Self::wrapping) the
///   lowest bits. [`requantize`](Self::requantize) computes in integers of 64 bits.
/// - From `bool`: 0 or 1.
/// - To `bool`, only by [`cast`](Self::cast): `true` for every number except 0, and for NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion<'a> {
    kind: Kind<'a>,
    /// The axis whose coordinates have separate parameters.
    axis: Option<char>,
    rounding: Rounding,
    /// Whether floats that are too large become the largest finite one.
    saturates: bool,
    /// Whether integers that do not fit keep their lowest bits.
    wraps: bool,
}

/// The rounding of a number half-way between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rounding {
    /// To the even integer, as in IEEE 754 and PyTorch: 0.5 to 0, 1.5 to 2.
    #[default]
    HalfEven,
    /// Away from zero, as in `f32::round` and fixed-point code: 0.5 to 1, -0.5 to -1.
    HalfAway,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind<'a> {
    Cast,
    Quantize { scale: Values<'a, f32>, zero_point: Values<'a, i32> },
    Dequantize { scale: Values<'a, f32>, zero_point: Values<'a, i32> },
    Normalize { mean: Values<'a, f32>, scale: Values<'a, f32> },
    Offset(i32),
    Requantize { multiplier: Values<'a, i32>, shift: Values<'a, i32>, how: FixedPoint },
}

/// One kind of parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Values<'a, T> {
    /// One value for the whole tensor.
    One(T),
    /// One value for each coordinate of the axis.
    Each(&'a [T]),
}

impl<T: Copy> Values<'_, T> {
    #[inline]
    const fn at(&self, coordinate: usize) -> T {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values[coordinate],
        }
    }

    const fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Each(values) => values.len(),
        }
    }
}

impl<'a> Conversion<'a> {
    /// Converts each element to the same value in another type, or to the nearest one.
    pub const fn cast() -> Self {
        Self::new(Kind::Cast, None)
    }

    /// Converts floats to integers of up to 32 bits, as PyTorch does: `round(x * (1 / scale)) + zero_point`. The scale
    /// is positive, and the zero point is a value of the integer type.
    pub const fn quantize(scale: f32, zero_point: i32) -> Self {
        let (scale, zero_point) = (Values::One(scale), Values::One(zero_point));
        Self::new(Kind::Quantize { scale, zero_point }, None)
    }

    /// [`quantize`](Self::quantize) with a scale and a zero point for each coordinate of `axis`.
    pub const fn quantize_per_axis(axis: char, scales: &'a [f32], zero_points: &'a [i32]) -> Self {
        let (scale, zero_point) = (Values::Each(scales), Values::Each(zero_points));
        Self::new(Kind::Quantize { scale, zero_point }, Some(axis))
    }

    /// Converts integers of up to 32 bits to floats: `(x - zero_point) * scale`.
    pub const fn dequantize(scale: f32, zero_point: i32) -> Self {
        let (scale, zero_point) = (Values::One(scale), Values::One(zero_point));
        Self::new(Kind::Dequantize { scale, zero_point }, None)
    }

    /// [`dequantize`](Self::dequantize) with a scale and a zero point for each coordinate of `axis`.
    pub const fn dequantize_per_axis(
        axis: char,
        scales: &'a [f32],
        zero_points: &'a [i32],
    ) -> Self {
        let (scale, zero_point) = (Values::Each(scales), Values::Each(zero_points));
        Self::new(Kind::Dequantize { scale, zero_point }, Some(axis))
    }

    /// Converts numbers to floats: `(x - mean) * scale`.
    pub const fn normalize(mean: f32, scale: f32) -> Self {
        let (mean, scale) = (Values::One(mean), Values::One(scale));
        Self::new(Kind::Normalize { mean, scale }, None)
    }

    /// [`normalize`](Self::normalize) with a mean and a scale for each coordinate of `axis`, such as the color
    /// channels of an image. Means have the unit of the source: for `u8` pixels, multiply means of pixels from 0 to 1
    /// by 255.
    ///
    /// ```
    /// use tensor_layout::Conversion;
    ///
    /// const MEANS: [f32; 3] = [0.485 * 255.0, 0.456 * 255.0, 0.406 * 255.0];
    /// const SCALES: [f32; 3] = [1.0 / (0.229 * 255.0), 1.0 / (0.224 * 255.0), 1.0 / (0.225 * 255.0)];
    /// const IMAGENET: Conversion = Conversion::normalize_per_axis('C', &MEANS, &SCALES);
    /// # let _ = IMAGENET;
    /// ```
    pub const fn normalize_per_axis(axis: char, means: &'a [f32], scales: &'a [f32]) -> Self {
        let (mean, scale) = (Values::Each(means), Values::Each(scales));
        Self::new(Kind::Normalize { mean, scale }, Some(axis))
    }

    /// Adds an integer to integers of up to 32 bits. Sums out of range become the nearer end of it.
    ///
    /// Integers change their sign without another change: -128 makes `i8` of `u8` and 8 `u4` of `i4`, with the same bits
    /// but the highest one.
    ///
    /// ```
    /// use tensor_layout::{Conversion, Tensor, layout};
    ///
    /// let image: Tensor<layout!(NC<1, 3>, u8), _> = [0, 127, 255].into();
    /// let input = image.convert_to::<layout!(NC<1, 3>, i8)>(&Conversion::offset(-128))?;
    /// assert_eq!(input.buffer(), [-128, -1, 127]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn offset(offset: i32) -> Self {
        Self::new(Kind::Offset(offset), None)
    }

    /// Multiplies integers by `multiplier * 2^(shift - 31)`, as [`FixedPoint`] says: accumulators of a layer become
    /// activations, or integers of one scale those of another. The source has integers that `i32` holds or `i64`, and
    /// the destination those that `i32` holds. `i64` is multiplied by [16 bits](FixedPoint::requantize_wide) of the
    /// multiplier.
    ///
    /// ```
    /// use tensor_layout::{Conversion, FixedPoint, Tensor, layout};
    ///
    /// let (multiplier, shift) = FixedPoint::factor(0.25).expect("a factor");
    /// let conversion = Conversion::requantize(multiplier, shift, FixedPoint::double().zero_point(-1));
    /// let sums: Tensor<layout!(NC<1, 4>, i32), _> = [100, -6, 0, 9999].into();
    /// let output = sums.convert_to::<layout!(NC<1, 4>, i8)>(&conversion)?;
    /// assert_eq!(output.buffer(), [24, -3, -1, 127]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn requantize(multiplier: i32, shift: i32, how: FixedPoint) -> Self {
        let (multiplier, shift) = (Values::One(multiplier), Values::One(shift));
        Self::new(Kind::Requantize { multiplier, shift, how }, None)
    }

    /// [`requantize`](Self::requantize) with a multiplier and a shift for each coordinate of `axis`.
    pub const fn requantize_per_axis(
        axis: char,
        multipliers: &'a [i32],
        shifts: &'a [i32],
        how: FixedPoint,
    ) -> Self {
        let (multiplier, shift) = (Values::Each(multipliers), Values::Each(shifts));
        Self::new(Kind::Requantize { multiplier, shift, how }, Some(axis))
    }

    /// The same conversion with another rounding of floats to integers. [`requantize`](Self::requantize) has its own.
    pub const fn rounding(mut self, rounding: Rounding) -> Self {
        self.rounding = rounding;
        self
    }

    /// The same conversion, in which floats that are too large for the destination's type, and infinities, become the
    /// largest finite number of that type with their sign, and not infinity or NaN. Other results are the same.
    ///
    /// ```
    /// use tensor_layout::{Conversion, ConversionPlan, Layout, f8e4m3};
    ///
    /// let [from, to] = ["A<2>, f32", "A<2>, f8e4m3"].map(|text| Layout::parse(text).expect("a layout"));
    /// let mut numbers = [f8e4m3::default(); 2];
    /// for (conversion, large) in [
    ///     (Conversion::cast(), f32::NAN),
    ///     (Conversion::cast().saturating(), 448.0),
    /// ] {
    ///     ConversionPlan::<f32, f8e4m3>::new(&from, &to, &conversion)?.run(&[1.5, 1e9], &mut numbers)?;
    ///     assert_eq!(numbers.map(|number| number.to_f32().to_bits()), [1.5, large].map(f32::to_bits));
    /// }
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn saturating(mut self) -> Self {
        self.saturates = true;
        self
    }

    /// The same [`cast`](Self::cast) or [`offset`](Self::offset) between integers, in which those that do not fit the
    /// destination's type keep their lowest bits, as with Rust's `as`. Without this they become the smallest or the
    /// largest integer. Other conversions refuse it.
    pub const fn wrapping(mut self) -> Self {
        self.wraps = true;
        self
    }

    const fn new(kind: Kind<'a>, axis: Option<char>) -> Self {
        Self { kind, axis, rounding: Rounding::HalfEven, saturates: false, wraps: false }
    }

    /// The position in `layout` of the axis with parameters.
    #[doc(hidden)]
    pub const fn axis_in(&self, layout: &Layout) -> Option<usize> {
        match self.axis {
            Some(letter) => layout.letters().position(letter.to_ascii_uppercase()),
            None => None,
        }
    }

    /// What the conversion chooses where the usual result is another.
    #[doc(hidden)]
    pub const fn choices(&self) -> Choices {
        Choices { away: matches!(self.rounding, Rounding::HalfAway), saturates: self.saturates }
    }

    /// Whether elements of these types are cast. Floats that become integers are multiplied by 1 instead.
    #[doc(hidden)]
    pub const fn casts<S: Value, D: Value>(&self) -> bool {
        matches!(self.kind, Kind::Cast) && (S::INTEGER || !D::INTEGER)
    }

    /// Whether there are no parameters, and so none for each coordinate.
    #[doc(hidden)]
    pub const fn has_none(&self) -> bool {
        matches!(self.kind, Kind::Cast | Kind::Offset(_))
    }

    /// How integers are multiplied in fixed point, if they are.
    #[doc(hidden)]
    pub const fn fixed_point(&self) -> Option<FixedPoint> {
        match self.kind {
            Kind::Requantize { how, .. } => Some(how),
            _ => None,
        }
    }

    /// The arithmetic of elements of these types at a coordinate of the axis with parameters.
    #[doc(hidden)]
    #[inline(always)]
    pub fn arithmetic<S: Value, D: Value, F: Real>(
        &self,
        coordinate: usize,
    ) -> Arithmetic<'static, F> {
        match &self.kind {
            Kind::Cast if self.wraps => Arithmetic::Wrapping(0),
            Kind::Offset(offset) if self.wraps || never_wraps::<S, D>(*offset) => {
                Arithmetic::Wrapping(*offset)
            }
            Kind::Offset(offset) => Arithmetic::Offset(*offset),
            Kind::Requantize { how, .. } => {
                let (factor, shift) = self.multiplier(coordinate);
                Arithmetic::Requantized(Parameters::Same { factor, shift }, *how)
            }
            // Between integers the others are refused, and firmware has no arithmetic of floats for them.
            _ if const { S::INTEGER && D::INTEGER } || self.casts::<S, D>() => {
                match self.saturates && !D::INTEGER {
                    false => Arithmetic::Cast,
                    true => Arithmetic::SaturatingCast,
                }
            }
            _ => {
                let (factor, shift) = self.parameters(coordinate);
                Arithmetic::Scaled(Parameters::Same { factor, shift }, self.choices())
            }
        }
    }

    /// The multiplier and its shift at a coordinate of the axis with parameters.
    #[doc(hidden)]
    #[inline]
    pub const fn multiplier(&self, coordinate: usize) -> (i32, i32) {
        match &self.kind {
            Kind::Requantize { multiplier, shift, .. } => {
                (multiplier.at(coordinate), shift.at(coordinate))
            }
            _ => (0, 0),
        }
    }

    /// The factor and the shift at a coordinate of the axis with parameters. A constant conversion has constants, which
    /// a call in a loop over elements would hide.
    #[doc(hidden)]
    #[inline(always)]
    pub fn parameters<F: Real>(&self, coordinate: usize) -> (F, F) {
        let real = |value: f32| F::from_f64(f64::from(value));
        let integer = |value: i32| F::from_f64(f64::from(value));
        match &self.kind {
            Kind::Quantize { scale, zero_point } => {
                (F::ONE / real(scale.at(coordinate)), integer(zero_point.at(coordinate)))
            }
            Kind::Dequantize { scale, zero_point } => {
                (real(scale.at(coordinate)), integer(zero_point.at(coordinate)))
            }
            Kind::Normalize { mean, scale } => {
                (real(scale.at(coordinate)), real(mean.at(coordinate)))
            }
            _ => (F::ONE, F::ZERO),
        }
    }

    /// Returns an error unless the conversion works for these element types, in a tensor with the axes and extents of
    /// `layout`.
    #[doc(hidden)]
    pub const fn check(
        &self,
        source: ElementType,
        destination: ElementType,
        layout: &Layout,
    ) -> Result<(), LayoutError> {
        ok!(self.check_elements(source, destination));
        match &self.kind {
            Kind::Cast | Kind::Offset(_) => Ok(()),
            Kind::Requantize { multiplier, shift, how } => {
                ok!(self.check_count("multipliers", multiplier.count(), layout));
                ok!(self.check_count("shifts", shift.count(), layout));
                layout_core::each!(i, 0..multiplier.count(), {
                    let factor = (multiplier.at(i), shift.at(i));
                    ok!(FixedPoint::check_factor(i, factor, source));
                });
                how.check(source, destination)
            }
            Kind::Quantize { scale, zero_point } => {
                self.check_quantized(scale, zero_point, destination, layout)
            }
            Kind::Dequantize { scale, zero_point } => {
                self.check_quantized(scale, zero_point, source, layout)
            }
            Kind::Normalize { mean, scale } => {
                ok!(self.check_count("means", mean.count(), layout));
                self.check_count("scales", scale.count(), layout)
            }
        }
    }

    /// Returns an error unless the conversion works for these element types. See [`quantize`](Self::quantize),
    /// [`dequantize`](Self::dequantize) and [`normalize`](Self::normalize).
    ///
    /// # Errors
    /// The conversion does not take one of the element types.
    pub const fn check_elements(
        &self,
        source: ElementType,
        destination: ElementType,
    ) -> Result<(), LayoutError> {
        if !source.is_number() || !destination.is_number() {
            let element = if source.is_number() { destination } else { source };
            return Err(LayoutError(Rule::NotANumber { element }));
        }
        let are_integers = !is_float(source) && !is_float(destination);
        let are_quantized = is_quantized(source) && is_quantized(destination);
        let (name, fits) = match self.kind {
            Kind::Cast if self.wraps => {
                let is_bool = source.same(ElementType::Bool) || destination.same(ElementType::Bool);
                ("wrapping", are_integers && !is_bool)
            }
            _ if self.wraps && !matches!(self.kind, Kind::Offset(_)) => {
                return Err(LayoutError(Rule::Wrapping));
            }
            Kind::Cast => return Ok(()),
            Kind::Offset(_) => ("offset", are_quantized),
            Kind::Requantize { .. } => {
                let is_wide = source.same(ElementType::I64);
                ("requantize", (is_wide || fits_i32(source)) && fits_i32(destination))
            }
            Kind::Quantize { .. } => ("quantize", is_float(source) && is_quantized(destination)),
            Kind::Dequantize { .. } => {
                ("dequantize", is_quantized(source) && is_float(destination))
            }
            Kind::Normalize { .. } => ("normalize", is_float(destination)),
        };
        if fits {
            return Ok(());
        }
        Err(LayoutError(Rule::Conversion { conversion: Name::new(name), source, destination }))
    }

    const fn check_quantized(
        &self,
        scale: &Values<'_, f32>,
        zero_point: &Values<'_, i32>,
        element: ElementType,
        layout: &Layout,
    ) -> Result<(), LayoutError> {
        ok!(self.check_count("scales", scale.count(), layout));
        ok!(self.check_count("zero points", zero_point.count(), layout));
        layout_core::each!(i, 0..scale.count(), {
            let scale = scale.at(i);
            if !(scale > 0.0 && scale < f32::INFINITY) {
                return Err(LayoutError(Rule::Scale { index: i }));
            }
        });
        let Some((low, high)) = element.integer_range() else { return Ok(()) };
        layout_core::each!(i, 0..zero_point.count(), {
            let value = zero_point.at(i);
            if (value as i128) < low || value as i128 > high {
                return Err(LayoutError(Rule::ZeroPoint { value, element }));
            }
        });
        Ok(())
    }

    const fn check_count(
        &self,
        parameters: &str,
        given: usize,
        layout: &Layout,
    ) -> Result<(), LayoutError> {
        let Some(letter) = self.axis else { return Ok(()) };
        let Some(axis) = self.axis_in(layout) else {
            return Err(LayoutError::unknown_axis(letter, layout.letters()));
        };
        let extent = layout.extents()[axis];
        if given == extent {
            return Ok(());
        }
        let parameters = Name::new(parameters);
        Err(LayoutError(Rule::ParameterCount { parameters, letter, extent, given }))
    }
}

/// Whether the element is no integer; `bool` is one.
const fn is_float(element: ElementType) -> bool {
    element.integer_range().is_none()
}

const fn is_quantized(element: ElementType) -> bool {
    !is_float(element) && element.bits() <= 32 && !element.same(ElementType::Bool)
}

const fn fits_i32(element: ElementType) -> bool {
    is_quantized(element) && !element.same(ElementType::U32)
}

/// Whether each sum of an `S` and the offset is a `D`.
const fn never_wraps<S: Value, D: Value>(offset: i32) -> bool {
    let offset = offset as i128;
    S::RANGE.0 + offset >= D::RANGE.0 && S::RANGE.1 + offset <= D::RANGE.1
}
