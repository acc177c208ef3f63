//! Plain loops that convert runs of elements, compiled for each instruction set.

#[cfg(feature = "records")]
mod code_bytes;
#[cfg(feature = "records")]
mod code_step;
#[cfg(feature = "records")]
mod extremes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
mod requantized;

use crate::isa::Isa;

#[cfg(feature = "records")]
pub use code_bytes::{CodeBlocks, CodeNumbers, CodeRun};
#[cfg(feature = "records")]
pub use code_step::{CodePart, CodeStep};
#[cfg(feature = "records")]
pub use extremes::{extremes, larger, smaller, truncated};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
pub use requantized::requantize;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod f16c {
    //! 16-bit floats through the F16C instructions, which round to the nearest value.

    use core::arch::x86_64::*;

    /// Conversions of runs by vectors of some elements.
    macro_rules! conversions {
        ($(
            $(#[$attribute:meta])* $name:ident: $count:literal, $from:ty => $to:ty, $needs:literal,
            $load:ident $convert:path, $store:ident;
        )*) => {$(
            /// Converts the elements of a run, to the nearest ones if these are halves.
            ///
            /// # Safety
            #[doc = $needs]
            $(#[$attribute])*
            #[inline(always)]
            pub(super) unsafe fn $name(source: &[$from], destination: &mut [$to]) {
                /// # Safety
                /// Both sides must have a vector, and the CPU the instructions.
                #[inline(always)]
                unsafe fn vector(from: &[$from], to: &mut [$to]) {
                    // SAFETY: a vector is readable, by the caller's promise; the load needs no alignment.
                    let own = unsafe { $load(from.as_ptr().cast()) };
                    // SAFETY: the CPU has the instruction, by the caller's promise.
                    let own = unsafe { $convert(own) };
                    // SAFETY: a vector is writable, by the caller's promise; the store needs no alignment.
                    unsafe { $store(to.as_mut_ptr().cast(), own) };
                }
                let mut from = source.chunks_exact($count);
                let mut to = destination.chunks_exact_mut($count);
                for (from, to) in from.by_ref().zip(to.by_ref()) {
                    // SAFETY: these are vectors, and the CPU has the instructions, by the caller's promise.
                    unsafe { vector(from, to) };
                }
                let (from, to) = (from.remainder(), to.into_remainder());
                let (mut last, mut last_to) = ([Default::default(); $count], [Default::default(); $count]);
                last[..from.len()].copy_from_slice(from);
                // SAFETY: as above.
                unsafe { vector(&last, &mut last_to) };
                to.copy_from_slice(&last_to[..to.len()]);
            }
        )*};
    }

    conversions! {
        widen_8: 8, u16 => f32, "A CPU with F16C.",
            _mm_loadu_si128 _mm256_cvtph_ps, _mm256_storeu_ps;
        narrow_8: 8, f32 => u16, "A CPU with F16C.",
            _mm256_loadu_ps _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>, _mm_storeu_si128;
        #[cfg(avx512)]
        #[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
        widen_16: 16, u16 => f32, "A CPU with AVX-512 F and AVX2.",
            _mm256_loadu_si256 _mm512_cvtph_ps, _mm512_storeu_ps;
        #[cfg(avx512)]
        #[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
        narrow_16: 16, f32 => u16, "A CPU with AVX-512 F and AVX2.",
            _mm512_loadu_ps _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>, _mm256_storeu_si256;
    }
}

/// The maximal number of elements in a period, and of runs with parameters of their own. Tables of them are on the
/// stack, of which a microcontroller has a few KiB.
pub const PERIOD: usize = if cfg!(target_os = "none") { 16 } else { 256 };

/// A conversion of elements by plain loops. The compiler vectorizes them for the instruction set of the function that
/// they are inlined into, so each function here is `#[inline(always)]`.
pub trait Convert {
    /// An element of the source, as it is stored in memory.
    type Source;

    /// An element of the destination, as it is stored in memory.
    type Destination;

    /// The arithmetic for the elements of some runs.
    type Arithmetic<'a>;

    /// Whether the elements of the source, and of the destination, are IEEE binary16.
    const HALVES: (bool, bool);

    /// Whether the elements of the source, and of the destination, are `f32`.
    const FLOATS: (bool, bool);

    /// Returns the arithmetic for the elements of run number `row`, if runs differ in it.
    fn of_row<'a>(arithmetic: &Self::Arithmetic<'a>, row: usize) -> Option<Self::Arithmetic<'a>>;

    /// Returns the number of elements after which the parameters repeat, at most [`PERIOD`].
    fn period(arithmetic: &Self::Arithmetic<'_>) -> Option<usize>;

    /// Whether the conversion changes values only by rounding.
    fn is_cast(arithmetic: &Self::Arithmetic<'_>) -> bool;

    /// Converts a run, or a part of one that begins with a period.
    fn run(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) with instructions that the compiler does not find by itself, if there are some for it: those of
    /// AVX2, or of AVX-512.
    ///
    /// # Safety
    /// The instruction set must be one of these, and the CPU must have it.
    #[inline(always)]
    unsafe fn run_on(
        _: Isa,
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [Self::Destination],
    ) {
        Self::run(arithmetic, source, destination);
    }

    /// [`run`](Self::run) for a source of halves that were converted to floats.
    fn run_from_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[f32],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) for a destination of halves, with floats as the result.
    fn run_to_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [f32],
    );

    /// Returns the source as floats, if its elements are floats.
    fn floats(source: &[Self::Source]) -> &[f32];

    /// Returns the destination as floats, if its elements are floats.
    fn floats_mut(destination: &mut [Self::Destination]) -> &mut [f32];

    /// Returns the source as halves, if its elements are halves.
    fn halves(source: &[Self::Source]) -> &[u16];

    /// Returns the destination as halves, if its elements are halves.
    fn halves_mut(destination: &mut [Self::Destination]) -> &mut [u16];
}

/// Splits the first block off both sides of a run, or all of the run unless it `is_split`. With `ahead`, it
/// prefetches what follows the block. Returns `None` at the end.
#[inline(always)]
fn next_block<'a, S, D>(
    (from, to): &mut (&'a [S], &'a mut [D]),
    block: usize,
    is_split: bool,
    ahead: bool,
) -> Option<(&'a [S], &'a mut [D])> {
    // Not `chunks`, which divides: a run may be short.
    let length = if is_split { block.min(from.len()) } else { from.len() };
    if length == 0 {
        return None;
    }
    let (first, rest) = from.split_at(length);
    let (first_to, rest_to) = core::mem::take(to).split_at_mut(length);
    (*from, *to) = (rest, rest_to);
    if ahead {
        prefetch_after(first);
    }
    Some((first, first_to))
}

/// Evenly spaced runs of one length. Everything counts elements.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The number of runs.
    pub count: usize,
    /// The length of a run.
    pub length: usize,
    /// The offset of the first run in the source.
    pub source: usize,
    /// The stride of runs in the source.
    pub source_step: isize,
    /// The offset of the first run in the destination.
    pub destination: usize,
    /// The stride of runs in the destination.
    pub destination_step: isize,
    /// Whether to prefetch the source, because no cache holds it.
    pub ahead: bool,
}

impl Runs {
    /// Returns run number `row` of both sides.
    ///
    /// # Panics
    /// If the run lies outside the slices.
    #[inline(always)]
    fn row<'a, S, D>(
        &self,
        row: usize,
        source: &'a [S],
        destination: &'a mut [D],
    ) -> (&'a [S], &'a mut [D]) {
        let from = self.source.wrapping_add_signed(self.source_step * row as isize);
        let to = self.destination.wrapping_add_signed(self.destination_step * row as isize);
        (&source[from..][..self.length], &mut destination[to..][..self.length])
    }
}

/// The number of elements between prefetches.
const BLOCK: usize = 256;

/// Prefetches the bytes after `block`, a part of a run: the same number. The CPU's own prefetcher stops at the end of
/// each page.
#[inline(always)]
fn prefetch_after<T>(block: &[T]) {
    const AHEAD: usize = 2048;

    for at in (0..size_of_val(block)).step_by(crate::steps::LINE) {
        prefetch(block.as_ptr().cast::<u8>().wrapping_add(AHEAD + at));
    }
}

/// Prefetches a line, which may have any address.
#[inline(always)]
fn prefetch<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        // SAFETY: the instruction is part of SSE, which every x86-64 CPU has; a prefetch may have any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = at;
}

/// A function that converts runs.
///
/// # Safety
/// The CPU must have the features of the function's instruction set.
pub type Converter<C> = unsafe fn(
    &Runs,
    &<C as Convert>::Arithmetic<'_>,
    &[<C as Convert>::Source],
    &mut [<C as Convert>::Destination],
);

/// Calls `$step` for each block of each run, with its arithmetic and both sides.
macro_rules! each_block {
    ($runs:ident, $arithmetic:ident, $source:ident, $destination:ident, $is_split:expr,
        |$own:ident, $from:ident, $to:ident| $convert:block) => {
        let ahead = $runs.ahead && !C::is_cast($arithmetic);
        // Takes whole periods at a time, so that each block begins at the first parameter.
        let block = C::period($arithmetic).unwrap_or(BLOCK);
        for row in 0..$runs.count {
            let of_row = C::of_row($arithmetic, row);
            let $own = of_row.as_ref().unwrap_or($arithmetic);
            let mut run = $runs.row(row, $source, $destination);
            while let Some(($from, $to)) = next_block(&mut run, block, $is_split || ahead, ahead) {
                $convert
            }
        }
    };
}

/// Converts runs with the instruction set that the program is compiled for.
///
/// # Safety
/// Any CPU is fine. The function is unsafe only to be a [`Converter`].
unsafe fn portable<C: Convert>(
    runs: &Runs,
    arithmetic: &C::Arithmetic<'_>,
    source: &[C::Source],
    destination: &mut [C::Destination],
) {
    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
        C::run(own, from, to);
    });
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use super::*;

    /// The instruction sets with F16C. Each has the attributes of its functions and the functions that convert
    /// halves.
    macro_rules! with_f16c {
        ($($(#[$attribute:meta])* $name:ident: $isa:expr, $widen:ident, $narrow:ident;)*) => {$(
            /// # Safety
            /// The CPU must have the features that the attributes name.
            $(#[$attribute])*
            pub(super) unsafe fn $name<C: Convert>(
                runs: &Runs,
                arithmetic: &C::Arithmetic<'_>,
                source: &[C::Source],
                destination: &mut [C::Destination],
            ) {
                if const { matches!(C::HALVES, (false, false)) } {
                    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
                        // SAFETY: the caller's promise.
                        unsafe { C::run_on($isa, own, from, to) };
                    });
                    return;
                }
                // The instructions for halves convert directly from and to floats.
                if const { C::HALVES.0 && C::FLOATS.1 } && C::is_cast(arithmetic) {
                    each_block!(runs, arithmetic, source, destination, false, |_own, from, to| {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(C::halves(from), C::floats_mut(to)) };
                    });
                    return;
                }
                if const { C::FLOATS.0 && C::HALVES.1 } && C::is_cast(arithmetic) {
                    each_block!(runs, arithmetic, source, destination, false, |_own, from, to| {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(C::floats(from), C::halves_mut(to)) };
                    });
                    return;
                }
                // Stages one block at a time as floats.
                let mut stage = [0.0; PERIOD];
                each_block!(runs, arithmetic, source, destination, true, |own, from, to| {
                    let stage = &mut stage[..from.len()];
                    if const { C::HALVES.0 } {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(C::halves(from), stage) };
                        C::run_from_f32(own, stage, to);
                    } else {
                        C::run_to_f32(own, from, stage);
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(stage, C::halves_mut(to)) };
                    }
                });
            }
        )*};
    }

    with_f16c! {
        #[target_feature(enable = "avx2,f16c")]
        avx2: Isa::Avx2, widen_8, narrow_8;
        #[cfg(avx512)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,f16c")]
        avx512: Isa::Avx512, widen_16, narrow_16;
    }
}

/// Returns the instruction sets that conversions are compiled for on this target, the best last, each with its
/// function. Tests use it to force each one.
pub fn sets<C: Convert>() -> impl Iterator<Item = (Isa, Converter<C>)> {
    [
        Isa::Portable,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Isa::Avx2,
        #[cfg(avx512)]
        Isa::Avx512,
    ]
    .into_iter()
    .map(|isa| (isa, on::<C>(isa)))
}

/// Returns the converter for an instruction set: the best one that needs no other.
pub const fn on<C: Convert>(isa: Isa) -> Converter<C> {
    match isa {
        #[cfg(avx512)]
        Isa::Avx512 | Isa::Avx512Vbmi => x86_64::avx512::<C>,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        _ if isa.has_avx2() => x86_64::avx2::<C>,
        _ => portable::<C>,
    }
}

/// Converts IEEE binary16 to as many floats where the CPU has instructions for that. Returns whether it did.
#[cfg(feature = "records")]
pub fn widen(halves: &[u16], floats: &mut [f32]) -> bool {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if halves.len() == floats.len() && Isa::best().has_avx2() {
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn widen(halves: &[u16], floats: &mut [f32]) {
            // SAFETY: this function has the instructions.
            unsafe { f16c::widen_8(halves, floats) };
        }
        // SAFETY: the CPU has the best instruction set, of which AVX2 and F16C are a part.
        unsafe { widen(halves, floats) };
        return true;
    }
    let _ = (halves, floats);
    false
}

/// Plain loops with what they work on. The compiler vectorizes them for the instruction set of the function that they
/// are inlined into, so [`run`](Self::run) and what it calls are `#[inline(always)]`.
pub trait Work: Sized {
    /// Does the work.
    fn run(self);

    /// [`run`](Self::run) with instructions that the compiler does not find by itself: those of AVX2, or of AVX-512.
    ///
    /// # Safety
    /// The instruction set must be one of these, and the CPU must have it.
    #[inline(always)]
    unsafe fn run_on(self, _: Isa) {
        self.run();
    }
}

/// Does the work with the best instruction set that the CPU has.
#[inline]
pub fn work_on_best<W: Work>(work: W) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => {}
        #[cfg(avx512)]
        Isa::Avx512 | Isa::Avx512Vbmi => {
            // SAFETY: the CPU has the best instruction set.
            return unsafe { avx512(work) };
        }
        _ => {
            // SAFETY: the CPU has the best instruction set, of which AVX2 is a part.
            return unsafe { avx2(work) };
        }
    }
    work.run()
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! with_features {
    ($($(#[$attribute:meta])* $name:ident: $isa:expr;)*) => {$(
        /// # Safety
        /// The CPU must have the features that the attributes name.
        $(#[$attribute])*
        unsafe fn $name<W: Work>(work: W) {
            // SAFETY: the caller's promise.
            unsafe { work.run_on($isa) }
        }
    )*};
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
with_features! {
    #[target_feature(enable = "avx2")]
    avx2: Isa::Avx2;
    #[cfg(avx512)]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    avx512: Isa::Avx512;
}
