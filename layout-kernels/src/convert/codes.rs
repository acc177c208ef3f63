//! Codes and the numbers that they stand for.

/// The integer next to a number in the direction of 0, or the nearest one from `low` to `high`. NaN becomes `low`.
#[inline(always)]
pub fn truncated(value: f32, low: i16, high: i16) -> i32 {
    let (least, most) = (f32::from(low), f32::from(high));
    let value = if value > least { value } else { least };
    let value = if value < most { value } else { most };
    // SAFETY: the number is finite, and its magnitude at most 2^15: NaN became `least`, and each limit is an `i16`.
    unsafe { value.to_int_unchecked() }
}

/// Writes the number of a table for each code. The four high bits of a code are ignored.
///
/// # Panics
/// If the lengths differ.
pub fn look_up(table: &[f32; 16], codes: &[u8], values: &mut [f32]) {
    assert_eq!(codes.len(), values.len(), "each code has a value");
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    match crate::isa::Isa::best() {
        #[cfg(all(feature = "std", not(avx512_model)))]
        crate::isa::Isa::Avx512 | crate::isa::Isa::Avx512Vbmi => {
            // SAFETY: the CPU has the best instruction set.
            return unsafe { x86_64::look_up_16(table, codes, values) };
        }
        isa if isa.has_avx2() => {
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
            return unsafe { x86_64::look_up_8(table, codes, values) };
        }
        _ => {}
    }
    each(table, codes, values);
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
    pub(super) unsafe fn look_up_8(table: &[f32; 16], codes: &[u8], values: &mut [f32]) {
        // SAFETY: the first eight floats of the table are readable; the load needs no alignment.
        let low = unsafe { _mm256_loadu_ps(table.as_ptr()) };
        // SAFETY: the table has eight floats more.
        let high = unsafe { _mm256_loadu_ps(table.as_ptr().add(8)) };
        let (mut from, mut to) = (codes.chunks_exact(8), values.chunks_exact_mut(8));
        for (from, to) in from.by_ref().zip(to.by_ref()) {
            // SAFETY: eight codes are readable; the load needs no alignment.
            let codes = unsafe { _mm_loadl_epi64(from.as_ptr().cast()) };
            let codes = _mm256_cvtepu8_epi32(codes);
            let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(codes));
            let low = _mm256_permutevar8x32_ps(low, codes);
            let high = _mm256_permutevar8x32_ps(high, codes);
            // SAFETY: eight floats are writable; the store needs no alignment.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), _mm256_blendv_ps(low, high, is_high)) };
        }
        super::each(table, from.remainder(), to.into_remainder());
    }

    /// # Safety
    /// The CPU must have AVX-512 F.
    #[cfg(all(feature = "std", not(avx512_model)))]
    #[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn look_up_16(table: &[f32; 16], codes: &[u8], values: &mut [f32]) {
        // SAFETY: the floats of the table are readable; the load needs no alignment.
        let table_in = unsafe { _mm512_loadu_ps(table.as_ptr()) };
        let (mut from, mut to) = (codes.chunks_exact(16), values.chunks_exact_mut(16));
        for (from, to) in from.by_ref().zip(to.by_ref()) {
            // SAFETY: sixteen codes are readable; the load needs no alignment.
            let codes = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
            let numbers = _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(codes), table_in);
            // SAFETY: sixteen floats are writable; the store needs no alignment.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), numbers) };
        }
        super::each(table, from.remainder(), to.into_remainder());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_table() {
        let table: [f32; 16] = core::array::from_fn(|i| i as f32 * -1.5 + 4.0);
        let codes: [u8; 75] = core::array::from_fn(|i| (i * 37 % 251) as u8);
        for count in 0..=codes.len() {
            let mut values = [0.0; 75];
            look_up(&table, &codes[..count], &mut values[..count]);
            for (value, code) in values[..count].iter().zip(codes) {
                assert_eq!(*value, f32::from(code % 16) * -1.5 + 4.0);
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
