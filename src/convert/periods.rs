//! The parameters of a conversion as kernels take them: a table of the parameters of one period or of several runs.
//! The table is computed again only if they change.

use layout_kernels::PERIOD;
use layout_types::Conversion;
use layout_types::nests::Level;
use layout_types::numbers::{Arithmetic, Parameters, Real, Value};

/// The table.
pub(super) struct Periods<'a, F> {
    conversion: &'a Conversion<'a>,
    factors: [F; PERIOD],
    shifts: [F; PERIOD],
    length: usize,
    /// The parameters in the table: the first one, their number, and the step between them.
    kept: Option<(usize, usize, isize)>,
}

impl<'a, F: Real> Periods<'a, F> {
    pub(super) const fn new(conversion: &'a Conversion<'a>) -> Self {
        let (factors, shifts) = ([F::ONE; PERIOD], [F::ZERO; PERIOD]);
        Self { conversion, factors, shifts, length: 0, kept: None }
    }

    /// Returns the arithmetic for the elements of the runs `rows`. Each run consists of `period`s, the first of which
    /// begins at parameter `first`.
    #[inline]
    pub(super) fn arithmetic<S: Value, D: Value>(
        &mut self,
        first: usize,
        rows: &Level,
        period: &Level,
    ) -> Arithmetic<'_, F> {
        if self.conversion.casts::<S, D>() {
            return Arithmetic::Cast;
        }
        // At most one of the two changes parameters.
        let changing = if period.parameter != 0 { period } else { rows };
        let size = if changing.parameter == 0 { 1 } else { changing.size };
        let wanted = Some((first, size, changing.parameter));
        if self.kept != wanted {
            self.fill(first, size, changing.parameter);
            if period.parameter != 0 {
                self.repeat(size);
            }
            self.kept = wanted;
        }
        let special = self.conversion.special::<D>();
        let (factors, shifts) = (&self.factors[..self.length], &self.shifts[..self.length]);
        if period.parameter != 0 {
            return Arithmetic::Period { factors, shifts, special };
        }
        if rows.parameter != 0 {
            return Arithmetic::Rows { factors, shifts, special };
        }
        Arithmetic::Same {
            parameters: Parameters { factor: factors[0], shift: shifts[0] },
            special,
        }
    }

    fn fill(&mut self, first: usize, size: usize, step: isize) {
        for i in 0..size {
            let coordinate = first.wrapping_add_signed(step * i as isize);
            (self.factors[i], self.shifts[i]) = self.conversion.parameters(coordinate);
        }
        self.length = size;
    }

    /// Repeats the first `size` parameters as many times as the table holds: a whole number of vectors, if possible.
    fn repeat(&mut self, size: usize) {
        let vectors = size << (4 - size.trailing_zeros().min(4));
        let whole = if vectors <= PERIOD { vectors } else { size };
        self.length = PERIOD / whole * whole;
        for i in size..self.length {
            self.factors[i] = self.factors[i - size];
            self.shifts[i] = self.shifts[i - size];
        }
    }
}
