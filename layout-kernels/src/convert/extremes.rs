//! The least and the largest numbers, of groups and of ranges.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::isa::Isa;

/// The integer next to a number in the direction of 0, or the nearest one from `low` to `high`, which are at most 2^24
/// from 0. NaN becomes `low`.
#[inline(always)]
pub fn truncated(value: f32, low: i32, high: i32) -> i32 {
    const MOST: i32 = 1 << 24;
    let [least, most] = [low, high].map(|end| end.clamp(-MOST, MOST) as f32);
    let value = if value > least { value } else { least };
    let value = if value < most { value } else { most };
    // SAFETY: the number is finite, and its magnitude at most 2^24: NaN became `least`, and each limit is in that range.
    unsafe { value.to_int_unchecked() }
}

/// Finds the least and the largest number of each group of `run` numbers, and of two more: `none`. NaN counts as none.
/// Of zeros it finds any.
///
/// # Panics
/// If `run` is 0, or there are fewer results than groups.
pub fn extremes(
    values: &[f32],
    run: usize,
    none: (f32, f32),
    (least, most): (&mut [f32], &mut [f32]),
) {
    let groups = values.len() / run;
    let (least, most) = (&mut least[..groups], &mut most[..groups]);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if Isa::best().has_avx2() && run % 8 == 0 {
        // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
        return unsafe { x86_64::avx2(values, run, none, (least, most)) };
    }
    each(values, run, none, (least, most));
}

/// The same in parts that the compiler computes side by side.
#[inline(always)]
fn each(values: &[f32], run: usize, none: (f32, f32), ends: (&mut [f32], &mut [f32])) {
    const PARTS: usize = 16;
    let least_and_most = ends.0.iter_mut().zip(ends.1);
    for (values, (low, high)) in values.chunks_exact(run).zip(least_and_most) {
        let (mut least, mut most) = ([none.0; PARTS], [none.1; PARTS]);
        for group in values.chunks(PARTS) {
            for ((own, least), most) in group.iter().zip(&mut least).zip(&mut most) {
                (*least, *most) = (smaller(*least, *own), larger(*most, *own));
            }
        }
        *low = least.into_iter().fold(none.0, smaller);
        *high = most.into_iter().fold(none.1, larger);
    }
}

/// The larger number, or the first one if the other is NaN.
#[inline(always)]
pub fn larger(own: f32, other: f32) -> f32 {
    if other > own { other } else { own }
}

/// The smaller number, or the first one if the other is NaN.
#[inline(always)]
pub fn smaller(own: f32, other: f32) -> f32 {
    if other < own { other } else { own }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    /// Eight groups at a time, of which each is a vector until all are reduced at once.
    ///
    /// # Safety
    /// The CPU must have AVX2, and `run` must be a multiple of 8.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn avx2(
        values: &[f32],
        run: usize,
        none: (f32, f32),
        (least, most): (&mut [f32], &mut [f32]),
    ) {
        let mut all = values.chunks_exact(8 * run);
        let (mut least, mut most) = (least.chunks_exact_mut(8), most.chunks_exact_mut(8));
        for ((values, least), most) in all.by_ref().zip(least.by_ref()).zip(most.by_ref()) {
            // SAFETY: the CPU has the instruction, by the caller's promise, and an array eight floats.
            let first = unsafe { loaded(&[none.0; 8]) };
            // SAFETY: as above.
            let last = unsafe { loaded(&[none.1; 8]) };
            let (mut low, mut high) = ([first; 8], [last; 8]);
            for ((values, low), high) in values.chunks_exact(run).zip(&mut low).zip(&mut high) {
                for values in values.chunks_exact(8) {
                    // SAFETY: the CPU has the instruction, by the caller's promise, and a chunk has eight floats.
                    let own = unsafe { loaded(values) };
                    // The second number is the result if one is NaN.
                    // SAFETY: the CPU has the instruction, by the caller's promise.
                    *low = unsafe { end::<false>(own, *low) };
                    // SAFETY: as above.
                    *high = unsafe { end::<true>(own, *high) };
                }
            }
            // SAFETY: as above.
            let low = unsafe { reduced::<false>(low) };
            // SAFETY: as above.
            let high = unsafe { reduced::<true>(high) };
            // SAFETY: a chunk has eight floats; the store needs no alignment.
            unsafe { _mm256_storeu_ps(least.as_mut_ptr(), low) };
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(most.as_mut_ptr(), high) };
        }
        super::each(all.remainder(), run, none, (least.into_remainder(), most.into_remainder()));
    }

    /// # Safety
    /// The CPU must have AVX2, and the slice eight floats.
    #[inline(always)]
    unsafe fn loaded(values: &[f32]) -> __m256 {
        // SAFETY: eight floats are readable, by the caller's promise; the load needs no alignment.
        unsafe { _mm256_loadu_ps(values.as_ptr()) }
    }

    /// # Safety
    /// The CPU must have AVX2.
    #[inline(always)]
    unsafe fn end<const IS_MOST: bool>(a: __m256, b: __m256) -> __m256 {
        match IS_MOST {
            // SAFETY: the CPU has the instruction, by the caller's promise.
            true => unsafe { _mm256_max_ps(a, b) },
            // SAFETY: as above.
            false => unsafe { _mm256_min_ps(a, b) },
        }
    }

    /// The end of each vector, in their order.
    ///
    /// # Safety
    /// The CPU must have AVX2.
    #[inline(always)]
    unsafe fn reduced<const IS_MOST: bool>([a, b, c, d, e, f, g, h]: [__m256; 8]) -> __m256 {
        macro_rules! halves {
            ($low:expr, $high:expr, $a:ident, $b:ident) => {{
                // SAFETY: the CPU has the instruction, by the caller's promise.
                let low = unsafe { $low($a, $b) };
                // SAFETY: as above.
                let high = unsafe { $high($a, $b) };
                // SAFETY: as above.
                unsafe { end::<IS_MOST>(low, high) }
            }};
        }
        // Two vectors in turns, then four, then all eight.
        let ab = halves!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, a, b);
        let cd = halves!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, c, d);
        let ef = halves!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, e, f);
        let gh = halves!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, g, h);
        let low = halves!(_mm256_shuffle_ps::<0x44>, _mm256_shuffle_ps::<0xee>, ab, cd);
        let high = halves!(_mm256_shuffle_ps::<0x44>, _mm256_shuffle_ps::<0xee>, ef, gh);
        halves!(_mm256_permute2f128_ps::<0x20>, _mm256_permute2f128_ps::<0x31>, low, high)
    }
}
