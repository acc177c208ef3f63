//! Codes in bytes, and the values that follow from them.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::Isa;
use super::{Work, prefetch};

/// The codes that become values at a time.
const PART: usize = 16;

/// The values of some blocks that stay near while one run after the other is written.
const NEAR: usize = 2048;

/// A run of codes, whose bytes are side by side. Each is some bits of its byte.
#[derive(Clone, Copy, Debug)]
pub struct CodeRun {
    /// The first byte and the first value, from those of the block on.
    pub places: (usize, usize),
    /// How far a code lies from the lowest bit of its byte.
    pub shift: u32,
    /// The group of the values, if one begins with the block.
    pub group: usize,
}

/// What codes stand for.
#[derive(Clone, Copy, Debug)]
pub enum CodeNumbers<'a> {
    /// Integers less a constant, which takes the place of zero points if no byte holds the results. The highest bit is a
    /// sign if the flag is set.
    Integers(bool, i32),
    /// Numbers of a table.
    Table(&'a [f32; 16]),
}

/// Blocks of codes, which are alike.
#[derive(Clone, Copy, Debug)]
pub struct CodeBlocks<'a> {
    /// The runs of a block.
    pub runs: &'a [CodeRun],
    /// The codes of a run.
    pub count: usize,
    /// The number of blocks.
    pub blocks: usize,
    /// The bytes and the values from one block to the next.
    pub strides: (usize, usize),
    /// The bits of a code.
    pub bits: u32,
    /// The values of a group, which ends in no run.
    pub group: usize,
    /// What codes stand for.
    pub numbers: CodeNumbers<'a>,
}

impl CodeBlocks<'_> {
    /// Integers of whole bytes side by side, with the value of each. `values` is the number of them.
    pub const fn dense(values: usize, group: usize) -> Self {
        const RUN: CodeRun = CodeRun { places: (0, 0), shift: 0, group: 0 };
        let (mut count, mut rest) = (group, values);
        while rest > 0 {
            (count, rest) = (rest, count % rest);
        }
        let numbers = CodeNumbers::Integers(false, 0);
        let (blocks, strides) = (values / count, (count, count));
        Self { runs: &[RUN], count, blocks, strides, bits: 8, group, numbers }
    }

    /// The work that computes the value of each code: times a scale, after a zero point is subtracted and before a minimum
    /// is added. `lists` are scales, zero points and minima, one for each group. Without zero points or minima, nothing is
    /// subtracted or added.
    ///
    /// # Panics
    /// If codes have no bits or reach beyond their bytes, those of a table have more than 4 bits, or in the work, if what a
    /// run needs lies beyond a slice.
    pub fn work<'a>(
        &'a self,
        bytes: &'a [u8],
        lists: [&'a [f32]; 3],
        values: &'a mut [f32],
    ) -> impl Work + 'a {
        let most = if let CodeNumbers::Table(_) = self.numbers { 4 } else { 8 };
        let last = self.runs.iter().map(|run| run.shift).max().unwrap_or(0);
        assert!((1..=most).contains(&self.bits) && last <= 8 - self.bits, "codes lie in bytes");
        Computed { codes: self, bytes, lists, values }
    }
}

/// What a number becomes: less a number, times one, and plus one, each rounded.
#[derive(Clone, Copy)]
struct Line {
    zero: f32,
    scale: f32,
    low: f32,
}

/// What a line has: a scale, that and a minimum, or a zero point too.
const SCALE: u8 = 0;
const LOW: u8 = 1;
const ZERO: u8 = 2;

impl Line {
    #[inline(always)]
    fn value<const HAS: u8>(self, number: f32) -> f32 {
        let scaled = if HAS == ZERO { number - self.zero } else { number } * self.scale;
        if HAS == SCALE { scaled } else { scaled + self.low }
    }
}

/// How codes become values, some at a time.
trait Codes {
    /// What lines have.
    const HAS: u8;

    /// # Safety
    /// The CPU must have the instructions of the type.
    unsafe fn values(&self, codes: [u8; PART], shift: u32, line: Line) -> [f32; PART];
}

/// What integers are: signed bytes, bytes less a number, or some bits of bytes.
const SIGNED: u8 = 0;
const BYTES: u8 = 1;
const BITS: u8 = 2;

/// Integers, of which some bits are flipped, less a number.
struct Integers<const FORM: u8, const HAS: u8> {
    mask: u32,
    flip: i32,
    less: i32,
}

impl<const FORM: u8, const HAS: u8> Codes for Integers<FORM, HAS> {
    const HAS: u8 = HAS;

    #[inline(always)]
    unsafe fn values(&self, codes: [u8; PART], shift: u32, line: Line) -> [f32; PART] {
        let mut values = [0.0; PART];
        for (value, code) in values.iter_mut().zip(codes) {
            let integer = match FORM {
                SIGNED => i32::from(code as i8),
                BYTES => i32::from(code) - self.less,
                _ => ((u32::from(code) >> (shift & 7) & self.mask) as i32 ^ self.flip) - self.less,
            };
            *value = line.value::<HAS>(integer as f32);
        }
        values
    }
}

/// Numbers of a table, each scaled before codes are looked up by the instructions of a type.
struct TableNumbers<'a, L, const HAS: u8> {
    table: &'a [f32; 16],
    set: L,
}

impl<L: LookUp, const HAS: u8> Codes for TableNumbers<'_, L, HAS> {
    const HAS: u8 = HAS;

    #[inline(always)]
    unsafe fn values(&self, codes: [u8; PART], shift: u32, line: Line) -> [f32; PART] {
        let mut table = *self.table;
        for number in &mut table {
            *number = line.value::<HAS>(*number);
        }
        // SAFETY: the CPU has the instructions, by the caller's promise.
        unsafe { self.set.look_up(&table, codes, shift) }
    }
}

/// Instructions that look up sixteen numbers, by the four lowest bits of shifted codes.
trait LookUp {
    /// Whether this takes less time than arithmetic.
    const IS_FAST: bool = false;

    /// # Safety
    /// The CPU must have the instructions of the type.
    #[inline(always)]
    unsafe fn look_up(&self, table: &[f32; 16], codes: [u8; PART], shift: u32) -> [f32; PART] {
        let mut values = [0.0; PART];
        // To take eight codes out of a word takes less than to read each.
        for (codes, values) in codes.chunks_exact(8).zip(values.chunks_exact_mut(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(codes);
            let mut word = u64::from_le_bytes(word) >> (shift & 7);
            for value in values {
                *value = table[(word & 15) as usize];
                word >>= 8;
            }
        }
        values
    }
}

/// No instructions of a set.
struct PlainLookUp;

impl LookUp for PlainLookUp {}

/// Blocks, and what becomes of them.
struct Computed<'a> {
    codes: &'a CodeBlocks<'a>,
    bytes: &'a [u8],
    lists: [&'a [f32]; 3],
    values: &'a mut [f32],
}

impl Work for Computed<'_> {
    #[inline(always)]
    fn run(self) {
        // SAFETY: the type has no instructions.
        unsafe { self.by(PlainLookUp) };
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline(always)]
    unsafe fn run_on(self, isa: Isa) {
        match isa {
            #[cfg(avx512)]
            // SAFETY: the CPU has AVX-512, by the caller's promise.
            Isa::Avx512 => unsafe { self.by(x86_64::Avx512) },
            // SAFETY: the CPU has AVX2, by the caller's promise.
            _ => unsafe { self.by(x86_64::Avx2) },
        }
    }
}

impl Computed<'_> {
    /// # Safety
    /// The CPU must have the instructions of the type.
    #[inline(always)]
    unsafe fn by<L: LookUp>(self, set: L) {
        let bits = self.codes.bits;
        let (mask, mut zero) = (u8::MAX >> (8 - bits), 0.0);
        macro_rules! by_line {
            ($name:ident::<$($first:tt),*> $fields:tt) => {
                match (self.lists[1].is_empty() && zero == 0.0, self.lists[2].is_empty()) {
                    // SAFETY: the CPU has the instructions, by the caller's promise.
                    (true, true) => unsafe { self.by_count(zero, $name::<$($first,)* SCALE> $fields) },
                    // SAFETY: as above.
                    (true, false) => unsafe { self.by_count(zero, $name::<$($first,)* LOW> $fields) },
                    // SAFETY: as above.
                    (false, _) => unsafe { self.by_count(zero, $name::<$($first,)* ZERO> $fields) },
                }
            };
        }
        // Codes of fewer bits have others above them.
        let indices: [u8; 16] = core::array::from_fn(|i| i as u8 & mask);
        let (is_signed, mut less) = match self.codes.numbers {
            CodeNumbers::Integers(is_signed, less) => (is_signed, less),
            CodeNumbers::Table(table) => {
                let table = &indices.map(|code| table[usize::from(code)]);
                return by_line!(TableNumbers::<'_, L> { table, set });
            }
        };
        if less.unsigned_abs() > 1 << 24 {
            (zero, less) = (less as f32, 0);
        }
        let flip = if is_signed { 1 << (bits - 1) } else { 0 };
        let is_plain = is_signed && less == 0;
        let less = flip + less;
        if L::IS_FAST && bits <= 4 {
            let table = &indices.map(|code| ((i32::from(code) ^ flip) - less) as f32);
            return by_line!(TableNumbers::<'_, L> { table, set });
        }
        let mask = u32::from(mask);
        match (bits, is_signed) {
            (8, false) => by_line!(Integers::<BYTES> { mask, flip, less }),
            (8, true) if is_plain => by_line!(Integers::<SIGNED> { mask, flip, less }),
            _ => by_line!(Integers::<BITS> { mask, flip, less }),
        }
    }

    /// # Safety
    /// The CPU must have the instructions of the type.
    #[inline(always)]
    unsafe fn by_count<C: Codes>(self, zero: f32, codes: C) {
        match self.codes.count {
            // SAFETY: the caller's promise.
            32 => unsafe { self.each::<C, 32>(zero, codes) },
            // SAFETY: as above.
            16 => unsafe { self.each::<C, 16>(zero, codes) },
            // SAFETY: as above.
            _ => unsafe { self.each::<C, 0>(zero, codes) },
        }
    }

    /// Whether all that runs need lies in the slices.
    fn is_inside(&self) -> bool {
        let (own, Some(last)) = (self.codes, self.codes.blocks.checked_sub(1)) else { return true };
        let (groups, rest) = (own.strides.1 / own.group, own.strides.1 % own.group);
        let place = |first: usize, step: usize| last.saturating_mul(step).saturating_add(first);
        own.runs.iter().all(|run| {
            let byte = place(run.places.0, own.strides.0);
            let value = place(run.places.1, own.strides.1);
            let group = if rest == 0 { place(run.group, groups) } else { value / own.group };
            let mut lists = self.lists.iter().enumerate();
            byte.saturating_add(own.count) <= self.bytes.len()
                && value.saturating_add(own.count) <= self.values.len()
                && lists.all(|(i, list)| i > 0 && list.is_empty() || group < list.len())
        })
    }

    /// Computes the values of runs, of which `COUNT` is the length unless it is 0.
    ///
    /// # Safety
    /// The CPU must have the instructions of the type.
    #[inline(always)]
    unsafe fn each<C: Codes, const COUNT: usize>(self, constant: f32, codes: C) {
        assert!(self.is_inside(), "runs lie in the slices");
        let Self { codes: own, bytes, lists: [scales, zeros, minima], values } = self;
        let (stride, period) = own.strides;
        let count = if COUNT > 0 { COUNT } else { own.count };
        let (groups, rest) = (period / own.group, period % own.group);
        let several = if rest == 0 { (NEAR / period).max(1) } else { 1 };
        for first in (0..own.blocks).step_by(several) {
            // What is written may lie anywhere, so that fields would be read again after it.
            for &CodeRun { places, shift, group } in own.runs {
                let (mut byte, mut value) = (first * stride + places.0, first * period + places.1);
                let mut group = if rest == 0 { first * groups + group } else { value / own.group };
                for _ in 0..several.min(own.blocks - first) {
                    // SAFETY: the group is in each list that is not empty.
                    let of = |list: &[f32]| unsafe { *list.get_unchecked(group) };
                    let line = Line {
                        zero: if C::HAS < ZERO || zeros.is_empty() { constant } else { of(zeros) },
                        scale: of(scales),
                        // A sum with this zero is the other number.
                        low: if C::HAS < LOW || minima.is_empty() { -0.0 } else { of(minima) },
                    };
                    for i in (0..count - count % PART).step_by(PART) {
                        // The pointer of each part is new, as slices of the last part of a run end those before.
                        let to = values.as_mut_ptr().wrapping_add(value + i);
                        // Memory is at work while scales are computed.
                        prefetch(to.wrapping_add(NEAR));
                        // SAFETY: the run lies in the bytes.
                        let own = unsafe {
                            bytes.as_ptr().wrapping_add(byte + i).cast::<[u8; PART]>().read()
                        };
                        // SAFETY: the caller's promise.
                        let new = unsafe { codes.values(own, shift, line) };
                        // SAFETY: the run lies in the values.
                        unsafe { to.cast::<[f32; PART]>().write(new) };
                    }
                    if count % PART > 0 {
                        let (whole, mut own) = (count - count % PART, [0; PART]);
                        let from = &bytes[byte + whole..byte + count];
                        own[..from.len()].copy_from_slice(from);
                        // SAFETY: as above.
                        let new = unsafe { codes.values(own, shift, line) };
                        values[value + whole..value + count].copy_from_slice(&new[..from.len()]);
                    }
                    (byte, value, group) = (byte + stride, value + period, group + groups);
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use core::arch::x86_64::*;

    use super::{LookUp, PART};

    pub(super) struct Avx2;

    impl LookUp for Avx2 {
        #[inline(always)]
        unsafe fn look_up(&self, table: &[f32; 16], codes: [u8; PART], shift: u32) -> [f32; PART] {
            // SAFETY: every x86-64 CPU has the instruction.
            let shift = unsafe { _mm_cvtsi32_si128(shift as i32) };
            // SAFETY: a half of the table has eight floats; the load needs no alignment.
            let low = unsafe { _mm256_loadu_ps(table.as_ptr()) };
            // SAFETY: as above.
            let high = unsafe { _mm256_loadu_ps(table[8..].as_ptr()) };
            let mut values = [0.0; PART];
            for (codes, values) in codes.chunks_exact(8).zip(values.chunks_exact_mut(8)) {
                // SAFETY: a chunk has eight codes; the load needs no alignment.
                let codes = unsafe { _mm_loadl_epi64(codes.as_ptr().cast()) };
                // SAFETY: the CPU has the instruction, by the caller's promise.
                let codes = unsafe { _mm256_cvtepu8_epi32(codes) };
                // SAFETY: as above.
                let codes = unsafe { _mm256_srl_epi32(codes, shift) };
                // SAFETY: as above.
                let low = unsafe { _mm256_permutevar8x32_ps(low, codes) };
                // SAFETY: as above.
                let high = unsafe { _mm256_permutevar8x32_ps(high, codes) };
                // The fourth bit of a code, as a sign.
                // SAFETY: as above.
                let is_high = unsafe { _mm256_slli_epi32::<28>(codes) };
                // SAFETY: as above.
                let is_high = unsafe { _mm256_castsi256_ps(is_high) };
                // SAFETY: as above.
                let numbers = unsafe { _mm256_blendv_ps(low, high, is_high) };
                // SAFETY: a chunk has eight floats; the store needs no alignment.
                unsafe { _mm256_storeu_ps(values.as_mut_ptr(), numbers) };
            }
            values
        }
    }

    #[cfg(avx512)]
    pub(super) struct Avx512;

    #[cfg(avx512)]
    #[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
    impl LookUp for Avx512 {
        const IS_FAST: bool = true;

        #[inline(always)]
        unsafe fn look_up(&self, table: &[f32; 16], codes: [u8; PART], shift: u32) -> [f32; PART] {
            let mut values = [0.0; PART];
            // SAFETY: there are sixteen codes; the load needs no alignment.
            let codes = unsafe { _mm_loadu_si128(codes.as_ptr().cast()) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let codes = unsafe { _mm512_cvtepu8_epi32(codes) };
            // SAFETY: every x86-64 CPU has the instruction.
            let shift = unsafe { _mm_cvtsi32_si128(shift as i32) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let codes = unsafe { _mm512_srl_epi32(codes, shift) };
            // SAFETY: the table has sixteen floats; the load needs no alignment.
            let table = unsafe { _mm512_loadu_ps(table.as_ptr()) };
            // SAFETY: the CPU has the instruction, by the caller's promise.
            let numbers = unsafe { _mm512_permutexvar_ps(codes, table) };
            // SAFETY: there are sixteen floats; the store needs no alignment.
            unsafe { _mm512_storeu_ps(values.as_mut_ptr(), numbers) };
            values
        }
    }
}
