//! A value of a static that one part of the program takes.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// A value that [`take`](Self::take) returns once, so that a static without `mut` gives a mutable reference. It needs
/// a target with atomic exchange, which a Cortex-M0 does not have.
///
/// ```
/// use tensor_layout::arena::TakeOnce;
///
/// static SCRATCH: TakeOnce<[u8; 64]> = TakeOnce::new([0; 64]);
///
/// let scratch = SCRATCH.take().expect("nobody has taken it before");
/// scratch[0] = 1;
/// assert!(SCRATCH.take().is_none());
/// ```
pub struct TakeOnce<T> {
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

impl<T> TakeOnce<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns the value the first time, and then `None`.
    #[allow(clippy::mut_from_ref, reason = "only one caller gets it")]
    pub fn take(&'static self) -> Option<&'static mut T> {
        match self.is_taken.swap(true, Ordering::Acquire) {
            true => None,
            // SAFETY: `is_taken` was false, and nothing sets it to false again, so nobody else has the reference.
            false => Some(unsafe { &mut *self.value.get() }),
        }
    }
}

// SAFETY: only one thread gets the value, which it may take from the thread that made it.
unsafe impl<T: Send> Sync for TakeOnce<T> {}
