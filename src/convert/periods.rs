//! The parameters of a conversion as kernels take them: a table of the parameters of one period or of several runs.
//! The table is computed again only if they change.

use layout_kernels::PERIOD;
use layout_types::Conversion;
use layout_types::nests::Level;
use layout_types::numbers::{Arithmetic, Parameters, Real, Value};
use layout_types::plain::{self, Plain};

/// The parameters of a conversion, and the table of those that change from run to run or from element to element.
pub(super) struct Periods<'a, F> {
    conversion: &'a Conversion<'a>,
    /// Made for the first runs that need it: it takes longer to make than a small tensor to convert.
    table: Option<Table<F>>,
}

/// Aligned, so that kernels read two integers of 32 bits as one of 64, and no vector lies in two cache lines.
#[cfg_attr(target_os = "none", repr(align(8)))]
#[cfg_attr(not(target_os = "none"), repr(align(64)))]
struct Table<F> {
    factors: [F; PERIOD],
    shifts: [F; PERIOD],
    length: usize,
    /// The parameters in the table: the first one, their number, and the step between them.
    kept: (usize, usize, isize),
}

impl<'a, F: Real> Periods<'a, F> {
    pub(super) const fn new(conversion: &'a Conversion<'a>) -> Self {
        Self { conversion, table: None }
    }

    /// Returns the arithmetic for the elements of the runs `rows`. Each run consists of `period`s, the first of which
    /// begins at parameter `first`.
    #[inline(always)]
    pub(super) fn arithmetic<S: Value, D: Value>(
        &mut self,
        first: usize,
        rows: &Level,
        period: &Level,
    ) -> Arithmetic<'_, F> {
        let conversion = self.conversion;
        // At most one of the two changes parameters.
        let (changing, repeats) = match period.parameter {
            0 => (rows, false),
            _ => (period, true),
        };
        if changing.parameter == 0 || conversion.has_none() {
            return conversion.arithmetic::<S, D, _>(first);
        }
        let choices = conversion.choices();
        let table = self.table::<S, D>((first, changing.size, changing.parameter), repeats);
        match conversion.fixed_point() {
            Some(how) => Arithmetic::Requantized(table.parameters(repeats), how),
            None => Arithmetic::Scaled(table.parameters(repeats), choices),
        }
    }

    /// Returns a table with these parameters.
    #[inline(never)]
    fn table<S: Value, D: Value>(
        &mut self,
        wanted: (usize, usize, isize),
        repeats: bool,
    ) -> &Table<F> {
        #[allow(clippy::unnecessary_lazy_evaluations, reason = "it has hundreds of numbers")]
        let table = self.table.get_or_insert_with(|| Table {
            factors: [F::ONE; PERIOD],
            shifts: [F::ZERO; PERIOD],
            length: 0,
            kept: (0, 0, 0),
        });
        if table.kept != wanted {
            match self.conversion.fixed_point() {
                None if const { !S::INTEGER || !D::INTEGER } => {
                    table.fill(wanted, repeats, |at| self.conversion.parameters::<F>(at))
                }
                _ => table.fill(wanted, repeats, |at| self.conversion.multiplier(at)),
            }
            table.kept = wanted;
        }
        table
    }
}

impl<F: Real> Table<F> {
    /// Fills the table with parameters of type `T`. If they repeat, it has them as many times as it holds: a whole number
    /// of vectors, if possible.
    fn fill<T: Plain>(
        &mut self,
        (first, size, step): (usize, usize, isize),
        repeats: bool,
        of: impl Fn(usize) -> (T, T),
    ) {
        // A float has the bytes of an integer at least.
        let factors: &mut [T] = plain::cast_mut(&mut self.factors);
        let shifts: &mut [T] = plain::cast_mut(&mut self.shifts);
        for i in 0..size {
            (factors[i], shifts[i]) = of(first.wrapping_add_signed(step * i as isize));
        }
        self.length = size;
        if repeats {
            let vectors = size << (4 - size.trailing_zeros().min(4));
            let whole = if vectors <= PERIOD { vectors } else { size };
            self.length = PERIOD / whole * whole;
            for i in size..self.length {
                (factors[i], shifts[i]) = (factors[i - size], shifts[i - size]);
            }
        }
    }

    /// The parameters in the table: those of a period if they repeat, else of rows.
    fn parameters<T: Plain>(&self, repeats: bool) -> Parameters<'_, T> {
        let factors = &plain::cast(&self.factors)[..self.length];
        let shifts = &plain::cast(&self.shifts)[..self.length];
        match repeats {
            true => Parameters::Period { factors, shifts },
            false => Parameters::Rows { factors, shifts },
        }
    }
}
