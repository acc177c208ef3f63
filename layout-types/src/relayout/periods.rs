//! The parameters of a conversion as kernels take them: a table that is made anew only where the
//! parameters change.

use super::levels::Level;
use crate::conversion::Conversion;
use crate::kernel::{Arithmetic, PERIOD, Parameters};
use crate::number::{Real, Value};

/// A period of parameters, over and over.
pub(super) struct Periods<'a, F> {
    conversion: &'a Conversion<'a>,
    factors: [F; PERIOD],
    shifts: [F; PERIOD],
    length: usize,
    /// What the table holds: its first parameter, how many there are, and how far apart.
    kept: Option<(usize, usize, isize)>,
}

impl<'a, F: Real> Periods<'a, F> {
    pub(super) const fn new(conversion: &'a Conversion<'a>) -> Self {
        let (factors, shifts) = ([F::ONE; PERIOD], [F::ZERO; PERIOD]);
        Self { conversion, factors, shifts, length: 0, kept: None }
    }

    /// What happens to the elements of a run that begins at parameter `first`.
    #[inline]
    pub(super) fn arithmetic<S: Value, D: Value>(
        &mut self,
        first: usize,
        period: &Level,
    ) -> Arithmetic<'_, F> {
        if self.conversion.is_cast() && (S::INTEGER || !D::INTEGER) {
            return Arithmetic::Cast;
        }
        let size = if period.parameter == 0 { 1 } else { period.size };
        let wanted = Some((first, size, period.parameter));
        if self.kept != wanted {
            self.fill(first, size, period.parameter);
            self.kept = wanted;
        }
        let away = self.conversion.rounds_away();
        if period.parameter == 0 {
            let parameters = Parameters { factor: self.factors[0], shift: self.shifts[0] };
            return Arithmetic::Same { parameters, away };
        }
        let (factors, shifts) = (&self.factors[..self.length], &self.shifts[..self.length]);
        Arithmetic::Period { factors, shifts, away }
    }

    fn fill(&mut self, first: usize, size: usize, step: isize) {
        for i in 0..size {
            let coordinate = first.wrapping_add_signed(step * i as isize);
            (self.factors[i], self.shifts[i]) = self.conversion.parameters(coordinate);
        }
        self.length = size;
        if step == 0 {
            return;
        }
        // As often as it fits; a whole number of vectors if that can be.
        let vectors = size << (4 - size.trailing_zeros().min(4));
        let whole = if vectors <= PERIOD { vectors } else { size };
        self.length = PERIOD / whole * whole;
        for i in size..self.length {
            self.factors[i] = self.factors[i - size];
            self.shifts[i] = self.shifts[i - size];
        }
    }
}
