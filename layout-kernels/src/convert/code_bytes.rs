//! Codes in bytes at equal distances, and the values that follow from them.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::isa::Isa;

/// Runs of codes, each of them the bits of one byte, and of values.
#[derive(Clone, Copy, Debug)]
pub struct CodeBytes {
    /// The codes of a run, whose bytes are side by side.
    pub count: usize,
    /// The number of runs.
    pub runs: usize,
    /// The byte of the first code, and the bytes from one run to the next.
    pub bytes: (usize, usize),
    /// The first value, and the values from one run to the next.
    pub values: (usize, usize),
    /// How far a code lies from the lowest bit of its byte, and its bits.
    pub bits: (u32, u32),
    /// Whether the highest bit of a code is a sign.
    pub is_signed: bool,
    /// The values of a group, which ends in no run.
    pub group: usize,
}

/// What a code becomes: less a number, times one, and plus one, each rounded.
#[derive(Clone, Copy)]
struct Line {
    zero: f32,
    scale: f32,
    low: f32,
}

impl CodeBytes {
    /// Computes the value of each code: times a scale, after a zero point is subtracted and before a minimum is added.
    /// `lists` are scales, zero points and minima, one for each group. Without minima, nothing is added.
    ///
    /// # Panics
    /// If codes have no bits or reach beyond their bytes, or what a run needs lies beyond a slice.
    pub fn scale(&self, bytes: &[u8], lists: [&[f32]; 3], values: &mut [f32]) {
        let (shift, bits) = self.bits;
        assert!(0 < bits && bits <= 8 && bits + shift <= 8, "a code lies in its byte");
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if Isa::best().has_avx2() {
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
            return unsafe { x86_64::avx2(self, bytes, lists, values) };
        }
        self.each::<0>(bytes, lists, values, |codes, values, line| {
            self.each_code(codes, values, line);
        });
    }

    /// Calls a function with the bytes and the values of each run, of which `COUNT` is the length unless it is 0.
    #[inline(always)]
    fn each<const COUNT: usize>(
        &self,
        bytes: &[u8],
        [scales, zeros, minima]: [&[f32]; 3],
        values: &mut [f32],
        of: impl Fn(&[u8], &mut [f32], Line),
    ) {
        let (zeros, count) = (&zeros[..scales.len()], if COUNT > 0 { COUNT } else { self.count });
        let ((byte, stride), (value, period)) = (self.bytes, self.values);
        let (mut group, mut within) = (value / self.group, value % self.group);
        let (groups, rest) = (period / self.group, period % self.group);
        let from = bytes[byte..].chunks(stride).zip(values[value..].chunks_mut(period));
        for (codes, values) in from.take(self.runs) {
            let (zero, scale) = (zeros[group], scales[group]);
            // A sum with this zero is the other number.
            let low = if minima.is_empty() { -0.0 } else { minima[group] };
            of(&codes[..count], &mut values[..count], Line { zero, scale, low });
            group += groups;
            if rest > 0 {
                within += rest;
                if within >= self.group {
                    (group, within) = (group + 1, within - self.group);
                }
            }
        }
    }

    /// How far a code moves to the left in 32 bits, and then to the right.
    #[inline(always)]
    const fn shifts(&self) -> (u32, u32) {
        (32 - self.bits.0 - self.bits.1, 32 - self.bits.1)
    }

    #[inline(always)]
    fn each_code(&self, codes: &[u8], values: &mut [f32], Line { zero, scale, low }: Line) {
        let (left, right) = self.shifts();
        for (value, byte) in values.iter_mut().zip(codes) {
            let code = u32::from(*byte) << left;
            let code = if self.is_signed { code as i32 >> right } else { (code >> right) as i32 };
            *value = (code as f32 - zero) * scale + low;
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    use super::{CodeBytes, Line};

    /// # Safety
    /// The CPU must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn avx2(
        codes: &CodeBytes,
        bytes: &[u8],
        lists: [&[f32]; 3],
        values: &mut [f32],
    ) {
        macro_rules! runs {
            ($kind:literal, $has_low:literal, $run:literal) => {
                codes.each::<$run>(bytes, lists, values, |own, new, line| {
                    let (mut from, mut to) = (own.chunks_exact(8), new.chunks_exact_mut(8));
                    for (from, to) in from.by_ref().zip(to.by_ref()) {
                        // SAFETY: this function has the instructions, and a chunk eight elements.
                        unsafe { eight::<$kind, $has_low>(codes, from, to, line) };
                    }
                    codes.each_code(from.remainder(), to.into_remainder(), line);
                })
            };
            ($kind:literal) => {
                match (codes.count, lists[2].is_empty()) {
                    (32, true) => runs!($kind, false, 32),
                    (32, false) => runs!($kind, true, 32),
                    (16, true) => runs!($kind, false, 16),
                    (16, false) => runs!($kind, true, 16),
                    (_, true) => runs!($kind, false, 0),
                    (_, false) => runs!($kind, true, 0),
                }
            };
        }
        match (codes.bits.1, codes.is_signed) {
            (8, false) => runs!(0),
            (8, true) => runs!(1),
            (_, false) => runs!(2),
            (_, true) => runs!(3),
        }
    }

    /// Computes eight values. `KIND` is 2 for codes with bits around them, and 1 more for signed ones.
    ///
    /// # Safety
    /// The CPU must have AVX2, and both slices eight elements.
    #[inline(always)]
    unsafe fn eight<const KIND: u8, const HAS_LOW: bool>(
        codes: &CodeBytes,
        from: &[u8],
        to: &mut [f32],
        line: Line,
    ) {
        let (left, right) = codes.shifts();
        // SAFETY: eight bytes are readable, by the caller's promise; the load needs no alignment.
        let bytes = unsafe { _mm_loadl_epi64(from.as_ptr().cast()) };
        // SAFETY: the CPU has the instruction, by the caller's promise.
        let unsigned = unsafe { _mm256_cvtepu8_epi32(bytes) };
        // SAFETY: as above.
        let signed = unsafe { _mm256_cvtepi8_epi32(bytes) };
        let mut codes = if KIND == 1 { signed } else { unsigned };
        if KIND >= 2 {
            // SAFETY: every x86-64 CPU has the instruction.
            let left = unsafe { _mm_cvtsi32_si128(left as i32) };
            // SAFETY: as above.
            let right = unsafe { _mm_cvtsi32_si128(right as i32) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let moved = unsafe { _mm256_sll_epi32(codes, left) };
            codes = match KIND {
                // SAFETY: as above.
                3 => unsafe { _mm256_sra_epi32(moved, right) },
                // SAFETY: as above.
                _ => unsafe { _mm256_srl_epi32(moved, right) },
            };
        }
        // SAFETY: the CPU has the instruction, by the caller's promise.
        let numbers = unsafe { _mm256_cvtepi32_ps(codes) };
        // SAFETY: as above.
        let zero = unsafe { _mm256_set1_ps(line.zero) };
        // SAFETY: as above.
        let scale = unsafe { _mm256_set1_ps(line.scale) };
        // SAFETY: as above.
        let numbers = unsafe { _mm256_sub_ps(numbers, zero) };
        // SAFETY: as above.
        let mut numbers = unsafe { _mm256_mul_ps(numbers, scale) };
        if HAS_LOW {
            // SAFETY: as above.
            let low = unsafe { _mm256_set1_ps(line.low) };
            // SAFETY: as above.
            numbers = unsafe { _mm256_add_ps(numbers, low) };
        }
        // SAFETY: eight floats are writable, by the caller's promise; the store needs no alignment.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), numbers) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// Each code by itself, bit by bit.
    fn value(codes: &CodeBytes, byte: u8, [scale, zero, low]: [f32; 3], has_low: bool) -> f32 {
        let (shift, bits) = codes.bits;
        let mut code = 0;
        for bit in 0..bits {
            let is_sign = codes.is_signed && bit + 1 == bits;
            let weight = if is_sign { -(1 << bit) } else { 1 << bit };
            code += i32::from(byte >> (shift + bit) & 1) * weight;
        }
        let scaled = (code as f32 - zero) * scale;
        if has_low { scaled + low } else { scaled }
    }

    #[test]
    fn values_are_those_of_each_code() {
        let bytes: Vec<u8> =
            (0..900u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        let list = |by: f32| -> Vec<f32> { (0..99).map(|i| (i - 40) as f32 * by).collect() };
        let lists = [list(0.1), list(3.0), list(0.7)];
        let runs = [(32, 32, 32), (16, 32, 48), (16, 16, 64), (19, 95, 19), (3, 3, 6)];
        let kinds = (1..=8).flat_map(|bits| (0..=8 - bits).map(move |shift| (shift, bits)));
        for ((count, group, period), bits) in
            runs.into_iter().flat_map(|own| kinds.clone().map(move |bits| (own, bits)))
        {
            for (is_signed, has_low) in [(false, false), (false, true), (true, false), (true, true)]
            {
                let (first, stride) = (2 * group, count + 2);
                let (bytes_at, values_at) = ((3, stride), (first, period));
                let codes = CodeBytes {
                    count,
                    runs: 9,
                    bytes: bytes_at,
                    values: values_at,
                    bits,
                    is_signed,
                    group,
                };
                let own = [&lists[0][..], &lists[1], if has_low { &lists[2] } else { &[] }];
                let mut values = vec![0.5; first + 8 * period + count];
                let (mut portable, mut expected) = (values.clone(), values.clone());
                codes.scale(&bytes, own, &mut values);
                codes.each::<0>(&bytes, own, &mut portable, |codes_of, values, line| {
                    codes.each_code(codes_of, values, line);
                });
                for (run, i) in (0..9).flat_map(|run| (0..count).map(move |i| (run, i))) {
                    let at = first + run * period;
                    let own = [0, 1, 2].map(|list: usize| lists[list][at / group]);
                    let byte = bytes[3 + run * stride + i];
                    expected[at + i] = value(&codes, byte, own, has_low);
                }
                let bits = |all: &[f32]| all.iter().map(|own| own.to_bits()).collect::<Vec<_>>();
                assert!(bits(&values) == bits(&expected), "{codes:?}");
                assert!(bits(&portable) == bits(&expected), "{codes:?}, portable");
            }
        }
    }
}
