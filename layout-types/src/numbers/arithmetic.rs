//! Conversions of runs as plain loops. The compiler vectorizes them with the instructions of the function that they
//! are inlined into.

use super::number::{Real, Value};
use layout_core::spec::ElementType;

/// The parameters of a conversion. An integer is `round(x * factor) + shift`, a float is `(x - shift) * factor`.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<F> {
    /// The factor of the product.
    pub factor: F,
    /// The number that is added to an integer, or subtracted from a value that becomes a float.
    pub shift: F,
}

/// The conversion of each element of a run.
#[derive(Clone, Copy, Debug)]
pub enum Arithmetic<'a, F> {
    /// The nearest value. Integers that do not fit become the nearer end of the range. For floats that become
    /// integers, use `Same` with factor 1 instead.
    Cast,
    /// The same parameters for all elements. Values half-way between integers round away from zero, or to even.
    Same {
        /// The parameters.
        parameters: Parameters<F>,
        /// Whether half-way cases round away from zero.
        away: bool,
    },
    /// One factor and one shift for each run.
    Rows {
        /// One factor for each run.
        factors: &'a [F],
        /// One shift for each run.
        shifts: &'a [F],
        /// Whether half-way cases round away from zero.
        away: bool,
    },
    /// A factor and a shift for each element of a period, which repeats.
    Period {
        /// One factor for each element of the period.
        factors: &'a [F],
        /// One shift for each element of the period.
        shifts: &'a [F],
        /// Whether half-way cases round away from zero.
        away: bool,
    },
}

impl<F: Real> Arithmetic<'_, F> {
    /// The conversion of the elements of run number `row`.
    #[inline(always)]
    pub fn of_row(&self, row: usize) -> Self {
        match *self {
            Self::Rows { factors, shifts, away } => {
                let parameters = Parameters { factor: factors[row], shift: shifts[row] };
                Self::Same { parameters, away }
            }
            other => other,
        }
    }

    /// The number of elements in a period, if there is one.
    #[inline(always)]
    pub fn period(&self) -> Option<usize> {
        match *self {
            Self::Period { factors, .. } => Some(factors.len()),
            _ => None,
        }
    }

    /// Whether elements are multiplied by a factor.
    #[inline(always)]
    pub fn multiplies(&self) -> bool {
        !matches!(self, Self::Cast)
    }
}

/// Converts one run. See [`Arithmetic::of_row`].
#[inline(always)]
pub fn run<S: Value, D: Value, F: Real>(
    source: &[S::Held],
    destination: &mut [D::Held],
    arithmetic: &Arithmetic<'_, F>,
) {
    match *arithmetic {
        Arithmetic::Cast | Arithmetic::Rows { .. } => cast::<S, D>(source, destination),
        Arithmetic::Same { parameters, away } if away && D::INTEGER => {
            same::<S, D, F, true>(source, destination, parameters)
        }
        Arithmetic::Same { parameters, .. } => {
            same::<S, D, F, false>(source, destination, parameters)
        }
        Arithmetic::Period { factors, shifts, away } if away && D::INTEGER => {
            period::<S, D, F, true>(source, destination, factors, shifts)
        }
        Arithmetic::Period { factors, shifts, .. } => {
            period::<S, D, F, false>(source, destination, factors, shifts)
        }
    }
}

#[inline(always)]
fn same<S: Value, D: Value, F: Real, const AWAY: bool>(
    source: &[S::Held],
    destination: &mut [D::Held],
    parameters: Parameters<F>,
) {
    for (to, from) in destination.iter_mut().zip(source) {
        *to = apply::<D, F, AWAY>(F::of::<S>(*from), parameters);
    }
}

#[inline(always)]
fn period<S: Value, D: Value, F: Real, const AWAY: bool>(
    source: &[S::Held],
    destination: &mut [D::Held],
    factors: &[F],
    shifts: &[F],
) {
    let parts = source.chunks(factors.len()).zip(destination.chunks_mut(factors.len()));
    for (source, destination) in parts {
        let parameters = factors.iter().zip(shifts);
        for ((to, from), (&factor, &shift)) in destination.iter_mut().zip(source).zip(parameters) {
            *to = apply::<D, F, AWAY>(F::of::<S>(*from), Parameters { factor, shift });
        }
    }
}

#[inline(always)]
fn cast<S: Value, D: Value>(source: &[S::Held], destination: &mut [D::Held]) {
    let pairs = destination.iter_mut().zip(source);
    if const { S::INTEGER && D::INTEGER } {
        for (to, from) in pairs {
            *to = D::from_bits(S::clamped_bits(*from, const { common::<S, D>() }));
        }
    } else if const { size_of::<D::Held>() == 8 || D::TYPE.same(ElementType::Bool) } {
        // The smallest `f64` is not 0, but would be 0 as `f32`.
        for (to, from) in pairs {
            *to = D::from_f64(S::to_f64(*from));
        }
    } else {
        for (to, from) in pairs {
            *to = D::from_f32(S::to_f32(*from));
        }
    }
}

/// The range of values that both integers can hold.
const fn common<S: Value, D: Value>() -> (i128, i128) {
    let low = if S::RANGE.0 > D::RANGE.0 { S::RANGE.0 } else { D::RANGE.0 };
    let high = if S::RANGE.1 < D::RANGE.1 { S::RANGE.1 } else { D::RANGE.1 };
    (low, high)
}

/// Converts one value.
#[inline(always)]
fn apply<D: Value, F: Real, const AWAY: bool>(
    value: F,
    Parameters { factor, shift }: Parameters<F>,
) -> D::Held {
    if const { !D::INTEGER } {
        return ((value - shift) * factor).to::<D>();
    }
    let product = value * factor;
    // NaN becomes 0, and so the result is the shift.
    #[expect(clippy::eq_op, reason = "NaN differs from itself")]
    let product = if product == product { product } else { F::ZERO };
    if const { size_of::<D::Held>() == 8 } {
        // Beyond the range of the trick below. Such integers are only cast, so there is no shift.
        return product.rounded(AWAY).to::<D>();
    }
    // These limits are integers, so clamping before rounding gives the same result as clamping after it.
    let low = F::from_f64(D::RANGE.0 as f64) - shift;
    let high = F::from_f64(D::RANGE.1 as f64) - shift;
    let product = if product > low { product } else { low };
    let product = if product < high { product } else { high };
    let sum = product + F::ROUNDER;
    let sum = if AWAY { sum + product.away_from(sum - F::ROUNDER) } else { sum };
    // The last bit of the sum has value 1, and the shift is an integer, so nothing is rounded here.
    D::from_bits((sum + shift).bits())
}
