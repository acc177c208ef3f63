//! 16-bit floats by the instructions of F16C, which round as [`Value`] does.

use core::arch::x86_64::*;

use half::f16;

use crate::number::Value;

/// The values of a run.
///
/// # Safety
/// A CPU with F16C.
#[inline(always)]
pub(super) unsafe fn widen(source: &[f16], destination: &mut [f32]) {
    let mut from = source.chunks_exact(8);
    let mut to = destination.chunks_exact_mut(8);
    for (from, to) in from.by_ref().zip(to.by_ref()) {
        // SAFETY: 16 bytes are readable in a slice of 8 units; the load asks for no alignment.
        let bits = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
        // SAFETY: the CPU has F16C, by the caller's promise.
        let values = unsafe { _mm256_cvtph_ps(bits) };
        // SAFETY: 8 floats are writable in the slice; the store asks for no alignment.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), values) };
    }
    for (to, &from) in to.into_remainder().iter_mut().zip(from.remainder()) {
        *to = f16::to_f32(from);
    }
}

/// The halves nearest to the values of a run.
///
/// # Safety
/// A CPU with F16C.
#[inline(always)]
pub(super) unsafe fn narrow(source: &[f32], destination: &mut [f16]) {
    let mut from = source.chunks_exact(8);
    let mut to = destination.chunks_exact_mut(8);
    for (from, to) in from.by_ref().zip(to.by_ref()) {
        // SAFETY: 8 floats are readable in the slice; the load asks for no alignment.
        let values = unsafe { _mm256_loadu_ps(from.as_ptr()) };
        // SAFETY: the CPU has F16C, by the caller's promise.
        let bits = unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values) };
        // SAFETY: 16 bytes are writable in a slice of 8 units; the store asks for no alignment.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bits) };
    }
    for (to, &from) in to.into_remainder().iter_mut().zip(from.remainder()) {
        *to = <f16 as Value>::from_f32(from);
    }
}
