//! The vector operations that micro-kernels are made of.

use core::mem::MaybeUninit;

/// A vector register of 16-byte lanes, or two that are used as one.
///
/// # Safety
/// Every function needs the CPU features of the implementing type. Functions are inlined into one that enables those
/// features, so every function that uses this trait is `#[inline(always)]`.
#[allow(dead_code, reason = "vectors of one lane need fewer functions")]
pub(crate) trait Vector: Copy {
    /// The number of bytes of the register.
    const BYTES: usize;

    /// A vector of half the lanes, or this one if there is no smaller one.
    type Half: Vector;

    /// # Safety
    /// [`BYTES`](Self::BYTES) bytes must be readable at the pointer, aligned or not.
    unsafe fn load(pointer: *const u8) -> Self;

    /// Loads 16 bytes into each lane. Pointers after those of the lanes are ignored. This version is for vectors of one
    /// lane.
    ///
    /// # Safety
    /// 16 bytes must be readable for each lane, aligned or not.
    #[inline(always)]
    unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load(pointers[0]) }
    }

    /// # Safety
    /// [`BYTES`](Self::BYTES) bytes must be writable at the pointer, aligned or not.
    unsafe fn store(self, pointer: *mut u8);

    /// Returns the lower and the upper half of the lanes. A vector of one lane is both.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn halves(self) -> (Self::Half, Self::Half);

    /// Loads the first bytes; the others are unspecified.
    ///
    /// # Safety
    /// `bytes` bytes must be readable at the pointer, at most [`BYTES`](Self::BYTES).
    #[inline(always)]
    unsafe fn load_part(pointer: *const u8, bytes: usize) -> Self {
        debug_assert!(bytes <= Self::BYTES, "{bytes} bytes of {}", Self::BYTES);
        // SAFETY: the bytes are readable, by the caller's promise. They are fewer than 64: of the vectors of a line,
        // one has a version of its own, and the other loads no parts.
        let scratch = unsafe { padded_part(pointer, bytes) };
        // SAFETY: as above.
        unsafe { Self::load(scratch.as_ptr()) }
    }

    /// Stores the first bytes.
    ///
    /// # Safety
    /// `bytes` bytes must be writable at the pointer, at most [`BYTES`](Self::BYTES).
    #[inline(always)]
    unsafe fn store_part(self, pointer: *mut u8, bytes: usize) {
        debug_assert!(bytes <= Self::BYTES, "{bytes} bytes of {}", Self::BYTES);
        // `copy_part` copies shorter vectors as one number.
        if Self::BYTES == 64 && bytes == Self::BYTES {
            // SAFETY: the caller's promise.
            return unsafe { self.store(pointer) };
        }
        let mut scratch = MaybeUninit::<[u8; 64]>::uninit();
        let start = scratch.as_mut_ptr().cast::<u8>();
        // SAFETY: no vector is longer than the scratch buffer.
        unsafe { self.store(start) };
        // SAFETY: the scratch buffer holds the vector's bytes, and they are writable, by the caller's promise.
        unsafe { copy_part(start, pointer, bytes) };
    }

    /// Returns a vector of the `rest` bytes from `end` on, followed by those from `start` on.
    ///
    /// # Safety
    /// A vector that ends with the `rest` bytes, fewer than [`BYTES`](Self::BYTES), and one from `start` on must be
    /// readable.
    #[inline(always)]
    unsafe fn joined(end: *const u8, rest: usize, start: *const u8) -> Self {
        debug_assert!(rest < Self::BYTES, "{rest} bytes of {}", Self::BYTES);
        // The end goes before byte `BYTES + rest` of the scratch buffer, and the start from there on.
        let mut scratch = MaybeUninit::<[u8; 192]>::uninit();
        let middle = scratch.as_mut_ptr().cast::<u8>().wrapping_add(Self::BYTES);
        // SAFETY: the vector ends with the bytes, by the caller's promise.
        let end = unsafe { Self::load(end.wrapping_add(rest).wrapping_sub(Self::BYTES)) };
        // SAFETY: no vector is longer than a third of the scratch buffer.
        unsafe { end.store(middle.wrapping_add(rest).wrapping_sub(Self::BYTES)) };
        // SAFETY: the caller's promise.
        let start = unsafe { Self::load(start) };
        // SAFETY: as above.
        unsafe { start.store(middle.wrapping_add(rest)) };
        // SAFETY: both together fill the vector.
        unsafe { Self::load(middle) }
    }

    /// Moves lane `i` of vector `j` to lane `j` of vector `i`, of as many vectors as each has lanes. This version is
    /// for vectors of one lane.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    #[inline(always)]
    unsafe fn lanes_transposed<const COUNT: usize>(v: [Self; COUNT]) -> [Self; COUNT] {
        debug_assert!(COUNT == 1 && Self::BYTES == 16, "{COUNT} vectors of {} bytes", Self::BYTES);
        v
    }

    /// Stores non-temporally, or plainly if the instruction set has no non-temporal stores.
    ///
    /// # Safety
    /// The same as [`store`](Self::store), with a pointer that is a multiple of [`BYTES`](Self::BYTES). The caller
    /// must call [`Stores::finish`](crate::Stores::finish) before anything else accesses the bytes.
    #[inline(always)]
    unsafe fn stream(self, pointer: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) }
    }

    /// Prefetches the line at the pointer, which may have any value.
    #[inline(always)]
    fn prefetch(_: *const u8) {}

    /// Interleaves groups of `WIDTH` bytes of `self` and `other` in each lane: those of their lower halves, and those of
    /// their upper halves.
    ///
    /// # Safety
    /// `WIDTH` must be 1, 2, 4 or 8.
    unsafe fn zips<const WIDTH: usize>(self, other: Self) -> [Self; 2];
}

/// A vector at any address. Its loads and stores are those of `_mm_loadu_si128` and the like, which with debug
/// assertions pass through the stack to be checked, and take three times as long.
#[cfg(vectors)]
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(crate) struct Unaligned<T>(pub(crate) T);

/// A vector type and its [`Vector`], from the names of its instructions.
#[cfg(vectors)]
macro_rules! vector {
    (
        $(#[$about:meta])*
        $name:ident($inner:ty), $(half $half:ty, lanes $load_lanes:ident,)? $(stream $stream:ident,)?
        zips $($width:pat => $low:ident $high:ident),*;
        $($rest:tt)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name($inner);

        impl Vector for $name {
            const BYTES: usize = size_of::<$inner>();

            $(type Half = $half;

            #[inline(always)]
            unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self {
                // SAFETY: 16 bytes are readable for each lane, by the caller's promise.
                Self(unsafe { $load_lanes(pointers) })
            })?

            #[inline(always)]
            unsafe fn load(pointer: *const u8) -> Self {
                // SAFETY: the bytes are readable, by the caller's promise.
                Self(unsafe { (*pointer.cast::<Unaligned<$inner>>()).0 })
            }

            #[inline(always)]
            unsafe fn zips<const WIDTH: usize>(self, other: Self) -> [Self; 2] {
                match WIDTH {
                    $($width => {
                        // SAFETY: the CPU has the features of this type, by the caller's promise.
                        let low = Self(unsafe { $low(self.0, other.0) });
                        // SAFETY: as above.
                        [low, Self(unsafe { $high(self.0, other.0) })]
                    }),*
                }
            }

            #[inline(always)]
            unsafe fn store(self, pointer: *mut u8) {
                // SAFETY: the bytes are writable, by the caller's promise.
                unsafe { *pointer.cast::<Unaligned<$inner>>() = Unaligned(self.0) }
            }

            $(#[inline(always)]
            unsafe fn stream(self, pointer: *mut u8) {
                debug_assert!(pointer as usize % Self::BYTES == 0, "{pointer:?} is not aligned");
                // SAFETY: the bytes are writable at the aligned pointer, by the caller's promise.
                unsafe { $stream(pointer.cast(), self.0) }
            }

            #[inline(always)]
            fn prefetch(pointer: *const u8) {
                // SAFETY: the instruction is part of SSE, which every x86-64 CPU has; a prefetch may have any
                // address.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(pointer.cast()) }
            })?

            $($rest)*
        }
    };
}

#[cfg(vectors)]
pub(crate) use vector;

/// A vector with a byte permute. A permute of 16 or 64 bytes takes bytes from the whole register, one of 32 bytes takes
/// those of each lane from that lane: then `byte i` is one of a lane, here and below.
///
/// # Safety
/// The same as [`Vector`].
pub(crate) trait Permute: Vector {
    /// The form of a table after loading.
    type Table: Copy;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn table(bytes: &[u8; 64]) -> Self::Table;

    /// Returns a vector whose byte `i` is byte `table[i]` of `self`, or byte `i` of `others` if the table has
    /// [`NONE`](crate::steps::NONE) there. `others` must be 0 where the table has an index.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn permute(self, table: Self::Table, others: Self) -> Self;

    /// Returns a vector whose byte `i` is byte `table[i]` of `self`, or any value if the table has none there.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    #[inline(always)]
    unsafe fn permuted(self, table: Self::Table) -> Self {
        // SAFETY: no vector is longer than 64 bytes.
        let zeros = unsafe { Self::load([0; 64].as_ptr()) };
        // SAFETY: the caller's promise.
        unsafe { self.permute(table, zeros) }
    }

    /// [`permuted`](Self::permuted) with bytes of two vectors: those without an index in the first table come from
    /// `other`. Bytes without an index in either are ready for another [`permute`](Self::permute).
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    #[inline(always)]
    unsafe fn permuted_two(self, other: Self, [own, others]: [Self::Table; 2]) -> Self {
        // SAFETY: no vector is longer than 64 bytes.
        let zeros = unsafe { Self::load([0; 64].as_ptr()) };
        // SAFETY: the caller's promise.
        let v = unsafe { self.permute(own, zeros) };
        // SAFETY: as above.
        unsafe { other.permute(others, v) }
    }

    /// Stores the first bytes, at least eight.
    ///
    /// # Safety
    /// `bytes` bytes must be writable at the pointer, from 8 up to [`BYTES`](Vector::BYTES).
    #[inline(always)]
    unsafe fn store_most(self, pointer: *mut u8, bytes: usize) {
        debug_assert!((8..=Self::BYTES).contains(&bytes), "{bytes} bytes");
        // SAFETY: the caller's promise.
        unsafe { self.store_part(pointer, bytes) }
    }

    /// Stores byte `i` if bit `i` of the mask is 1. This version is for masks of the first bytes.
    ///
    /// # Safety
    /// These bytes must be writable. Without a version of its own, the ones of the mask must be its lowest bits.
    #[inline(always)]
    unsafe fn store_some(self, pointer: *mut u8, mask: u64) {
        debug_assert!(mask & mask.wrapping_add(1) == 0, "{mask:x} has gaps");
        // SAFETY: the caller's promise.
        unsafe { self.store_part(pointer, mask.trailing_ones() as usize) }
    }

    /// Interleaves units of `WIDTH` bytes of two, four or eight vectors, or, if units of as many vectors fill a lane,
    /// moves unit `i` of vector `j` to unit `j` of vector `i`. This version does so in each lane. A permute of 64 bytes
    /// has one lane, of units four times as long.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    #[cfg_attr(unoptimized, inline(never))]
    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn zipped<const COUNT: usize, const WIDTH: usize>(v: [Self; COUNT]) -> [Self; COUNT] {
        // SAFETY: the caller's promise.
        let v = unsafe { shuffled::<Self, COUNT, WIDTH>(v) };
        // SAFETY: as above.
        let v = if COUNT > 2 { unsafe { shuffled::<Self, COUNT, WIDTH>(v) } } else { v };
        // SAFETY: as above.
        if COUNT > 4 { unsafe { shuffled::<Self, COUNT, WIDTH>(v) } } else { v }
    }
}

/// Returns the first bytes at a pointer, followed by zeros. It is a separate function so that it is not inlined into
/// kernels.
///
/// # Safety
/// `bytes` bytes, less than 64, must be readable.
#[inline(never)]
unsafe fn padded_part(from: *const u8, bytes: usize) -> [u8; 64] {
    debug_assert!(bytes < 64, "{bytes} bytes");
    let mut part = [0; 64];
    // SAFETY: the caller's promise.
    unsafe { copy_part(from, part.as_mut_ptr(), bytes) };
    part
}

/// Copies fewer than 64 bytes. It is a separate function so that it is not inlined into kernels.
///
/// # Safety
/// `bytes` bytes, less than 64, must be readable and writable. The two sides must not overlap.
#[inline(never)]
unsafe fn copy_part(from: *const u8, to: *mut u8, bytes: usize) {
    let mut at = 0;
    macro_rules! numbers {
        ($($bytes:literal)*) => {$(if bytes & $bytes > 0 {
            let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
            // SAFETY: the numbers up to this one are at most `bytes` bytes.
            unsafe { from.cast::<[u8; $bytes]>().copy_to_nonoverlapping(to.cast(), 1) };
            at += $bytes;
        })*};
    }
    numbers!(32 16 8 4 2 1);
    debug_assert!(at == bytes, "{bytes} bytes");
}

/// Interleaves the first half of the vectors with the second, lane by lane: one perfect shuffle of all units of `WIDTH`
/// bytes.
///
/// # Safety
/// The same as [`Vector::zips`], and the CPU must have the features of `V`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) unsafe fn shuffled<V: Vector, const COUNT: usize, const WIDTH: usize>(
    mut v: [V; COUNT],
) -> [V; COUNT] {
    let all = v;
    // The indices are constants, so that no vector stays in memory: a loop over an array of vectors is not always
    // unrolled.
    macro_rules! pairs {
        ($($index:literal)*) => {$(if const { $index < COUNT / 2 } {
            // SAFETY: the caller's promise.
            let zips = unsafe { all[$index].zips::<WIDTH>(all[$index + COUNT / 2]) };
            (v[2 * $index], v[2 * $index + 1]) = (zips[0], zips[1]);
        })*};
    }
    pairs!(0 1 2 3 4 5 6 7);
    v
}
