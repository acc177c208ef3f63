//! Measures.
use core::hint::black_box;

/// Returns about how many bytes of stack `run` takes.
#[inline(never)]
pub fn stack(depth: usize, run: impl FnOnce()) -> usize {
    const PAINT: u64 = 0xa5a5_a5a5_a5a5_a5a5;
    let here = 0u64;
    let top = black_box(&raw const here).cast_mut().wrapping_sub(64);
    let bottom = black_box(top.wrapping_sub(depth / 8));
    unsafe { bottom.write_bytes(0xa5, depth / 8) };
    apart(run);
    let all = unsafe { core::slice::from_raw_parts(black_box(bottom), depth / 8) };
    let used = all.iter().position(|own| *own != PAINT);
    512 + used.map_or(0, |i| depth - 8 * i)
}

#[inline(never)]
fn apart(run: impl FnOnce()) {
    run();
}
