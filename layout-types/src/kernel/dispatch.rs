//! Which kernels run where: one table of sets, and the best of them chosen in one place.

use super::job::{Job, Kernel, copies, deinterleaves, groups, interleaves, strided, transposes};
use super::known::{self, KnownJob};

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

/// The kernels for one set of CPU features, by the binary logarithm of the unit.
struct Kernels {
    #[cfg(test)]
    name: &'static str,
    copies: Entry,
    transposes: [Entry; 5],
    groups: [Entry; 5],
    interleaves: [Entry; 3],
    deinterleaves: [Entry; 3],
    strided: [Entry; 5],
}

/// The sets, the best last: name, vector, the features that its functions enable, and whether the
/// CPU has them. Each kernel is a function of its own that has the features.
macro_rules! sets {
    ($(
        $(#[$there_if:meta])? $name:ident: $vector:ty, [$($feature:tt)?], $there:expr;
    )*) => {
        /// How many sets there are for this architecture.
        const COUNT: usize = [$($(#[$there_if])? stringify!($name)),*].len();

        static SETS: [Kernels; COUNT] = [$($(#[$there_if])? {
            macro_rules! entry {
                ($run:expr) => {{
                    $(#[target_feature(enable = $feature)])?
                    unsafe fn entry(job: &Job, source: &[u8], destination: *mut u8) {
                        // SAFETY: the caller's promise; this function has the features.
                        unsafe { $run(job, source, destination) }
                    }
                    entry as Entry
                }};
            }
            Kernels {
                #[cfg(test)]
                name: stringify!($name),
                copies: entry!(copies::<$vector>),
                transposes: [
                    entry!(transposes::<$vector, 1>),
                    entry!(transposes::<$vector, 2>),
                    entry!(transposes::<$vector, 4>),
                    entry!(transposes::<$vector, 8>),
                    entry!(transposes::<$vector, 16>),
                ],
                groups: [
                    entry!(groups::<$vector, 1>),
                    entry!(groups::<$vector, 2>),
                    entry!(groups::<$vector, 4>),
                    entry!(groups::<$vector, 8>),
                    entry!(groups::<$vector, 16>),
                ],
                interleaves: [
                    entry!(interleaves::<$vector, 1>),
                    entry!(interleaves::<$vector, 2>),
                    entry!(interleaves::<$vector, 4>),
                ],
                deinterleaves: [
                    entry!(deinterleaves::<$vector, 1>),
                    entry!(deinterleaves::<$vector, 2>),
                    entry!(deinterleaves::<$vector, 4>),
                ],
                strided: [
                    entry!(strided::<$vector, 1>),
                    entry!(strided::<$vector, 2>),
                    entry!(strided::<$vector, 4>),
                    entry!(strided::<$vector, 8>),
                    entry!(strided::<$vector, 16>),
                ],
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
                    unsafe { known::run::<J, $vector>(source, destination) }
                }
                entry::<J> as KnownEntry
            }),*]
        }
    };
}

sets! {
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
    portable: super::portable::Bytes, [], true;

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    sse2: super::x86_64::V128, [], true;

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    avx2: super::x86_64::V256, ["avx2"], detected!("avx2");

    // AVX-512 needs Rust 1.89, which feature `std` asks for.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    avx512: super::avx512::V512, ["avx512f,avx512bw,avx512vl"],
        detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl");

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    vbmi: super::avx512::V512Vbmi, ["avx512f,avx512bw,avx512vl,avx512vbmi"],
        detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl")
            && detected!("avx512vbmi");
}

/// The best set that the CPU has; the first is always there.
#[inline(always)]
fn best() -> usize {
    #[cfg(feature = "std")]
    {
        static BEST: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        *BEST.get_or_init(last_there)
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
    /// Every unit of the job is readable in `source` and writable in `destination`: it
    /// [`fits`](Self::fits) their lengths.
    pub(crate) unsafe fn run(&self, source: &[u8], destination: &mut [u8]) {
        self.debug_assert_fits(source, destination);
        // SAFETY: the caller's promise; the CPU has the features of the best set.
        unsafe { SETS[best()].run(self, source, destination.as_mut_ptr()) }
    }

    fn debug_assert_fits(&self, source: &[u8], destination: &[u8]) {
        debug_assert!(
            self.fits(source.len(), destination.len()),
            "{self:?} leaves buffers of {} and {} bytes",
            source.len(),
            destination.len(),
        );
    }
}

/// [`Job::run`] for a job that is known at compile time: a small one becomes code of its own.
///
/// # Safety
/// As there.
#[inline]
pub(crate) unsafe fn run_known<J: KnownJob>(source: &[u8], destination: &mut [u8]) {
    const { &J::JOB }.debug_assert_fits(source, destination);
    if COUNT > 1 && !const { known::is_small(&J::JOB) } {
        // SAFETY: the caller's promise.
        return unsafe { const { &J::JOB }.run(source, destination) };
    }
    let entries = const { &known_entries::<J>() };
    // SAFETY: the caller's promise; the CPU has the features of the best set.
    unsafe { entries[best()](source, destination.as_mut_ptr()) }
}

impl Kernels {
    /// Runs `job`.
    ///
    /// # Safety
    /// As [`Job::run`], and the CPU has the features of this set.
    unsafe fn run(&self, job: &Job, source: &[u8], destination: *mut u8) {
        let unit = job.unit.trailing_zeros() as usize;
        let entry = match job.kernel {
            Kernel::Copy(_) => self.copies,
            Kernel::Transpose { .. } => self.transposes[unit],
            Kernel::Groups { .. } => self.groups[unit],
            Kernel::Interleave { .. } => self.interleaves[unit],
            Kernel::Deinterleave { .. } => self.deinterleaves[unit],
            Kernel::Strided(_) => self.strided[unit],
        };
        // SAFETY: the caller's promise.
        unsafe { entry(job, source, destination) }
    }
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
    let set = SETS.iter().find(|set| set.name == name).expect("a set of that name");
    // SAFETY: the caller's promise.
    unsafe { set.run(job, source, destination.as_mut_ptr()) }
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
