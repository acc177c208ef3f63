//! Which kernels run where: one table of sets, and the best of them chosen in one place.

use super::job::{Code, Job};
use super::job_runs::{
    copies, deinterleaves, few_columns, few_rows, grouped_columns, interleaves, nibbles, pads,
    shuffles, squares, staged_tiles, strided, strided_nibbles, tiles, units,
};
use super::known::{self, KnownJob};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::look_ups::LookUps;
use super::offsets::Even;
use super::set::Set;

/// Runs a job whose kernel it is.
///
/// # Safety
/// As [`Job::run`], and a CPU that has the features of the set that it is from.
type Entry = unsafe fn(&Job, &[u8], *mut u8);

/// Runs a job that is known at compile time.
///
/// # Safety
/// As [`Entry`].
type KnownEntry = unsafe fn(&[u8], *mut u8);

/// The kernels for one set of CPU features.
struct Kernels {
    #[cfg(test)]
    name: &'static str,
    /// The bytes of a vector, or of a word.
    bytes: usize,
    /// `None` where those of the set before are as good.
    common: Option<Common>,
    /// By the binary logarithm of the unit.
    interleaves: [Entry; 3],
    deinterleaves: [Entry; 3],
    /// `None` where those of the set before are as good.
    shuffles: Option<Entry>,
}

/// Kernels that need nothing but tiles.
struct Common {
    copies: Entry,
    nibbles: Entry,
    strided_nibbles: Entry,
    pads: Entry,
    /// By the binary logarithm of the unit, as all the following.
    strided: [Entry; 5],
    tiles: Tiles,
    /// Those that [want staging](Job::wants_staging); `None` where vectors are too short for it.
    staged: Option<Staged>,
    /// Of less than 8 bytes, as few columns are that are less than a lane.
    grouped_columns: [Entry; 3],
    few_columns: [Entry; 5],
    few_rows: [Entry; 5],
    units: [Entry; 5],
}

/// Kernels that stage tiles.
struct Staged {
    tiles: Tiles,
    /// Those of [squares](Job::is_of_squares), of 8 bytes or less.
    squares: [Entry; 4],
}

/// Kernels of tiles, whose rows are evenly spaced or in groups.
struct Tiles {
    even: [Entry; 5],
    groups: [Entry; 5],
}

/// Functions of their own, which have the features.
macro_rules! entries {
    ([$feature:tt] $($name:ident($job:ident, $from:ident, $to:ident) => $run:expr;)*) => {$(
        #[target_feature(enable = $feature)]
        unsafe fn $name<const UNIT: usize>($job: &Job, $from: &[u8], $to: *mut u8) {
            // SAFETY: the caller's promise; this function has the features.
            unsafe { $run }
        }
    )*};
    ([] $($name:ident($job:ident, $from:ident, $to:ident) => $run:expr;)*) => {$(
        unsafe fn $name<const UNIT: usize>($job: &Job, $from: &[u8], $to: *mut u8) {
            // SAFETY: the caller's promise; the set takes no features.
            unsafe { $run }
        }
    )*};
}

/// One function for each unit.
macro_rules! by_unit {
    ($name:ident) => {
        [$name::<1>, $name::<2>, $name::<4>, $name::<8>, $name::<16>]
    };
}

/// [`Kernels::common`] of the set `S`.
macro_rules! common {
    (own $features:tt) => {{
        entries! {
            $features
            copy(job, from, to) => copies::<S, false>(job, from, to);
            nibble(job, from, to) => nibbles::<S, UNIT, false>(job, from, to);
            stride_nibble(job, from, to) => strided_nibbles(job, from, to);
            pad(job, from, to) => pads::<S>(job, from, to);
            stride(job, from, to) => strided::<S, UNIT>(job, from, to);
            tile(job, from, to) => tiles::<S, UNIT, false>(job, Even(job.rows().stride), from, to);
            group(job, from, to) => tiles::<S, UNIT, false>(job, &job.table(<S as Set>::BYTES), from, to);
            staged_tile(job, from, to) => staged_tiles::<S, UNIT, false>(job, Even(job.rows().stride), from, to);
            staged_group(job, from, to) => staged_tiles::<S, UNIT, false>(job, &job.table(<S as Set>::BYTES), from, to);
            square(job, from, to) => squares::<S, UNIT, false>(job, from, to);
            grouped_column(job, from, to) => grouped_columns::<S, UNIT, false>(job, from, to);
            few_column(job, from, to) => few_columns::<S, UNIT, false>(job, &job.table(<S as Set>::BYTES), from, to);
            few_row(job, from, to) => few_rows::<S, UNIT, false>(job, &job.table(16), from, to);
            unit(job, from, to) => units::<S, UNIT, false>(job, from, to);
        }
        Some(Common {
            copies: copy::<1>,
            nibbles: nibble::<1>,
            strided_nibbles: stride_nibble::<1>,
            pads: pad::<1>,
            strided: by_unit!(stride),
            tiles: Tiles { even: by_unit!(tile), groups: by_unit!(group) },
            staged: if <S as Set>::BYTES > 16 {
                let tiles = Tiles { even: by_unit!(staged_tile), groups: by_unit!(staged_group) };
                Some(Staged { tiles, squares: [square::<1>, square::<2>, square::<4>, square::<8>] })
            } else {
                None
            },
            grouped_columns: [grouped_column::<1>, grouped_column::<2>, grouped_column::<4>],
            few_columns: by_unit!(few_column),
            few_rows: by_unit!(few_row),
            units: by_unit!(unit),
        })
    }};
    (inherited $features:tt) => {
        None
    };
}

/// [`Kernels::shuffles`] of the set `S` of that name.
macro_rules! shuffles {
    (sse2 $features:tt) => {
        Some(shuffle_without_avx2)
    };
    ($name:ident $features:tt) => {{
        entries! {
            $features
            shuffle(job, from, to) =>
                shuffles::<S>(job, &job.look_ups_now(<S as Set>::LOOKS_UP), from, to);
        }
        // Those of 64 bytes that look up in lanes do as those of 32.
        if <S as Set>::BYTES > 32 && <S as Set>::LOOKS_UP < <S as Set>::BYTES {
            None
        } else {
            Some(shuffle::<1>)
        }
    }};
}

/// The shuffles of CPUs without AVX2, which have SSSE3 or look up nothing. No other kernels gain as much by it, so it
/// makes no set.
///
/// # Safety
/// As [`Job::run`].
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
unsafe fn shuffle_without_avx2(job: &Job, source: &[u8], destination: *mut u8) {
    use super::x86_64::{V128, V128Ssse3};
    entries! {
        ["ssse3"]
        look_up(job, from, to) => shuffles::<V128Ssse3>(job, &job.look_ups_now(16), from, to);
    }
    if detected!("ssse3") {
        // SAFETY: the caller's promise; the CPU has SSSE3.
        unsafe { look_up::<1>(job, source, destination) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { shuffles::<V128>(job, &LookUps::NONE, source, destination) }
    }
}

/// The sets, the best last: name, what has its kernels, whether it has common kernels of its own, the features that
/// its functions enable, and whether the CPU has them. Each kernel is a function of its own that has the features.
macro_rules! sets {
    ($(
        $(#[$there_if:meta])? $name:ident: $set:ty, $common:ident, [$($feature:tt)?], $there:expr;
    )*) => {
        /// How many sets there are for this architecture.
        const COUNT: usize = [$($(#[$there_if])? stringify!($name)),*].len();

        static SETS: [Kernels; COUNT] = [$($(#[$there_if])? {
            type S = $set;
            entries! {
                [$($feature)?]
                interleave(job, from, to) => interleaves::<S, UNIT, false>(job, from, to);
                deinterleave(job, from, to) => deinterleaves::<S, UNIT, false>(job, from, to);
            }
            Kernels {
                #[cfg(test)]
                name: stringify!($name),
                bytes: <S as Set>::BYTES,
                common: common!($common [$($feature)?]),
                interleaves: [interleave::<1>, interleave::<2>, interleave::<4>],
                deinterleaves: [deinterleave::<1>, deinterleave::<2>, deinterleave::<4>],
                shuffles: shuffles!($name [$($feature)?]),
            }
        }),*];

        /// Which of the sets the CPU has.
        fn there() -> [bool; COUNT] {
            [$($(#[$there_if])? { $there }),*]
        }

        /// What runs a job that is known at compile time, set by set.
        const fn known_entries<J: KnownJob>() -> [KnownEntry; COUNT] {
            [$($(#[$there_if])? {
                $(#[target_feature(enable = $feature)])?
                unsafe fn entry<J: KnownJob>(source: &[u8], destination: *mut u8) {
                    // SAFETY: the caller's promise; this function has the features.
                    unsafe { known::run::<J, $set>(source, destination) }
                }
                entry::<J> as KnownEntry
            }),*]
        }
    };
}

sets! {
    #[cfg(any(test, not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
        any(target_arch = "arm", target_arch = "mips", target_arch = "wasm32"),
        any(target_arch = "riscv32", target_arch = "riscv64"),
    ))))]
    portable: super::portable::Bytes, own, [], true;

    #[cfg(any(test, all(
        any(
            any(target_arch = "arm", target_arch = "mips", target_arch = "wasm32"),
            any(target_arch = "riscv32", target_arch = "riscv64"),
        ),
        not(target_feature = "simd128"),
    )))]
    words: super::words::Words<{ super::words::ANYWHERE }>, own, [], true;

    // What other CPUs make of words.
    #[cfg(test)]
    words_elsewhere: super::words::Words<{ !super::words::ANYWHERE }>, own, [], true;

    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    neon: super::aarch64::V128, own, [], true;

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128: super::wasm32::V128, own, [], true;

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    sse2: super::x86_64::V128, own, [], true;

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    avx2: super::x86_64::V256, own, ["avx2"], detected!("avx2");

    // AVX-512 needs Rust 1.89, which feature `std` asks for.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    avx512: super::avx512::V512, own, ["avx512f,avx512bw,avx512vl"],
        detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl");

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    vbmi: super::avx512::V512Vbmi, inherited, ["avx512f,avx512bw,avx512vl,avx512vbmi"],
        detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl")
            && detected!("avx512vbmi");
}

/// The best set that the CPU has; the first is always there.
#[inline(always)]
fn best() -> usize {
    #[cfg(feature = "std")]
    {
        use core::sync::atomic::{AtomicUsize, Ordering};

        /// No set, until the CPU was asked, by one thread or by several: they find the same.
        static BEST: AtomicUsize = AtomicUsize::new(COUNT);

        #[cold]
        #[inline(never)]
        fn ask() -> usize {
            let best = last_there();
            BEST.store(best, Ordering::Relaxed);
            best
        }

        // That it is a set is asked but once, here and where the set is taken.
        let best = BEST.load(Ordering::Relaxed);
        if best < COUNT { best } else { ask() }
    }
    #[cfg(not(feature = "std"))]
    last_there()
}

#[inline(always)]
fn last_there() -> usize {
    let mut best = 0;
    for (set, there) in there().into_iter().enumerate() {
        if there {
            best = set;
        }
    }
    best
}

impl Job {
    /// Runs the job with the best kernels that the CPU has.
    ///
    /// # Safety
    /// [`Stores::finish`](super::Stores::finish) of the job's stores is called before anything else touches its
    /// places. Every unit of the job is readable in `source` and writable in `destination`: it
    /// `fits` their lengths. No two of them share a place in the destination.
    pub unsafe fn run(&self, source: &[u8], destination: &mut [u8]) {
        // SAFETY: the caller's promise.
        unsafe { self.run_at(source, destination.as_mut_ptr(), destination.len()) }
    }

    /// [`run`](Self::run) for a destination of which other threads write other bytes.
    ///
    /// # Safety
    /// As there, and nothing else touches the places of the job's units meanwhile.
    pub(super) unsafe fn run_at(&self, source: &[u8], destination: *mut u8, length: usize) {
        self.debug_assert_fits(source.len(), length);
        // SAFETY: the caller's promise; the CPU has the features of the best set.
        unsafe { run_with(best(), self, source, destination) }
    }

    fn debug_assert_fits(&self, source: usize, destination: usize) {
        debug_assert!(
            self.fits(source, destination),
            "{self:?} leaves buffers of {source} and {destination} bytes",
        );
    }
}

/// [`Job::run`] for a job that is known at compile time: a small one becomes code of its own.
///
/// # Safety
/// As there.
#[inline]
pub unsafe fn run_known<J: KnownJob>(source: &[u8], destination: &mut [u8]) {
    const { &J::JOB }.debug_assert_fits(source.len(), destination.len());
    if const { COUNT > 1 && !known::is_small(&J::JOB) } {
        // SAFETY: the caller's promise.
        return unsafe { const { &J::JOB }.run(source, destination) };
    }
    // Indexing would bring a panic along.
    let Some(entry) = const { &known_entries::<J>() }.get(best()) else {
        debug_assert!(false, "no such set: {}", best());
        return;
    };
    // SAFETY: the caller's promise; the CPU has the features of the best set.
    unsafe { entry(source, destination.as_mut_ptr()) }
}

/// Runs `job` with the kernels of a set, or of an earlier one whose vectors are not too long for it.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of the set, and so of all earlier ones.
unsafe fn run_with(set: usize, job: &Job, source: &[u8], destination: *mut u8) {
    let longest = job.longest_vector();
    let fits = |set: &&Kernels| set.bytes <= 16 || set.bytes <= longest;
    let mut sets = SETS.iter().take(set + 1).rev().filter(fits);
    let unit = job.unit.trailing_zeros() as usize;
    let code = job.code();
    let of_unit = |entries: &[Entry]| entries.get(unit).copied();
    let entry = match code {
        Code::Interleaves => sets.next().and_then(|set| of_unit(&set.interleaves)),
        Code::Deinterleaves => sets.next().and_then(|set| of_unit(&set.deinterleaves)),
        Code::Shuffles => {
            let shuffles = sets.find_map(|set| Some((set.shuffles?, set.bytes)));
            if let Some((entry, bytes)) = shuffles {
                if let Some(longer) = job.of_longer_steps(bytes) {
                    // SAFETY: the caller's promise, for it moves the same units.
                    return unsafe { entry(&longer, source, destination) };
                }
            }
            shuffles.map(|(entry, _)| entry)
        }
        _ => sets.find_map(|set| set.common.as_ref()).and_then(|common| match code {
            Code::Copies => Some(common.copies),
            Code::Nibbles => Some(common.nibbles),
            Code::StridedNibbles => Some(common.strided_nibbles),
            Code::Pads => Some(common.pads),
            Code::Strided => of_unit(&common.strided),
            Code::Tiles | Code::GroupTiles => {
                let is_group = matches!(code, Code::GroupTiles);
                let staged = common.staged.as_ref().filter(|_| job.wants_staging(source));
                match staged {
                    Some(staged) if job.is_of_squares(source) => of_unit(&staged.squares),
                    _ => {
                        let tiles = staged.map_or(&common.tiles, |staged| &staged.tiles);
                        of_unit(if is_group { &tiles.groups } else { &tiles.even })
                    }
                }
            }
            Code::ColumnGroups => of_unit(&common.grouped_columns),
            Code::FewColumns => of_unit(&common.few_columns),
            Code::FewRows => of_unit(&common.few_rows),
            Code::Units | Code::Interleaves | Code::Deinterleaves | Code::Shuffles => {
                of_unit(&common.units)
            }
        }),
    };
    // There always is one: the first set has vectors of 16 bytes or less, and units are 1 to 16 bytes,
    // 1 to 4 of those that take turns. What could panic would bring its messages into firmware.
    let Some(entry) = entry else {
        debug_assert!(false, "no kernel for {job:?}");
        return;
    };
    // SAFETY: the caller's promise.
    unsafe { entry(job, source, destination) }
}

/// Every set by name, for tests that force one after the other, and whether the CPU has it.
#[cfg(test)]
pub(crate) fn names() -> std::vec::Vec<(&'static str, bool)> {
    SETS.iter().map(|set| set.name).zip(there()).collect()
}

/// Runs `job` with the set of that name.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of the set.
#[cfg(test)]
pub(crate) unsafe fn run_named(name: &str, job: &Job, source: &[u8], destination: &mut [u8]) {
    let set = SETS.iter().position(|set| set.name == name).expect("a set of that name");
    // SAFETY: the caller's promise.
    unsafe { run_with(set, job, source, destination.as_mut_ptr()) }
}

/// Runs a job that is known at compile time with the set of that name.
///
/// # Safety
/// As [`run_named`].
#[cfg(test)]
pub(crate) unsafe fn run_known_named<J: KnownJob>(
    name: &str,
    source: &[u8],
    destination: &mut [u8],
) {
    let set = SETS.iter().position(|set| set.name == name).expect("a set of that name");
    // SAFETY: the caller's promise.
    unsafe { known_entries::<J>()[set](source, destination.as_mut_ptr()) }
}
