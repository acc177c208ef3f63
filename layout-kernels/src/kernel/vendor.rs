//! Whose CPU this is, for choices that figures alone can make: taken from one server of each maker, Intel's (Ice
//! Lake) and AMD's (Zen 5).

/// Whether it is Intel's.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_intels() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 2;
    /// Asking a virtual CPU takes microseconds.
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[cfg(test)]
    if let Some(pretended) = PRETENDED.get() {
        return pretended;
    }
    let known = KNOWN.load(Ordering::Relaxed);
    if known != UNKNOWN {
        return known == 1;
    }
    #[allow(unused_unsafe, reason = "newer compilers call it safe")]
    // SAFETY: every x86-64 has the instruction, and leaf 0.
    let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
    let is_intels = [vendor.ebx, vendor.edx, vendor.ecx]
        == [*b"Genu", *b"ineI", *b"ntel"].map(u32::from_le_bytes);
    KNOWN.store(u8::from(is_intels), Ordering::Relaxed);
    is_intels
}

/// Whether it is Intel's.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn is_intels() -> bool {
    false
}

#[cfg(test)]
std::thread_local! {
    /// What this thread takes the CPU for, so that tests run what is for others too.
    static PRETENDED: core::cell::Cell<Option<bool>> = const { core::cell::Cell::new(None) };
}

/// Runs what it is given while this thread, but no other, takes the CPU for Intel's or for another.
#[cfg(test)]
pub(crate) fn pretending<T>(is_intels: bool, run: impl FnOnce() -> T) -> T {
    PRETENDED.set(Some(is_intels));
    let result = run();
    PRETENDED.set(None);
    result
}
