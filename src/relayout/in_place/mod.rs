//! Moving a tensor to another layout within its buffer.
//!
//! - `cycles` finds the permutation of units, and moves them along its cycles.
//! - `stages` moves runs of units and blocks in a scratch buffer instead, on machines that have memory for one.
//!   `run_digits` finds these.

mod cycles;
#[cfg(not(target_os = "none"))]
mod run_digits;
#[cfg(not(target_os = "none"))]
mod stages;

use core::fmt;

use cycles::{Cycles, StaticCycles};
use layout_types::plain::{self, Plain};
use layout_types::spec::LayoutError;
use layout_types::{FormatType, LayoutType, UnitOf};

use super::plan::Plan;
use super::run::{Relayout, check_units};
use super::run_plan::check;
use super::types::Matched;
use crate::buffers::Needs;
use crate::tensor::Tensor;

impl Plan {
    /// Moves a tensor to another layout within its buffer, for machines without memory for a second one. The buffer's
    /// length counts elements.
    ///
    /// Elements that stay contiguous form units of up to 16 bytes, which move along the cycles of a permutation of a few
    /// loops. Between static layouts it is a constant.
    ///
    /// With an operating system, a tensor moves through a scratch buffer on the stack, or each part of it that stays where
    /// it is. A larger part moves in three stages: runs of some hundred bytes of the source, then blocks of such runs
    /// through the buffer, then runs of the destination, which takes some 1.4 to 12 times as long as
    /// [`run`](Self::run). The buffer has 32 KiB, without feature `std` 2 KiB; the guide's page on
    /// [stack and heap](crate::guide::stack_and_heap) says what all takes together. If extents have no divisors for runs, if a
    /// layout has a swizzle, or if the tensor has less than 192 bytes, units move one by one.
    ///
    /// Single units need no buffer. There may be a cycle for each two units, so a table of all cycles would be too
    /// large for firmware. Instead each cycle is moved starting from its lowest position, with one unit held aside. To find
    /// out whether a position is the lowest, the function follows its cycle until it meets a lower one. On average this
    /// computes about `ln(n)` positions for each of `n` units, with one division for each loop of the plan: tensors of f32 take
    /// some hundred times as long as in stages.
    ///
    /// Static layouts on such a machine have a table of where up to 1,024 cycles begin, for up to 16,384 units. On a
    /// Cortex-M4, moving 16 channels of 14 x 14 bytes takes 11 instructions an element from NCHW to NHWC and 8 to NCHW4.
    /// [`run`](Self::run) with a second buffer takes 1.3.
    ///
    /// # Errors
    /// - The elements have less than a byte.
    /// - A layout has padding or gaps, a swizzle of elements whose size is not a power of two, or several of its
    ///   coordinates share an element.
    /// - An axis is reversed, or blocks do not divide each other.
    /// - The orders of the layouts differ by more than 12 loops.
    /// - The size of a unit differs from the plan's, or the length of the slice from the layout's.
    ///
    /// On an error, nothing is moved.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout, Plan};
    ///
    /// let of = |format| Layout::of(format, &[1, 2, 1, 3], ElementType::U8);
    /// let plan = Plan::new(&of("NCHW")?, &of("NHWC")?)?;
    /// let mut tensor = [1u8, 2, 3, 10, 20, 30];
    /// plan.run_in_place(&mut tensor)?;
    /// assert_eq!(tensor, [1, 10, 2, 20, 3, 30]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn run_in_place<U: Plain>(&self, buffer: &mut [U]) -> Result<(), LayoutError> {
        // Comes first: if the layouts have different sizes, no length is right, and this error says so.
        match &Cycles::of(self) {
            Ok(cycles) => {
                check(self, buffer, buffer)?;
                run(cycles, None, plain::as_bytes_mut(buffer));
                Ok(())
            }
            Err(error) => Err(*error),
        }
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>> Tensor<L, B> {
    /// Moves the tensor to another layout type within its buffer, as [`Plan::run_in_place`] does. Extents written `_` in
    /// the type are those of this tensor.
    ///
    /// # Errors
    /// - [`Plan::run_in_place`] returns an error.
    /// - The buffer does not have the alignment of the layout.
    ///
    /// On an error, nothing is moved, and the error has the tensor. `?` keeps the reason alone where a function returns
    /// [`LayoutError`].
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Planes = layout!(NCHW<1, 2, 1, 3>, u8);
    /// type Last = layout!(NHWC<N = _, H = 1, W = 3, C = 2>, u8);
    ///
    /// let planes: Tensor<Planes, _> = [1, 2, 3, 10, 20, 30].into();
    /// let last = planes.relayout_in_place::<Last>()?;
    /// assert_eq!(last.buffer(), [1, 10, 2, 20, 3, 30]);
    ///
    /// let refused = last.relayout_in_place::<layout!(NCHW4<1, 2, 1, 3>, u8, pad)>().unwrap_err();
    /// assert_eq!(refused.into_inner().buffer(), [1, 10, 2, 20, 3, 30]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn relayout_in_place<M>(mut self) -> Result<Tensor<M, B>, InPlaceError<Self>>
    where
        M: FormatType<Element = L::Element>,
    {
        const { Matched::<L, M>::CHECKED };
        match self.permute_units::<M>() {
            Ok(layout) => Ok(self.in_layout(layout)),
            Err(error) => Err(InPlaceError { tensor: self, error }),
        }
    }

    /// Moves the units of the buffer to their places in the other layout, and returns it.
    fn permute_units<M: FormatType<Element = L::Element>>(&mut self) -> Result<M, LayoutError> {
        let before = self.layout();
        let layout = M::with_extents_of(&before)?;
        let cycles = Cycles::of(&Plan::const_new(&before, &layout.layout())?)?;
        Needs::of(&layout).check(self.holder(), self.buffer())?;
        run(&cycles, None, plain::as_bytes_mut(self.buffer_mut()));
        Needs::of(&layout).check(self.holder(), self.buffer())?;
        Ok(layout)
    }
}

/// The error of [`Tensor::relayout_in_place`], with the tensor that it took.
pub struct InPlaceError<T> {
    tensor: T,
    error: LayoutError,
}

impl<T> InPlaceError<T> {
    /// Returns the reason.
    pub fn error(&self) -> LayoutError {
        self.error
    }

    /// Returns the tensor, whose elements are where they were.
    pub fn into_inner(self) -> T {
        self.tensor
    }
}

impl<T> From<InPlaceError<T>> for LayoutError {
    fn from(refused: InPlaceError<T>) -> Self {
        refused.error
    }
}

/// Writes the reason.
impl<T> fmt::Display for InPlaceError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

/// Writes the reason, without the tensor.
impl<T> fmt::Debug for InPlaceError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("InPlaceError").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<T> core::error::Error for InPlaceError<T> {}

/// Whether [`run_in_place`] takes a relayout.
pub const fn can_run_in_place<R: Relayout>() -> bool {
    Cycles::of(R::PLAN).is_ok()
}

/// [`Plan::run_in_place`] for arrays between static layouts. What would be an error is a compile error.
#[inline]
pub fn run_in_place<R: Relayout, const LENGTH: usize>(
    buffer: &mut [UnitOf<R::Destination>; LENGTH],
) {
    let cycles = const {
        check_units::<R>();
        // Comes first: if the layouts have different sizes, no length is right, and this error says so.
        let cycles = match Cycles::of(R::PLAN) {
            Ok(cycles) => cycles,
            Err(error) => error.panic(),
        };
        if let Err(error) = R::PLAN.check_lengths(LENGTH, LENGTH) {
            error.panic()
        }
        cycles
    };
    run(&cycles, R::STARTS, plain::as_bytes_mut(buffer));
}

#[inline(always)]
fn run(cycles: &Cycles, starts: Option<&[u16]>, bytes: &mut [u8]) {
    if cycles.count <= 1 {
        return;
    }
    #[cfg(not(target_os = "none"))]
    if stages::run(cycles, bytes) {
        return;
    }
    cycles.run(starts, bytes);
}
