//! The vector operations that micro-kernels are written with.

/// A vector register of 16-byte lanes.
///
/// # Safety
/// Every function needs the CPU features of the implementing type. Functions are inlined into one
/// that enables those features, so all that uses this trait is `#[inline(always)]`.
#[allow(dead_code, reason = "a target without vectors implements none")]
pub(crate) trait Vector: Copy {
    /// The bytes of the register.
    const BYTES: usize;

    /// A vector of half as many lanes, or this one where there is no smaller.
    type Half: Vector;

    /// # Safety
    /// [`BYTES`](Self::BYTES) readable bytes at the pointer, aligned or not.
    unsafe fn load(pointer: *const u8) -> Self;

    /// 16 bytes into each lane. Pointers past the lanes do not count.
    ///
    /// # Safety
    /// 16 readable bytes for each lane, aligned or not.
    unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self;

    /// # Safety
    /// [`BYTES`](Self::BYTES) writable bytes at the pointer, aligned or not.
    unsafe fn store(self, pointer: *mut u8);

    /// Loads the first bytes; the others are unspecified.
    ///
    /// # Safety
    /// `bytes` readable bytes at the pointer, at most [`BYTES`](Self::BYTES).
    #[inline(always)]
    unsafe fn load_part(pointer: *const u8, bytes: usize) -> Self {
        debug_assert!(bytes <= Self::BYTES, "{bytes} bytes of {}", Self::BYTES);
        let mut scratch = [0u8; 64];
        // SAFETY: the bytes are readable, by the caller's promise, and no vector is longer than the scratch.
        unsafe { copy_part(pointer, scratch.as_mut_ptr(), bytes) };
        // SAFETY: as above.
        unsafe { Self::load(scratch.as_ptr()) }
    }

    /// Stores the first bytes.
    ///
    /// # Safety
    /// `bytes` writable bytes at the pointer, at most [`BYTES`](Self::BYTES).
    #[inline(always)]
    unsafe fn store_part(self, pointer: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { store_part(self, pointer, bytes) }
    }

    /// Stores the first lane at the pointer, and the second one, if there is one, `apart` bytes behind it.
    ///
    /// # Safety
    /// 16 writable bytes at both; the vector has two lanes at most.
    #[inline(always)]
    unsafe fn store_apart(self, pointer: *mut u8, apart: usize) {
        debug_assert!(Self::BYTES == 16, "{apart} bytes apart");
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) }
    }

    /// Stores non-temporally, or plainly where no instruction does.
    ///
    /// # Safety
    /// As [`store`](Self::store), the pointer a multiple of [`BYTES`](Self::BYTES); and
    /// [`Stores::finish`](crate::Stores::finish) is called before anything else touches the bytes.
    #[inline(always)]
    unsafe fn stream(self, pointer: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) }
    }

    /// Prefetches the line at the pointer, which may point anywhere.
    #[allow(dead_code, reason = "only vectors of a line prefetch")]
    #[inline(always)]
    fn prefetch(_: *const u8) {}

    /// In each lane, `WIDTH` bytes of `self` and of `other` in turn, out of their lower halves.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2, 4 or 8.
    unsafe fn zip_low<const WIDTH: usize>(self, other: Self) -> Self;

    /// The same out of their upper halves.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2, 4 or 8.
    unsafe fn zip_high<const WIDTH: usize>(self, other: Self) -> Self;
}

/// A vector with a byte permute over the whole register.
///
/// # Safety
/// As [`Vector`].
#[allow(dead_code, reason = "a target without vectors implements none")]
pub(crate) trait Permute: Vector {
    /// What a table becomes when it is loaded.
    type Table: Copy;

    /// # Safety
    /// The features of the type.
    unsafe fn table(bytes: &[u8; 64]) -> Self::Table;

    /// Byte `i` is byte `table[i]` of `self`, or that of `others` where the table has
    /// [`NONE`](crate::steps::NONE). `others` has 0 where the table has an index.
    ///
    /// # Safety
    /// The features of the type.
    unsafe fn permute(self, table: Self::Table, others: Self) -> Self;

    /// Byte `i` is byte `table[i]` of `self`, anything where the table has none.
    ///
    /// # Safety
    /// The features of the type.
    #[inline(always)]
    unsafe fn permuted(self, table: Self::Table) -> Self {
        // SAFETY: no vector is longer than 64 bytes.
        let zeros = unsafe { Self::load([0; 64].as_ptr()) };
        // SAFETY: the caller's promise.
        unsafe { self.permute(table, zeros) }
    }

    /// Quarter `i` of vector `j` becomes quarter `j` of vector `i`. This one is for vectors of 16 bytes.
    ///
    /// # Safety
    /// The features of the type.
    #[inline(always)]
    unsafe fn quarters_transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        macro_rules! zip {
            ($first:ident $second:ident $width:literal) => {
                (
                    // SAFETY: the caller's promise.
                    unsafe { $first.zip_low::<$width>($second) },
                    // SAFETY: the caller's promise.
                    unsafe { $first.zip_high::<$width>($second) },
                )
            };
        }
        let ((low, high), (low_2, high_2)) = (zip!(a b 4), zip!(c d 4));
        let ((first, second), (third, fourth)) = (zip!(low low_2 8), zip!(high high_2 8));
        [first, second, third, fourth]
    }
}

/// [`Vector::store_part`] through a scratch.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn store_part<V: Vector>(v: V, pointer: *mut u8, bytes: usize) {
    debug_assert!(bytes <= V::BYTES, "{bytes} bytes of {}", V::BYTES);
    if bytes == V::BYTES {
        // SAFETY: the caller's promise.
        return unsafe { v.store(pointer) };
    }
    let mut scratch = [0u8; 64];
    // SAFETY: no vector is longer than the scratch.
    unsafe { v.store(scratch.as_mut_ptr()) };
    // SAFETY: the scratch has the bytes, and they are writable, by the caller's promise.
    unsafe { copy_part(scratch.as_ptr(), pointer, bytes) };
}

/// Copies less than a vector. A function of its own, for it is inlined into no kernel.
///
/// # Safety
/// `bytes` bytes are readable and writable, less than 64, and the two sides do not overlap.
#[inline(never)]
unsafe fn copy_part(from: *const u8, to: *mut u8, bytes: usize) {
    let mut at = 0;
    macro_rules! pieces {
        ($($piece:literal)*) => {$(if bytes & $piece > 0 {
            let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
            // SAFETY: the pieces up to this one are at most `bytes` bytes.
            unsafe { from.cast::<[u8; $piece]>().copy_to_nonoverlapping(to.cast(), 1) };
            at += $piece;
        })*};
    }
    pieces!(32 16 8 4 2 1);
    debug_assert!(at == bytes, "{bytes} bytes");
}

/// Vectors that are shuffled together.
pub(crate) trait Vectors<V> {
    /// One perfect shuffle of all elements, lane by lane: the first half of the vectors and the
    /// second are zipped.
    ///
    /// # Safety
    /// As [`Vector::zip_low`].
    unsafe fn shuffled<const WIDTH: usize>(self) -> Self;
}

// Indices are literals, so that no vector is left in memory: a loop over an array of vectors is
// not always unrolled.
macro_rules! vectors {
    ($($n:literal: $($low:literal $high:literal)*;)*) => {$(
        impl<V: Vector> Vectors<V> for [V; $n] {
            #[inline(always)]
            unsafe fn shuffled<const WIDTH: usize>(self) -> Self {
                [$(
                    // SAFETY: the caller's promise.
                    unsafe { self[$low].zip_low::<WIDTH>(self[$high]) },
                    // SAFETY: the caller's promise.
                    unsafe { self[$low].zip_high::<WIDTH>(self[$high]) },
                )*]
            }
        }
    )*};
}

vectors! {
    2: 0 1;
    4: 0 2 1 3;
    8: 0 4 1 5 2 6 3 7;
    16: 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15;
}
