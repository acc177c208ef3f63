//! Codes of a few bits at any places, in a byte each.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::isa::Isa;

/// The most codes of a step, and the bytes of each of its windows.
const CODES: usize = 32;
const WINDOW: usize = 16;

/// How up to 32 codes that lie in two windows are read at once: each is in two bytes of its window, which make a word.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "a target without vectors reads none")]
pub struct CodeStep {
    /// The bytes of the words of the first and the last 8 codes of each window, and the factors that move each code to the
    /// highest bits of its word.
    tables: [([u8; CODES], [u16; CODES / 2]); 2],
    /// The first byte of each window.
    windows: [usize; 2],
    bits: u32,
    count: usize,
}

impl CodeStep {
    /// A step of codes of at most 8 bits, of which each begins at one of these bits. `None` if there are more than 32, or
    /// half of them do not lie in 16 bytes.
    pub fn new(bits: u32, is_high_first: bool, places: &[usize]) -> Option<Self> {
        let (mut tables, mut windows) = ([([0x80; CODES], [0; CODES / 2]); 2], [0; 2]);
        if places.len() > CODES || !(1..=8).contains(&bits) {
            return None;
        }
        // The byte that a code begins in is the lower one, or the higher one.
        let first_byte = usize::from(is_high_first);
        for (window, half) in places.chunks(CODES / 2).enumerate() {
            windows[window] = half.iter().min()? / 8;
            for (i, bit) in half.iter().enumerate() {
                let (byte, within, bits) = (bit / 8 - windows[window], bit % 8, bits as usize);
                let ((control, factors), at) = (&mut tables[i / 8], 8 * window + i % 8);
                control[2 * at + first_byte] = byte as u8;
                let is_cut = within + bits > 8;
                if byte + usize::from(is_cut) >= WINDOW {
                    return None;
                }
                if is_cut {
                    control[2 * at + 1 - first_byte] = byte as u8 + 1;
                }
                factors[at] = 1 << if is_high_first { within } else { 16 - within - bits };
            }
        }
        Some(Self { tables, windows, bits, count: places.len() })
    }

    /// Reads the codes of some runs, which are as many bytes and codes apart as `strides` says: each moves up, and is joined
    /// to the byte that is there if the flag is set. The bytes up to 32 after the first code of a run become 0, or stay as
    /// they are. Returns for how many runs it was done: not for those before the end of a slice, and for none
    /// if the CPU has no instructions for it.
    pub fn read(
        &self,
        (runs, strides): (usize, (usize, usize)),
        (up, joins): (u32, bool),
        bytes: &[u8],
        codes: &mut [u8],
    ) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if Isa::best().has_avx2() {
            let fitting = |length: usize, least: usize, stride: usize| {
                length.checked_sub(least).map_or(0, |rest| rest / stride.max(1) + 1)
            };
            let least = self.windows[0].max(self.windows[1]) + WINDOW;
            let runs = runs.min(fitting(bytes.len(), least, strides.0));
            let runs = runs.min(fitting(codes.len(), CODES, strides.1));
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part. The windows of these runs lie in the
            // bytes, and 32 codes of each in the slice.
            unsafe { x86_64::read(self, (runs, strides), (up, joins), (bytes, codes)) };
            return runs;
        }
        let _ = (runs, strides, up, joins, bytes, codes);
        0
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    use super::CodeStep;

    /// # Safety
    /// The CPU must have AVX2. At each of `runs` strides, the windows of 16 bytes must be readable, and 32 codes writable.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn read(
        step: &CodeStep,
        runs: (usize, (usize, usize)),
        how: (u32, bool),
        sides: (&[u8], &mut [u8]),
    ) {
        // SAFETY: the caller's promise.
        unsafe { each(step, runs, how, sides) };
    }

    /// # Safety
    /// The same as [`read`].
    #[inline(always)]
    unsafe fn each(
        step: &CodeStep,
        (runs, strides): (usize, (usize, usize)),
        (up, joins): (u32, bool),
        (bytes, all): (&[u8], &mut [u8]),
    ) {
        // SAFETY: every x86-64 CPU has the instruction.
        let down = unsafe { _mm_cvtsi32_si128(16 - step.bits as i32) };
        // SAFETY: as above.
        let up = unsafe { _mm_cvtsi32_si128(up as i32) };
        let from = bytes.as_ptr();
        for run in 0..runs {
            let [low, high] =
                step.windows.map(|window| from.wrapping_add(run * strides.0 + window));
            // SAFETY: the windows are readable, by the caller's promise; the loads need no alignment.
            let windows = unsafe { _mm256_loadu2_m128i(high.cast(), low.cast()) };
            let mut words = [windows; 2];
            for (words, (control, factors)) in words.iter_mut().zip(&step.tables) {
                // SAFETY: the array has 32 bytes; the load needs no alignment.
                let control = unsafe { _mm256_loadu_si256(control.as_ptr().cast()) };
                // SAFETY: as above.
                let factors = unsafe { _mm256_loadu_si256(factors.as_ptr().cast()) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                *words = unsafe { _mm256_shuffle_epi8(windows, control) };
                // SAFETY: as above.
                *words = unsafe { _mm256_mullo_epi16(*words, factors) };
                // SAFETY: as above.
                *words = unsafe { _mm256_srl_epi16(*words, down) };
            }
            // SAFETY: as above.
            let codes = unsafe { _mm256_packus_epi16(words[0], words[1]) };
            // SAFETY: as above.
            let mut codes = unsafe { _mm256_sll_epi16(codes, up) };
            if step.count <= 16 {
                // Words, as a load after a store of other bytes waits for it.
                // SAFETY: as above.
                let low = unsafe { _mm256_castsi256_si128(codes) };
                // SAFETY: as above.
                let first = unsafe { _mm_cvtsi128_si64(low) };
                // SAFETY: as above.
                let words = [first, unsafe { _mm_extract_epi64::<1>(low) }];
                put_words(words, joins, step.count, &mut all[run * strides.1..]);
                continue;
            }
            let to = all.as_mut_ptr().wrapping_add(run * strides.1).cast::<__m256i>();
            if joins {
                // SAFETY: 32 bytes are there, by the caller's promise; the load needs no alignment.
                let old = unsafe { _mm256_loadu_si256(to) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                codes = unsafe { _mm256_or_si256(codes, old) };
            }
            // SAFETY: 32 bytes are writable, by the caller's promise; the store needs no alignment.
            unsafe { _mm256_storeu_si256(to, codes) };
        }
    }

    /// Writes as many bytes as there are codes, in words, or joins them.
    #[inline(always)]
    fn put_words(words: [i64; 2], joins: bool, count: usize, to: &mut [u8]) {
        for (word, to) in words.into_iter().zip(to.chunks_exact_mut(8)).take(count.div_ceil(8)) {
            let mut old = [0; 8];
            if joins {
                old.copy_from_slice(to);
            }
            to.copy_from_slice(&(word | i64::from_le_bytes(old)).to_le_bytes());
        }
    }
}
