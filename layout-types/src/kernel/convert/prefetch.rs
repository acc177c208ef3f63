//! Asks for the elements of a run that lies in memory before they are used.

/// Whether this CPU is asked.
const ASKS: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// The elements between one request and the next, where they are asked for `ahead`; else all of them.
#[inline(always)]
pub(super) fn block(ahead: bool) -> usize {
    if ASKS && ahead { 256 } else { usize::MAX }
}

/// Prefetches what lies behind `block`, a part of a run, where it is asked for `ahead`: as many bytes as
/// it has. On its own the CPU stops at the end of each page: quantization from memory takes a
/// tenth longer without, but from the second level cache less.
#[inline(always)]
pub(super) fn behind<T>(block: &[T], ahead: bool) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if ahead {
        use crate::kernel::{LINE, vector::Vector, x86_64::V128};

        const AHEAD: usize = 2048;

        let start = block.as_ptr().cast::<u8>().wrapping_add(AHEAD);
        let mut at = 0;
        while at < size_of_val(block) {
            V128::prefetch(start.wrapping_add(at));
            at += LINE;
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = (block, ahead);
}
