//! Moving one tensor into another.

use core::marker::PhantomData;

use layout_types::spec::LayoutError;
#[cfg(feature = "alloc")]
use layout_types::{AsFormat, Dynamic, FormatType};
use layout_types::{LayoutType, UnitOf};

use super::plan::Plan;
use super::run::{KnownPlan, check, relayout, run_known};
use super::types::checked_plan;
use crate::buffers::same_units_mut;
use crate::tensor::Tensor;

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Moves every element to the same coordinate of `destination`. Axes are matched by letter.
    ///
    /// Padding of the destination is filled, gaps between explicit strides stay as they are. Where
    /// both layouts are static, the plan is made when the program compiles, and layouts that do not
    /// go together are a compile error, as are axes and known extents of other types. Else the plan is made
    /// here, which takes about a microsecond; to use one plan for many tensors see
    /// [`relayout`](crate::relayout()).
    ///
    /// # Errors
    /// Different axes or extents, a destination in which coordinates share an element, or a buffer
    /// that no longer has the length of its layout. Nothing is written then.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let of = |format| Layout::of(format, &[1, 2, 1, 2], ElementType::U8);
    /// let layout = Dynamic::<u8, 4>::new(of("NHWC")?)?;
    /// let image = Tensor::with_layout(layout, [1, 2, 3, 4])?;
    /// let layout = Dynamic::<u8, 4>::new(of("NCHW")?)?;
    /// let mut planes = Tensor::with_layout(layout, [0; 4])?;
    ///
    /// image.relayout_into(&mut planes)?;
    /// assert_eq!(planes.buffer(), [1, 3, 2, 4]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn relayout_into<M, C>(&self, destination: &mut Tensor<M, C>) -> Result<(), LayoutError>
    where
        M: LayoutType<Element = L::Element>,
        C: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
    {
        try_tensors(self, destination)
    }
}

/// Moves one tensor into another. Elements of other types are a compile error of the plan, and no second one of
/// bounds.
#[inline]
pub fn try_tensors<L, M, B, C>(
    source: &Tensor<L, B>,
    destination: &mut Tensor<M, C>,
) -> Result<(), LayoutError>
where
    L: LayoutType,
    M: LayoutType,
    B: AsRef<[UnitOf<L>]>,
    C: AsRef<[UnitOf<M>]> + AsMut<[UnitOf<M>]>,
{
    match Planned::<L, M>::PLAN {
        Some(plan) => {
            check(plan, source.buffer(), destination.buffer_mut())?;
            run_known::<Planned<L, M>, _, _>(source.buffer(), destination.buffer_mut());
            Ok(())
        }
        None => {
            let plan = Plan::new(&source.layout(), &destination.layout())?;
            relayout(&plan, source.buffer(), same_units_mut(destination.buffer_mut()))
        }
    }
}

/// The plan between two layout types that are both static.
struct Planned<L, M>(PhantomData<(L, M)>);

impl<L: LayoutType, M: LayoutType> Planned<L, M> {
    /// Layouts that do not go together are a compile error.
    const MADE: Option<Plan> = checked_plan::<L, M>();
}

impl<L: LayoutType, M: LayoutType> KnownPlan for Planned<L, M> {
    const PLAN: Option<&'static Plan> = match &Self::MADE {
        Some(plan) => Some(plan),
        None => None,
    };
}

#[cfg(feature = "alloc")]
impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// The tensor moved to another layout type, in a buffer of its own on the heap that is aligned as the layout
    /// asks. Extents that the type leaves open are this tensor's.
    ///
    /// # Errors
    /// As [`relayout_into`](Self::relayout_into); extents that break a rule of the layout; memory that
    /// cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Image = layout!(NHWC<1, 2, 1, 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let planes = image.to_layout::<layout!(NCHW<_, 2, 1, 2>, u8)>()?;
    /// assert_eq!(planes.buffer(), [1, 3, 2, 4]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn to_layout<M>(&self) -> Result<Tensor<M>, LayoutError>
    where
        M: FormatType<Element = L::Element>,
    {
        let mut moved = Tensor::zeroed_in(M::with_extents_of(&self.layout())?)?;
        self.relayout_into(&mut moved)?;
        Ok(moved)
    }

    /// The tensor moved to a format that run time knows, in a buffer of its own on the heap; PyTorch's
    /// `to(memory_format=..)`.
    ///
    /// # Errors
    /// As [`Layout::in_format`](crate::Layout::in_format), another rank than the one that is asked for, and
    /// memory that cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Image = layout!(NHWC<1, 2, 1, 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let planes = image.to_format("NCHW")?;
    /// assert_eq!((planes[[0, 1, 0, 0]], planes.buffer()), (2, &[1, 3, 2, 4][..]));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn to_format<const RANK: usize>(
        &self,
        format: impl AsFormat,
    ) -> Result<Tensor<Dynamic<L::Element, RANK>>, LayoutError>
    where
        L: LayoutType<Coordinate = [usize; RANK]>,
    {
        let mut moved = Tensor::zeroed_in(Dynamic::new(self.layout().in_format(format)?)?)?;
        self.relayout_into(&mut moved)?;
        Ok(moved)
    }
}
