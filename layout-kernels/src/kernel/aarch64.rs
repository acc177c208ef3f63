//! Vectors of aarch64: NEON, which every one with an operating system has.

use core::arch::aarch64::*;

use super::vector::{Mix, Vector};

/// One lane: NEON.
#[derive(Clone, Copy)]
pub(super) struct V128(uint8x16_t);

/// Calls a function of two vectors of wider elements with two vectors of bytes.
macro_rules! wider {
    ($zip:ident, $to:ident, $from:ident, $a:expr, $b:expr) => {{
        // SAFETY: the CPU has NEON, for which this module is compiled.
        let (a, b) = (unsafe { $to($a) }, unsafe { $to($b) });
        // SAFETY: as above.
        let zipped = unsafe { $zip(a, b) };
        // SAFETY: as above.
        unsafe { $from(zipped) }
    }};
}

/// A zip for every width, from the names of its instructions.
macro_rules! zip {
    ($name:ident: $bytes:ident $pairs:ident $words:ident $doubles:ident) => {
        #[inline(always)]
        unsafe fn $name<const WIDTH: usize>(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            Self(match WIDTH {
                // SAFETY: the CPU has NEON, for which this module is compiled.
                1 => unsafe { $bytes(a, b) },
                2 => wider!($pairs, vreinterpretq_u16_u8, vreinterpretq_u8_u16, a, b),
                4 => wider!($words, vreinterpretq_u32_u8, vreinterpretq_u8_u32, a, b),
                _ => wider!($doubles, vreinterpretq_u64_u8, vreinterpretq_u8_u64, a, b),
            })
        }
    };
}

impl Vector for V128 {
    const BYTES: usize = 16;
    type Half = Self;
    type Lane = Self;
    type Mixer = Self;

    #[inline(always)]
    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: 16 bytes are readable at the pointer, by the caller's promise.
        Self(unsafe { vld1q_u8(pointer) })
    }

    zip!(zip_low: vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64);
    zip!(zip_high: vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64);

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: 16 bytes are writable at the pointer, by the caller's promise.
        unsafe { vst1q_u8(pointer, self.0) }
    }

    const MIXES: bool = true;

    /// With look-ups among the bytes of all three.
    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], table: &Mix) -> [Self; 3] {
        let bytes = uint8x16x3_t(vectors[0].0, vectors[1].0, vectors[2].0);
        macro_rules! one {
            ($at:literal) => {{
                // SAFETY: 16 bytes of the table follow.
                let from = unsafe { vld1q_u8(table.0.as_ptr().wrapping_add($at)) };
                // SAFETY: the CPU has NEON, for which this module is compiled.
                Self(unsafe { vqtbl3q_u8(bytes, from) })
            }};
        }
        [one!(0), one!(16), one!(32)]
    }

    #[inline(always)]
    unsafe fn looked_up(self, table: Self) -> Self {
        // SAFETY: the CPU has NEON, for which this module is compiled.
        Self(unsafe { vqtbl1q_u8(self.0, table.0) })
    }

    const LOOKS_UP_IN_LANES: bool = true;

    #[inline(always)]
    unsafe fn looked_up_in_lanes(self, table: Self) -> Self {
        // SAFETY: the caller's promise; the vector is a lane.
        unsafe { self.looked_up(table) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }
}
