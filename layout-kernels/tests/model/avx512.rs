//! A model of the vectors of AVX-512 and VBMI, one byte after another. With the environment variable `AVX512_MODEL`
//! the library is built with it, and takes a CPU with AVX2 for one that has AVX-512. So tests run the plans for AVX-512
//! on CPUs that lack it.

use super::V256;
use crate::micro::vector::{Permute, Vector};

/// Four lanes: the bytes of a register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct V512([u8; 64]);

impl V512 {
    /// Interleaves groups of `width` bytes of a half of each lane.
    fn zipped(self, other: Self, width: usize, half: usize) -> Self {
        Self(core::array::from_fn(|i| {
            let (lane, group) = (i / 16 * 16, i % 16 / width);
            let own = lane + half + group / 2 * width + i % width;
            if group % 2 == 0 { self.0[own] } else { other.0[own] }
        }))
    }
}

/// Part `i` of vector `j`, of as many parts as there are vectors, becomes part `j` of vector `i`.
fn transposed<const COUNT: usize>(v: [V512; COUNT]) -> [V512; COUNT] {
    let part = 64 / COUNT;
    core::array::from_fn(|j| V512(core::array::from_fn(|i| v[i / part].0[part * j + i % part])))
}

impl Vector for V512 {
    const BYTES: usize = 64;
    type Half = V256;

    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: the bytes are readable, by the caller's promise.
        Self(unsafe { pointer.cast::<[u8; 64]>().read() })
    }

    unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self {
        // SAFETY: 16 bytes are readable for each lane, by the caller's promise.
        let lanes = pointers.map(|pointer| unsafe { pointer.cast::<[u8; 16]>().read() });
        Self(core::array::from_fn(|i| lanes[i / 16][i % 16]))
    }

    unsafe fn load_part(pointer: *const u8, bytes: usize) -> Self {
        let mut part = [0; 64];
        for (i, byte) in part.iter_mut().enumerate().take(bytes) {
            // SAFETY: these bytes are readable, by the caller's promise.
            *byte = unsafe { pointer.wrapping_add(i).read() };
        }
        Self(part)
    }

    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: the bytes are writable, by the caller's promise.
        unsafe { pointer.cast::<[u8; 64]>().write(self.0) };
    }

    unsafe fn stream(self, pointer: *mut u8) {
        assert!(pointer as usize % 64 == 0, "{pointer:?} is not aligned");
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) };
    }

    unsafe fn halves(self) -> (V256, V256) {
        let first = self.0.as_ptr();
        // SAFETY: the array has 64 bytes.
        let low = unsafe { V256::load(first) };
        // SAFETY: as above.
        (low, unsafe { V256::load(first.wrapping_add(32)) })
    }

    unsafe fn lanes_transposed<const COUNT: usize>(v: [Self; COUNT]) -> [Self; COUNT] {
        transposed(v)
    }

    unsafe fn zips<const WIDTH: usize>(self, other: Self) -> [Self; 2] {
        [self.zipped(other, WIDTH, 0), self.zipped(other, WIDTH, 8)]
    }
}

impl Permute for V512 {
    type Table = [u8; 64];

    unsafe fn table(bytes: &[u8; 64]) -> [u8; 64] {
        *bytes
    }

    unsafe fn permute(self, table: [u8; 64], others: Self) -> Self {
        let of =
            |i: usize| if table[i] < 0x80 { self.0[table[i] as usize % 64] } else { others.0[i] };
        Self(core::array::from_fn(of))
    }

    unsafe fn store_some(self, pointer: *mut u8, mask: u64) {
        for (i, byte) in self.0.into_iter().enumerate().filter(|(i, _)| mask >> i & 1 > 0) {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { pointer.wrapping_add(i).write(byte) };
        }
    }

    unsafe fn zipped<const COUNT: usize, const WIDTH: usize>(v: [Self; COUNT]) -> [Self; COUNT] {
        transposed(v)
    }
}
