//! Words and the padding after them, as one vector.

use core::arch::x86_64::*;

/// Stores four words: the first of `words` from `from` on, then those of the padding, whose two values take turns.
///
/// # Safety
/// The words must be readable at `from`, and 16 bytes writable at `to`.
#[allow(unused_unsafe, reason = "newer compilers call the instructions safe")]
#[inline(always)]
pub(crate) unsafe fn store_padded(from: *const u8, words: usize, padding: [f32; 2], to: *mut u8) {
    // SAFETY: the caller's promise.
    let low = unsafe { pair(from, words, padding) };
    // SAFETY: as above.
    let high = unsafe { pair(from.wrapping_add(8), words.saturating_sub(2), padding) };
    // SAFETY: every x86-64 CPU has SSE2.
    let all = unsafe { _mm_movelh_ps(low, high) };
    // SAFETY: the caller's promise; the store needs no alignment.
    unsafe { _mm_storeu_ps(to.cast(), all) };
}

/// Returns two words: the first of `words` from `from` on, then those of the padding.
///
/// # Safety
/// The words must be readable at `from`.
#[allow(unused_unsafe, reason = "newer compilers call the instructions safe")]
#[inline(always)]
unsafe fn pair(from: *const u8, words: usize, [even, odd]: [f32; 2]) -> __m128 {
    if words > 1 {
        // SAFETY: two words are readable, by the caller's promise; the read needs no alignment.
        let both = unsafe { from.cast::<f64>().read_unaligned() };
        // SAFETY: every x86-64 CPU has SSE2, here and below.
        let both = unsafe { _mm_set_sd(both) };
        // SAFETY: as above.
        return unsafe { _mm_castpd_ps(both) };
    }
    let first = match words {
        0 => even,
        // SAFETY: one word is readable, by the caller's promise; the read needs no alignment.
        _ => unsafe { from.cast::<f32>().read_unaligned() },
    };
    // SAFETY: as above.
    unsafe { _mm_setr_ps(first, odd, 0.0, 0.0) }
}
