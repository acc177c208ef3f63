//! Tensors over the bytes of an arena, several at once.

use core::marker::PhantomData;

use crate::buffers::{Aligned, Alignment, PowerOfTwo};
use crate::tensor::Tensor;
use layout_types::{StaticLayout, UnitOf};

/// A borrowed tensor, from byte `START` of memory `MEMORY` on. With [`lend`], it is what the steps of
/// [`arena!`](crate::arena!) expand to.
pub struct LentAt<T, const MEMORY: usize, const START: usize>(
    /// The tensor.
    pub T,
);

/// Lends several tensors of an arena: `(FIRST, (SECOND, ()))`, each in [`LentAt`].
///
/// Tensors outside the memories, unaligned ones, and ones that share a byte which one of them writes are compile
/// errors.
#[inline(always)]
pub fn lend<'a, T: sealed::Lent<'a>, M: sealed::Memories<'a>>(memories: M) -> T {
    const { assert!(can_lend(T::BYTES, M::SIZES), "a plan lends bytes that it must not lend") }
    let starts = memories.starts();
    // SAFETY: the check above found what `over` asks for, with the sizes of `M`. The memories are mutably borrowed as
    // long as the tensors live, so nothing else uses their bytes.
    unsafe { T::over(&starts) }
}

/// The most memories of an arena.
const MOST: usize = 4;

/// The start of each memory, mutably borrowed.
type LentStarts<'a> = ([*mut u8; MOST], PhantomData<&'a mut [u8]>);

/// The bytes of several tensors.
pub struct LentBytes {
    memory: usize,
    start: usize,
    bytes: usize,
    align: usize,
    is_exclusive: bool,
    others: Option<&'static LentBytes>,
}

/// Whether memories of these sizes and alignments can lend these bytes at once: all inside and aligned, and none that
/// are lent exclusively among the others.
const fn can_lend(mut list: Option<&'static LentBytes>, memories: &[(usize, usize)]) -> bool {
    while let Some(lent) = list {
        let (bytes, align) = memories[lent.memory];
        let is_inside = lent.start <= bytes && lent.bytes <= bytes - lent.start;
        if !is_inside || align % lent.align != 0 || lent.start % lent.align != 0 {
            return false;
        }
        let mut others = lent.others;
        while let Some(other) = others {
            let are_apart = lent.memory != other.memory
                || lent.start + lent.bytes <= other.start
                || other.start + other.bytes <= lent.start;
            if (lent.is_exclusive || other.is_exclusive) && !are_apart {
                return false;
            }
            others = other.others;
        }
        list = lent.others;
    }
    true
}

/// Unsafe code relies on the implementations of these traits, so they are sealed.
pub(super) mod sealed {
    use super::{LentBytes, LentStarts};

    /// A list of tensors.
    pub trait Lent<'a> {
        const BYTES: Option<&'static LentBytes>;

        /// Returns the tensors over memories that start here.
        ///
        /// # Safety
        /// `can_lend` holds for `BYTES` and the sizes of the memories, and nothing else uses these bytes as long as the
        /// tensors.
        unsafe fn over(starts: &LentStarts<'a>) -> Self;
    }

    /// A tensor over an array: its bytes, its alignment, and whether it writes.
    pub trait Borrowed<'a> {
        const BYTES: (usize, usize, bool);

        /// Returns the tensor over the bytes from here on.
        ///
        /// # Safety
        /// The bytes are initialized and aligned, and nothing else writes them, or uses them if the tensor writes.
        unsafe fn over(start: *mut u8) -> Self;
    }

    /// A tuple of memories: their sizes and alignments in bytes.
    pub trait Memories<'a> {
        const SIZES: &'static [(usize, usize)];

        fn starts(self) -> LentStarts<'a>;
    }
}

const fn bytes_of<L: StaticLayout>(units: usize, writes: bool) -> (usize, usize, bool) {
    assert!(L::LAYOUT.units() == units);
    let (natural, align) = (align_of::<UnitOf<L>>(), L::LAYOUT.align());
    (units * size_of::<UnitOf<L>>(), if natural < align { align } else { natural }, writes)
}

impl<'a, L: StaticLayout, const N: usize> sealed::Borrowed<'a> for Tensor<L, &'a [UnitOf<L>; N]> {
    const BYTES: (usize, usize, bool) = bytes_of::<L>(N, false);

    #[inline(always)]
    unsafe fn over(start: *mut u8) -> Self {
        // SAFETY: the caller promises aligned bytes that nothing writes. Units are plain, so all bytes are valid.
        Self::over(unsafe { &*start.cast::<[UnitOf<L>; N]>() })
    }
}

impl<'a, L, const N: usize> sealed::Borrowed<'a> for Tensor<L, &'a mut [UnitOf<L>; N]>
where
    L: StaticLayout,
{
    const BYTES: (usize, usize, bool) = bytes_of::<L>(N, true);

    #[inline(always)]
    unsafe fn over(start: *mut u8) -> Self {
        // SAFETY: the caller promises aligned bytes that nothing else uses. Units are plain, so all bytes are valid.
        Self::over(unsafe { &mut *start.cast::<[UnitOf<L>; N]>() })
    }
}

impl<'a> sealed::Lent<'a> for () {
    const BYTES: Option<&'static LentBytes> = None;

    #[inline(always)]
    unsafe fn over(_: &LentStarts<'a>) {}
}

impl<'a, T, O, const MEMORY: usize, const START: usize> sealed::Lent<'a>
    for (LentAt<T, MEMORY, START>, O)
where
    T: sealed::Borrowed<'a>,
    O: sealed::Lent<'a>,
{
    const BYTES: Option<&'static LentBytes> = {
        let (bytes, align, is_exclusive) = T::BYTES;
        Some(&LentBytes {
            memory: MEMORY,
            start: START,
            bytes,
            align,
            is_exclusive,
            others: O::BYTES,
        })
    };

    #[inline(always)]
    unsafe fn over(starts: &LentStarts<'a>) -> Self {
        let start = starts.0[MEMORY].wrapping_add(START);
        // SAFETY: `can_lend` found that the bytes lie inside the memory, which is initialized and aligned as much as
        // the tensor, at a multiple of its alignment, and that no other tensor of the list has one of them if one of
        // both writes.
        let tensor = unsafe { T::over(start) };
        // SAFETY: what the caller promises for a list holds for its rest.
        let others = unsafe { O::over(starts) };
        (LentAt(tensor), others)
    }
}

macro_rules! memories {
    ($($($align:ident $bytes:ident $index:tt)*;)*) => {$(
        impl<'a, $(const $align: usize, const $bytes: usize),*> sealed::Memories<'a>
            for ($(&'a mut Aligned<$align, [u8; $bytes]>,)*)
        where
            $(Alignment<$align>: PowerOfTwo,)*
        {
            const SIZES: &'static [(usize, usize)] = &[$(($bytes, $align)),*];

            #[inline(always)]
            fn starts(self) -> LentStarts<'a> {
                let mut starts = [core::ptr::null_mut(); MOST];
                $(starts[$index] = self.$index.as_mut().as_mut_ptr();)*
                (starts, PhantomData)
            }
        }
    )*};
}

memories! {
    A0 B0 0;
    A0 B0 0 A1 B1 1;
    A0 B0 0 A1 B1 1 A2 B2 2;
    A0 B0 0 A1 B1 1 A2 B2 2 A3 B3 3;
}
