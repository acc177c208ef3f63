//! Cache sizes: what the CPU says, or constants where nothing asks it.

/// The bytes of source and destination together from which stores go past the caches: a share of the last level
/// cache, between these, since virtual machines report too much.
const NON_TEMPORAL: (usize, usize) = (16 << 20, 24 << 20);

/// The bytes of source and destination together from which stores go past the caches.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) fn non_temporal() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let (least, most) = NON_TEMPORAL;
    let bytes = last_level().clamp(least, most);
    KNOWN.store(bytes, Ordering::Relaxed);
    bytes
}

/// The bytes of source and destination together from which stores go past the caches.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
pub(crate) fn non_temporal() -> usize {
    NON_TEMPORAL.1
}

/// The bytes of the last level cache, over the threads that share it: leaf 4, or 0x8000001D, which is alike.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn last_level() -> usize {
    use core::arch::x86_64::__cpuid_count;
    let mut bytes = 0;
    for leaf in [4, 0x8000_001d] {
        for level in 0..8 {
            #[allow(unused_unsafe, reason = "newer compilers call it safe")]
            // SAFETY: every x86-64 has the instruction, which says 0 of what it does not know.
            let answer = unsafe { __cpuid_count(leaf, level) };
            let kind = answer.eax & 31;
            if !(1..=3).contains(&kind) {
                break;
            }
            let field =
                |from: u32, bits: u32| ((answer.ebx >> from) & ((1 << bits) - 1)) as usize + 1;
            let size = field(22, 10) * field(12, 10) * field(0, 12) * (answer.ecx as usize + 1);
            let threads = ((answer.eax >> 14) & 0xfff) as usize + 1;
            bytes = bytes.max(size / threads);
        }
        if bytes > 0 {
            break;
        }
    }
    bytes
}
