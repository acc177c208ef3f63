//! Three bytes to four: pixels of a camera to blocks of four channels, of which the last is padding.

use core::ops::Range;

/// Pixels of three bytes to words of four, both without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pad {
    pub(crate) pixels: usize,
    /// The fourth byte of each word.
    pub(crate) fill: u8,
}

impl Pad {
    /// The bytes of a pixel in the source.
    pub(crate) const FROM: usize = 3;
    /// The bytes of a pixel in the destination.
    pub(crate) const TO: usize = 4;

    /// The pixel in the low bytes of a word, and the fill above it.
    #[inline(always)]
    pub(super) const fn word(self, pixel: u32) -> u32 {
        pixel & 0x00ff_ffff | (self.fill as u32) << 24
    }
}

/// Moves pixels as words, of which all but the last begin with a word of the source.
///
/// # Safety
/// Three readable bytes at `from` and four writable ones at `to` for each pixel.
#[inline(always)]
pub(super) unsafe fn words(pad: Pad, from: *const u8, to: *mut u8) {
    let Some(last) = pad.pixels.checked_sub(1) else { return };
    for pixel in 0..last {
        let from = from.wrapping_add(pixel * Pad::FROM).cast::<u32>();
        // SAFETY: a pixel and the first byte of the next.
        let word = u32::from_le(unsafe { from.read_unaligned() });
        let to = to.wrapping_add(pixel * Pad::TO).cast::<u32>();
        // SAFETY: the word of the pixel.
        unsafe { to.write_unaligned(pad.word(word).to_le()) };
    }
    // SAFETY: one of the pixels.
    unsafe { bytes(pad, last..pad.pixels, from, to) }
}

/// Moves some pixels byte by byte.
///
/// # Safety
/// As [`words`], and these are some of the pixels.
#[inline(always)]
pub(super) unsafe fn bytes(pad: Pad, pixels: Range<usize>, from: *const u8, to: *mut u8) {
    debug_assert!(pixels.end <= pad.pixels, "{pixels:?} of {pad:?}");
    for pixel in pixels {
        let from = from.wrapping_add(pixel * Pad::FROM).cast::<[u8; Pad::FROM]>();
        // SAFETY: a pixel; an array of bytes needs no alignment.
        let [a, b, c] = unsafe { *from };
        let to = to.wrapping_add(pixel * Pad::TO).cast::<[u8; Pad::TO]>();
        // SAFETY: the word of the pixel.
        unsafe { *to = [a, b, c, pad.fill] };
    }
}
