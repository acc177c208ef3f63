//! Shuffles: steps that lie one after the other in the destination and near each other in the source.

use super::look_ups::{self, LONGEST, LookUps};
use super::loops::Loop;
use super::set::Set;

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

/// [`by_unit`] as a function of its own, for the compiler prepares each of its loops for every run. The longer loop is
/// the inner one.
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
    let [slow, fast] = shuffle.inner;
    let turned;
    let (shuffle, steps) = if steps > fast.size && slow.size == 1 && !shuffle.pads() {
        let all = Loop { size: steps, ..shuffle.steps };
        turned = Shuffle { inner: [Loop::ONCE, all], steps: fast, ..*shuffle };
        (&turned, fast.size)
    } else {
        (shuffle, steps)
    };
    // SAFETY: the caller's promise, in any order.
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

/// Moves all steps of so many runs unit by unit.
///
/// # Safety
/// As [`units`], for all steps of each run.
#[inline(always)]
pub(super) unsafe fn runs_by_unit<S: Set>(
    shuffle: &Shuffle,
    runs: Loop,
    from: *const u8,
    to: *mut u8,
) {
    let units = units_of::<S>(shuffle);
    for run in 0..runs.size as isize {
        let from = from.wrapping_offset(run * runs.source);
        let to = to.wrapping_offset(run * runs.destination);
        // SAFETY: the steps of a run.
        unsafe { units(shuffle, shuffle.steps.size, from, to) };
    }
}
