//! Codes and the numbers that they stand for.

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

/// Computes the value of each code: the number of a table times a scale, after a zero point is subtracted and before a
/// minimum is added. `lists` are scales, zero points and minima, one for each `run` codes. Without minima, nothing is
/// added. The four high bits of a code are ignored.
///
/// # Panics
/// If the lengths differ, a run has no codes, or a list is too short.
pub fn look_up(
    table: &[f32; 16],
    run: usize,
    lists: [&[f32]; 3],
    codes: &[u8],
    values: &mut [f32],
) {
    assert_eq!(codes.len(), values.len(), "each code has a value");
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if Isa::best().has_avx2() {
        // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
        return unsafe { x86_64::look_up(table, run, lists, codes, values) };
    }
    for (i, (codes, values)) in codes.chunks(run).zip(values.chunks_mut(run)).enumerate() {
        each(&scaled(table, lists, i), codes, values);
    }
}

/// The table for the codes of a run.
#[inline(always)]
fn scaled(table: &[f32; 16], [scales, zeros, minima]: [&[f32]; 3], run: usize) -> [f32; 16] {
    let (scale, zero) = (scales[run], zeros[run]);
    // A sum with this zero is the other number.
    let low = if minima.is_empty() { -0.0 } else { minima[run] };
    let mut own = *table;
    for number in &mut own {
        *number = (*number - zero) * scale + low;
    }
    own
}

#[inline(always)]
fn each(table: &[f32; 16], codes: &[u8], values: &mut [f32]) {
    for (value, code) in values.iter_mut().zip(codes) {
        *value = table[usize::from(code & 15)];
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    /// # Safety
    /// The CPU must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn look_up(
        table: &[f32; 16],
        run: usize,
        lists: [&[f32]; 3],
        codes: &[u8],
        values: &mut [f32],
    ) {
        for (i, (codes, values)) in codes.chunks(run).zip(values.chunks_mut(run)).enumerate() {
            let table = super::scaled(table, lists, i);
            let (mut from, mut to) = (codes.chunks_exact(8), values.chunks_exact_mut(8));
            for (from, to) in from.by_ref().zip(to.by_ref()) {
                // SAFETY: this function has the instructions, and a chunk has eight elements.
                unsafe { look_up_8(&table, from, to) };
            }
            super::each(&table, from.remainder(), to.into_remainder());
        }
    }

    /// # Safety
    /// The CPU must have AVX2, and both slices eight elements.
    #[inline(always)]
    unsafe fn look_up_8(table: &[f32; 16], codes: &[u8], values: &mut [f32]) {
        let (low, high) = table.split_at(8);
        // SAFETY: a half of the table has eight floats; the load needs no alignment.
        let low = unsafe { _mm256_loadu_ps(low.as_ptr()) };
        // SAFETY: as above.
        let high = unsafe { _mm256_loadu_ps(high.as_ptr()) };
        // SAFETY: eight codes are readable, by the caller's promise; the load needs no alignment.
        let codes = unsafe { _mm_loadl_epi64(codes.as_ptr().cast()) };
        // SAFETY: the CPU has the instruction, by the caller's promise.
        let codes = unsafe { _mm256_cvtepu8_epi32(codes) };
        // SAFETY: the CPU has the instruction, by the caller's promise.
        let low = unsafe { _mm256_permutevar8x32_ps(low, codes) };
        // SAFETY: as above.
        let high = unsafe { _mm256_permutevar8x32_ps(high, codes) };
        // The fourth bit of a code, as a sign.
        // SAFETY: the CPU has the instruction, by the caller's promise.
        let is_high = unsafe { _mm256_slli_epi32::<28>(codes) };
        // SAFETY: as above.
        let is_high = unsafe { _mm256_castsi256_ps(is_high) };
        // SAFETY: as above.
        let numbers = unsafe { _mm256_blendv_ps(low, high, is_high) };
        // SAFETY: eight floats are writable, by the caller's promise; the store needs no alignment.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), numbers) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_table() {
        let table: [f32; 16] = core::array::from_fn(|i| i as f32 * -1.5 + 4.0);
        let codes: [u8; 75] = core::array::from_fn(|i| (i * 37 % 251) as u8);
        for (count, run) in (0..=codes.len()).flat_map(|count| [(count, 19), (count, 32)]) {
            let mut values = [0.0; 75];
            let [scales, zeros, minima] =
                [-2.5, 3.0, 0.7].map(|by| [0.0, 1.0, 2.0, 3.0].map(|i| (i - 1.0) * by));
            let minima = if count % 2 == 0 { &minima[..] } else { &[] };
            look_up(&table, run, [&scales, &zeros, minima], &codes[..count], &mut values[..count]);
            for (i, (value, code)) in values[..count].iter().zip(codes).enumerate() {
                let own = f32::from(code % 16) * -1.5 + 4.0;
                let own = (own - zeros[i / run]) * scales[i / run];
                assert_eq!(*value, minima.get(i / run).map_or(own, |low| own + low));
            }
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_its_ends() {
        let all = [f32::NAN, f32::NEG_INFINITY, -9e9, -3.9, -0.9, 0.9, 3.9, 200.0, f32::INFINITY];
        let own = all.map(|value| truncated(value, -3, 127));
        assert_eq!(own, [-3, -3, -3, -3, 0, 0, 3, 127, 127]);
    }
}
