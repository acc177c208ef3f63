//! Several threads that work on one tensor.

/// Threads, and how small the parts of a relayout may be that they move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// The number of threads, from 2 to [`Self::MOST`].
    pub count: usize,
    /// The minimal number of bytes of a part.
    pub least_part: usize,
}

impl Threads {
    /// The most threads.
    pub const MOST: usize = 5;

    /// Calls a function in a pool of so many threads, which is made once for each number.
    #[cfg(feature = "rayon")]
    pub(super) fn run<T: Send>(self, run: impl FnOnce() -> T + Send) -> T {
        use std::sync::OnceLock;

        use rayon::{ThreadPool, ThreadPoolBuilder};

        static POOLS: [OnceLock<ThreadPool>; Threads::MOST + 1] =
            [const { OnceLock::new() }; Threads::MOST + 1];
        let build = || ThreadPoolBuilder::new().num_threads(self.count).build().expect("threads");
        POOLS[self.count].get_or_init(build).install(run)
    }

    /// Calls the function here, where there are no threads.
    #[cfg(not(feature = "rayon"))]
    pub(super) fn run<T>(self, run: impl FnOnce() -> T) -> T {
        run()
    }
}

/// Calls a function for each item with its number, on all threads of the pool if there are threads.
///
/// # Errors
/// One of those that the function returns.
pub(super) fn for_each<T: Send>(
    items: &mut [T],
    run: impl Fn((usize, &mut T)) -> Result<(), String> + Sync + Send,
) -> Result<(), String> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        items.par_iter_mut().enumerate().try_for_each(run)
    }
    #[cfg(not(feature = "rayon"))]
    items.iter_mut().enumerate().try_for_each(run)
}
