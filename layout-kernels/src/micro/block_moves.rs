//! Steps of blocks: squares of words that are transposed, words that move as they are, and bit permutes, which make each
//! vector of the destination of windows of the source, whose bits move within their bytes.

use core::array;

use super::vector::{Permute, shuffled};
use crate::steps::{
    BitVector, BlockSources, BlockSquares, BlockWords, Loop, MOST_SOURCES, SquarePart, WINDOW,
};

/// How many blocks ahead vectors of the destination are prefetched.
const AHEAD: isize = 4;

/// The operations of a vector on its bits, in lanes of 16 bytes. Features of the type are here, on x86-64, AVX2 too.
///
/// # Safety
/// The same as [`Permute`].
pub(crate) trait Bitwise: Permute {
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn and(self, other: Self) -> Self;

    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn xor(self, other: Self) -> Self;

    /// Moves bits towards the higher ones of each byte, or towards the lower ones by a number below 0. What bits beyond
    /// the end of a byte become is unspecified.
    ///
    /// # Safety
    /// The CPU must have the features of the type.
    unsafe fn shifted(self, by: i32) -> Self;
}

/// Moves squares in each of several evenly spaced blocks, in as many at once as a vector has lanes. `BITS` says
/// whether [bits move](BlockSquares::has_bits).
///
/// # Safety
/// In every block, 16 bytes must be readable at the place of each vector from `from` on, and the bytes of each vector
/// writable at its place from `to` on. Those of each head must be readable at its place, and as many writable before its
/// vector. The sides must not overlap. The CPU must have the features of `V`.
#[inline(always)]
pub(crate) unsafe fn move_squares<V: Bitwise<Half: Permute>, const BITS: bool>(
    own: &BlockSquares,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_shape {
        ($(($side:literal $count:literal: $width:literal, $($head:literal)*))*) => {
            match (own.side, own.count, own.head) {
                // SAFETY: the caller's promise, and the shape of the squares.
                $($(($side, $count, $head) => if const { !BITS || $head == 0 && $count == $side } { unsafe {
                    squares_of::<V, BITS, $width, $count, $head>(own, blocks, from, to)
                } },)*)*
                _ => debug_assert!(false, "{own:?}"),
            }
        };
    }
    by_shape!((2 2: 8, 0 1 2) (2 4: 8, 0 1 2) (2 8: 8, 0 1 2) (4 4: 4, 0 1 2) (8 8: 2, 0 1 2) (16 16: 1, 0 1 2));
}

/// Moves squares of words of `WIDTH` bytes, `COUNT` vectors in all, with heads of `HEAD` bytes.
///
/// # Safety
/// The same as [`move_squares`].
#[inline(always)]
unsafe fn squares_of<
    V: Bitwise<Half: Permute>,
    const BITS: bool,
    const WIDTH: usize,
    const COUNT: usize,
    const HEAD: usize,
>(
    own: &BlockSquares,
    blocks: Loop,
    mut from: *const u8,
    mut to: *mut u8,
) {
    let Some(flips) = own.flip.first_chunk::<COUNT>() else { return };
    const { assert!(V::BYTES <= 2 * WINDOW, "two halves are all lanes") };
    debug_assert!(own.has_bits == BITS && (HEAD == 0 || !BITS), "{own:?}");
    // SAFETY: the array is as long as the longest vector.
    let same = unsafe { V::load(flips[0].as_ptr()) };
    // Copies, since stores could change what is borrowed.
    let (mut sources, mut places, mut heads) = ([0; COUNT], [0; COUNT], [0; COUNT]);
    for i in 0..COUNT {
        (sources[i], places[i], heads[i]) = (own.from[i], own.to[i], own.heads[i]);
    }
    let bytes = if BITS { own.bytes } else { WINDOW };
    let (mut left, lanes) = (blocks.size, const { V::BYTES / WINDOW });
    while left > 0 {
        // Lanes after the last block move it again.
        let steps: [isize; 4] = array::from_fn(|i| i.min(left - 1) as isize);
        let starts = steps.map(|step| from.wrapping_offset(step * blocks.source));
        let ends = steps.map(|step| to.wrapping_offset(step * blocks.destination));
        let mut v = [same; COUNT];
        for (v, place) in v.iter_mut().zip(&sources) {
            // SAFETY: the vectors are readable in every block, by the caller's promise.
            *v = unsafe { V::load_lanes(starts.map(|start| start.wrapping_add(*place))) };
        }
        // What has heads lies apart.
        for place in places.iter().take(if HEAD > 0 { COUNT } else { 0 }) {
            V::prefetch(ends[0].wrapping_offset(AHEAD * blocks.destination).wrapping_add(*place));
        }
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { transposed::<V, BITS, WIDTH, COUNT>(v, own) };
        // The first ones of all squares, which follow one another: CPUs store these faster.
        macro_rules! put {
            ($($i:literal)*) => {$(if const { $i < COUNT } {
                let (side, squares) = (WINDOW / WIDTH, COUNT * WIDTH / WINDOW);
                // SAFETY: the array is as long as the longest vector.
                let flip = if BITS { unsafe { V::load(flips[$i % COUNT].as_ptr()) } } else { same };
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let own = unsafe { v[$i % squares * side + $i / squares].xor(flip) };
                let (head, place) = (starts[0].wrapping_add(heads[$i]), places[$i]);
                let ends = [ends[0].wrapping_add(place), ends[1].wrapping_add(place)];
                // SAFETY: the bytes, and those of a head, are in every block, by the caller's promise.
                unsafe { put_lanes::<V, HEAD>(own, bytes, head, ends) };
            })*};
        }
        put!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        from = from.wrapping_offset(lanes as isize * blocks.source);
        to = to.wrapping_offset(lanes as isize * blocks.destination);
        left = left.saturating_sub(lanes);
    }
}

/// Transposes squares of words of `WIDTH` bytes, whose bits move before that and after it with `BITS`.
///
/// # Safety
/// The CPU must have the features of `V`.
#[inline(always)]
unsafe fn transposed<V: Bitwise, const BITS: bool, const WIDTH: usize, const COUNT: usize>(
    mut v: [V; COUNT],
    own: &BlockSquares,
) -> [V; COUNT] {
    if BITS {
        // SAFETY: the caller's promise, here and below.
        v = unsafe { rearranged(v, &own.before) };
    }
    macro_rules! shuffles {
        ($($least:literal)*) => {$(if const { WINDOW / WIDTH > $least } {
            // SAFETY: as above.
            v = unsafe { shuffled::<V, COUNT, WIDTH>(v) };
        })*};
    }
    shuffles!(1 2 4 8);
    // SAFETY: as above.
    if BITS { unsafe { rearranged(v, &own.after) } } else { v }
}

/// Stores the first bytes of each of at most two lanes, and a head of `HEAD` bytes before those of the first one.
///
/// # Safety
/// They must be writable, and `HEAD` bytes before those of the first lane too. The head must be readable. The CPU
/// must have the features of `V`.
#[inline(always)]
unsafe fn put_lanes<V: Bitwise<Half: Permute>, const HEAD: usize>(
    v: V,
    bytes: usize,
    head: *const u8,
    [first, second]: [*mut u8; 2],
) {
    let head = head.cast::<[u8; HEAD]>();
    // SAFETY: the bytes of the head are readable and writable, by the caller's promise.
    unsafe { head.copy_to_nonoverlapping(first.wrapping_sub(HEAD).cast(), 1) };
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let (low, high) = unsafe { v.halves() };
    // SAFETY: the bytes are writable, by the caller's promise.
    unsafe { store_first(low, bytes, first) };
    if V::BYTES > WINDOW {
        // SAFETY: as above.
        unsafe { store_first(high, bytes, second) };
    }
}

/// Moves bits within each vector.
///
/// # Safety
/// The CPU must have the features of `V`.
#[inline(always)]
unsafe fn rearranged<V: Bitwise, const COUNT: usize>(
    v: [V; COUNT],
    parts: &[SquarePart],
) -> [V; COUNT] {
    if parts.is_empty() {
        return v;
    }
    // SAFETY: the array is as long as the longest vector.
    let mut all = [unsafe { V::load([0; 64].as_ptr()) }; COUNT];
    for part in parts {
        let Some(vectors) = part.vectors.first_chunk::<COUNT>() else { continue };
        macro_rules! each {
            ($v:ident => $moved:expr) => {
                for i in 0..COUNT {
                    // SAFETY: the CPU has the features of `V`, by the caller's promise.
                    let table = unsafe { V::table(&vectors[i].0) };
                    // SAFETY: as above. Bytes without an index have no bits.
                    let $v = unsafe { v[i].permuted(table) };
                    // SAFETY: the array is as long as the longest vector.
                    let mask = unsafe { V::load(vectors[i].1.as_ptr()) };
                    // SAFETY: the CPU has the features of `V`, by the caller's promise.
                    let own = unsafe { $moved.and(mask) };
                    // SAFETY: as above.
                    all[i] = unsafe { all[i].xor(own) };
                }
            };
        }
        match part.shift {
            0 => each!(v => v),
            _ => each!(v => v.shifted(part.shift)),
        }
    }
    all
}

/// Stores the first bytes of a lane.
///
/// # Safety
/// They must be writable, and 8 to 16. The CPU must have the features of `V`, a vector of 16 bytes.
#[inline(always)]
unsafe fn store_first<V: Permute>(v: V, bytes: usize, to: *mut u8) {
    match bytes {
        // SAFETY: the caller's promise, in each arm.
        WINDOW => unsafe { v.store(to) },
        // SAFETY: as above.
        _ => unsafe { v.store_most(to, bytes) },
    }
}

/// Moves words in each of several evenly spaced blocks.
///
/// # Safety
/// In every block, the words must be readable from `from` on, and as many bytes writable from `to` on. The sides must not
/// overlap. The CPU must have the features of `V`, a vector of 16 bytes.
#[inline(always)]
pub(crate) unsafe fn move_words<V: Bitwise>(
    own: &BlockWords,
    blocks: Loop,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_shape {
        (apart $($word:literal)*; $(($bytes:literal $count:literal))*) => {
            match (own.bytes, own.count) {
                // SAFETY: the caller's promise, and the shape of the words, here and below.
                $(($word, 4) if own.apart.is_some() => unsafe {
                    apart::<$word>(own, blocks, from, to)
                },)*
                // SAFETY: as above.
                $(($bytes, $count) => unsafe { words_of::<V, $bytes, $count>(own, blocks, from, to) },)*
                _ => debug_assert!(false, "{own:?}"),
            }
        };
    }
    by_shape!(apart 1 2 4 8; (1 1) (1 2) (1 4) (1 8) (2 1) (2 2) (2 4) (2 8) (4 1) (4 2) (4 4) (8 1) (8 2) (16 1));
}

/// Moves four words of `BYTES` bytes, each to its place, in each of several blocks.
///
/// # Safety
/// The same as [`move_words`].
#[inline(always)]
unsafe fn apart<const BYTES: usize>(
    own: &BlockWords,
    blocks: Loop,
    mut from: *const u8,
    mut to: *mut u8,
) {
    let (sources, Some(places)) = (own.from, own.apart) else { return };
    for _ in 0..blocks.size {
        for (source, place) in sources.iter().zip(places) {
            let word = from.wrapping_add(*source).cast::<[u8; BYTES]>();
            // SAFETY: the word is readable and writable in every block, by the caller's promise.
            unsafe { word.copy_to_nonoverlapping(to.wrapping_add(place).cast(), 1) };
        }
        (from, to) = (from.wrapping_offset(blocks.source), to.wrapping_offset(blocks.destination));
    }
}

/// Moves `COUNT` words of `BYTES` bytes in each of several blocks.
///
/// # Safety
/// The same as [`move_words`].
#[inline(always)]
unsafe fn words_of<V: Bitwise, const BYTES: usize, const COUNT: usize>(
    own: &BlockWords,
    blocks: Loop,
    mut from: *const u8,
    to: *mut u8,
) {
    let (mut to, BlockWords { from: places, flip, .. }) = (to.wrapping_add(own.to), own);
    // SAFETY: the array has 16 bytes.
    let flip = unsafe { V::load(flip.as_ptr()) };
    for _ in 0..blocks.size {
        let mut both = [0u64; 2];
        for (i, place) in places.iter().enumerate().take(if BYTES < WINDOW { COUNT } else { 0 }) {
            // SAFETY: the word is readable in every block, by the caller's promise.
            let word = unsafe { from.wrapping_add(*place).cast::<[u8; BYTES]>().read() };
            let mut number = [0; 8];
            number[..BYTES].copy_from_slice(&word);
            both[i * BYTES / 8] |= u64::from_le_bytes(number) << (8 * (i * BYTES % 8));
        }
        let own = if BYTES < WINDOW { both.as_ptr().cast() } else { from.wrapping_add(places[0]) };
        // SAFETY: the array has 16 bytes, and the word is readable, by the caller's promise.
        let v = unsafe { V::load(own) };
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { v.xor(flip) };
        // SAFETY: the bytes are writable in every block, by the caller's promise.
        unsafe { put_first(v, const { BYTES * COUNT }, to) };
        (from, to) = (from.wrapping_offset(blocks.source), to.wrapping_offset(blocks.destination));
    }
}

/// Makes a vector in each of several evenly spaced blocks.
///
/// # Safety
/// In every block, a vector must be readable at the offset of each window in its source, and the bytes of the vector
/// writable from `to` on. The sides must not overlap. The CPU must have the features of `V`, a vector of one lane.
#[inline(always)]
pub(crate) unsafe fn permute_bits<V: Bitwise>(
    own: &BitVector,
    (count, step): (usize, isize),
    sources: &BlockSources,
    to: *mut u8,
) {
    let mut first = 0;
    while count - first >= 4 {
        // SAFETY: the caller's promise for four blocks.
        unsafe { several::<V, 4>(own, (first, step), (sources, to)) };
        first += 4;
    }
    for first in first..count {
        // SAFETY: the caller's promise for a block.
        unsafe { several::<V, 1>(own, (first, step), (sources, to)) };
    }
}

/// Makes all vectors of four blocks after another, or of one.
///
/// # Safety
/// The same as [`permute_bits`] for each vector.
#[inline(always)]
pub(crate) unsafe fn permute_apart<V: Bitwise>(
    all: &[BitVector],
    (count, step): (usize, isize),
    sources: &BlockSources,
    to: *mut u8,
) {
    let mut first = 0;
    while first < count {
        let are_four = count - first >= 4;
        for own in all {
            match are_four {
                // SAFETY: the caller's promise for four blocks.
                true => unsafe { several::<V, 4>(own, (first, step), (sources, to)) },
                // SAFETY: as above, for one.
                false => unsafe { several::<V, 1>(own, (first, step), (sources, to)) },
            }
        }
        first += if are_four { 4 } else { 1 };
    }
}

/// Makes a vector of any parts in `COUNT` blocks from one on, which share the loads of tables.
///
/// # Safety
/// The same as [`permute_bits`], for these blocks.
#[inline(always)]
unsafe fn several<V: Bitwise, const COUNT: usize>(
    own: &BitVector,
    (first, step): (usize, isize),
    (sources, to): (&BlockSources, *mut u8),
) {
    // SAFETY: the array is as long as the longest vector, here and below.
    let zeros = unsafe { V::load([0; 64].as_ptr()) };
    // SAFETY: as above.
    let mut all = [unsafe { V::load(own.flip.as_ptr()) }; COUNT];
    for part in &own.parts {
        let mut v = if part.is_whole { all } else { [zeros; COUNT] };
        for window in &part.windows {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let table = unsafe { V::table(&window.table) };
            let (from, along) = sources[window.source % MOST_SOURCES];
            let mut from = from.wrapping_offset(along * first as isize + window.offset as isize);
            for v in &mut v {
                // SAFETY: the window is readable in every block, by the caller's promise.
                let window = unsafe { V::load(from) };
                // SAFETY: the CPU has the features of `V`. Each byte of a part comes from one window.
                *v = unsafe { window.permute(table, *v) };
                from = from.wrapping_offset(along);
            }
        }
        if part.is_whole {
            all = v;
            continue;
        }
        // SAFETY: the array is as long as the longest vector.
        let mask = unsafe { V::load(part.mask.as_ptr()) };
        for (all, v) in all.iter_mut().zip(v) {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let v = unsafe { v.shifted(part.shift) };
            // SAFETY: as above.
            let v = unsafe { v.and(mask) };
            // SAFETY: as above.
            *all = unsafe { all.xor(v) };
        }
    }
    let keeps = own.keep != [0; 64];
    for (i, mut v) in all.into_iter().enumerate() {
        let to = to.wrapping_add(own.destination).wrapping_offset(step * (first + i) as isize);
        if keeps {
            let old = match own.bytes {
                // SAFETY: the bytes of the vector are readable too.
                bytes if bytes == V::BYTES => unsafe { V::load(to) },
                // SAFETY: as above.
                bytes => unsafe { V::load_part(to, bytes) },
            };
            // SAFETY: the array is as long as the longest vector.
            let keep = unsafe { V::load(own.keep.as_ptr()) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let old = unsafe { old.and(keep) };
            // SAFETY: as above.
            v = unsafe { v.xor(old) };
        }
        // SAFETY: these bytes are writable in every block, by the caller's promise.
        unsafe { put_first(v, own.bytes, to) };
    }
}

/// Stores the first 1, 2, 4, 8 or 16 bytes, or any number of a longer vector.
///
/// # Safety
/// They must be writable. The CPU must have the features of `V`.
#[inline(always)]
unsafe fn put_first<V: Bitwise>(v: V, bytes: usize, to: *mut u8) {
    if bytes == V::BYTES {
        // SAFETY: the caller's promise.
        return unsafe { v.store(to) };
    }
    if const { V::BYTES > WINDOW } {
        // SAFETY: the caller's promise.
        return unsafe { v.store_part(to, bytes) };
    }
    let mut low = [0; WINDOW];
    // SAFETY: the array has 16 bytes.
    unsafe { v.store(low.as_mut_ptr()) };
    let low = u128::from_le_bytes(low);
    macro_rules! first {
        ($($count:literal $number:ty;)*) => {
            match bytes {
                // SAFETY: these bytes are writable, by the caller's promise.
                $($count => unsafe { to.cast::<[u8; $count]>().write((low as $number).to_le_bytes()) },)*
                _ => debug_assert!(false, "{bytes} bytes"),
            }
        };
    }
    first!(1 u8; 2 u16; 4 u32; 8 u64;);
}
