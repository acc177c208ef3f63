//! Which stores go past the caches.

use super::vendor;

/// Whether kernels have such stores.
const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// Bytes of source and destination together below which storing past the caches gained less than it lost
/// on every CPU that was measured, or the destination still fits the second level cache.
const LEAST: usize = 2 << 20;

/// As many bytes from which each of them gains by it.
const MOST: usize = 16 << 20;

/// Which stores of a job go past the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// None.
    Cached,
    /// Those of whole lines.
    Past,
    /// The same on a CPU that gains by it.
    Either,
}

impl Stores {
    /// Where source and destination together have so many bytes.
    pub const fn of(bytes: usize) -> Self {
        match bytes {
            _ if !ANY => Self::Cached,
            ..LEAST => Self::Cached,
            LEAST..MOST => Self::Either,
            MOST.. => Self::Past,
        }
    }

    /// Those of whole lines, or none; none where there are no such stores.
    pub const fn when(stream: bool) -> Self {
        if stream && ANY { Self::Past } else { Self::Cached }
    }

    /// Those of this CPU: never [`Either`](Self::Either).
    pub fn here(self) -> Self {
        Self::when(self.go_past())
    }

    /// Makes what jobs of this thread stored past the caches visible, as what is stored plainly is. That waits for
    /// memory, so it comes once, after all of them.
    #[inline]
    pub fn finish(self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if self.go_past() {
            // SAFETY: part of SSE, which every x86-64 has.
            unsafe { core::arch::x86_64::_mm_sfence() }
        }
    }

    /// Whether they go past the caches on this CPU.
    #[inline]
    pub(super) fn go_past(self) -> bool {
        match self {
            Self::Cached => false,
            Self::Past => ANY,
            // Intel's last level cache is far away, and all that leaves the second level gains; on AMD's nothing
            // did below about 16 MiB.
            Self::Either => vendor::is_intels(),
        }
    }
}
