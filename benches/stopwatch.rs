//! What benches of single calls share.

use cpu_time::ThreadTime;

/// `length` units that begin at a cache line.
pub(crate) fn aligned<U>(units: &mut [U], length: usize) -> &mut [U] {
    let start = units.as_ptr().align_offset(64);
    &mut units[start..start + length]
}

/// Seconds that one call takes, over a batch of at least half a millisecond.
pub(crate) fn seconds(mut call: impl FnMut()) -> f64 {
    let mut repeats = 1;
    loop {
        let start = ThreadTime::now();
        (0..repeats).for_each(|_| call());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 5e-4 {
            return elapsed / f64::from(repeats);
        }
        repeats *= 2;
    }
}
