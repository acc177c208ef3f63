//! Measures the stack of a function by painting the memory below it.

use core::hint::black_box;

/// Returns about how many bytes of stack `run` takes. It checks `depth` bytes, at least 64, which must be free.
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

/// Runs in a frame of its own: inlined into [`stack`], the frame would lie where the paint goes.
#[inline(never)]
fn apart(run: impl FnOnce()) {
    run();
}
