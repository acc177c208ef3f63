//! What touches memory: jobs, the kernels that run them on each set of CPU features, and all unsafe
//! code of the crate.

/// Whether the CPU has all these features: asked at run time with `std`, known at compile time without.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let detected = $(std::arch::is_x86_feature_detected!($feature))&&+;
        #[cfg(not(feature = "std"))]
        let detected = cfg!(all($(target_feature = $feature),+));
        detected
    }};
}

/// The bytes of a line of the caches.
pub const LINE: usize = 64;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
mod avx512;
mod column_groups;
mod convert;
mod copy;
mod dispatch;
mod interleave;
mod job;
mod job_runs;
mod known;
mod look_ups;
mod loops;
mod matrix;
mod narrow;
mod nibble;
mod offsets;
mod pad;
#[cfg(feature = "rayon")]
mod parallel;
mod portable;
mod set;
mod shuffle;
mod shuffle_vectors;
mod sixteen;
mod squares;
mod stacks;
mod staged;
mod stores;
mod streamed;
mod tile;
mod transpose;
mod vector;
mod vendor;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
mod words;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

pub use convert::{Convert, Converter, Named, PERIOD, Runs, best as converter, sets as converters};
pub use dispatch::run_known;
#[cfg(test)]
pub(crate) use dispatch::{names, run_known_named, run_named};
pub use job::Job;
pub(crate) use job::Kernel;
pub use known::KnownJob;
pub use loops::Loop;
pub(crate) use narrow::lanes_are_columns;
pub(crate) use pad::Pad;
#[cfg(test)]
pub(crate) use shuffle::LOOKS_UP;
pub(crate) use shuffle::Shuffle;
pub use stores::Stores;
#[cfg(test)]
pub(crate) use vendor::pretending;
