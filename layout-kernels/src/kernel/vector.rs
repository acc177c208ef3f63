//! The vector operations that kernels are written with.

/// A vector register of 16-byte lanes.
///
/// # Safety
/// Every function needs the CPU features of the implementing type. Functions are inlined into one
/// that enables those features, so all that uses this trait is `#[inline(always)]`.
pub(super) trait Vector: Copy {
    /// The bytes of the register.
    const BYTES: usize;

    /// A vector of half as many lanes, or this one where there is no smaller.
    type Half: Vector;

    /// # Safety
    /// [`BYTES`](Self::BYTES) readable bytes at the pointer, aligned or not.
    unsafe fn load(pointer: *const u8) -> Self;

    /// 16 bytes into each lane. Pointers past the lanes do not count. What is here is for one lane.
    ///
    /// # Safety
    /// 16 readable bytes for each lane, aligned or not.
    #[inline(always)]
    unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self {
        debug_assert!(Self::BYTES == 16, "{} bytes are several lanes", Self::BYTES);
        // SAFETY: the caller's promise.
        unsafe { Self::load(pointers[0]) }
    }

    /// In each lane, `WIDTH` bytes of `self` and of `other` in turn, out of their lower halves.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2, 4 or 8.
    unsafe fn zip_low<const WIDTH: usize>(self, other: Self) -> Self;

    /// In each lane, `WIDTH` bytes of `self` and of `other` in turn, out of their upper halves.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2, 4 or 8.
    unsafe fn zip_high<const WIDTH: usize>(self, other: Self) -> Self;

    /// # Safety
    /// [`BYTES`](Self::BYTES) writable bytes at the pointer, aligned or not.
    unsafe fn store(self, pointer: *mut u8);

    /// Stores the lanes, the first at the pointer, each `stride` bytes after the one before it. What is here
    /// is for one lane.
    ///
    /// # Safety
    /// 16 writable bytes at the pointer and as many at each `stride` after it, one for each lane, aligned or
    /// not.
    #[inline(always)]
    unsafe fn store_lanes(self, pointer: *mut u8, _: isize) {
        debug_assert!(Self::BYTES == 16, "{} bytes are several lanes", Self::BYTES);
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) }
    }

    /// Stores past the caches, or plainly where no instruction does.
    ///
    /// # Safety
    /// [`BYTES`](Self::BYTES) writable bytes at the pointer, which is a multiple of as many; and
    /// [`Stores::finish`](super::Stores::finish) is called before anything else touches them.
    #[inline(always)]
    unsafe fn stream(self, pointer: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(pointer) }
    }

    /// Asks for the line at the pointer, wherever it points.
    #[inline(always)]
    fn prefetch(_: *const u8) {}

    /// Four rows as four vectors in which they take turns, `WIDTH` bytes each. What is here is for
    /// one lane.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2 or 4.
    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        debug_assert!(Self::BYTES == 16, "{} bytes are several lanes", Self::BYTES);
        // SAFETY: the caller's promise.
        unsafe { interleave_lanes::<Self, WIDTH>(rows) }
    }

    /// Four rows out of four vectors in which they take turns, `WIDTH` bytes each. What is here is for one
    /// lane.
    ///
    /// # Safety
    /// `WIDTH` is 1, 2 or 4.
    #[inline(always)]
    unsafe fn deinterleave_4<const WIDTH: usize>(turns: [Self; 4]) -> [Self; 4] {
        debug_assert!(Self::BYTES == 16, "{} bytes are several lanes", Self::BYTES);
        // SAFETY: the caller's promise.
        unsafe { deinterleave_lanes::<Self, WIDTH>(turns) }
    }

    /// The low halves of the bytes of two vectors, and the high halves: those of `self` in the low
    /// half of each byte, those of `other` in its high half.
    #[inline(always)]
    unsafe fn halves(self, other: Self) -> [Self; 2] {
        // SAFETY: the caller's promise.
        unsafe { halves_of_words(self, other) }
    }

    /// Whether [`mixed`](Self::mixed), [`looked_up`](Self::looked_up) and [`or`](Self::or) are there.
    const MIXES: bool = false;

    /// A vector of one lane.
    type Lane: Vector;

    /// The type whose look-ups are used: this one or a narrower one.
    type Mixer: Vector;

    /// Three vectors with bytes out of three vectors: byte `i` is byte `table[i]` of them all.
    ///
    /// # Safety
    /// [`MIXES`](Self::MIXES) is true, and the table is one of [`Mix`] for these vectors.
    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], _: &Mix) -> [Self; 3] {
        debug_assert!(false, "no such instruction");
        vectors
    }

    /// Byte `i` is byte `table[i]` of the vector, or 0 where the table has 128.
    ///
    /// # Safety
    /// [`MIXES`](Self::MIXES) is true.
    #[inline(always)]
    unsafe fn looked_up(self, _: Self) -> Self {
        debug_assert!(false, "no such instruction");
        self
    }

    /// Whether [`looked_up_in_lanes`](Self::looked_up_in_lanes) is there.
    const LOOKS_UP_IN_LANES: bool = false;

    /// Byte `i` of each lane is byte `table[i]` of the lane, all of which are less than 16.
    ///
    /// # Safety
    /// [`LOOKS_UP_IN_LANES`](Self::LOOKS_UP_IN_LANES) is true.
    #[inline(always)]
    unsafe fn looked_up_in_lanes(self, _: Self) -> Self {
        debug_assert!(false, "no such instruction");
        self
    }

    /// The bits of both.
    ///
    /// # Safety
    /// [`MIXES`](Self::MIXES) is true.
    #[inline(always)]
    unsafe fn or(self, _: Self) -> Self {
        debug_assert!(false, "no such instruction");
        self
    }
}

/// Where each byte of three vectors comes from, among the bytes of three vectors.
#[allow(dead_code, reason = "not every target can look up bytes")]
pub(super) struct Mix(pub(super) [u8; 192]);

impl Mix {
    /// Three rows of `bytes` bytes that take turns, `width` bytes each; `apart` for the way back.
    pub(super) const fn of(bytes: usize, width: usize, apart: bool) -> Self {
        let mut table = [0; 192];
        let mut i = 0;
        while i < 3 * bytes {
            let (unit, byte) = (i / width, i % width);
            let from = (unit % 3) * bytes + unit / 3 * width + byte;
            if apart {
                table[from] = i as u8;
            } else {
                table[i] = from as u8;
            }
            i += 1;
        }
        Self(table)
    }
}

/// [`Vector::interleave_4`] with one-lane vectors.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn interleave_lanes<V: Vector, const WIDTH: usize>(rows: [V; 4]) -> [V; 4] {
    // SAFETY: the caller's promise.
    let rows = unsafe { rows.shuffled::<WIDTH>() };
    // SAFETY: as above.
    unsafe { rows.shuffled::<WIDTH>() }
}

/// [`Vector::deinterleave_4`] lane by lane: as many columns of each row come out of a lane of each vector as
/// four bytes hold, in the order of the vectors.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn deinterleave_lanes<V: Vector, const WIDTH: usize>(turns: [V; 4]) -> [V; 4] {
    // A shuffle of all moves each bit of an element's number up by one place, the highest to the lowest. The two
    // lowest, those of the row, come to the top.
    // SAFETY: the caller's promise.
    let once = unsafe { turns.shuffled::<WIDTH>() };
    // SAFETY: as above.
    let twice = unsafe { once.shuffled::<WIDTH>() };
    if WIDTH == 4 {
        return twice;
    }
    // SAFETY: as above.
    let thrice = unsafe { twice.shuffled::<WIDTH>() };
    if WIDTH == 2 {
        return thrice;
    }
    // SAFETY: as above.
    unsafe { thrice.shuffled::<WIDTH>() }
}

/// [`Vector::halves`] without instructions of its own: eight bytes at a time, in memory.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn halves_of_words<V: Vector>(first: V, second: V) -> [V; 2] {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let (mut low, mut high) = ([0u64; 8], [0u64; 8]);
    // SAFETY: an array is as large as the largest vector.
    unsafe { first.store(low.as_mut_ptr().cast()) };
    // SAFETY: as above.
    unsafe { second.store(high.as_mut_ptr().cast()) };
    for i in 0..V::BYTES / 8 {
        let (first, second) = (low[i], high[i]);
        low[i] = first & LOW | (second & LOW) << 4;
        high[i] = first >> 4 & LOW | second & !LOW;
    }
    // SAFETY: as above.
    let low = unsafe { V::load(low.as_ptr().cast()) };
    // SAFETY: as above.
    let high = unsafe { V::load(high.as_ptr().cast()) };
    [low, high]
}

/// Vectors that are shuffled together.
pub(super) trait Vectors<V> {
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
