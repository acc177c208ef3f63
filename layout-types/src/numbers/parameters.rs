//! The parameters of a conversion, as kernels take them.

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
