//! Conversions of runs between integers as plain loops, which the compiler vectorizes.

use core::iter::repeat;

use super::fixed_point::FixedPoint;
use super::number::Value;
use super::parameters::Parameters;
use super::plain;

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
            let (words, each) = (repeat(word << 32 | word), repeat((factor, shift)));
            for (from, to) in source.chunks(BLOCK).zip(destination.chunks_mut(BLOCK)) {
                block::<S, D>(from, to, words.clone(), each.clone(), &how);
            }
        }
        Parameters::Same { factor, shift } => {
            plain::<S, D>(source, destination, repeat((factor, shift)), &how)
        }
        Parameters::Period { factors, shifts } => {
            let words = plain::try_cast(factors);
            let words =
                words.filter(|_| are_blocks && shifts.iter().fold(-1, |all, one| all & one) < 0);
            let parts = source.chunks(factors.len()).zip(destination.chunks_mut(factors.len()));
            // A closure might not be compiled for the vectors of this function.
            for (source, destination) in parts {
                if let Some(words) = words {
                    period::<S, D>(source, destination, (words, factors, shifts), &how);
                    continue;
                }
                let each = factors.iter().copied().zip(shifts.iter().copied());
                plain::<S, D>(source, destination, each, &how);
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

/// Multiplies the blocks of one period, whose multipliers lie in words of two.
#[inline(always)]
fn period<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    (words, factors, shifts): (&[u64], &[i32], &[i32]),
    how: &FixedPoint,
) {
    let blocks = source.chunks(BLOCK).zip(destination.chunks_mut(BLOCK));
    let parameters = words.chunks(BLOCK / 2).zip(factors.chunks(BLOCK)).zip(shifts.chunks(BLOCK));
    for ((from, to), ((words, factors), shifts)) in blocks.zip(parameters) {
        let each = factors.iter().copied().zip(shifts.iter().copied());
        block::<S, D>(from, to, words.iter().copied(), each, how);
    }
}

/// Multiplies a block of elements, whose shifts are negative: products of two in a word, and then the rest of each.
#[inline(always)]
fn block<S: Value, D: Value>(
    source: &[S::Held],
    destination: &mut [D::Held],
    words: impl Iterator<Item = u64>,
    parameters: impl Iterator<Item = (i32, i32)>,
    how: &FixedPoint,
) {
    // Of a signed integer v, v + 2^31 is one without a sign, and (v + 2^31) * m / 2^31 is v * m / 2^31 + m.
    const HIGH: u64 = u64::MAX << 32;

    let (source_zero_point, zero_point) = how.zero_points();
    let mut block = [0u64; BLOCK / 2];
    for (to, from) in plain::cast_mut::<u64, i32>(&mut block).iter_mut().zip(source) {
        let value = S::clamped_bits(*from, const { S::RANGE }) as i32;
        *to = value.wrapping_sub(source_zero_point) ^ i32::MIN;
    }
    // A product that is rounded once is rounded after the shift, and one that is rounded twice here too.
    let half = if how.is_single() { 0 } else { 1 << 30 };
    for (word, multipliers) in block.iter_mut().zip(words) {
        let low = (*word & !HIGH) * (multipliers & !HIGH) + half;
        let high = (*word >> 32) * (multipliers >> 32) + half;
        *word = low >> 31 & !HIGH | high << 1 & HIGH;
    }
    // Halves away from zero are halves up of a negative number less 1.
    let sign = if how.is_single() { 0 } else { -1 };
    let products = plain::cast::<u64, i32>(&block);
    for ((to, product), (multiplier, shift)) in destination.iter_mut().zip(products).zip(parameters)
    {
        let product = product.wrapping_sub(multiplier);
        let product = product.wrapping_add(product >> 31 & sign);
        // The last bit is rounded.
        let product = ((product >> (!shift & 31)) + 1) >> 1;
        *to = D::from_bits(finished::<D>(product, zero_point, how) as u64);
    }
}

/// The zero point added, and the sum in the range. Vectors have saturating instructions for 16 bits.
#[inline(always)]
fn finished<D: Value>(product: i32, zero_point: i32, how: &FixedPoint) -> i32 {
    if const { size_of::<D::Held>() > 1 } {
        return how.finished(product);
    }
    let (low, high) = how.limits();
    let short = product.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    let sum = short.saturating_add(zero_point as i16).max(low as i16).min(high as i16);
    sum.clamp(D::RANGE.0 as i16, D::RANGE.1 as i16).into()
}
