//! Slices of the caller's memory.

use core::ffi::c_void;

use crate::c_stored::null;
use crate::c_text::{Fault, Status};

/// Returns `len` values at an address. Without values, the address may be null.
///
/// # Safety
/// `start` must be null or lead to `len` values that nothing changes while the result is used.
pub(crate) unsafe fn slice<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(null());
    }
    if len > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::Fixed(
            Status::Argument,
            "a length exceeds half of the address space; give the number of values that the argument leads to",
        ));
    }
    // SAFETY: the address is not null, the length does not exceed `isize::MAX` bytes, and the caller promises the rest.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// The mutable version of [`slice`].
///
/// # Safety
/// `start` must be null or lead to `len` values that nothing else accesses while the result is used. Memory of another language
/// has values, whatever they are.
pub(crate) unsafe fn slice_mut<'a, T>(start: *mut T, len: usize) -> Result<&'a mut [T], Fault> {
    // SAFETY: the caller's promise.
    let checked = unsafe { slice(start.cast_const(), len) }?.len();
    let start = if checked == 0 { core::ptr::NonNull::dangling().as_ptr() } else { start };
    // SAFETY: `slice` has checked the address and the length, and the caller promises the rest.
    Ok(unsafe { core::slice::from_raw_parts_mut(start, checked) })
}

/// Two buffers, a source and a destination.
pub(crate) struct Sides {
    pub(crate) source: *const c_void,
    pub(crate) source_bytes: usize,
    pub(crate) destination: *mut c_void,
    pub(crate) destination_bytes: usize,
}

impl Sides {
    /// Returns the two buffers as bytes, if they do not overlap.
    ///
    /// # Safety
    /// Both must lead to their numbers of bytes. Nothing may write the source, or access the destination, while the
    /// result is used.
    pub(crate) unsafe fn slices<'a>(&self) -> Result<(&'a [u8], &'a mut [u8]), Fault> {
        let (from, to) = (self.source as usize, self.destination as usize);
        check_apart((from, self.source_bytes), (to, self.destination_bytes))?;
        // SAFETY: the caller's promise.
        let source = unsafe { slice(self.source.cast(), self.source_bytes) }?;
        // SAFETY: the caller's promise, and the source is apart.
        let destination = unsafe { slice_mut(self.destination.cast(), self.destination_bytes) }?;
        Ok((source, destination))
    }
}

/// Returns an error if two ranges of addresses overlap. Each is a start and a number of bytes.
pub(crate) fn check_apart(a: (usize, usize), b: (usize, usize)) -> Result<(), Fault> {
    let is_apart =
        a.1 == 0 || b.1 == 0 || (a.0 < b.0 && b.0 - a.0 >= a.1) || (b.0 < a.0 && a.0 - b.0 >= b.1);
    match is_apart {
        true => Ok(()),
        false => Err(Fault::Fixed(
            Status::Memory,
            "source and destination overlap; give the destination memory of its own",
        )),
    }
}

/// Whether the threads that move tensors are those of this process: a process that was forked from one that has such threads
/// would wait for them forever.
pub fn has_own_threads() -> bool {
    #[cfg(feature = "rayon")]
    {
        use core::sync::atomic::{AtomicU32, Ordering};
        /// The process that asked first, or 0.
        static FIRST: AtomicU32 = AtomicU32::new(0);
        let process = std::process::id();
        let first = FIRST.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
        first.is_ok() || first == Err(process)
    }
    #[cfg(not(feature = "rayon"))]
    false
}
