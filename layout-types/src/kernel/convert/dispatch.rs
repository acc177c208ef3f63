//! Which instructions a conversion runs with.

use super::loops::{self, Arithmetic};
use crate::number::{Real, Value};

/// Converts a run: as many elements as the shorter slice has.
///
/// # Safety
/// A CPU that has the features of the set that it is from.
pub(crate) type Converter<S, D, F> =
    unsafe fn(&[<S as Value>::Held], &mut [<D as Value>::Held], &Arithmetic<'_, F>);

/// What the program is compiled for.
///
/// # Safety
/// Any CPU; unsafe as a [`Converter`] is.
unsafe fn portable<S: Value, D: Value, F: Real>(
    source: &[S::Held],
    destination: &mut [D::Held],
    arithmetic: &Arithmetic<'_, F>,
) {
    loops::run::<S, D, F>(source, destination, arithmetic);
}

/// The sets that have F16C, each with the attributes of its functions.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! with_f16c {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        /// # Safety
        /// The features that the attributes name.
        $(#[$attribute])*
        pub(super) unsafe fn $name<S: Value, D: Value, F: Real>(
            source: &[S::Held],
            destination: &mut [D::Held],
            arithmetic: &Arithmetic<'_, F>,
        ) {
            // SAFETY: this function has F16C.
            unsafe { staged::<S, D, F>(source, destination, arithmetic) }
        }
    )*};
}

/// [`loops::run`], with halves converted by their own instructions, through floats on the stack.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::super::f16c;
    use super::super::loops::PERIOD;
    use super::*;
    use crate::spec::ElementType::F16;

    with_f16c! {
        #[target_feature(enable = "avx2,f16c")]
        avx2;
        #[cfg(feature = "std")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,f16c")]
        avx512;
    }

    /// # Safety
    /// A CPU with F16C.
    #[inline(always)]
    unsafe fn staged<S: Value, D: Value, F: Real>(
        source: &[S::Held],
        destination: &mut [D::Held],
        arithmetic: &Arithmetic<'_, F>,
    ) {
        let (from_half, to_half) = const { (S::TYPE.same(F16), D::TYPE.same(F16)) };
        if !from_half && !to_half {
            return loops::run::<S, D, F>(source, destination, arithmetic);
        }
        let mut stage = [0.0; PERIOD];
        // Whole periods at a time, so that every part begins at the first parameter.
        let part = match *arithmetic {
            Arithmetic::Period { factors, .. } => factors.len(),
            _ => PERIOD,
        };
        for (source, destination) in source.chunks(part).zip(destination.chunks_mut(part)) {
            let stage = &mut stage[..source.len().min(destination.len())];
            if from_half {
                // SAFETY: the caller's promise.
                unsafe { f16c::widen(cast_slice(source), stage) };
                loops::run::<f32, D, F>(stage, destination, arithmetic);
            } else {
                loops::run::<S, f32, F>(source, stage, arithmetic);
                // SAFETY: the caller's promise.
                unsafe { f16c::narrow(stage, cast_slice_mut(destination)) };
            }
        }
    }
}

/// The sets of this machine, the best last, each with its name and whether the CPU has it.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
fn all<S: Value, D: Value, F: Real>() -> [(&'static str, bool, Converter<S, D, F>); 1] {
    [("portable", true, portable::<S, D, F>)]
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(feature = "std")))]
fn all<S: Value, D: Value, F: Real>() -> [(&'static str, bool, Converter<S, D, F>); 2] {
    let avx2 = detected!("avx2", "f16c");
    [("portable", true, portable::<S, D, F>), ("avx2", avx2, x86_64::avx2::<S, D, F>)]
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn all<S: Value, D: Value, F: Real>() -> [(&'static str, bool, Converter<S, D, F>); 3] {
    let avx2 = detected!("avx2", "f16c");
    let avx512 = detected!("avx512f", "avx512bw", "avx512dq", "avx512vl", "f16c");
    [
        ("portable", true, portable::<S, D, F>),
        ("avx2", avx2, x86_64::avx2::<S, D, F>),
        ("avx512", avx512, x86_64::avx512::<S, D, F>),
    ]
}

/// The best that the CPU has.
pub(crate) fn best<S: Value, D: Value, F: Real>() -> Converter<S, D, F> {
    let mut best: Converter<S, D, F> = portable::<S, D, F>;
    for (_, there, converter) in all::<S, D, F>() {
        if there {
            best = converter;
        }
    }
    best
}

/// Every set by name, for tests that force one after the other.
#[cfg(test)]
pub(crate) fn sets<S: Value, D: Value, F: Real>()
-> std::vec::Vec<(&'static str, bool, Converter<S, D, F>)> {
    all::<S, D, F>().to_vec()
}
