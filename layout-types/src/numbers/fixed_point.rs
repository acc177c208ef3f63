//! Integers times factors in fixed point, as after the sums of products of a quantized layer: one number, in const
//! evaluation too.

use layout_core::spec::{ElementType, LayoutError, Name, Rule};

/// Requantization as fixed-point code computes it: a product with `multiplier * 2^(shift - 31)`, rounded to an integer,
/// plus a zero point, clamped to a range. [`Conversion::requantize`](crate::Conversion::requantize) does it to tensors.
///
/// Multipliers are between 0 and 2³¹ - 1, and shifts between -31 and 31. [`factor`](Self::factor) makes both of a real
/// number.
///
/// ```
/// use tensor_layout::FixedPoint;
///
/// // The accumulator of a layer becomes an activation: 0.00117, zero point -128, ReLU6 with scale 6 / 255.
/// const LAYER: FixedPoint = FixedPoint::double().zero_point(-128).range(-128, 127);
/// const FACTOR: (i32, i32) = FixedPoint::factor(0.00117).unwrap();
/// assert_eq!(FACTOR, (1286428604, -9));
/// assert_eq!(LAYER.requantize(51_234, FACTOR.0, FACTOR.1), 60 - 128);
/// assert_eq!(LAYER.requantize(-51_234, FACTOR.0, FACTOR.1), -128);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    is_single: bool,
    source_zero_point: i32,
    zero_point: i32,
    low: i32,
    high: i32,
}

/// The number of bits of a multiplier, and the largest magnitude of a shift.
const BITS: i32 = 31;

/// The largest shift of a multiplier of 16 bits.
const MOST_WIDE: i32 = 14;

impl FixedPoint {
    /// Rounds twice, as gemmlowp does, and TFLite and CMSIS-NN by default: the number, shifted to the left by `shift` if
    /// that is positive, times the multiplier over 2³¹, halves up; then over 2^-`shift` if `shift` is negative, halves away
    /// from zero. The shift to the left wraps around.
    pub const fn double() -> Self {
        Self::new(false)
    }

    /// Rounds once, halves up, as TFLite does with `TFLITE_SINGLE_ROUNDING`, and CMSIS-NN with
    /// `CMSIS_NN_USE_SINGLE_ROUNDING`. A result of more than 32 bits wraps around.
    pub const fn single() -> Self {
        Self::new(true)
    }

    const fn new(is_single: bool) -> Self {
        let (low, high) = (i32::MIN, i32::MAX);
        Self { is_single, source_zero_point: 0, zero_point: 0, low, high }
    }

    /// The same with a number that is subtracted before the multiplication: the zero point of the source. Elements of
    /// 32 bits wrap around.
    pub const fn source_zero_point(mut self, zero_point: i32) -> Self {
        self.source_zero_point = zero_point;
        self
    }

    /// The same with a number that is added to the rounded product: the zero point of the destination.
    pub const fn zero_point(mut self, zero_point: i32) -> Self {
        self.zero_point = zero_point;
        self
    }

    /// The same with a range that results are clamped to: that of the activation. Without one it is that of the type.
    pub const fn range(mut self, low: i32, high: i32) -> Self {
        (self.low, self.high) = (low, high);
        self
    }

    /// Returns the multiplier and the shift that are nearest to a real factor, as TFLite's `QuantizeMultiplier` does:
    /// the multiplier has 31 bits, halves are rounded away from zero, and factors that round to less than 2^-32 become 0. `None` if the
    /// factor is negative, NaN, or 2³¹ or more as a multiplier of 31 bits.
    ///
    /// ```
    /// use tensor_layout::FixedPoint;
    ///
    /// assert_eq!(FixedPoint::factor(0.75), Some((3 << 29, 0)));
    /// assert_eq!(FixedPoint::factor(1.0), Some((1 << 30, 1)));
    /// assert_eq!(FixedPoint::factor(-1.0), None);
    /// ```
    pub const fn factor(real: f64) -> Option<(i32, i32)> {
        if real == 0.0 {
            return Some((0, 0));
        }
        let (bits, point) = (real.to_bits(), f64::MANTISSA_DIGITS - 1);
        // A negative number has the sign above the exponent, and is too large too.
        let exponent = (bits >> point) as i32 - 1022;
        // Of the 53 bits, the lowest 22 are rounded.
        let significand = bits & ((1 << point) - 1) | 1 << point;
        let multiplier = (significand + (1 << 21)) >> 22;
        let (multiplier, shift) = match multiplier >> BITS {
            0 => (multiplier, exponent),
            _ => (multiplier >> 1, exponent + 1),
        };
        match shift {
            ..-31 => Some((0, 0)),
            -31..=31 => Some((multiplier as i32, shift)),
            _ => None,
        }
    }

    /// Returns an integer of up to 32 bits requantized. A shift beyond -31 or 31 is taken as that.
    #[inline]
    pub const fn requantize(&self, value: i32, multiplier: i32, shift: i32) -> i32 {
        let value = value.wrapping_sub(self.source_zero_point);
        self.finished(self.product(value, multiplier, shift))
    }

    /// Returns an integer of 64 bits requantized with the 16 highest bits of the multiplier, rounded, as TFLite and
    /// CMSIS-NN do for layers of 16 bits. All round once, halves up. Products wrap around, which those of integers of 48
    /// bits do not; results of more than 32 bits become the largest or the smallest of the range. A shift beyond -31 or 14 is taken as that.
    #[inline]
    pub const fn requantize_wide(&self, value: i64, multiplier: i32, shift: i32) -> i32 {
        let value = value.wrapping_sub(self.source_zero_point as i64);
        let multiplier = match multiplier < 0x7fff_0000 {
            true => (multiplier + (1 << 15)) >> 16,
            false => 0x7fff,
        };
        let by = MOST_WIDE + 1 - within(shift, -BITS, MOST_WIDE);
        let product = value.wrapping_mul(multiplier as i64).wrapping_add(1 << (by - 1)) >> by;
        // Numbers of more than 32 bits are beyond every range.
        self.finished(if product > i32::MAX as i64 {
            i32::MAX
        } else if product < i32::MIN as i64 {
            i32::MIN
        } else {
            product as i32
        })
    }

    /// The rounded product.
    #[inline(always)]
    const fn product(&self, value: i32, multiplier: i32, shift: i32) -> i32 {
        let shift = within(shift, -BITS, BITS);
        if self.is_single {
            let by = (BITS - shift) as u32;
            return ((value as i64 * multiplier as i64 + ((1 << by) >> 1)) >> by) as i32;
        }
        let (left, right) = if shift > 0 { (shift, 0) } else { (0, -shift) };
        let product = (value << left) as i64 * multiplier as i64;
        let high = ((product + (1 << 30)) >> BITS) as i32;
        let rest = (1u32 << right).wrapping_sub(1) as i32;
        let half = (rest >> 1) + (high < 0) as i32;
        (high >> right) + ((high & rest) > half) as i32
    }

    /// The zero point added, and the sum in the range.
    #[inline(always)]
    pub(super) const fn finished(&self, product: i32) -> i32 {
        // Within these limits the sum does not overflow. Where they saturate, it may be outside of the range.
        let low = self.low.saturating_sub(self.zero_point);
        let high = self.high.saturating_sub(self.zero_point);
        within(within(product, low, high).wrapping_add(self.zero_point), self.low, self.high)
    }

    /// The same with a range that is within another.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn within(mut self, (low, high): (i32, i32)) -> Self {
        self.low = within(self.low, low, high);
        self.high = within(self.high, low, high);
        self
    }

    /// Whether a product is rounded once, the numbers that are subtracted before it and added afterwards, and the range.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn parts(&self) -> (bool, (i32, i32), (i32, i32)) {
        (self.is_single, (self.source_zero_point, self.zero_point), (self.low, self.high))
    }

    /// Returns an error unless a multiplier and its shift are in range for integers of this type.
    pub(super) const fn check_factor(
        index: usize,
        (multiplier, shift): (i32, i32),
        source: ElementType,
    ) -> Result<(), LayoutError> {
        let most = if source.bits() == 64 { MOST_WIDE } else { BITS };
        let (name, value, least, most) = if multiplier < 0 {
            ("multiplier", multiplier, 0, i32::MAX)
        } else if shift < -BITS || shift > most {
            ("shift", shift, -BITS, most)
        } else {
            return Ok(());
        };
        let (parameter, element) = (Name::new(name), source);
        Err(LayoutError(Rule::FixedPoint { parameter, value, index, least, most, element }))
    }

    /// Returns an error unless zero points and range are numbers of these element types.
    pub(super) const fn check(
        &self,
        source: ElementType,
        destination: ElementType,
    ) -> Result<(), LayoutError> {
        let zero_points = [(self.source_zero_point, source), (self.zero_point, destination)];
        layout_core::each!(i, 0..zero_points.len(), {
            let (value, element) = zero_points[i];
            if !holds(element, value) {
                return Err(LayoutError(Rule::ZeroPoint { value, element }));
            }
        });
        let Self { low, high, .. } = *self;
        let is_all = low == i32::MIN && high == i32::MAX;
        if is_all || low <= high && holds(destination, low) && holds(destination, high) {
            return Ok(());
        }
        Err(LayoutError(Rule::ActivationRange { low, high, element: destination }))
    }
}

/// Whether integers of the type have this value.
const fn holds(element: ElementType, value: i32) -> bool {
    match element.integer_range() {
        Some((low, high)) => low <= value as i128 && value as i128 <= high,
        None => false,
    }
}

/// The nearest number in a range.
#[inline(always)]
const fn within(value: i32, low: i32, high: i32) -> i32 {
    let value = if value > low { value } else { low };
    if value < high { value } else { high }
}

/// What a quantized layer does besides its products: where its sums start, and how each becomes an output.
/// `include_tensor!` makes one from a .tflite file.
///
/// A kernel multiplies the stored integers and never subtracts the zero point of its input, since the starts contain
/// it; so padding must hold that zero point.
///
/// ```
/// use tensor_layout::{Epilogue, FixedPoint};
///
/// // Weights 3 and -5, and a bias of 40: 40 - 7 * (3 - 5).
/// static LAYER: Epilogue<1> = Epilogue {
///     starts: [54],
///     multipliers: [1 << 30],
///     shifts: [0],
///     input_zero_point: 7,
///     fixed_point: FixedPoint::double().range(-128, 127),
/// };
/// let sum = LAYER.starts[0] + 9 * 3 + 4 * -5;
/// assert_eq!(LAYER.output(0, sum), (40 + (9 - 7) * 3 + (4 - 7) * -5 + 1) / 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epilogue<const CHANNELS: usize> {
    /// Where the sum of each channel starts: the bias, minus the zero point of the input times the sum of the weights.
    pub starts: [i32; CHANNELS],
    /// The multiplier of each channel; [`FixedPoint::factor`] makes it and the shift.
    pub multipliers: [i32; CHANNELS],
    /// The shift of each channel.
    pub shifts: [i8; CHANNELS],
    /// The integer that stands for 0 in the input: the value of its padding.
    pub input_zero_point: i32,
    /// The rounding, the zero point of the output, and the range of the activation.
    pub fixed_point: FixedPoint,
}

impl<const CHANNELS: usize> Epilogue<CHANNELS> {
    /// Returns the output of a channel, in the range of the activation.
    ///
    /// # Panics
    /// If the epilogue has no such channel.
    #[inline(always)]
    #[track_caller]
    pub const fn output(&self, channel: usize, sum: i32) -> i32 {
        self.fixed_point.requantize(sum, self.multipliers[channel], self.shifts[channel] as i32)
    }
}
