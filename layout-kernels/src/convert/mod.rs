//! Which instructions a conversion runs with.

use super::prefetch;
use super::runs::{Convert, Runs, next_block};
use crate::isa::Isa;

/// Converts runs.
///
/// # Safety
/// A CPU that has the features of the set that it is from.
pub type Converter<C> = unsafe fn(
    &Runs,
    &<C as Convert>::Arithmetic<'_>,
    &[<C as Convert>::Source],
    &mut [<C as Convert>::Destination],
);

/// Each block of each run: what happens to its elements, and it on both sides.
macro_rules! each_block {
    ($runs:ident, $arithmetic:ident, $source:ident, $destination:ident, $is_split:expr,
        |$own:ident, $from:ident, $to:ident| $convert:block) => {
        let ahead = $runs.ahead && !C::is_cast($arithmetic);
        for row in 0..$runs.count {
            let $own = C::of_row($arithmetic, row);
            // Whole periods at a time, so that each block begins at the first parameter.
            let block = C::period(&$own).unwrap_or(prefetch::BLOCK);
            let mut run = $runs.row(row, $source, $destination);
            while let Some(($from, $to)) = next_block(&mut run, block, $is_split || ahead, ahead) {
                $convert
            }
        }
    };
}

/// What the program is compiled for.
///
/// # Safety
/// Any CPU; unsafe as a [`Converter`] is.
unsafe fn portable<C: Convert>(
    runs: &Runs,
    arithmetic: &C::Arithmetic<'_>,
    source: &[C::Source],
    destination: &mut [C::Destination],
) {
    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
        C::run(&own, from, to);
    });
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use super::super::f16c;
    use super::super::runs::PERIOD;
    use super::*;

    /// The sets that have F16C, each with the attributes of its functions, and what converts halves.
    macro_rules! with_f16c {
        ($($(#[$attribute:meta])* $name:ident: $widen:ident, $narrow:ident;)*) => {$(
            /// # Safety
            /// The features that the attributes name.
            $(#[$attribute])*
            pub(super) unsafe fn $name<C: Convert>(
                runs: &Runs,
                arithmetic: &C::Arithmetic<'_>,
                source: &[C::Source],
                destination: &mut [C::Destination],
            ) {
                if const { matches!(C::HALVES, (false, false)) } {
                    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
                        C::run(&own, from, to);
                    });
                    return;
                }
                // Halves have instructions of their own, which convert from and to floats.
                if const { C::HALVES.0 && C::FLOATS.1 } && C::is_cast(arithmetic) {
                    each_block!(runs, arithmetic, source, destination, false, |_own, from, to| {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(C::halves(from), C::floats_mut(to)) };
                    });
                    return;
                }
                if const { C::FLOATS.0 && C::HALVES.1 } && C::is_cast(arithmetic) {
                    each_block!(runs, arithmetic, source, destination, false, |_own, from, to| {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(C::floats(from), C::halves_mut(to)) };
                    });
                    return;
                }
                // A block at a time is staged as floats.
                let mut stage = [0.0; PERIOD];
                each_block!(runs, arithmetic, source, destination, true, |own, from, to| {
                    let stage = &mut stage[..from.len()];
                    if const { C::HALVES.0 } {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(C::halves(from), stage) };
                        C::run_from_f32(&own, stage, to);
                    } else {
                        C::run_to_f32(&own, from, stage);
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(stage, C::halves_mut(to)) };
                    }
                });
            }
        )*};
    }

    with_f16c! {
        #[target_feature(enable = "avx2,f16c")]
        avx2: widen_8, narrow_8;
        #[cfg(feature = "std")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,f16c")]
        avx512: widen_16, narrow_16;
    }
}

/// The instruction sets that conversions are compiled for here, the best last, each with its function: for tests that
/// force one after the other.
pub fn sets<C: Convert>() -> impl Iterator<Item = (Isa, Converter<C>)> {
    [
        (Isa::Portable, portable::<C> as Converter<C>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        (Isa::Avx2, x86_64::avx2::<C>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        (Isa::Avx512, x86_64::avx512::<C>),
    ]
    .into_iter()
}

/// The best that the CPU has.
pub fn best<C: Convert>() -> Converter<C> {
    let there = sets::<C>().filter(|(isa, _)| isa.is_available());
    there.fold(portable::<C>, |_, (_, better)| better)
}
