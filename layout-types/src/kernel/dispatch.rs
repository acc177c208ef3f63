//! Which kernels run where: asked once for each job, and in one place.

use super::job::{Job, Kernel, copies, deinterleaves, groups, interleaves, strided, transposes};

/// Runs a job whose kernel it is.
///
/// # Safety
/// As [`Job::run`], and a CPU that has the features of the set that it is from.
type Entry = unsafe fn(&Job, &[u8], *mut u8);

/// The kernels for one set of CPU features, by the binary logarithm of the unit.
struct Kernels {
    copies: Entry,
    transposes: [Entry; 5],
    groups: [Entry; 5],
    interleaves: [Entry; 3],
    deinterleaves: [Entry; 3],
    strided: [Entry; 5],
}

/// A set of kernels with vectors of one type, each a function of its own that has the features.
macro_rules! kernels {
    ($(#[$attribute:meta])* $vector:ty) => {{
        macro_rules! entry {
            ($run:expr) => {{
                $(#[$attribute])*
                unsafe fn entry(job: &Job, source: &[u8], destination: *mut u8) {
                    // SAFETY: the caller's promise; this function has the features.
                    unsafe { $run(job, source, destination) }
                }
                entry as Entry
            }};
        }
        Kernels {
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
                entry!(strided::<1>),
                entry!(strided::<2>),
                entry!(strided::<4>),
                entry!(strided::<8>),
                entry!(strided::<16>),
            ],
        }
    }};
}

/// The sets of this architecture, the best last, each with its name and whether the CPU has it.
mod sets {
    use super::super::portable::Bytes;
    use super::*;

    static PORTABLE: Kernels = kernels!(Bytes);

    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    pub(super) fn all() -> [(&'static str, bool, &'static Kernels); 1] {
        [("portable", true, &PORTABLE)]
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    mod x86_64 {
        use super::super::super::x86_64::{V128, V256};
        use super::*;

        pub(super) static SSE2: Kernels = kernels!(V128);
        pub(super) static AVX2: Kernels = kernels!(
            #[target_feature(enable = "avx2")]
            V256
        );
    }

    /// These need Rust 1.89, which feature `std` asks for.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    mod avx512 {
        use super::super::super::avx512::{V512, V512Vbmi};
        use super::*;

        pub(super) static AVX512: Kernels = kernels!(
            #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
            V512
        );
        pub(super) static VBMI: Kernels = kernels!(
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
            V512Vbmi
        );
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(feature = "std")))]
    pub(super) fn all() -> [(&'static str, bool, &'static Kernels); 3] {
        [
            ("portable", true, &PORTABLE),
            ("sse2", true, &x86_64::SSE2),
            ("avx2", detected!("avx2"), &x86_64::AVX2),
        ]
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    pub(super) fn all() -> [(&'static str, bool, &'static Kernels); 5] {
        let avx512 = detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl");
        [
            ("portable", true, &PORTABLE),
            ("sse2", true, &x86_64::SSE2),
            ("avx2", detected!("avx2"), &x86_64::AVX2),
            ("avx512", avx512, &avx512::AVX512),
            ("vbmi", avx512 && detected!("avx512vbmi"), &avx512::VBMI),
        ]
    }
}

impl Job {
    /// Runs the job with the best kernels that the CPU has.
    ///
    /// # Safety
    /// Every unit of the job is readable in `source` and writable in `destination`: it
    /// [`fits`](Self::fits) their lengths.
    pub(crate) unsafe fn run(&self, source: &[u8], destination: &mut [u8]) {
        debug_assert!(
            self.fits(source.len(), destination.len()),
            "{self:?} leaves buffers of {} and {} bytes",
            source.len(),
            destination.len(),
        );
        let all = sets::all();
        let mut best = all[0].2;
        for (_, there, kernels) in all {
            if there {
                best = kernels;
            }
        }
        // SAFETY: the caller's promise; the CPU has the features of this set.
        unsafe { best.run(self, source, destination.as_mut_ptr()) }
    }
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

/// Every set by name, for tests that force one after the other.
#[cfg(test)]
pub(crate) fn names() -> std::vec::Vec<(&'static str, bool)> {
    sets::all().map(|(name, there, _)| (name, there)).to_vec()
}

/// Runs `job` with the set of that name.
///
/// # Safety
/// As [`Job::run`], and the CPU has the features of the set.
#[cfg(test)]
pub(crate) unsafe fn run_named(name: &str, job: &Job, source: &[u8], destination: &mut [u8]) {
    let all = sets::all();
    let (.., kernels) = all.iter().find(|set| set.0 == name).expect("a set of that name");
    // SAFETY: the caller's promise.
    unsafe { kernels.run(job, source, destination.as_mut_ptr()) }
}
