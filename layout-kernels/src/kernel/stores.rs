//! Which stores are non-temporal.

/// Whether kernels have such stores.
const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// The bytes of source and destination together from which non-temporal stores gain on every CPU that was
/// measured: below, they gained nothing on AMD's Zen 4 and Zen 5, and took up to three times the time on an
/// Intel Xeon whose second-level cache still held the destination.
const LEAST: usize = 16 << 20;

/// Which stores of a job are non-temporal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// None.
    Cached,
    /// Those of whole lines.
    Past,
}

impl Stores {
    /// Where source and destination together have so many bytes.
    pub const fn of(bytes: usize) -> Self {
        match bytes {
            _ if !ANY => Self::Cached,
            ..LEAST => Self::Cached,
            LEAST.. => Self::Past,
        }
    }

    /// Those of whole lines, or none; none where there are no such stores.
    pub const fn when(stream: bool) -> Self {
        if stream && ANY { Self::Past } else { Self::Cached }
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

    /// Whether they are non-temporal on this CPU.
    #[inline]
    pub(super) fn go_past(self) -> bool {
        ANY && matches!(self, Self::Past)
    }
}
