//! Shuffles looked up vector by vector.
//!
//! Every vector of the destination begins with a step and takes whole ones, so the same look-ups make all of
//! them. What is behind the last step of a vector is 0 until the next vector is stored over it.

use core::ops::Range;

use super::copy;
use super::look_ups::{LONGEST, LookUps, PARTS};
use super::loops::Loop;
use super::shuffle::{Shuffle, runs_by_unit, units_of};
use super::vector::Vector;

/// What all vectors of a shuffle are looked up with.
#[derive(Clone, Copy)]
struct Tables<V> {
    tables: [V; PARTS],
    padding: V,
    offsets: [isize; PARTS],
    /// The end of what is readable.
    end: *const u8,
}

/// Moves all steps of so many runs, as many at once as a vector takes.
///
/// # Safety
/// As [`runs_by_unit`]; the units lie in `readable`, all of which is readable; and the look-ups are
/// those of the shuffle for vectors of `V`'s mixer.
#[inline(always)]
pub(super) unsafe fn shuffle<V: Vector>(
    shuffle: &Shuffle,
    runs: Loop,
    look_ups: &LookUps,
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    macro_rules! by_parts {
        ($($parts:literal)*) => {
            match look_ups.parts {
                // SAFETY: the caller's promise.
                $($parts if V::Mixer::MIXES => unsafe {
                    every_run::<V::Mixer, $parts>(shuffle, runs, look_ups, readable, from, to)
                },)*
                // SAFETY: as above.
                _ => unsafe { runs_by_unit::<V>(shuffle, runs, from, to) },
            }
        };
    }
    by_parts!(1 2 3 4 5 6)
}

/// # Safety
/// As [`shuffle`], for look-ups in so many parts, and `V` mixes.
#[inline(always)]
unsafe fn every_run<V: Vector, const COUNT: usize>(
    shuffle: &Shuffle,
    runs: Loop,
    look_ups: &LookUps,
    readable: Range<*const u8>,
    source: *const u8,
    destination: *mut u8,
) {
    let LookUps { steps: each, offsets, ref tables, .. } = *look_ups;
    let Loop { size, source: from_step, .. } = shuffle.steps;
    debug_assert!((1..=size).contains(&each), "{each} of {size} steps");
    macro_rules! table {
        ($part:literal) => {
            // SAFETY: a table is as long as the longest vector.
            unsafe { V::load(tables[$part].as_ptr()) }
        };
    }
    let tables = Tables {
        tables: [table!(0), table!(1), table!(2), table!(3), table!(4), table!(5)],
        // SAFETY: as above.
        padding: unsafe { V::load(look_ups.padding.as_ptr()) },
        offsets,
        end: readable.end,
    };
    macro_rules! run {
        ($run:expr) => {{
            let run = $run as isize;
            let from = source.wrapping_offset(run * runs.source);
            (from, destination.wrapping_offset(run * runs.destination))
        }};
    }
    let (bytes, last) = (shuffle.bytes(), size - each);
    // From where a run begins to where the last part of one of its vectors does, the highest.
    let highest = offsets[COUNT - 1] + if from_step > 0 { last as isize * from_step } else { 0 };
    // How much is readable from there on: from a byte of one of the steps, which lies before the end. A difference,
    // because a buffer may lie at either end of the address space.
    macro_rules! rest {
        ($run:expr) => {
            tables.end as usize - run!($run).0.wrapping_offset(highest) as usize
        };
    }
    // The runs behind which a vector may store, for the next ones are stored over it.
    let mut over = if runs.destination == bytes as isize { runs.size } else { 0 };
    let beyond = last * shuffle.step() + V::BYTES;
    while over > 0 && ((runs.size + 1 - over) * bytes < beyond || rest!(over - 1) < V::BYTES) {
        over -= 1;
    }
    let mut run = 0;
    while run < runs.size {
        let (mut from, mut to) = run!(run);
        if run >= over || rest!(run) < V::BYTES {
            // SAFETY: one of the runs.
            unsafe { one_run::<V, COUNT>(shuffle, look_ups, &tables, from, to) };
            run += 1;
            continue;
        }
        // Pointers count vectors and runs: registers are few.
        let end = run!(over).1;
        while to < end {
            let last_to = to.wrapping_add(last * shuffle.step());
            // SAFETY: a vector is readable at the last part, and so at all others: those of the first of these runs
            // and of the last were found to be. A vector of the runs is left from the last of its steps on.
            unsafe { vectors::<V, COUNT>(shuffle, each, &tables, from, to..last_to) };
            let last_from = from.wrapping_offset(last as isize * from_step);
            // SAFETY: as above.
            let v = unsafe { looked_up::<V, COUNT>(&tables, last_from) };
            // SAFETY: as above. It may overlap the vector before it.
            unsafe { v.store(last_to) };
            from = from.wrapping_offset(runs.source);
            to = to.wrapping_offset(runs.destination);
        }
        run = over;
    }
}

/// Moves the steps of a run, and stores nothing behind it.
///
/// # Safety
/// As [`every_run`], for one of them.
#[inline(always)]
unsafe fn one_run<V: Vector, const COUNT: usize>(
    shuffle: &Shuffle,
    look_ups: &LookUps,
    tables: &Tables<V>,
    source: *const u8,
    destination: *mut u8,
) {
    let LookUps { steps: each, offsets, .. } = *look_ups;
    let Loop { size, source: from_step, destination: to_step } = shuffle.steps;
    // How much is readable from where the last part of the vector of these steps begins, as for runs: it begins behind
    // the other parts.
    macro_rules! rest {
        ($step:expr) => {{
            let last = $step as isize * from_step + offsets[COUNT - 1];
            tables.end as usize - source.wrapping_offset(last) as usize
        }};
    }
    let mut whole = look_ups.whole;
    while whole > 0 && rest!(whole - each) < V::BYTES {
        whole -= each;
    }
    macro_rules! places {
        ($step:expr) => {{
            let (from, to) = ($step as isize * from_step, $step as isize * to_step);
            (source.wrapping_offset(from), destination.wrapping_offset(to))
        }};
    }
    let mut step = 0;
    while step < size {
        if step < whole && rest!(step) >= V::BYTES {
            let (from, to) = places!(step);
            // SAFETY: a vector is readable at the last part, and so at all others: those of the first of these steps
            // and of the last were found to be. So many bytes of the steps are left before those from `whole` on, as
            // `LookUps` counts.
            unsafe { vectors::<V, COUNT>(shuffle, each, tables, from, to..places!(whole).1) };
            step = whole;
            continue;
        }
        // The last vector overlaps the one before it.
        let first = step.min(size - each);
        let (from, to) = places!(first);
        if rest!(first) >= V::BYTES {
            // SAFETY: a vector is readable at the last part, and so at all others.
            let v = unsafe { looked_up::<V, COUNT>(tables, from) };
            // SAFETY: the bytes of these steps, at most those of a vector.
            unsafe { store_in_part(v, to, each * to_step as usize) };
        } else {
            // SAFETY: some of the steps.
            unsafe { units_of::<V>(shuffle)(shuffle, each, from, to) };
        }
        step += each;
    }
}

/// Moves vectors of so many steps each, those that begin in a range of the destination.
///
/// # Safety
/// A vector is readable at each part of the vectors, and writable where each begins; and `V` mixes.
#[inline(always)]
unsafe fn vectors<V: Vector, const COUNT: usize>(
    shuffle: &Shuffle,
    each: usize,
    tables: &Tables<V>,
    mut from: *const u8,
    to: Range<*mut u8>,
) {
    let Range { start: mut to, end } = to;
    while to < end {
        // SAFETY: the caller's promise.
        let v = unsafe { looked_up::<V, COUNT>(tables, from) };
        // SAFETY: as above.
        unsafe { v.store(to) };
        from = from.wrapping_offset(each as isize * shuffle.steps.source);
        to = to.wrapping_offset(each as isize * shuffle.steps.destination);
    }
}

/// # Safety
/// A vector is readable at each of `COUNT` offsets from the pointer, and `V` mixes.
#[inline(always)]
unsafe fn looked_up<V: Vector, const COUNT: usize>(tables: &Tables<V>, from: *const u8) -> V {
    macro_rules! part {
        ($part:literal) => {{
            let from = from.wrapping_offset(tables.offsets[$part]);
            let rest = tables.end as usize - from as usize;
            debug_assert!(rest >= V::BYTES, "{rest} bytes from {from:?} on");
            // SAFETY: the caller's promise.
            let v = unsafe { V::load(from) };
            // SAFETY: as above.
            unsafe { v.looked_up(tables.tables[$part]) }
        }};
    }
    let mut v = tables.padding;
    macro_rules! and {
        ($part:literal) => {
            if COUNT > $part {
                let other = part!($part);
                // SAFETY: the caller's promise.
                v = unsafe { v.or(other) };
            }
        };
    }
    and!(0);
    and!(1);
    and!(2);
    and!(3);
    and!(4);
    and!(5);
    v
}

/// Stores the first bytes of a vector.
///
/// # Safety
/// So many writable bytes at the pointer, at most as many as a vector has.
#[inline(always)]
unsafe fn store_in_part<V: Vector>(v: V, to: *mut u8, bytes: usize) {
    debug_assert!(bytes <= V::BYTES, "{bytes} bytes of {}", V::BYTES);
    if bytes == V::BYTES {
        // SAFETY: the caller's promise.
        return unsafe { v.store(to) };
    }
    let mut scratch = [0; LONGEST];
    // SAFETY: the scratch is as long as the longest vector.
    unsafe { v.store(scratch.as_mut_ptr()) };
    // SAFETY: the caller's promise.
    unsafe { copy_in_part::<V::Lane>(&scratch, to, bytes) };
}

/// A function of its own, for the compiler would prepare its loops for every vector.
///
/// # Safety
/// So many writable bytes at the pointer, at most as many as there are.
#[inline(never)]
unsafe fn copy_in_part<L: Vector>(from: &[u8; LONGEST], to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise; `L` is one lane, whose loads and stores every CPU of its architecture has.
    unsafe { copy::copy::<L>(from.as_ptr(), to, bytes, false) }
}
