//! Words times factors in fixed point, as bytes, with instructions of AVX2 that multiply signed words.

use core::arch::x86_64::*;

/// The integers that are computed at a time.
const STEP: usize = 16;

/// Requantizes integers to as many bytes as conversions do, with multipliers and their negative shifts: a multiple of 16,
/// which repeat. A product is rounded once or twice, `zero_points` are those before and after it, and bytes have a range.
/// Shifts are -31 to -1, and zero points and the range are of a byte.
///
/// # Panics
/// The sides differ in length, or there are no multipliers or fewer shifts.
///
/// # Safety
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub fn requantize(
    source: &[i32],
    destination: &mut [u8],
    factors: (&[i32], &[i32]),
    (is_single, zero_points, range): (bool, (i32, i32), (i32, i32)),
) {
    assert_eq!(source.len(), destination.len(), "sides of one length");
    let all = [zero_points.0, zero_points.1, range.0, range.1];
    match is_single {
        true => each::<true>(source, destination, factors, all),
        false => each::<false>(source, destination, factors, all),
    }
}

#[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
#[target_feature(enable = "avx2")]
fn each<const SINGLE: bool>(
    source: &[i32],
    destination: &mut [u8],
    (multipliers, shifts): (&[i32], &[i32]),
    [subtracted, added, low, high]: [i32; 4],
) {
    let subtracted = _mm256_set1_epi32(subtracted);
    let [added, low, high] = [added, low, high].map(|own| own as i16);
    let (added, byte) = (_mm256_set1_epi16(added), _mm256_set1_epi16(0xff));
    let (low, high) = (_mm256_set1_epi16(low), _mm256_set1_epi16(high));
    // Four bytes of both vectors in turn.
    let order = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
    let step = |from: &[i32; STEP], at: usize, to: &mut [u8; STEP]| {
        let (multipliers, shifts) = (&multipliers[at..][..STEP], &shifts[at..][..STEP]);
        let first = product::<SINGLE>(from, multipliers, shifts, subtracted);
        let second = product::<SINGLE>(&from[8..], &multipliers[8..], &shifts[8..], subtracted);
        let sum = _mm256_adds_epi16(_mm256_packs_epi32(first, second), added);
        let sum = _mm256_min_epi16(_mm256_max_epi16(sum, low), high);
        let bytes = _mm256_and_si256(sum, byte);
        let bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(bytes, bytes), order);
        let bytes = _mm256_castsi256_si128(bytes);
        // SAFETY: sixteen bytes are writable; the store needs no alignment.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) };
    };
    let (whole, rest) = source.as_chunks();
    let (whole_to, rest_to) = destination.as_chunks_mut();
    let mut at = 0;
    for (from, to) in whole.iter().zip(whole_to) {
        step(from, at, to);
        at = if at + STEP < shifts.len() { at + STEP } else { 0 };
    }
    if rest.is_empty() {
        return;
    }
    let (mut from, mut to) = ([0; STEP], [0; STEP]);
    from[..rest.len()].copy_from_slice(rest);
    step(&from, at, &mut to);
    rest_to.copy_from_slice(&to[..rest.len()]);
}

/// Eight integers, which a closure that a function of the library calls would load out of line: it is not compiled for
/// AVX2.
#[inline]
#[target_feature(enable = "avx2")]
fn eight(integers: &[i32]) -> __m256i {
    let integers: &[i32; 8] = integers.first_chunk().expect("eight integers");
    // SAFETY: eight integers are readable; the load needs no alignment.
    unsafe { _mm256_loadu_si256(integers.as_ptr().cast()) }
}

/// The rounded products of eight integers.
#[inline]
#[target_feature(enable = "avx2")]
fn product<const SINGLE: bool>(
    integers: &[i32],
    multipliers: &[i32],
    shifts: &[i32],
    subtracted: __m256i,
) -> __m256i {
    let value = _mm256_sub_epi32(eight(integers), subtracted);
    let (multiplier, shift) = (eight(multipliers), eight(shifts));
    let odd = (_mm256_srli_epi64::<32>(value), _mm256_srli_epi64::<32>(multiplier));
    let (mut even, mut odd) = (_mm256_mul_epi32(value, multiplier), _mm256_mul_epi32(odd.0, odd.1));
    // A product that is rounded once is rounded after the shift, and one that is rounded twice here too.
    if !SINGLE {
        let half = _mm256_set1_epi64x(1 << 30);
        (even, odd) = (_mm256_add_epi64(even, half), _mm256_add_epi64(odd, half));
    }
    let (even, odd) = (_mm256_srli_epi64::<31>(even), _mm256_add_epi64(odd, odd));
    let mut product = _mm256_blend_epi32::<0b1010_1010>(even, odd);
    // Halves away from zero are halves up of a negative number less 1.
    if !SINGLE {
        product = _mm256_add_epi32(product, _mm256_srai_epi32::<31>(product));
    }
    // The last bit is rounded.
    let ones = _mm256_set1_epi32(-1);
    let rest = _mm256_srav_epi32(product, _mm256_xor_si256(shift, ones));
    _mm256_srai_epi32::<1>(_mm256_sub_epi32(rest, ones))
}
