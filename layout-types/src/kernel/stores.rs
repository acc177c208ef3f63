//! Which stores go past the caches.

/// Whether kernels have such stores.
const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// Bytes of source and destination together below which storing past the caches gained less than it lost
/// on every CPU that was measured, or the destination still fits the second level cache.
const LEAST: usize = 2 << 20;

/// As many bytes from which each of them gains by it.
const MOST: usize = 16 << 20;

/// Which stores of a job go past the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stores {
    /// None.
    Cached,
    /// Those of whole lines.
    Past,
    /// The same on a CPU that gains by it.
    Either,
}

impl Stores {
    /// Where source and destination together have so many bytes.
    pub(crate) const fn of(bytes: usize) -> Self {
        match bytes {
            _ if !ANY => Self::Cached,
            ..LEAST => Self::Cached,
            LEAST..MOST => Self::Either,
            MOST.. => Self::Past,
        }
    }

    /// Those of whole lines, or none; none where there are no such stores.
    pub(crate) const fn when(stream: bool) -> Self {
        if stream && ANY { Self::Past } else { Self::Cached }
    }

    /// Whether they go past the caches on this CPU.
    #[inline]
    pub(super) fn go_past(self) -> bool {
        match self {
            Self::Cached => false,
            Self::Past => true,
            Self::Either => gains_early(),
        }
    }
}

/// Whether this CPU gains by it as soon as the bytes leave the second level cache. Taken from one
/// server of each maker: Intel's (Ice Lake) gained from 2 MiB on, for its last level cache is
/// far away; AMD's (Zen 5) from about 16 MiB on.
fn gains_early() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use core::sync::atomic::{AtomicU8, Ordering};

        const UNKNOWN: u8 = 2;
        /// Asking a virtual CPU takes microseconds.
        static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

        let known = KNOWN.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known == 1;
        }
        #[allow(unused_unsafe, reason = "newer compilers call it safe")]
        // SAFETY: every x86-64 has the instruction, and leaf 0.
        let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
        let gains = [vendor.ebx, vendor.edx, vendor.ecx]
            == [*b"Genu", *b"ineI", *b"ntel"].map(u32::from_le_bytes);
        KNOWN.store(u8::from(gains), Ordering::Relaxed);
        gains
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
