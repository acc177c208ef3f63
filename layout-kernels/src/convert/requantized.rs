//! Words times factors in fixed point, as bytes, with instructions that multiply signed words.

#![expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]

use crate::isa::Isa;

/// A kernel, which the CPU must have the instructions of, with where its factors begin, the zero points and the range.
type Requantizer = unsafe fn(&[i32], &mut [u8], (&[i32], &[i32], usize), [i32; 4]);

/// How products are rounded: twice, once, or once where at least two bits are shifted out of their higher halves.
const TWICE: usize = 0;
const ONCE: usize = 1;
const FAR: usize = 2;

/// Requantizes integers to as many bytes as conversions do, with multipliers of 0 and more and their shifts, which repeat.
/// A product is rounded once or twice, `zero_points` are those before and after it, and bytes have a range. Shifts are at
/// least -31, and the zero point after it and the range are of a byte. Returns whether it did: not if a shift is 0 or more.
///
/// # Panics
/// The sides differ in length, or multipliers and shifts do, or they are not a multiple of 16.
///
/// # Safety
/// The instruction set must be AVX2 or one of AVX-512, and the CPU must have it.
#[inline]
pub unsafe fn requantize(
    isa: Isa,
    source: &[i32],
    destination: &mut [u8],
    factors: (&[i32], &[i32]),
    (is_single, zero_points, range): (bool, (i32, i32), (i32, i32)),
) -> bool {
    assert_eq!(source.len(), destination.len(), "sides of one length");
    let count = factors.0.len();
    assert!(count == factors.1.len() && count > 0 && count % 16 == 0, "factors of whole vectors");
    let kernels = match isa {
        #[cfg(avx512)]
        Isa::Avx512 | Isa::Avx512Vbmi => x16::KERNELS,
        _ => x8::KERNELS,
    };
    let kernel = match (factors.1.iter().copied().fold(i32::MIN, i32::max), is_single) {
        (0.., _) => return false,
        (_, false) => kernels[TWICE],
        (-1, true) => kernels[ONCE],
        _ => kernels[FAR],
    };
    let numbers = [zero_points.0, zero_points.1, range.0, range.1];
    // SAFETY: the CPU has the instruction set, by the caller's promise.
    unsafe { kernel(source, destination, (factors.0, factors.1, 0), numbers) };
    true
}

/// The kernels for vectors of `$lanes` integers. What one calls with vectors is a function of its instruction set: a closure
/// that a function of the library calls would stay out of line.
macro_rules! kernels {
    (
        $features:literal, $lanes:literal, $vector:ty,
        $even:ident $odd:ident $merged:expr, $bytes:ident $order:ident $permuted:expr
    ) => {
        use super::{FAR, ONCE, Requantizer, TWICE};
        use crate::steps::each;

        const LANES: usize = $lanes;

        /// The integers that are computed at a time: their bytes are a vector.
        const STEP: usize = 4 * LANES;

        /// Where four bytes of each vector are, after those of four vectors were packed in lanes of 16 bytes.
        const ORDER: [i32; LANES] = {
            let mut order = [0; LANES];
            each!(i, 0..LANES, { order[i] = (i % (LANES / 4) * 4 + i / (LANES / 4)) as i32 });
            order
        };

        /// The kernels of all roundings.
        pub(super) const KERNELS: [Requantizer; 3] = [run::<TWICE>, run::<ONCE>, run::<FAR>];

        #[target_feature(enable = $features)]
        fn run<const ROUNDED: usize>(
            source: &[i32],
            destination: &mut [u8],
            (multipliers, shifts, mut at): (&[i32], &[i32], usize),
            numbers: [i32; 4],
        ) {
            let [subtracted, added, low, high] = numbers;
            // Bytes without a sign are those with one less 128.
            let flip = if low < 0 { 0 } else { 128 };
            // Twice the number, and what rounds the last bit.
            let added = set1_epi16((2 * (added - flip) + 1) as i16);
            let [low, high] = [low, high].map(|end| (end - flip) as i8);
            let (low, high, flip) = (set1_epi8(low), set1_epi8(high), set1_epi8(flip as i8));
            let (subtracted, order) = (set1_epi32(subtracted), loaded(&ORDER));
            let both = (multipliers.as_chunks().0, shifts.as_chunks().0);
            let (whole, rest) = source.as_chunks::<STEP>();
            let (whole_to, rest_to) = destination.as_chunks_mut::<STEP>();
            for (from, to) in whole.iter().zip(whole_to) {
                let mut all = [subtracted; 4];
                for (product, value) in all.iter_mut().zip(from.as_chunks().0) {
                    let value = sub_epi32(loaded(value), subtracted);
                    *product = shifted::<ROUNDED>(value, &both.0[at], &both.1[at]);
                    at = if at + 1 < both.1.len() { at + 1 } else { 0 };
                }
                let halves = [packs_epi32(all[0], all[1]), packs_epi32(all[2], all[3])];
                let first = srai_epi16::<1>(adds_epi16(halves[0], added));
                let second = srai_epi16::<1>(adds_epi16(halves[1], added));
                let bytes = min_epi8(max_epi8(packs_epi16(first, second), low), high);
                let bytes = permuted(xor(bytes, flip), order);
                // SAFETY: a vector of bytes is writable; the store needs no alignment.
                unsafe { storeu(to.as_mut_ptr().cast(), bytes) };
            }
            if rest.is_empty() {
                return;
            }
            let (mut from, mut to) = ([0; STEP], [0; STEP]);
            from[..rest.len()].copy_from_slice(rest);
            run::<ROUNDED>(&from, &mut to, (multipliers, shifts, at), numbers);
            rest_to.copy_from_slice(&to[..rest.len()]);
        }

        /// Even integers of one vector, and odd ones of another.
        #[inline]
        #[target_feature(enable = $features)]
        fn merged($even: $vector, $odd: $vector) -> $vector {
            $merged
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn permuted($bytes: $vector, $order: $vector) -> $vector {
            $permuted
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn loaded(integers: &[i32; LANES]) -> $vector {
            // SAFETY: a vector of integers is readable; the load needs no alignment.
            unsafe { loadu(integers.as_ptr().cast()) }
        }

        /// Products that are shifted, but for the last bit.
        #[inline]
        #[target_feature(enable = $features)]
        fn shifted<const ROUNDED: usize>(
            value: $vector,
            multiplier: &[i32; LANES],
            shift: &[i32; LANES],
        ) -> $vector {
            let (multiplier, shift) = (loaded(multiplier), loaded(shift));
            let odd = (srli_epi64::<32>(value), srli_epi64::<32>(multiplier));
            let (mut even, mut odd) = (mul_epi32(value, multiplier), mul_epi32(odd.0, odd.1));
            if ROUNDED == FAR {
                let high = merged(shuffle_epi32::<0b11_11_01_01>(even), odd);
                return srav_epi32(high, sub_epi32(set1_epi32(-2), shift));
            }
            // A product that is rounded once is rounded after the shift, and one that is rounded twice here too.
            if ROUNDED == TWICE {
                let half = set1_epi64(1 << 30);
                (even, odd) = (add_epi64(even, half), add_epi64(odd, half));
            }
            let mut product = merged(srli_epi64::<31>(even), add_epi64(odd, odd));
            // Halves away from zero are halves up of a negative number less 1.
            if ROUNDED == TWICE {
                product = add_epi32(product, srai_epi32::<31>(product));
            }
            // The bits of a negative number are those of one less than its magnitude.
            srav_epi32(product, andnot(shift, set1_epi32(31)))
        }
    };
}

mod x8 {
    use core::arch::x86_64::{
        __m256i, _mm256_add_epi32 as add_epi32, _mm256_add_epi64 as add_epi64,
        _mm256_adds_epi16 as adds_epi16, _mm256_andnot_si256 as andnot, _mm256_blend_epi32,
        _mm256_loadu_si256 as loadu, _mm256_max_epi8 as max_epi8, _mm256_min_epi8 as min_epi8,
        _mm256_mul_epi32 as mul_epi32, _mm256_packs_epi16 as packs_epi16,
        _mm256_packs_epi32 as packs_epi32, _mm256_permutevar8x32_epi32,
        _mm256_set1_epi8 as set1_epi8, _mm256_set1_epi16 as set1_epi16,
        _mm256_set1_epi32 as set1_epi32, _mm256_set1_epi64x as set1_epi64,
        _mm256_shuffle_epi32 as shuffle_epi32, _mm256_srai_epi16 as srai_epi16,
        _mm256_srai_epi32 as srai_epi32, _mm256_srav_epi32 as srav_epi32,
        _mm256_srli_epi64 as srli_epi64, _mm256_storeu_si256 as storeu,
        _mm256_sub_epi32 as sub_epi32, _mm256_xor_si256 as xor,
    };

    kernels!(
        "avx2", 8, __m256i,
        even odd _mm256_blend_epi32::<0b1010_1010>(even, odd),
        bytes order _mm256_permutevar8x32_epi32(bytes, order)
    );
}

#[cfg(avx512)]
mod x16 {
    use core::arch::x86_64::{
        __m512i, _mm512_add_epi32 as add_epi32, _mm512_add_epi64 as add_epi64,
        _mm512_adds_epi16 as adds_epi16, _mm512_andnot_si512 as andnot,
        _mm512_loadu_si512 as loadu, _mm512_mask_blend_epi32, _mm512_max_epi8 as max_epi8,
        _mm512_min_epi8 as min_epi8, _mm512_mul_epi32 as mul_epi32,
        _mm512_packs_epi16 as packs_epi16, _mm512_packs_epi32 as packs_epi32,
        _mm512_permutexvar_epi32, _mm512_set1_epi8 as set1_epi8, _mm512_set1_epi16 as set1_epi16,
        _mm512_set1_epi32 as set1_epi32, _mm512_set1_epi64 as set1_epi64,
        _mm512_shuffle_epi32 as shuffle_epi32, _mm512_srai_epi16 as srai_epi16,
        _mm512_srai_epi32 as srai_epi32, _mm512_srav_epi32 as srav_epi32,
        _mm512_srli_epi64 as srli_epi64, _mm512_storeu_si512 as storeu,
        _mm512_sub_epi32 as sub_epi32, _mm512_xor_si512 as xor,
    };

    kernels!(
        "avx512f,avx512bw", 16, __m512i,
        even odd _mm512_mask_blend_epi32(0xaaaa, even, odd),
        bytes order _mm512_permutexvar_epi32(order, bytes)
    );
}
