//! Loops that the compiler vectorizes for the CPU's instruction set.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::isa::Isa;

/// Plain loops with what they work on. The compiler vectorizes them for the instruction set of the function that they
/// are inlined into, so [`run`](Self::run) and what it calls are `#[inline(always)]`.
pub trait Work {
    /// Does the work.
    fn run(self);
}

/// Does the work with the best instruction set that the CPU has.
#[inline]
pub fn work_on_best<W: Work>(work: W) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => {}
        #[cfg(all(feature = "std", not(avx512_model)))]
        Isa::Avx512 | Isa::Avx512Vbmi => {
            // SAFETY: the CPU has the best instruction set.
            return unsafe { avx512(work) };
        }
        _ => {
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
            return unsafe { avx2(work) };
        }
    }
    work.run()
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! with_features {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        /// # Safety
        /// The CPU must have the features that the attributes name.
        $(#[$attribute])*
        unsafe fn $name<W: Work>(work: W) {
            work.run()
        }
    )*};
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
with_features! {
    #[target_feature(enable = "avx2")]
    avx2;
    #[cfg(all(feature = "std", not(avx512_model)))]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    avx512;
}
