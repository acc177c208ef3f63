//! Conversions of runs between integers as plain loops, which the compiler vectorizes, and the
//! parameters that all loops take.

use core::iter::repeat;

use super::fixed_point::FixedPoint;
use super::number::Value;
use super::plain;

/// The parameters of a conversion, two of each element. An integer is `round(x * factor) + shift`, a float is
/// `(x - shift) * factor`. Requantization has a multiplier and its shift.
#[derive(Clone, Copy, Debug)]
pub enum Parameters<'a, T> {
    /// The same for all elements.
    Same {
        /// The factor of the product.
        factor: T,
        /// The number that is added to an integer, or subtracted from a value that becomes a float.
        shift: T,
    },
    /// One factor and one shift for each run.
    Rows {
        /// One factor for each run.
        factors: &'a [T],
        /// One shift for each run.
        shifts: &'a [T],
    },
    /// A factor and a shift for each element of a period, which repeats.
    Period {
        /// One factor for each element of the period.
        factors: &'a [T],
        /// One shift for each element of the period.
        shifts: &'a [T],
    },
}

impl<T: Copy> Parameters<'_, T> {
    /// The parameters of the elements of run number `row`, if each run has its own.
    #[inline(always)]
    pub(super) fn of_row(&self, row: usize) -> Option<Self> {
        match self {
            Self::Rows { factors, shifts } => {
                Some(Self::Same { factor: factors[row], shift: shifts[row] })
            }
            _ => None,
        }
    }

    /// The number of elements in a period, if there is one.
    #[inline(always)]
    pub(super) const fn period(self) -> Option<usize> {
        match self {
            Self::Period { factors, .. } => Some(factors.len()),
            _ => None,
        }
    }
}

/// Adds an integer. What does not fit keeps its lowest bits.
#[inline(always)]
pub(super) fn wrapping<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    offset: i32,
) {
    for (to, from) in destination.iter_mut().zip(source) {
        let bits = S::clamped_bits(*from, const { S::RANGE });
        *to = D::from_bits(bits.wrapping_add(offset as u64));
    }
}

/// Adds an integer to integers of up to 32 bits. What does not fit becomes the nearer end of the range.
#[inline(always)]
pub(super) fn offset<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    offset: i32,
) {
    for (to, from) in destination.iter_mut().zip(source) {
        let sum = S::clamped_bits(*from, const { S::RANGE }) as i64 + i64::from(offset);
        *to = D::from_bits(sum.clamp(D::RANGE.0 as i64, D::RANGE.1 as i64) as u64);
    }
}

/// The number of elements that are multiplied at a time, and the smallest number for which that is worthwhile.
const BLOCK: usize = 64;
const LEAST: usize = 8;

/// Multiplies by factors in fixed point. Parameters and zero points have been checked.
#[inline(always)]
pub(super) fn requantize<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    parameters: Parameters<'_, i32>,
    how: FixedPoint,
) {
    let how = how.within((D::RANGE.0 as i32, D::RANGE.1 as i32));
    // Without vectors of words of 64 bits, the plain loop is faster.
    let are_words = const { cfg!(target_pointer_width = "64") && size_of::<S::Held>() < 8 };
    let are_blocks = are_words && source.len() >= LEAST;
    match parameters {
        Parameters::Same { factor, shift } if are_blocks && shift < 0 => {
            let word = u64::from(factor as u32);
            let one = ([word << 32 | word; BLOCK / 2], [shift; BLOCK]);
            by_blocks::<S, D>(source, destination, (&one.0, &one.1), &how);
        }
        Parameters::Same { factor, shift } => {
            plain::<S, D>(source, destination, repeat((factor, shift)), &how)
        }
        Parameters::Period { factors, shifts } => {
            let is_right = are_blocks && shifts.iter().fold(-1, |all, one| all & one) < 0;
            match plain::try_cast(factors) {
                Some(words) if is_right => {
                    by_blocks::<S, D>(source, destination, (words, shifts), &how);
                }
                _ => {
                    let each = factors.iter().copied().zip(shifts.iter().copied());
                    let sides =
                        source.chunks(shifts.len()).zip(destination.chunks_mut(shifts.len()));
                    for (from, to) in sides {
                        plain::<S, D>(from, to, each.clone(), &how);
                    }
                }
            }
        }
        // Each row has its own.
        Parameters::Rows { .. } => {}
    }
}

/// Multiplies element by element.
#[inline(always)]
fn plain<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    parameters: impl Iterator<Item = (i32, i32)>,
    how: &FixedPoint,
) {
    for ((to, from), (multiplier, shift)) in destination.iter_mut().zip(source).zip(parameters) {
        let value = S::clamped_bits(*from, const { S::RANGE }) as i64;
        let result = match const { size_of::<S::Held>() == 8 } {
            true => how.requantize_wide(value, multiplier, shift),
            false => how.requantize(value as i32, multiplier, shift),
        };
        *to = D::from_bits(result as u64);
    }
}

/// Multiplies the blocks of each period, whose multipliers lie in words of two.
#[inline(always)]
fn by_blocks<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    (words, shifts): (&[u64], &[i32]),
    how: &FixedPoint,
) {
    let parts = source.chunks(shifts.len()).zip(destination.chunks_mut(shifts.len()));
    for (source, destination) in parts {
        let sides = source.chunks(BLOCK).zip(destination.chunks_mut(BLOCK));
        let parameters = words.chunks(BLOCK / 2).zip(shifts.chunks(BLOCK));
        for ((from, to), parameters) in sides.zip(parameters) {
            block::<S, D>(from, to, parameters, how);
        }
    }
}

/// Multiplies a block of elements, whose shifts are negative: products of two in a word, and then the rest of each.
#[inline(always)]
fn block<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    (words, shifts): (&[u64], &[i32]),
    how: &FixedPoint,
) {
    // Of a signed integer v, v + 2^31 is one without a sign, and (v + 2^31) * m / 2^31 is v * m / 2^31 + m.
    const HIGH: u64 = u64::MAX << 32;

    let (is_single, (source_zero_point, _), _) = how.parts();
    let mut block = [0u64; BLOCK / 2];
    for (to, from) in plain::cast_mut::<u64, i32>(&mut block).iter_mut().zip(source) {
        let value = S::clamped_bits(*from, const { S::RANGE }) as i32;
        *to = value.wrapping_sub(source_zero_point) ^ i32::MIN;
    }
    // A product that is rounded once is rounded after the shift, and one that is rounded twice here too.
    let half = if is_single { 0 } else { 1 << 30 };
    for (word, multipliers) in block.iter_mut().zip(words) {
        let low = (*word & !HIGH) * (multipliers & !HIGH) + half;
        let high = (*word >> 32) * (multipliers >> 32) + half;
        *word = low >> 31 & !HIGH | high << 1 & HIGH;
    }
    // Halves away from zero are halves up of a negative number less 1.
    let sign = if is_single { 0 } else { -1 };
    let factors = plain::cast::<u64, i32>(words).iter().zip(shifts);
    let products = plain::cast::<u64, i32>(&block).iter().zip(factors);
    for (to, (product, (multiplier, shift))) in destination.iter_mut().zip(products) {
        let product = product.wrapping_sub(*multiplier);
        let product = product.wrapping_add(product >> 31 & sign);
        // The last bit is rounded.
        let product = ((product >> (!shift & 31)) + 1) >> 1;
        *to = D::from_bits(finished::<D>(product, how) as u64);
    }
}

/// The zero point added, and the sum in the range. Vectors have saturating instructions for 16 bits.
#[inline(always)]
fn finished<D: Value>(product: i32, how: &FixedPoint) -> i32 {
    if const { size_of::<D::Held>() > 1 } {
        return how.finished(product);
    }
    let (_, (_, zero_point), (low, high)) = how.parts();
    let short = product.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    let sum = short.saturating_add(zero_point as i16).max(low as i16).min(high as i16);
    sum.clamp(D::RANGE.0 as i16, D::RANGE.1 as i16).into()
}
