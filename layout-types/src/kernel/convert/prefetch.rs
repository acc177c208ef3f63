//! Asks for the elements of a run that lies in memory before they are used.

/// Whether this CPU is asked.
const ASKS: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// The elements between one request and the next, of a run that lies `far` away; else all of them.
#[inline(always)]
pub(super) fn block(far: bool) -> usize {
    if ASKS && far { 256 } else { usize::MAX }
}

/// Prefetches what lies behind `block`, which is a part of a run that lies `far` away: as many bytes
/// as it has. On its own the CPU stops at the end of each page: quantisation from memory takes a
/// tenth longer without, but from the second level cache less.
#[inline(always)]
pub(super) fn behind<T>(block: &[T], far: bool) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if far {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        const AHEAD: usize = 2048;
        const LINE: usize = 64;

        let start = block.as_ptr().cast::<i8>().wrapping_add(AHEAD);
        let mut at = 0;
        while at < size_of_val(block) {
            // SAFETY: every x86-64 has the instruction, and it neither reads nor faults, whatever
            // lies at the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
            at += LINE;
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = (block, far);
}
