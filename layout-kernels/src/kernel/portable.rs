//! Vectors without instructions of their own: 16 bytes that the compiler moves as it can.

#![allow(dead_code, reason = "not every target has this set")]

use super::vector::Vector;

/// One lane, on any machine.
#[derive(Clone, Copy)]
pub(super) struct Bytes([u8; 16]);

impl Bytes {
    /// `WIDTH` bytes of each in turn, from byte `start` on.
    #[inline(always)]
    fn zip<const WIDTH: usize>(self, other: Self, start: usize) -> Self {
        let mut zipped = [0; 16];
        let mut i = 0;
        while i < 8 {
            let at = i / WIDTH * WIDTH * 2 + i % WIDTH;
            zipped[at] = self.0[start + i];
            zipped[at + WIDTH] = other.0[start + i];
            i += 1;
        }
        Self(zipped)
    }
}

impl Vector for Bytes {
    const BYTES: usize = 16;
    type Half = Self;
    type Lane = Self;
    type Mixer = Self;

    #[inline(always)]
    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: 16 bytes are readable, by the caller's promise; bytes need no alignment.
        Self(unsafe { *pointer.cast() })
    }

    #[inline(always)]
    unsafe fn zip_low<const WIDTH: usize>(self, other: Self) -> Self {
        self.zip::<WIDTH>(other, 0)
    }

    #[inline(always)]
    unsafe fn zip_high<const WIDTH: usize>(self, other: Self) -> Self {
        self.zip::<WIDTH>(other, 8)
    }

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: 16 bytes are writable, by the caller's promise; bytes need no alignment.
        unsafe { *pointer.cast() = self.0 }
    }
}
