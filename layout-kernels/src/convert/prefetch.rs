//! Asks for the elements of a run that lies in memory before they are used.

/// The elements between one request and the next.
pub(super) const BLOCK: usize = 256;

/// Prefetches what lies behind `block`, a part of a run: as many bytes as it has. On its own the CPU stops at the end of each page: quantization from memory takes a
/// tenth longer without, but from the second level cache less.
#[inline(always)]
pub(super) fn behind<T>(block: &[T]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        use crate::plan::LINE;

        const AHEAD: usize = 2048;

        let start = block.as_ptr().cast::<u8>().wrapping_add(AHEAD);
        let mut at = 0;
        while at < size_of_val(block) {
            // SAFETY: part of SSE, which every x86-64 has; a prefetch may point anywhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at).cast()) };
            at += LINE;
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = block;
}
