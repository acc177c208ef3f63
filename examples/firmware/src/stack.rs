//! How much stack a function takes, found by painting what is below.

use core::hint::black_box;

/// About how many bytes of stack `run` takes, of the `depth` that are looked at and free: 64 or more.
#[inline(never)]
pub fn stack(depth: usize, run: impl FnOnce()) -> usize {
    const PAINT: u8 = 0xa5;
    let here = 0u8;
    let top = black_box(&raw const here).cast_mut().wrapping_sub(64);
    let bottom = top.wrapping_sub(depth);
    for i in 0..depth {
        // SAFETY: the address is below all frames, of which this one takes a few words, and the board has memory
        // there.
        unsafe { bottom.wrapping_add(i).write_volatile(PAINT) };
    }
    apart(run);
    // SAFETY: as above.
    let used = (0..depth).find(|&i| unsafe { bottom.wrapping_add(i).read_volatile() } != PAINT);
    64 + used.map_or(0, |i| depth - i)
}

/// Runs in a frame of its own: as part of [`stack`]'s it would lie where the paint goes.
#[inline(never)]
fn apart(run: impl FnOnce()) {
    run();
}
