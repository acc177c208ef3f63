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
    /// highest bits of its word. Where each four codes lie as far from the lowest bits of their bytes, the first table has
    /// the byte of each code instead, and this distance for each four.
    tables: [([u8; CODES], [u16; CODES / 2]); 2],
    /// The first byte of each window.
    windows: [usize; 2],
    bits: u32,
    are_bytes: bool,
    /// The bytes that are written for a run: at least as many as codes. Both windows of a few codes are the same, each of
    /// a run of its own.
    size: usize,
}

/// The codes of runs that a step reads, which are some bytes apart, and how far each moves up.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "a target without vectors reads none")]
pub struct CodePart<'a> {
    /// How those of a run are read.
    pub step: &'a CodeStep,
    /// The bytes from the first run on, and from one run to the next.
    pub bytes: (&'a [u8], usize),
    /// How far each moves up, so that it ends in a byte.
    pub up: u32,
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
        let is_few = places.len() <= CODES / 2;
        let width = bits as usize;
        let distance = |bit: &usize| {
            let above = 8usize.checked_sub(bit % 8 + width)?;
            Some(if is_high_first { above } else { bit % 8 })
        };
        let is_one = |four: &[usize]| {
            let first = distance(&four[0]);
            first.is_some() && four.iter().all(|bit| distance(bit) == first)
        };
        let are_bytes = places.chunks(4).all(is_one);
        let halves = places.chunks(CODES / 2).cycle().take(2).enumerate();
        for (window, half) in halves {
            windows[window] = half.iter().min()? / 8;
            for (i, bit) in half.iter().enumerate() {
                let (byte, within) = (bit / 8 - windows[window], bit % 8);
                let is_cut = within + width > 8;
                if byte + usize::from(is_cut) >= WINDOW {
                    return None;
                }
                if let (true, Some(distance)) = (are_bytes, distance(bit)) {
                    let ((control, distances), at) = (&mut tables[0], WINDOW * window + i);
                    (control[at], distances[at / 4 * 2]) = (byte as u8, distance as u16);
                    continue;
                }
                let ((control, factors), at) = (&mut tables[i / 8], 8 * window + i % 8);
                control[2 * at + first_byte] = byte as u8;
                if is_cut {
                    control[2 * at + 1 - first_byte] = byte as u8 + 1;
                }
                factors[at] = 1 << if is_high_first { within } else { 16 - within - width };
            }
        }
        let size = if is_few { places.len().next_multiple_of(8).max(8) } else { CODES };
        Some(Self { tables, windows, bits, are_bytes, size })
    }

    /// Reads the codes of some runs, which are as many codes apart as `stride` says. Those of a second part are joined to
    /// them. The bytes up to 32 after the first code of a run become 0, or stay as they are. Returns for how many runs it
    /// was done: not for those before the end of a slice, and for none if the parts write
    /// different numbers of bytes, codes move up out of a byte, or the CPU has no instructions for it.
    pub fn read(
        part: CodePart<'_>,
        other: Option<CodePart<'_>>,
        (runs, stride): (usize, usize),
        codes: &mut [u8],
    ) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if Isa::best().has_avx2()
            && other.is_none_or(|own| own.step.size == part.step.size)
            && [Some(part), other].into_iter().flatten().all(|own| own.up <= 8 - own.step.bits)
        {
            let fitting = |length: usize, least: usize, stride: usize| {
                length.checked_sub(least).map_or(0, |rest| rest / stride.max(1) + 1)
            };
            let fits = |runs: usize, CodePart { step, bytes, .. }: CodePart<'_>| {
                let least = step.windows[0].max(step.windows[1]) + WINDOW;
                runs.min(fitting(bytes.0.len(), least, bytes.1))
            };
            let runs = [Some(part), other].into_iter().flatten().fold(runs, fits);
            let runs = runs.min(fitting(codes.len(), part.step.size, stride));
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part. The windows of these runs lie in the
            // bytes, and as many codes of each as the step writes in the slice.
            unsafe { x86_64::read(part, other, (runs, stride), codes) };
            return runs;
        }
        let _ = (part, other, runs, stride, codes);
        0
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    use super::{CODES, CodePart, WINDOW};

    /// # Safety
    /// The CPU must have AVX2. Of each of `runs` strides, the windows of 16 bytes of each part must be readable, and as
    /// many codes writable as the step writes. Both parts must have as many.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn read(
        part: CodePart<'_>,
        other: Option<CodePart<'_>>,
        runs: (usize, usize),
        codes: &mut [u8],
    ) {
        macro_rules! by_size {
            ($count:literal $parts:expr) => {
                match part.step.size {
                    // SAFETY: the caller's promise.
                    8 => unsafe { each::<$count, 8>($parts, runs, codes) },
                    // SAFETY: the caller's promise.
                    16 => unsafe { each::<$count, 16>($parts, runs, codes) },
                    // SAFETY: the caller's promise.
                    _ => unsafe { each::<$count, CODES>($parts, runs, codes) },
                }
            };
        }
        // SAFETY: the CPU has AVX2, by the caller's promise.
        let own = unsafe { Tables::of(part) };
        match other {
            Some(other) => {
                // SAFETY: as above.
                let both = [own, unsafe { Tables::of(other) }];
                by_size!(2 both)
            }
            None => by_size!(1[own]),
        }
    }

    /// A part with its tables in vectors.
    struct Tables<'a> {
        part: CodePart<'a>,
        /// The bytes of words, and the factors of these.
        words: [(__m256i, __m256i); 2],
        /// How far a code moves up from the lowest bits of a byte, or down from its highest ones, and its bits there.
        by: __m256i,
        mask: __m256i,
    }

    impl<'a> Tables<'a> {
        /// # Safety
        /// The CPU must have AVX2.
        #[inline(always)]
        unsafe fn of(part: CodePart<'a>) -> Self {
            let (bits, up) = (part.step.bits as i32, part.up as i32);
            let by = if part.step.are_bytes { up } else { 8 - bits - up };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let by = unsafe { _mm256_set1_epi32(by) };
            // SAFETY: as above.
            let mask = unsafe { _mm256_set1_epi8((((1 << bits) - 1) << up) as i8) };
            let mut words = [(by, mask); 2];
            for (words, (control, factors)) in words.iter_mut().zip(&part.step.tables) {
                // SAFETY: the array has 32 bytes; the load needs no alignment.
                words.0 = unsafe { _mm256_loadu_si256(control.as_ptr().cast()) };
                // SAFETY: as above.
                words.1 = unsafe { _mm256_loadu_si256(factors.as_ptr().cast()) };
            }
            Self { part, words, by, mask }
        }

        /// The codes of both windows, each in a run.
        ///
        /// # Safety
        /// The CPU must have AVX2, and 16 bytes of both windows must be readable.
        #[inline(always)]
        unsafe fn codes<const SIZE: usize>(&self, runs: [usize; 2]) -> __m256i {
            let CodePart { step, bytes: (bytes, stride), .. } = self.part;
            let place = |i: usize| bytes.as_ptr().wrapping_add(runs[i] * stride + step.windows[i]);
            // SAFETY: the windows are readable, by the caller's promise; the loads need no alignment.
            let windows = unsafe { _mm256_loadu2_m128i(place(1).cast(), place(0).cast()) };
            if step.are_bytes {
                let (control, distances) = self.words[0];
                // SAFETY: the CPU has the instruction, by the caller's promise.
                let bytes = unsafe { _mm256_shuffle_epi8(windows, control) };
                // SAFETY: as above.
                let codes = unsafe { _mm256_srlv_epi32(bytes, distances) };
                // SAFETY: as above.
                let codes = unsafe { _mm256_sllv_epi32(codes, self.by) };
                // SAFETY: as above.
                return unsafe { _mm256_and_si256(codes, self.mask) };
            }
            let mut all = [windows; 2];
            for (own, (control, factors)) in all.iter_mut().zip(self.words) {
                // SAFETY: the CPU has the instruction, by the caller's promise.
                *own = unsafe { _mm256_shuffle_epi8(windows, control) };
                // SAFETY: as above.
                *own = unsafe { _mm256_mullo_epi16(*own, factors) };
                // SAFETY: as above.
                *own = unsafe { _mm256_srli_epi16::<8>(*own) };
            }
            // SAFETY: as above.
            let codes = unsafe { _mm256_packus_epi16(all[0], all[usize::from(SIZE > 8)]) };
            // SAFETY: as above.
            let codes = unsafe { _mm256_srlv_epi32(codes, self.by) };
            // SAFETY: as above.
            unsafe { _mm256_and_si256(codes, self.mask) }
        }
    }

    /// # Safety
    /// The same as [`read`], of which `SIZE` is what the steps write.
    #[inline(always)]
    unsafe fn each<const PARTS: usize, const SIZE: usize>(
        parts: [Tables<'_>; PARTS],
        (runs, stride): (usize, usize),
        codes: &mut [u8],
    ) {
        let is_few = SIZE < CODES;
        for run in (0..runs).step_by(1 + usize::from(is_few)) {
            let both = [run, if is_few { (run + 1).min(runs - 1) } else { run }];
            // SAFETY: the CPU has AVX2, and the windows are readable, by the caller's promise.
            let mut all = unsafe { parts[0].codes::<SIZE>(both) };
            for part in &parts[1..] {
                // SAFETY: as above.
                let own = unsafe { part.codes::<SIZE>(both) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                all = unsafe { _mm256_or_si256(all, own) };
            }
            let second = if is_few { both[1] * stride } else { run * stride + WINDOW };
            let to = [run * stride, second].map(|at| codes.as_mut_ptr().wrapping_add(at));
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let low = unsafe { _mm256_castsi256_si128(all) };
            // SAFETY: as above.
            let high = unsafe { _mm256_extracti128_si256::<1>(all) };
            for (own, to) in [low, high].into_iter().zip(to) {
                match SIZE {
                    // SAFETY: 8 bytes are writable, by the caller's promise; the store needs no alignment.
                    8 => unsafe { _mm_storel_epi64(to.cast(), own) },
                    // SAFETY: 16 bytes are writable, by the caller's promise; the store needs no alignment.
                    _ => unsafe { _mm_storeu_si128(to.cast(), own) },
                }
            }
        }
    }
}
