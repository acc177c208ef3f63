//! Which instructions a conversion runs with.

use super::loops::{self, Arithmetic, Runs};
use crate::number::{Real, Value};

/// Converts runs.
///
/// # Safety
/// A CPU that has the features of the set that it is from.
pub(crate) type Converter<S, D, F> =
    unsafe fn(&Runs, &Arithmetic<'_, F>, &[<S as Value>::Held], &mut [<D as Value>::Held]);

/// What the program is compiled for.
///
/// # Safety
/// Any CPU; unsafe as a [`Converter`] is.
unsafe fn portable<S: Value, D: Value, F: Real>(
    runs: &Runs,
    arithmetic: &Arithmetic<'_, F>,
    source: &[S::Held],
    destination: &mut [D::Held],
) {
    for row in 0..runs.count {
        let (from, to) = runs.row(row, source, destination);
        loops::run::<S, D, F>(from, to, &arithmetic.of_row(row), runs.ahead);
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::super::f16c;
    use super::super::loops::PERIOD;
    use super::*;
    use crate::spec::ElementType::{F16, F32};

    /// The sets that have F16C, each with the attributes of its functions, and what converts halves.
    macro_rules! with_f16c {
        ($($(#[$attribute:meta])* $name:ident: $widen:ident, $narrow:ident;)*) => {$(
            /// # Safety
            /// The features that the attributes name.
            $(#[$attribute])*
            pub(super) unsafe fn $name<S: Value, D: Value, F: Real>(
                runs: &Runs,
                arithmetic: &Arithmetic<'_, F>,
                source: &[S::Held],
                destination: &mut [D::Held],
            ) {
                if const { !S::TYPE.same(F16) && !D::TYPE.same(F16) } {
                    for row in 0..runs.count {
                        let (from, to) = runs.row(row, source, destination);
                        loops::run::<S, D, F>(from, to, &arithmetic.of_row(row), runs.ahead);
                    }
                    return;
                }
                // Halves have instructions of their own, which convert from and to floats.
                if const { S::TYPE.same(F16) && D::TYPE.same(F32) }
                    && matches!(arithmetic, Arithmetic::Cast)
                {
                    for row in 0..runs.count {
                        let (from, to) = runs.row(row, source, destination);
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(cast_slice(from), cast_slice_mut(to)) };
                    }
                    return;
                }
                if const { S::TYPE.same(F32) && D::TYPE.same(F16) }
                    && matches!(arithmetic, Arithmetic::Cast)
                {
                    for row in 0..runs.count {
                        let (from, to) = runs.row(row, source, destination);
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(cast_slice(from), cast_slice_mut(to)) };
                    }
                    return;
                }
                // Whole periods at a time, so that every part begins at the first parameter.
                let part = match *arithmetic {
                    Arithmetic::Period { factors, .. } => factors.len(),
                    _ => PERIOD,
                };
                let mut stage = [0.0; PERIOD];
                for row in 0..runs.count {
                    let (from, to) = runs.row(row, source, destination);
                    for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                        let stage = &mut stage[..from.len()];
                        if const { S::TYPE.same(F16) } {
                            // SAFETY: this function has the instructions.
                            unsafe { f16c::$widen(cast_slice(from), stage) };
                            loops::run::<f32, D, F>(stage, to, &arithmetic.of_row(row), false);
                        } else {
                            loops::run::<S, f32, F>(from, stage, &arithmetic.of_row(row), runs.ahead);
                            // SAFETY: this function has the instructions.
                            unsafe { f16c::$narrow(stage, cast_slice_mut(to)) };
                        }
                    }
                }
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

/// A set: its name, whether the CPU has it, and its function.
type Named<S, D, F> = (&'static str, bool, Converter<S, D, F>);

/// The sets of this architecture, the best last.
fn all<S: Value, D: Value, F: Real>() -> impl Iterator<Item = Named<S, D, F>> {
    [
        ("portable", true, portable::<S, D, F> as Converter<S, D, F>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        ("avx2", detected!("avx2", "f16c"), x86_64::avx2::<S, D, F>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        (
            "avx512",
            detected!("avx512f", "avx512bw", "avx512dq", "avx512vl", "f16c"),
            x86_64::avx512::<S, D, F>,
        ),
    ]
    .into_iter()
}

/// The best that the CPU has.
pub(crate) fn best<S: Value, D: Value, F: Real>() -> Converter<S, D, F> {
    let there = all::<S, D, F>().filter(|(_, there, _)| *there);
    there.fold(portable::<S, D, F>, |_, (.., better)| better)
}

/// Every set by name, for tests that force one after the other.
#[cfg(test)]
pub(crate) fn sets<S: Value, D: Value, F: Real>() -> std::vec::Vec<Named<S, D, F>> {
    all::<S, D, F>().collect()
}
