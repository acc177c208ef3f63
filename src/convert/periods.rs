//! The parameters of a conversion as kernels take them: a table of the parameters of one period or of several runs.
//! The table is computed again only if they change.

use layout_kernels::PERIOD;
use layout_types::Conversion;
use layout_types::nests::Level;
use layout_types::numbers::{Arithmetic, Parameters, Real, Value};

/// The parameters of a conversion, and the table of those that change from run to run or from element to element.
pub(super) struct Periods<'a, F> {
    conversion: &'a Conversion<'a>,
    /// Made for the first runs that need it: it takes longer to make than a small tensor to convert.
    table: Option<Table<F>>,
}

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
        if let Some(cast) = conversion.cast_of::<S, D, _>() {
            return cast;
        }
        let choices = conversion.choices();
        if period.parameter == 0 && rows.parameter == 0 {
            let (factor, shift) = conversion.parameters(first);
            return Arithmetic::Same { parameters: Parameters { factor, shift }, choices };
        }
        // At most one of the two changes parameters.
        let (changing, repeats) = match period.parameter {
            0 => (rows, false),
            _ => (period, true),
        };
        let Table { factors, shifts, length, .. } =
            self.table((first, changing.size, changing.parameter), repeats);
        let (factors, shifts) = (&factors[..*length], &shifts[..*length]);
        match repeats {
            true => Arithmetic::Period { factors, shifts, choices },
            false => Arithmetic::Rows { factors, shifts, choices },
        }
    }

    /// Returns a table with these parameters.
    #[inline(never)]
    fn table(&mut self, wanted: (usize, usize, isize), repeats: bool) -> &Table<F> {
        #[allow(clippy::unnecessary_lazy_evaluations, reason = "it has hundreds of numbers")]
        let table = self.table.get_or_insert_with(|| Table {
            factors: [F::ONE; PERIOD],
            shifts: [F::ZERO; PERIOD],
            length: 0,
            kept: (0, 0, 0),
        });
        if table.kept != wanted {
            table.fill(self.conversion, wanted);
            if repeats {
                table.repeat(wanted.1);
            }
            table.kept = wanted;
        }
        table
    }
}

impl<F: Real> Table<F> {
    fn fill(&mut self, conversion: &Conversion<'_>, (first, size, step): (usize, usize, isize)) {
        for i in 0..size {
            let coordinate = first.wrapping_add_signed(step * i as isize);
            (self.factors[i], self.shifts[i]) = conversion.parameters(coordinate);
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
