//! Tensors over the bytes of an arena, several at once.

use crate::buffers::{Aligned, Alignment, PowerOfTwo};
use crate::tensor::Tensor;
use layout_types::{StaticLayout, UnitOf};

/// A tensor of `N` units to read, from byte `START` of memory `MEMORY` on.
pub struct SharedTensor<
    'a,
    L: StaticLayout,
    const N: usize,
    const MEMORY: usize,
    const START: usize,
>(
    /// The tensor.
    pub Tensor<L, &'a [UnitOf<L>; N]>,
);

/// A tensor of `N` units to write, from byte `START` of memory `MEMORY` on.
pub struct ExclusiveTensor<
    'a,
    L: StaticLayout,
    const N: usize,
    const MEMORY: usize,
    const START: usize,
>(
    /// The tensor.
    pub Tensor<L, &'a mut [UnitOf<L>; N]>,
);

/// The bytes that a tensor takes.
#[derive(Clone, Copy)]
struct LentBytes {
    memory: usize,
    start: usize,
    bytes: usize,
    align: usize,
    is_exclusive: bool,
}

impl LentBytes {
    const fn of<L: StaticLayout>(memory: usize, start: usize, units: usize, writes: bool) -> Self {
        assert!(L::LAYOUT.units() == units);
        let (natural, align) = (align_of::<UnitOf<L>>(), L::LAYOUT.align());
        let bytes = units * size_of::<UnitOf<L>>();
        let align = if natural < align { align } else { natural };
        Self { memory, start, bytes, align, is_exclusive: writes }
    }

    /// Whether memories have these bytes, aligned.
    const fn is_in(&self, memories: &[MemorySize]) -> bool {
        let MemorySize { bytes, align } = memories[self.memory];
        let fits = self.start <= bytes && self.bytes <= bytes - self.start;
        fits && align % self.align == 0 && self.start % self.align == 0
    }

    /// Whether both may be lent at once.
    const fn allows(&self, other: &Self) -> bool {
        !(self.is_exclusive || other.is_exclusive)
            || self.memory != other.memory
            || self.start + self.bytes <= other.start
            || other.start + other.bytes <= self.start
    }
}

/// The bytes of several tensors.
#[derive(Clone, Copy)]
pub struct LentList {
    first: LentBytes,
    others: Option<&'static LentList>,
}

/// Whether memories of these sizes can lend these tensors at once.
const fn can_lend(mut list: Option<&'static LentList>, memories: &[MemorySize]) -> bool {
    while let Some(LentList { first, others }) = list {
        if !first.is_in(memories) {
            return false;
        }
        let mut rest = *others;
        while let Some(LentList { first: other, others }) = rest {
            if !first.allows(other) {
                return false;
            }
            rest = *others;
        }
        list = *others;
    }
    true
}

/// A list of tensors, `(FIRST, (SECOND, ()))`.
pub trait Lent<'a>: sealed::Lent<'a> {}

/// A list of memories.
pub trait Memories<'a>: sealed::Memories<'a> {}

impl<'a, T: sealed::Lent<'a>> Lent<'a> for T {}

impl<'a, T: sealed::Memories<'a>> Memories<'a> for T {}

/// Lends several tensors of an arena.
///
/// Tensors outside the memories, unaligned ones, and ones that share a byte which one of them writes are compile
/// errors.
#[inline(always)]
pub fn lend<'a, T: Lent<'a>, M: Memories<'a>>(memories: M) -> T {
    const { assert!(can_lend(T::NEEDS, M::SIZES), "a plan lends what it may not") }
    let starts = memories.starts();
    // SAFETY: the check above found what `over` asks for, with the sizes of `M`. The memories are mutably borrowed as
    // long as the tensors live, so nothing else uses their bytes.
    unsafe { T::over(&starts) }
}

/// The size and alignment of a memory in bytes.
#[derive(Clone, Copy)]
pub struct MemorySize {
    bytes: usize,
    align: usize,
}

/// The most memories of an arena.
const MOST: usize = 4;

/// Unsafe code relies on the implementations of these traits, so they are sealed.
mod sealed {
    use super::{LentList, MOST, MemorySize};

    pub trait Lent<'a> {
        /// What the tensors need.
        const NEEDS: Option<&'static LentList>;

        /// Returns the tensors over memories that start here.
        ///
        /// # Safety
        /// `can_lend` holds for `NEEDS` and memories that begin here, and nothing else uses the bytes of `NEEDS` as
        /// long as the tensors.
        unsafe fn over(starts: &[*mut u8; MOST]) -> Self;
    }

    pub trait Memories<'a> {
        const SIZES: &'static [MemorySize];

        /// Where each memory begins.
        fn starts(self) -> [*mut u8; MOST];
    }
}

impl<'a> sealed::Lent<'a> for () {
    const NEEDS: Option<&'static LentList> = None;

    #[inline(always)]
    unsafe fn over(_: &[*mut u8; MOST]) -> Self {}
}

impl<'a, L, T, const N: usize, const MEMORY: usize, const START: usize> sealed::Lent<'a>
    for (SharedTensor<'a, L, N, MEMORY, START>, T)
where
    L: StaticLayout,
    T: sealed::Lent<'a>,
{
    const NEEDS: Option<&'static LentList> =
        Some(&LentList { first: LentBytes::of::<L>(MEMORY, START, N, false), others: T::NEEDS });

    #[inline(always)]
    unsafe fn over(starts: &[*mut u8; MOST]) -> Self {
        let units = starts[MEMORY].wrapping_add(START).cast::<[UnitOf<L>; N]>();
        // SAFETY: `LentBytes::is_in` found the units inside the memory and aligned, since the memory and START are. Units
        // are `Pod`, so any initialized bytes are valid. `LentBytes::allows` found that no tensor of the list writes them.
        let units = unsafe { &*units };
        // SAFETY: the caller promises the same for a list as for its rest.
        let others = unsafe { T::over(starts) };
        (SharedTensor(Tensor::over(units)), others)
    }
}

impl<'a, L, T, const N: usize, const MEMORY: usize, const START: usize> sealed::Lent<'a>
    for (ExclusiveTensor<'a, L, N, MEMORY, START>, T)
where
    L: StaticLayout,
    T: sealed::Lent<'a>,
{
    const NEEDS: Option<&'static LentList> =
        Some(&LentList { first: LentBytes::of::<L>(MEMORY, START, N, true), others: T::NEEDS });

    #[inline(always)]
    unsafe fn over(starts: &[*mut u8; MOST]) -> Self {
        let units = starts[MEMORY].wrapping_add(START).cast::<[UnitOf<L>; N]>();
        // SAFETY: as for `SharedTensor`, and `LentBytes::allows` found that no other tensor of the list has one of these bytes.
        let units = unsafe { &mut *units };
        // SAFETY: the caller promises the same for a list as for its rest.
        let others = unsafe { T::over(starts) };
        (ExclusiveTensor(Tensor::over(units)), others)
    }
}

macro_rules! memories {
    ($($count:literal: $($align:ident $bytes:ident $index:tt)*;)*) => {$(
        impl<'a, $(const $align: usize, const $bytes: usize),*> sealed::Memories<'a>
            for ($(&'a mut Aligned<$align, [u8; $bytes]>,)*)
        where
            $(Alignment<$align>: PowerOfTwo,)*
        {
            const SIZES: &'static [MemorySize] = &[$(MemorySize { bytes: $bytes, align: $align }),*];

            #[inline(always)]
            fn starts(self) -> [*mut u8; MOST] {
                let mut starts = [core::ptr::null_mut(); MOST];
                $(starts[$index] = self.$index.as_mut().as_mut_ptr();)*
                starts
            }
        }
    )*};
}

memories! {
    1: A0 B0 0;
    2: A0 B0 0 A1 B1 1;
    3: A0 B0 0 A1 B1 1 A2 B2 2;
    4: A0 B0 0 A1 B1 1 A2 B2 2 A3 B3 3;
}
