//! How much of a thread's stack the library takes: `cargo test --package stacks`, and with `--release`.
//!
//! - `calls` has what the guide and the recipes call, with images of 224 x 224 and 640 x 640.
//! - `random` searches plans between random layouts for those that take the most. `SEED=7 CASES=1000` searches elsewhere
//!   and longer.
//!
//! `-- --nocapture` prints what each takes.

mod calls;

mod depth;

mod random;

/// The most bytes in a release build, and in a debug build: of this workspace, which optimizes layout-core and
/// layout-kernels a little, and of a user, which does not. `.ci/run` measures both.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    release: usize,
    debug: usize,
}

impl Limit {
    /// What makes and runs conversions, and makes layouts, views and plans.
    pub(crate) const CONVERT: Self = Self { release: 48 << 10, debug: 96 << 10 };

    /// What plans each pass of a conversion when it runs.
    pub(crate) const PASS_BY_PASS: Self = Self { release: 64 << 10, debug: 96 << 10 };

    /// What moves tensors in place.
    pub(crate) const IN_PLACE: Self = Self { release: 96 << 10, debug: 96 << 10 };

    /// What moves tensors otherwise. Two scratch buffers of kernels take 57 KB.
    pub(crate) const MOVE: Self = Self { release: 120 << 10, debug: 128 << 10 };

    pub(crate) fn bytes(self) -> usize {
        if cfg!(debug_assertions) { self.debug } else { self.release }
    }
}
