//! Which plans store non-temporally: by the size of a move, and of the machine's last-level cache.

use super::thresholds::{LEAST_NON_TEMPORAL, NON_TEMPORAL};

/// Whether stores are non-temporal: those of whole cache lines, or of 16 bytes that together fill lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// If both sides together take more than a share of the last-level cache.
    #[default]
    Auto,
    /// Never.
    Cached,
    /// If the kernel has such stores and the alignment allows them. Plans in two passes, and those of elements of less
    /// than a byte, have none.
    NonTemporal,
}

impl Stores {
    /// Whether kernels have non-temporal stores.
    const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    /// [`Auto`](Self::Auto) for several plans whose sources and destinations together take `bytes` bytes. It also
    /// works in const evaluation, by assuming a small last-level cache.
    pub const fn of(bytes: usize) -> Self {
        if Self::ANY && bytes >= NON_TEMPORAL.0 { Self::NonTemporal } else { Self::Cached }
    }

    /// Whether a plan of `bytes` bytes can have non-temporal stores on some machine.
    pub(crate) const fn may_stream(self, bytes: usize) -> bool {
        match self {
            Self::Auto => bytes >= LEAST_NON_TEMPORAL,
            Self::Cached => false,
            Self::NonTemporal => true,
        }
    }

    /// Returns the size of source and destination together from which stores are non-temporal on this machine.
    pub(super) fn least(self) -> usize {
        match self {
            Self::Auto => non_temporal(),
            Self::Cached => usize::MAX,
            Self::NonTemporal => 0,
        }
    }

    /// Whether stores are non-temporal on this machine.
    #[inline]
    pub(super) fn stream(self, bytes: usize) -> bool {
        // Most plans are smaller than the threshold of every machine, so that is checked first.
        self.may_stream(bytes) && (self == Self::NonTemporal || bytes >= non_temporal() / 2)
    }
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn non_temporal() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let (least, most) = NON_TEMPORAL;
    let bytes = crate::sets::last_level().clamp(least, most);
    KNOWN.store(bytes, Ordering::Relaxed);
    bytes
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn non_temporal() -> usize {
    NON_TEMPORAL.1
}
