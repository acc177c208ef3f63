//! What follows the sums of products of a quantized layer.

use super::fixed_point::FixedPoint;

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
