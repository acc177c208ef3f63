//! The arithmetic that conversion kernels apply to runs of elements.

use core::marker::PhantomData;

use layout_kernels::Convert;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use layout_kernels::Isa;
use layout_types::ElementType::{F16, F32};
use layout_types::numbers::{Arithmetic, Exact, Value, run};
use layout_types::plain;

/// The arithmetic between elements of `S` and elements of `D`.
pub(super) struct Elements<S, D>(PhantomData<(S, D)>);

impl<S: Value, D: Value> Elements<S, D> {
    /// Whether the byte of an element of less than a byte is the same integer in the destination.
    pub(super) const ARE_BYTES: bool = {
        let (from, to) = (S::RANGE, D::RANGE);
        let are_bytes = S::TYPE.bits() < 8 && D::TYPE.bits() == 8 && size_of::<S::Held>() == 1;
        S::INTEGER && D::INTEGER && are_bytes && to.0 <= from.0 && from.1 <= to.1
    };
}

impl<S: Value, D: Value> Convert for Elements<S, D> {
    type Source = S::Held;
    type Destination = D::Held;
    type Arithmetic<'a> = Arithmetic<'a, Exact<S, D>>;

    const HALVES: (bool, bool) = (S::TYPE.same(F16), D::TYPE.same(F16));
    const FLOATS: (bool, bool) = (S::TYPE.same(F32), D::TYPE.same(F32));

    #[inline(always)]
    fn of_row<'a>(arithmetic: &Self::Arithmetic<'a>, row: usize) -> Option<Self::Arithmetic<'a>> {
        arithmetic.of_row(row)
    }

    #[inline(always)]
    fn period(arithmetic: &Self::Arithmetic<'_>) -> Option<usize> {
        arithmetic.period()
    }

    #[inline(always)]
    fn is_cast(arithmetic: &Self::Arithmetic<'_>) -> bool {
        matches!(arithmetic, Arithmetic::Cast)
    }

    #[inline(always)]
    fn run(arithmetic: &Self::Arithmetic<'_>, source: &[S::Held], destination: &mut [D::Held]) {
        run::<S, D, D, Exact<S, D>>(source, destination, arithmetic);
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline(always)]
    unsafe fn run_on(
        isa: Isa,
        arithmetic: &Self::Arithmetic<'_>,
        source: &[S::Held],
        destination: &mut [D::Held],
    ) {
        use layout_types::ElementType::{I8, I32, U8};
        use layout_types::numbers::Parameters;

        let are_bytes = const { S::TYPE.same(I32) && (D::TYPE.same(I8) || D::TYPE.same(U8)) };
        let one;
        let (how, factors) = match arithmetic {
            Arithmetic::Requantized(Parameters::Same { factor, shift }, how) if are_bytes => {
                one = ([*factor; 16], [*shift; 16]);
                (how, (&one.0[..], &one.1[..]))
            }
            Arithmetic::Requantized(Parameters::Period { factors, shifts }, how)
                if are_bytes && shifts.len() % 16 == 0 =>
            {
                (how, (*factors, *shifts))
            }
            _ => return Self::run(arithmetic, source, destination),
        };
        let how = how.within((D::RANGE.0 as i32, D::RANGE.1 as i32)).parts();
        let (from, to) = (plain::cast(source), plain::as_bytes_mut(destination));
        // SAFETY: the caller's promise.
        if !unsafe { layout_kernels::requantize(isa, from, to, factors, how) } {
            Self::run(arithmetic, source, destination);
        }
    }

    #[inline(always)]
    fn run_from_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[f32],
        destination: &mut [D::Held],
    ) {
        run::<f32, D, D, Exact<S, D>>(source, destination, arithmetic);
    }

    #[inline(always)]
    fn run_to_f32(arithmetic: &Self::Arithmetic<'_>, source: &[S::Held], destination: &mut [f32]) {
        run::<S, f32, D, Exact<S, D>>(source, destination, arithmetic);
    }

    #[inline(always)]
    fn floats(source: &[S::Held]) -> &[f32] {
        plain::cast(source)
    }

    #[inline(always)]
    fn floats_mut(destination: &mut [D::Held]) -> &mut [f32] {
        plain::cast_mut(destination)
    }

    #[inline(always)]
    fn halves(source: &[S::Held]) -> &[u16] {
        plain::cast(source)
    }

    #[inline(always)]
    fn halves_mut(destination: &mut [D::Held]) -> &mut [u16] {
        plain::cast_mut(destination)
    }
}
