//! 16-bit floats through the F16C instructions, which round to the nearest value.

use core::arch::x86_64::*;

/// Conversions of runs by vectors of one length.
macro_rules! conversions {
    (
        $(#[$attribute:meta])* $count:literal, $needs:literal;
        $widen:ident: $load_halves:ident, $to_floats:ident, $store_floats:ident;
        $narrow:ident: $load_floats:ident, $to_halves:ident, $store_halves:ident;
    ) => {
        /// Converts the halves of a run to floats.
        ///
        /// # Safety
        #[doc = $needs]
        $(#[$attribute])*
        #[inline(always)]
        pub(super) unsafe fn $widen(source: &[u16], destination: &mut [f32]) {
            let mut from = source.chunks_exact($count);
            let mut to = destination.chunks_exact_mut($count);
            for (from, to) in from.by_ref().zip(to.by_ref()) {
                // SAFETY: a vector of halves is readable; the load needs no alignment.
                let halves = unsafe { $load_halves(from.as_ptr().cast()) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                let floats = unsafe { $to_floats(halves) };
                // SAFETY: a vector of floats is writable; the store needs no alignment.
                unsafe { $store_floats(to.as_mut_ptr(), floats) };
            }
            let (from, to) = (from.remainder(), to.into_remainder());
            let (mut halves, mut floats) = ([0; $count], [0.0; $count]);
            halves[..from.len()].copy_from_slice(from);
            // SAFETY: a vector of halves is readable; the load needs no alignment.
            let wide = unsafe { $load_halves(halves.as_ptr().cast()) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let wide = unsafe { $to_floats(wide) };
            // SAFETY: a vector of floats is writable; the store needs no alignment.
            unsafe { $store_floats(floats.as_mut_ptr(), wide) };
            to.copy_from_slice(&floats[..to.len()]);
        }

        /// Converts the floats of a run to the nearest halves.
        ///
        /// # Safety
        #[doc = $needs]
        $(#[$attribute])*
        #[inline(always)]
        pub(super) unsafe fn $narrow(source: &[f32], destination: &mut [u16]) {
            let mut from = source.chunks_exact($count);
            let mut to = destination.chunks_exact_mut($count);
            for (from, to) in from.by_ref().zip(to.by_ref()) {
                // SAFETY: a vector of floats is readable; the load needs no alignment.
                let floats = unsafe { $load_floats(from.as_ptr()) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                let halves = unsafe { $to_halves::<_MM_FROUND_TO_NEAREST_INT>(floats) };
                // SAFETY: a vector of halves is writable; the store needs no alignment.
                unsafe { $store_halves(to.as_mut_ptr().cast(), halves) };
            }
            let (from, to) = (from.remainder(), to.into_remainder());
            let (mut floats, mut halves) = ([0.0; $count], [0u16; $count]);
            floats[..from.len()].copy_from_slice(from);
            // SAFETY: a vector of floats is readable; the load needs no alignment.
            let narrow = unsafe { $load_floats(floats.as_ptr()) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let narrow = unsafe { $to_halves::<_MM_FROUND_TO_NEAREST_INT>(narrow) };
            // SAFETY: a vector of halves is writable; the store needs no alignment.
            unsafe { $store_halves(halves.as_mut_ptr().cast(), narrow) };
            to.copy_from_slice(&halves[..to.len()]);
        }
    };
}

conversions! {
    8, "A CPU with F16C.";
    widen_8: _mm_loadu_si128, _mm256_cvtph_ps, _mm256_storeu_ps;
    narrow_8: _mm256_loadu_ps, _mm256_cvtps_ph, _mm_storeu_si128;
}

conversions! {
    #[cfg(all(feature = "std", not(avx512_model)))]
    #[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
    16, "A CPU with AVX-512 F and AVX2.";
    widen_16: _mm256_loadu_si256, _mm512_cvtph_ps, _mm512_storeu_ps;
    narrow_16: _mm512_loadu_ps, _mm512_cvtps_ph, _mm256_storeu_si256;
}
