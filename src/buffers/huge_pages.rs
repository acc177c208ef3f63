//! Huge pages for large buffers. The first access to a page costs more than writing it, and a huge page is one in
//! place of 512.

use core::ptr::NonNull;

/// Asks the system for huge pages in memory that was just allocated. Whatever the system does, the bytes stay the
/// same.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
pub(super) fn advise(start: NonNull<u8>, bytes: usize) {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// Linux's `MADV_HUGEPAGE`.
    const HUGE_PAGES: c_int = 14;
    /// The size of a huge page, a multiple of the size of every other page.
    const PAGE: usize = 2 << 20;
    /// The least number of bytes, which is NumPy's.
    const LEAST: usize = 4 << 20;

    if bytes < LEAST {
        return;
    }
    // Whole pages alone can be huge.
    let before = start.addr().get().wrapping_neg() % PAGE;
    let whole = (bytes - before) / PAGE * PAGE;
    let first = start.as_ptr().wrapping_add(before);
    // SAFETY: the range lies in memory that belongs to the caller, since `before` is less than `PAGE` and so less than
    // `bytes`. The advice changes neither the bytes nor what may be done with them.
    let _ = unsafe { madvise(first.cast(), whole, HUGE_PAGES) };
}

/// Only Linux is asked.
#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
pub(super) const fn advise(_: NonNull<u8>, _: usize) {}
