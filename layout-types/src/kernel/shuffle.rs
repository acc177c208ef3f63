//! Shuffles: steps that lie one after the other in the destination and near each other in the source, looked up
//! vector by vector.
//!
//! Every vector of the destination begins with a step and takes whole ones, so the same look-ups make all of
//! them. What is behind the last step of a vector is 0 until the next vector is stored over it.

use core::ops::Range;

use super::copy;
use super::look_ups::{self, LONGEST, LookUps, PARTS};
use super::loops::Loop;
use super::set::Set;
use super::vector::Vector;

/// Steps that lie together in the destination, each made of units that do so too, and of padding behind them if
/// there is some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shuffle {
    /// The bytes of a unit: 1, 2, 4 or 8.
    pub(crate) unit: usize,
    /// The units of a step, slowest first.
    pub(crate) inner: [Loop; 2],
    pub(crate) steps: Loop,
    /// Eight bytes that repeat in the padding of a step.
    pub(crate) fill: u64,
}

/// Whether vectors look up here; of x86-64 those of AVX2 do, which are asked for when the program runs or compiles.
pub(crate) const LOOKS_UP: bool = cfg!(any(
    all(
        target_arch = "x86_64",
        target_feature = "sse2",
        any(feature = "std", target_feature = "avx2")
    ),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128"),
));

impl Shuffle {
    /// The bytes of a step in the destination.
    pub(crate) const fn step(&self) -> usize {
        self.steps.destination as usize
    }

    /// The bytes of all steps.
    pub(crate) const fn bytes(&self) -> usize {
        self.steps.size * self.step()
    }

    /// How many bytes of the destination a vector of one lane brings, out of how many parts; none where nothing
    /// looks up, too many parts were needed, or all steps are the same: their source may be shorter than a vector.
    pub(crate) const fn gain(&self) -> Option<(usize, usize)> {
        let may = LOOKS_UP && self.steps.source != 0;
        let look_ups = if may { LookUps::of(self, 16) } else { LookUps::NONE };
        if look_ups.parts == 0 {
            return None;
        }
        Some((look_ups.steps * self.step(), look_ups.parts))
    }

    /// The shuffle whose steps are those of this one and `next`, the loop around it: where they follow one another in
    /// the destination, and one vector of the longest takes all of this one out of few parts.
    pub(super) const fn with(&self, next: &Loop) -> Option<Self> {
        let Self { unit, inner: [slow, fast], steps, fill } = *self;
        let follow = next.destination == self.bytes() as isize && slow.size == 1 && !self.pads();
        let reach = (steps.size - 1) * steps.source.unsigned_abs() + look_ups::span(self);
        let is_one = self.bytes() <= LONGEST && reach <= 3 * LONGEST;
        if !follow || !is_one || next.size == 1 || next.source == 0 {
            return None;
        }
        Some(Self { unit, inner: [steps, fast], steps: *next, fill })
    }

    /// The bytes of a step that are moved; what is behind them is padding.
    pub(crate) const fn moved(&self) -> usize {
        let [a, b] = self.inner;
        a.size * b.size * self.unit
    }

    /// Whether steps end with padding.
    pub(crate) const fn pads(&self) -> bool {
        self.moved() < self.step()
    }
}

/// Moves steps unit by unit.
///
/// # Safety
/// The units of the steps are readable at `from`, all their bytes writable at `to`, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn by_unit<S: Set, const UNIT: usize>(
    shuffle: &Shuffle,
    steps: usize,
    from: *const u8,
    to: *mut u8,
) {
    let [slow, fast] = shuffle.inner;
    for step in 0..steps as isize {
        let from = from.wrapping_offset(step * shuffle.steps.source);
        let to = to.wrapping_offset(step * shuffle.steps.destination);
        for i in 0..slow.size as isize {
            let from = from.wrapping_offset(i * slow.source);
            let to = to.wrapping_offset(i * slow.destination);
            // SAFETY: units of the step, by the caller's promise.
            unsafe { S::strided::<UNIT>(fast, from, to) };
        }
        for byte in shuffle.moved()..shuffle.step() {
            // SAFETY: padding of the step, which is writable too.
            unsafe { *to.wrapping_add(byte) = shuffle.fill.to_ne_bytes()[byte % 8] };
        }
    }
}

/// [`by_unit`] as a function of its own, for the compiler prepares each of its loops for every run.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn units<S: Set, const UNIT: usize>(
    shuffle: &Shuffle,
    steps: usize,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the caller's promise.
    unsafe { by_unit::<S, UNIT>(shuffle, steps, from, to) }
}

/// Moves some steps, as [`by_unit`] does.
///
/// # Safety
/// As there.
pub(super) type Units = unsafe fn(&Shuffle, usize, *const u8, *mut u8);

/// Only what is not looked up depends on the unit.
#[inline(always)]
pub(super) const fn units_of<S: Set>(shuffle: &Shuffle) -> Units {
    match shuffle.unit {
        1 => units::<S, 1>,
        2 => units::<S, 2>,
        4 => units::<S, 4>,
        _ => units::<S, 8>,
    }
}

/// Moves all steps, as many at once as a vector takes.
///
/// # Safety
/// As [`units`], for all steps; the units lie in `readable`, all of which is readable; and the look-ups are those
/// of the shuffle for vectors of `V`'s mixer.
#[inline(always)]
pub(super) unsafe fn shuffle<V: Vector>(
    shuffle: &Shuffle,
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
                    vectors::<V::Mixer, $parts>(shuffle, look_ups, readable, from, to)
                },)*
                // SAFETY: as above.
                _ => unsafe { units_of::<V>(shuffle)(shuffle, shuffle.steps.size, from, to) },
            }
        };
    }
    by_parts!(1 2 3 4 5 6)
}

/// # Safety
/// As [`shuffle`], for look-ups in so many parts, and `V` mixes.
#[inline(always)]
unsafe fn vectors<V: Vector, const COUNT: usize>(
    shuffle: &Shuffle,
    look_ups: &LookUps,
    readable: Range<*const u8>,
    source: *const u8,
    destination: *mut u8,
) {
    let LookUps { steps: each, offsets, ref tables, .. } = *look_ups;
    let Loop { size, source: from_step, destination: to_step } = shuffle.steps;
    debug_assert!((1..=size).contains(&each), "{each} of {size} steps");
    macro_rules! table {
        ($part:literal) => {
            // SAFETY: a table is as long as the longest vector.
            unsafe { V::load(tables[$part].as_ptr()) }
        };
    }
    let tables = [table!(0), table!(1), table!(2), table!(3), table!(4), table!(5)];
    // SAFETY: as above.
    let padding = unsafe { V::load(look_ups.padding.as_ptr()) };
    // How much is readable from where the last part of the vector of these steps begins: at a byte of one of them,
    // which lies before the end, and behind where the other parts begin. A difference, because a buffer may lie at
    // either end of the address space.
    macro_rules! rest {
        ($step:expr) => {{
            let last = $step as isize * from_step + offsets[COUNT - 1];
            readable.end as usize - source.wrapping_offset(last) as usize
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
            let (mut from, mut to) = places!(step);
            while step < whole {
                debug_assert!(rest!(step) >= V::BYTES, "{} bytes from {from:?} on", rest!(step));
                // SAFETY: a vector is readable at the last part, and so at all others: those of the first of these
                // steps and of the last were found to be.
                let v = unsafe { looked_up::<V, COUNT>(tables, padding, offsets, from) };
                // SAFETY: so many bytes of the steps are left before those from `whole` on, as `LookUps` counts.
                unsafe { v.store(to) };
                from = from.wrapping_offset(each as isize * from_step);
                to = to.wrapping_offset(each as isize * to_step);
                step += each;
            }
            continue;
        }
        // The last vector overlaps the one before it.
        let first = step.min(size - each);
        let (from, to) = places!(first);
        if rest!(first) >= V::BYTES {
            // SAFETY: a vector is readable at the last part, and so at all others.
            let v = unsafe { looked_up::<V, COUNT>(tables, padding, offsets, from) };
            // SAFETY: the bytes of these steps, at most those of a vector.
            unsafe { store_in_part(v, to, each * to_step as usize) };
        } else {
            // SAFETY: some of the steps.
            unsafe { units_of::<V>(shuffle)(shuffle, each, from, to) };
        }
        step += each;
    }
}

/// # Safety
/// A vector is readable at each of `COUNT` offsets from the pointer, and `V` mixes.
#[inline(always)]
unsafe fn looked_up<V: Vector, const COUNT: usize>(
    tables: [V; PARTS],
    padding: V,
    offsets: [isize; PARTS],
    from: *const u8,
) -> V {
    macro_rules! part {
        ($part:literal) => {{
            // SAFETY: the caller's promise.
            let v = unsafe { V::load(from.wrapping_offset(offsets[$part])) };
            // SAFETY: as above.
            unsafe { v.looked_up(tables[$part]) }
        }};
    }
    let mut v = padding;
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

/// A function of its own, as [`units`].
///
/// # Safety
/// So many writable bytes at the pointer, at most as many as there are.
#[inline(never)]
unsafe fn copy_in_part<L: Vector>(from: &[u8; LONGEST], to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise; `L` is one lane, whose loads and stores every CPU of its architecture has.
    unsafe { copy::copy::<L>(from.as_ptr(), to, bytes, false) }
}
