//! Conversions of runs as plain loops. The compiler vectorizes them with the instructions of the function that they
//! are inlined into.

use super::fixed_point::FixedPoint;
use super::integers::{self, Parameters};
use super::number::{Real, Value};
use layout_core::spec::ElementType;

/// What a conversion chooses where the usual result is another.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    /// Whether values half-way between two integers round away from zero.
    pub away: bool,
    /// Whether floats that are too large become the largest finite one.
    pub saturates: bool,
}

impl Choices {
    /// Whether elements that become a `D` are concerned.
    #[inline(always)]
    const fn concern<D: Value>(self) -> bool {
        if D::INTEGER { self.away } else { self.saturates }
    }
}

/// The conversion of each element of a run.
#[derive(Clone, Copy, Debug)]
pub enum Arithmetic<'a, F> {
    /// The nearest value. Integers that do not fit become the nearer end of the range. For floats that become
    /// integers, use `Same` with factor 1 instead.
    Cast,
    /// The same, but floats that are too large become the largest finite one.
    SaturatingCast,
    /// The same number in another type, plus an integer. Integers that do not fit keep their lowest bits.
    Wrapping(i32),
    /// The same, but integers that do not fit become the nearer end of the range.
    Offset(i32),
    /// A product and a sum.
    Scaled(Parameters<'a, F>, Choices),
    /// A product in fixed point, with multipliers and their shifts.
    Requantized(Parameters<'a, i32>, FixedPoint),
}

impl<F: Real> Arithmetic<'_, F> {
    /// The conversion of the elements of run number `row`, if runs differ in their parameters.
    #[inline(always)]
    pub fn of_row(&self, row: usize) -> Option<Self> {
        Some(match self {
            Self::Scaled(parameters, choices) => Self::Scaled(parameters.of_row(row)?, *choices),
            Self::Requantized(parameters, how) => Self::Requantized(parameters.of_row(row)?, *how),
            _ => return None,
        })
    }

    /// The number of elements in a period, if there is one.
    #[inline(always)]
    pub const fn period(&self) -> Option<usize> {
        match *self {
            Self::Scaled(parameters, _) => parameters.period(),
            Self::Requantized(parameters, _) => parameters.period(),
            _ => None,
        }
    }
}

/// Converts one run. See [`Arithmetic::of_row`]. Floats that saturate do so at the largest number of `M`, which is `D`,
/// or the type that the `f32`s of the destination become afterwards.
#[inline(always)]
pub fn run<S: Value, D: Value, M: Value, F: Real>(
    source: &[S::Held],
    destination: &mut [D::Held],
    arithmetic: &Arithmetic<'_, F>,
) {
    match *arithmetic {
        Arithmetic::Cast => cast::<S, D, M, false>(source, destination),
        Arithmetic::SaturatingCast => cast::<S, D, M, true>(source, destination),
        // Only to or from floats; firmware that moves integers has no arithmetic of floats.
        Arithmetic::Scaled(..) if const { S::INTEGER && D::INTEGER } => {}
        Arithmetic::Scaled(parameters, choices) if choices.concern::<D>() => {
            scaled::<S, D, M, F, true>(source, destination, parameters)
        }
        Arithmetic::Scaled(parameters, _) => {
            scaled::<S, D, M, F, false>(source, destination, parameters)
        }
        // The others are only between integers.
        _ if const { !S::INTEGER || !D::INTEGER } => {}
        Arithmetic::Wrapping(offset) => integers::wrapping::<S, D>(source, destination, offset),
        Arithmetic::Offset(offset) => integers::offset::<S, D>(source, destination, offset),
        Arithmetic::Requantized(parameters, how) => {
            integers::requantize::<S, D>(source, destination, parameters, how)
        }
    }
}

#[inline(always)]
fn scaled<S: Value, D: Value, M: Value, F: Real, const CHOSEN: bool>(
    source: &[S::Held],
    destination: &mut [D::Held],
    parameters: Parameters<'_, F>,
) {
    match parameters {
        Parameters::Same { factor, shift } => {
            for (to, from) in destination.iter_mut().zip(source) {
                *to = apply::<D, M, F, CHOSEN>(F::of::<S>(*from), factor, shift);
            }
        }
        Parameters::Period { factors, shifts } => {
            let parts = source.chunks(factors.len()).zip(destination.chunks_mut(factors.len()));
            for (source, destination) in parts {
                let parameters = factors.iter().zip(shifts);
                for ((to, from), (factor, shift)) in
                    destination.iter_mut().zip(source).zip(parameters)
                {
                    *to = apply::<D, M, F, CHOSEN>(F::of::<S>(*from), *factor, *shift);
                }
            }
        }
        // Each row has its own.
        Parameters::Rows { .. } => {}
    }
}

/// The value, or the largest finite number of `M` with its sign if it is larger. NaN stays NaN.
#[inline(always)]
fn limited<M: Value, F: Real>(value: F) -> F {
    let most = F::from_f64(const { M::TYPE.kind().largest_float() });
    if value.signed_as(F::ONE) > most { most.signed_as(value) } else { value }
}

#[inline(always)]
fn cast<S: Value, D: Value, M: Value, const SATURATES: bool>(
    source: &[S::Held],
    destination: &mut [D::Held],
) {
    let pairs = destination.iter_mut().zip(source);
    if const { S::INTEGER && D::INTEGER } {
        for (to, from) in pairs {
            *to = D::from_bits(S::clamped_bits(*from, const { common::<S, D>() }));
        }
    } else if const { is_once::<S, D>() } {
        for (to, from) in pairs {
            let value = S::to_f64(*from);
            *to = D::from_f64(if SATURATES { limited::<M, f64>(value) } else { value });
        }
    } else {
        for (to, from) in pairs {
            let value = S::to_f32(*from);
            *to = D::from_f32(if SATURATES { limited::<M, f32>(value) } else { value });
        }
    }
}

/// Whether a cast to a float or `bool` must not round to `f32` first: the smallest `f64` is not 0, but would be 0 as
/// `f32`, and floats of at most 8 bits are rounded once.
const fn is_once<S: Value, D: Value>() -> bool {
    let is_small = D::TYPE.bits() <= 8 && size_of::<S::Exact>() == 8;
    size_of::<D::Held>() == 8 || D::TYPE.same(ElementType::Bool) || is_small
}

/// The range of values that both integers can hold.
const fn common<S: Value, D: Value>() -> (i128, i128) {
    let low = if S::RANGE.0 > D::RANGE.0 { S::RANGE.0 } else { D::RANGE.0 };
    let high = if S::RANGE.1 < D::RANGE.1 { S::RANGE.1 } else { D::RANGE.1 };
    (low, high)
}

/// Converts one value. `CHOSEN` is what the choices say of a `D`: half-way cases round away from zero to integers, and
/// floats saturate.
#[inline(always)]
fn apply<D: Value, M: Value, F: Real, const CHOSEN: bool>(
    value: F,
    factor: F,
    shift: F,
) -> D::Held {
    if const { !D::INTEGER } {
        let product = (value - shift) * factor;
        return if CHOSEN { limited::<M, F>(product) } else { product }.to::<D>();
    }
    let product = value * factor;
    // NaN becomes 0, and so the result is the shift.
    #[expect(clippy::eq_op, reason = "NaN differs from itself")]
    let product = if product == product { product } else { F::ZERO };
    if const { size_of::<D::Held>() == 8 } {
        // Beyond the range of the trick below. Such integers are only cast, so there is no shift.
        return product.rounded(CHOSEN).to::<D>();
    }
    // These limits are integers, so clamping before rounding gives the same result as clamping after it.
    let low = F::from_f64(D::RANGE.0 as f64) - shift;
    let high = F::from_f64(D::RANGE.1 as f64) - shift;
    let product = if product > low { product } else { low };
    let product = if product < high { product } else { high };
    let sum = product + F::ROUNDER;
    let sum = if CHOSEN { sum + product.away_from(sum - F::ROUNDER) } else { sum };
    // The last bit of the sum has value 1, and the shift is an integer, so nothing is rounded here.
    D::from_bits((sum + shift).bits())
}
