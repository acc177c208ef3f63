//! Plain loops that convert runs of elements, compiled for each set of instructions.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod f16c;

use crate::isa::Isa;

/// The most elements of a period, and the most runs with parameters of their own.
pub const PERIOD: usize = 256;

/// A conversion of elements: plain loops, which the compiler turns into vectors of whichever instructions
/// the function has that they are inlined into. So each function here is `#[inline(always)]`.
pub trait Convert {
    /// An element of the source, as it lies in memory.
    type Source;

    /// An element of the destination.
    type Destination;

    /// What happens to the elements of some runs.
    type Arithmetic<'a>;

    /// Whether elements of the source and those of the destination are IEEE binary16.
    const HALVES: (bool, bool);

    /// Whether elements of the source and those of the destination are `f32`.
    const FLOATS: (bool, bool);

    /// What happens to the elements of run number `row`.
    fn of_row<'a>(arithmetic: &Self::Arithmetic<'a>, row: usize) -> Self::Arithmetic<'a>;

    /// The elements after which parameters begin anew, at most [`PERIOD`].
    fn period(arithmetic: &Self::Arithmetic<'_>) -> Option<usize>;

    /// Whether values stay what they are but for rounding.
    fn is_cast(arithmetic: &Self::Arithmetic<'_>) -> bool;

    /// Converts a run, or a part of one that begins with a period.
    fn run(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) for a source of halves that have become floats.
    fn run_from_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[f32],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) for a destination of halves, as floats.
    fn run_to_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [f32],
    );

    /// The floats of a source that has them.
    fn floats(source: &[Self::Source]) -> &[f32];

    /// The floats of a destination that has them.
    fn floats_mut(destination: &mut [Self::Destination]) -> &mut [f32];

    /// The halves of a source that has them.
    fn halves(source: &[Self::Source]) -> &[u16];

    /// The halves of a destination that has them.
    fn halves_mut(destination: &mut [Self::Destination]) -> &mut [u16];
}

/// Takes the first block off two parts of a run, or all that there is if it `is_split` into none, and prefetches what
/// comes after it where that is asked for `ahead`; `None` at the end.
#[inline(always)]
fn next_block<'a, S, D>(
    (from, to): &mut (&'a [S], &'a mut [D]),
    block: usize,
    is_split: bool,
    ahead: bool,
) -> Option<(&'a [S], &'a mut [D])> {
    // No `chunks`, which divide: a run may be short.
    let length = if is_split { block.min(from.len()) } else { from.len() };
    if length == 0 {
        return None;
    }
    let (first, rest) = from.split_at(length);
    let (first_to, rest_to) = core::mem::take(to).split_at_mut(length);
    (*from, *to) = (rest, rest_to);
    if ahead {
        prefetch_behind(first);
    }
    Some((first, first_to))
}

/// Runs of one length, as far apart as each other; all in elements.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// How many.
    pub count: usize,
    /// The elements of each.
    pub length: usize,
    /// Where the first one begins in the source.
    pub source: usize,
    /// From one to the next in the source.
    pub source_step: isize,
    /// Where the first one begins in the destination.
    pub destination: usize,
    /// From one to the next in the destination.
    pub destination_step: isize,
    /// Whether to ask for the source ahead, since no cache holds it.
    pub ahead: bool,
}

impl Runs {
    /// Run number `row`.
    ///
    /// # Panics
    /// If it lies outside the slices.
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

/// The elements between one request and the next.
const BLOCK: usize = 256;

/// Prefetches what lies behind `block`, a part of a run: as many bytes as it has. On its own the CPU stops at the end of
/// each page: quantization from memory takes a tenth longer without, but from the second level cache less.
#[inline(always)]
fn prefetch_behind<T>(block: &[T]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        use crate::steps::LINE;

        const AHEAD: usize = 2048;

        let start = block.as_ptr().cast::<u8>().wrapping_add(AHEAD);
        let mut at = 0;
        while at < size_of_val(block) {
            // SAFETY: part of SSE, which every x86-64 has; a prefetch may point anywhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at).cast()) };
            at += LINE;
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = block;
}

/// Converts runs.
///
/// # Safety
/// A CPU that has the features of the set that it is from.
pub type Converter<C> = unsafe fn(
    &Runs,
    &<C as Convert>::Arithmetic<'_>,
    &[<C as Convert>::Source],
    &mut [<C as Convert>::Destination],
);

/// Each block of each run: what happens to its elements, and it on both sides.
macro_rules! each_block {
    ($runs:ident, $arithmetic:ident, $source:ident, $destination:ident, $is_split:expr,
        |$own:ident, $from:ident, $to:ident| $convert:block) => {
        let ahead = $runs.ahead && !C::is_cast($arithmetic);
        for row in 0..$runs.count {
            let $own = C::of_row($arithmetic, row);
            // Whole periods at a time, so that each block begins at the first parameter.
            let block = C::period(&$own).unwrap_or(BLOCK);
            let mut run = $runs.row(row, $source, $destination);
            while let Some(($from, $to)) = next_block(&mut run, block, $is_split || ahead, ahead) {
                $convert
            }
        }
    };
}

/// What the program is compiled for.
///
/// # Safety
/// Any CPU; unsafe as a [`Converter`] is.
unsafe fn portable<C: Convert>(
    runs: &Runs,
    arithmetic: &C::Arithmetic<'_>,
    source: &[C::Source],
    destination: &mut [C::Destination],
) {
    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
        C::run(&own, from, to);
    });
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use super::*;

    /// The sets that have F16C, each with the attributes of its functions, and what converts halves.
    macro_rules! with_f16c {
        ($($(#[$attribute:meta])* $name:ident: $widen:ident, $narrow:ident;)*) => {$(
            /// # Safety
            /// The features that the attributes name.
            $(#[$attribute])*
            pub(super) unsafe fn $name<C: Convert>(
                runs: &Runs,
                arithmetic: &C::Arithmetic<'_>,
                source: &[C::Source],
                destination: &mut [C::Destination],
            ) {
                if const { matches!(C::HALVES, (false, false)) } {
                    each_block!(runs, arithmetic, source, destination, false, |own, from, to| {
                        C::run(&own, from, to);
                    });
                    return;
                }
                // Halves have instructions of their own, which convert from and to floats.
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
                // A block at a time is staged as floats.
                let mut stage = [0.0; PERIOD];
                each_block!(runs, arithmetic, source, destination, true, |own, from, to| {
                    let stage = &mut stage[..from.len()];
                    if const { C::HALVES.0 } {
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$widen(C::halves(from), stage) };
                        C::run_from_f32(&own, stage, to);
                    } else {
                        C::run_to_f32(&own, from, stage);
                        // SAFETY: this function has the instructions.
                        unsafe { f16c::$narrow(stage, C::halves_mut(to)) };
                    }
                });
            }
        )*};
    }

    with_f16c! {
        #[target_feature(enable = "avx2,f16c")]
        avx2: widen_8, narrow_8;
        #[cfg(feature = "std")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,f16c")]
        avx512: widen_16, narrow_16;
    }
}

/// The instruction sets that conversions are compiled for here, the best last, each with its function: for tests that
/// force one after the other.
pub fn sets<C: Convert>() -> impl Iterator<Item = (Isa, Converter<C>)> {
    [
        (Isa::Portable, portable::<C> as Converter<C>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        (Isa::Avx2, x86_64::avx2::<C>),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        (Isa::Avx512, x86_64::avx512::<C>),
    ]
    .into_iter()
}

/// The best that the CPU has.
pub fn best<C: Convert>() -> Converter<C> {
    let there = sets::<C>().filter(|(isa, _)| isa.is_available());
    there.fold(portable::<C>, |_, (_, better)| better)
}
