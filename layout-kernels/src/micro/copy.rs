//! Copies of runs. The class of the length is chosen once, and each micro-kernel runs two loops of runs.

use super::offsets::opaque;
use super::vector::Vector;
use crate::steps::{Loop, Runs};

/// Runs the loops one run at a time.
macro_rules! each_run {
    ($runs:ident, $from:ident, $to:ident, |$source:ident, $destination:ident| $body:expr) => {{
        let crate::steps::Loop { size, source, destination } = $runs.inner;
        let (mut outer_from, mut outer_to) = ($from, $to);
        for _ in 0..$runs.outer.size {
            let (mut run_from, mut run_to) = (outer_from, outer_to);
            for _ in 0..size {
                let ($source, $destination) = (run_from, run_to);
                $body
                run_from = run_from.wrapping_offset(source);
                run_to = run_to.wrapping_offset(destination);
            }
            outer_from = outer_from.wrapping_offset($runs.outer.source);
            outer_to = outer_to.wrapping_offset($runs.outer.destination);
        }
    }};
}

pub(crate) use each_run;

/// Copies runs that are one number of type `T`.
///
/// # Safety
/// Every run must be readable at `from` and writable at `to`. The sides must not overlap. `bytes` must be the size of
/// `T`.
#[inline(always)]
pub(crate) unsafe fn ones<T: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    debug_assert!(runs.bytes == size_of::<T>(), "{runs:?}");
    each_run!(runs, from, to, |source, destination| {
        // SAFETY: it is a run, by the caller's promise; the read needs no alignment.
        let value = unsafe { source.cast::<T>().read_unaligned() };
        // SAFETY: as above.
        unsafe { destination.cast::<T>().write_unaligned(value) };
    });
}

/// [`ones`], four runs at a time, and those that are left without a loop. Where the machine code of a loop of one run
/// crosses a cache line, which differs from program to program, some CPUs take twice the time.
///
/// # Safety
/// The same as [`ones`].
#[inline(always)]
pub(crate) unsafe fn fours<T: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    debug_assert!(runs.bytes == size_of::<T>(), "{runs:?}");
    let Runs { inner, outer, .. } = *runs;
    let mut first = (from, to);
    for _ in 0..outer.size {
        // SAFETY: they are the runs of the inner loop, by the caller's promise.
        unsafe { all_of::<T>(inner, first) };
        first.0 = first.0.wrapping_offset(outer.source);
        first.1 = first.1.wrapping_offset(outer.destination);
    }
}

/// Copies the numbers of a loop, four at a time, and returns where the next one is.
///
/// # Safety
/// The numbers must be readable and writable at `at`.
#[inline(always)]
unsafe fn all_of<T: Copy>(along: Loop, mut at: (*const u8, *mut u8)) -> (*const u8, *mut u8) {
    // Opaque, so that the compiler neither unrolls the loop nor has one for each number of runs that are left.
    let mut left = opaque!(along.size);
    while left >= 4 {
        // SAFETY: four runs are left.
        at = unsafe { several::<T, 4>(along, at) };
        left = opaque!(left - 4);
    }
    if left & 2 > 0 {
        // SAFETY: two or three runs are left.
        at = unsafe { several::<T, 2>(along, at) };
    }
    if left & 1 > 0 {
        // SAFETY: one run is left.
        at = unsafe { several::<T, 1>(along, at) };
    }
    at
}

/// Copies `COUNT` numbers and returns where the next one is.
///
/// # Safety
/// Numbers as far apart as those of `along` must be readable and writable at `at`.
#[inline(always)]
unsafe fn several<T: Copy, const COUNT: usize>(
    along: Loop,
    mut at: (*const u8, *mut u8),
) -> (*const u8, *mut u8) {
    for _ in 0..COUNT {
        // SAFETY: it is a number, by the caller's promise; the read needs no alignment.
        let value = unsafe { at.0.cast::<T>().read_unaligned() };
        // SAFETY: as above.
        unsafe { at.1.cast::<T>().write_unaligned(value) };
        at = (at.0.wrapping_offset(along.source), at.1.wrapping_offset(along.destination));
    }
    at
}

/// Copies runs of one to two numbers of type `T`. The second overlaps the first.
///
/// # Safety
/// The same as [`ones`], with `bytes` between the size of `T` and twice that.
#[inline(always)]
pub(crate) unsafe fn twos<T: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    debug_assert!((size_of::<T>()..=2 * size_of::<T>()).contains(&runs.bytes), "{runs:?}");
    each_run!(runs, from, to, |source, destination| {
        // SAFETY: it is a run, by the caller's promise.
        unsafe { two::<T>(runs.bytes, source, destination) };
    });
}

/// Copies a run of one to two numbers of type `T`.
///
/// # Safety
/// The run must be readable at `from` and writable at `to`, and the sides must not overlap.
#[inline(always)]
unsafe fn two<T: Copy>(bytes: usize, from: *const u8, to: *mut u8) {
    let last = bytes - size_of::<T>();
    // SAFETY: it is the start of the run, by the caller's promise; the read needs no alignment.
    let first = unsafe { from.cast::<T>().read_unaligned() };
    // SAFETY: it is the end of the run.
    let second = unsafe { from.wrapping_add(last).cast::<T>().read_unaligned() };
    // SAFETY: as above.
    unsafe { to.cast::<T>().write_unaligned(first) };
    // SAFETY: as above.
    unsafe { to.wrapping_add(last).cast::<T>().write_unaligned(second) };
}

/// Copies runs of half a number of type `T` to a whole one that follow one another in the destination: whole numbers,
/// since the next run overwrites the excess of the one before. The last run of a loop is two numbers of type `Half`.
///
/// # Safety
/// The same as [`ones`], with `bytes` between the sizes of `Half` and `T`. The inner loop must have runs, which must
/// follow one another in the destination. Its source stride must be at least what a number has more than a run.
#[inline(always)]
pub(crate) unsafe fn overlapping<T: Copy, Half: Copy>(runs: &Runs, from: *const u8, to: *mut u8) {
    let Runs { bytes, inner, outer } = *runs;
    debug_assert!((size_of::<Half>()..=size_of::<T>()).contains(&bytes), "{runs:?}");
    debug_assert!(2 * size_of::<Half>() == size_of::<T>() && inner.follows(bytes), "{runs:?}");
    debug_assert!(inner.size > 0, "{runs:?}");
    debug_assert!(inner.source >= (size_of::<T>() - bytes) as isize, "{runs:?}");
    let others = Loop { size: inner.size - 1, ..inner };
    let mut first = (from, to);
    for _ in 0..outer.size {
        // SAFETY: a number that begins with a run ends before the next one does, on both sides: it has at most two
        // runs, and the next one begins late enough.
        let (from, to) = unsafe { all_of::<T>(others, first) };
        // SAFETY: it is the last run of the loop, by the caller's promise.
        unsafe { two::<Half>(bytes, from, to) };
        first.0 = first.0.wrapping_offset(outer.source);
        first.1 = first.1.wrapping_offset(outer.destination);
    }
}

/// Copies runs of `COUNT` to `COUNT + 1` vectors. The last overlaps the one before it.
///
/// # Safety
/// The same as [`ones`], with `bytes` more than `COUNT` vectors and at most `COUNT + 1`.
#[inline(always)]
pub(crate) unsafe fn vectors<V: Vector, const COUNT: usize>(
    runs: &Runs,
    from: *const u8,
    to: *mut u8,
) {
    debug_assert!((COUNT * V::BYTES..=(COUNT + 1) * V::BYTES).contains(&runs.bytes), "{runs:?}");
    let last = runs.bytes - V::BYTES;
    each_run!(runs, from, to, |source, destination| {
        macro_rules! vector {
            ($($i:literal)*) => {$(if $i < COUNT {
                // SAFETY: `COUNT` vectors are part of the run.
                let v = unsafe { V::load(source.wrapping_add($i * V::BYTES)) };
                // SAFETY: as above.
                unsafe { v.store(destination.wrapping_add($i * V::BYTES)) };
            })*};
        }
        vector!(0 1 2 3 4 5 6);
        // SAFETY: it is the end of the run.
        let v = unsafe { V::load(source.wrapping_add(last)) };
        // SAFETY: as above.
        unsafe { v.store(destination.wrapping_add(last)) };
    });
}

/// Copies runs of at least one vector.
///
/// # Safety
/// The same as [`ones`], with `bytes` at least that of a vector.
#[inline(always)]
pub(crate) unsafe fn long<V: Vector>(runs: &Runs, from: *const u8, to: *mut u8) {
    debug_assert!(runs.bytes >= V::BYTES, "{runs:?}");
    let last = runs.bytes - V::BYTES;
    each_run!(runs, from, to, |source, destination| {
        // SAFETY: it is the start of the run.
        let v = unsafe { V::load(source) };
        // SAFETY: as above.
        unsafe { v.store(destination) };
        // The next stores are aligned.
        let mut at = V::BYTES - destination as usize % V::BYTES;
        macro_rules! vectors {
            ($($i:literal)*) => {{
                let v = [$({
                    // SAFETY: the vectors begin before the last one of the run.
                    unsafe { V::load(source.wrapping_add(at + $i * V::BYTES)) }
                }),*];
                $(
                    // SAFETY: as above.
                    unsafe { v[$i].store(destination.wrapping_add(at + $i * V::BYTES)) };
                )*
            }};
        }
        while at + 3 * V::BYTES < last {
            vectors!(0 1 2 3);
            at = opaque!(at + 4 * V::BYTES);
        }
        while at < last {
            vectors!(0);
            at = opaque!(at + V::BYTES);
        }
        // SAFETY: it is the end of the run.
        let v = unsafe { V::load(source.wrapping_add(last)) };
        // SAFETY: as above.
        unsafe { v.store(destination.wrapping_add(last)) };
    });
}

/// Copies runs of any length with memcpy.
///
/// # Safety
/// The same as [`ones`], with any `bytes`.
#[inline(always)]
pub(crate) unsafe fn any(runs: &Runs, from: *const u8, to: *mut u8) {
    each_run!(runs, from, to, |source, destination| {
        // SAFETY: it is a run, by the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(source, destination, runs.bytes) };
    });
}

/// Copies runs of at least one vector. Whole vectors of the destination are stored non-temporally. If runs follow one
/// another there, these include vectors that have the end of one run and the start of the next.
///
/// # Safety
/// The same as [`long`]. The caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(crate) unsafe fn streamed<V: Vector>(runs: &Runs, from: *const u8, to: *mut u8) {
    debug_assert!(runs.bytes >= V::BYTES, "{runs:?}");
    let (last, of_inner) = (runs.bytes - V::BYTES, runs.inner.size);
    let follow = runs.inner.follows(runs.bytes);
    let mut run = 0;
    each_run!(runs, from, to, |source, destination| {
        run = if run == of_inner { 1 } else { run + 1 };
        let before = (destination as usize).wrapping_neg() % V::BYTES;
        // Even a store of no bytes would bring its line into the caches.
        if before > 0 && follow && run > 1 {
            let rest = V::BYTES - before;
            let end = source.wrapping_offset(-runs.inner.source).wrapping_add(runs.bytes - rest);
            // SAFETY: these are the end of the run before and the start of this one. Both have at least a vector.
            let joined = unsafe { V::joined(end, rest, source) };
            // SAFETY: both are contiguous in the destination, and the address is aligned.
            unsafe { joined.stream(destination.wrapping_sub(rest)) };
        } else if before > 0 {
            // SAFETY: it is the start of the run, which has at least a vector.
            let first = unsafe { V::load_part(source, before) };
            // SAFETY: as above.
            unsafe { first.store_part(destination, before) };
        }
        let mut at = before;
        while at <= last {
            // SAFETY: at + V::BYTES <= bytes.
            let v = unsafe { V::load(source.wrapping_add(at)) };
            // SAFETY: as above, and the address is aligned.
            unsafe { v.stream(destination.wrapping_add(at)) };
            at = opaque!(at + V::BYTES);
        }
        // The next run stores the rest, unless it does not follow.
        if at < runs.bytes && !(follow && run < of_inner) {
            // SAFETY: it is the rest of the run, less than a vector.
            let end = unsafe { V::load_part(source.wrapping_add(at), runs.bytes - at) };
            // SAFETY: as above.
            unsafe { end.store_part(destination.wrapping_add(at), runs.bytes - at) };
        }
    });
}
