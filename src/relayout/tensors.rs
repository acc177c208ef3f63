//! Moving one tensor into another.

use core::marker::PhantomData;

use layout_types::plain;
use layout_types::spec::LayoutError;
#[cfg(feature = "alloc")]
use layout_types::{AsFormat, Dynamic, FormatType};
use layout_types::{LayoutType, UnitOf};

use super::plan::Plan;
use super::run::{HasStaticPlan, run_static_plan};
use super::run_plan::check;
use super::types::plan_of;
use crate::tensor::Tensor;

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Moves every element to the same coordinate of `destination`. Axes are matched by letter.
    ///
    /// The relayout fills the padding of the destination and leaves gaps between explicit strides unchanged.
    ///
    /// If both layouts are static, the plan is made at compile time, and layouts with different axes or extents are a
    /// compile error. Known extents that differ are a compile error for other layout types too. Otherwise each call
    /// makes a plan, which takes one to four microseconds. To use one plan for many tensors, call
    /// [`Plan::run`].
    ///
    /// # Errors
    /// - The axes or extents differ.
    /// - Several coordinates of the destination share an element.
    /// - A buffer has become shorter than its layout.
    ///
    /// On an error, nothing is written.
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
    #[doc(alias("copy_to", "reorder", "assign"))]
    pub fn relayout_into<M, C>(&self, destination: &mut Tensor<M, C>) -> Result<(), LayoutError>
    where
        M: LayoutType<Element = L::Element>,
        C: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
    {
        // Here too, so that the compile error ends at the caller's line.
        const { Planned::<L, M>::CHECKED };
        try_run(self, destination)
    }

    /// Does what [`relayout_into`](Self::relayout_into) does, on all threads of rayon's pool; see [`Plan::par_run`].
    ///
    /// # Errors
    /// The same as [`relayout_into`](Self::relayout_into).
    #[cfg(feature = "rayon")]
    pub fn par_relayout_into<M, C>(&self, destination: &mut Tensor<M, C>) -> Result<(), LayoutError>
    where
        M: LayoutType<Element = L::Element>,
        C: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
        UnitOf<L>: Send + Sync,
    {
        const { Planned::<L, M>::CHECKED };
        match Planned::<L, M>::PLAN {
            Some(plan) => plan.par_run(self.buffer(), destination.buffer_mut()),
            None => {
                let plan = Plan::new(&self.layout(), &destination.layout())?;
                plan.par_run(self.buffer(), destination.buffer_mut())
            }
        }
    }
}

/// Moves one tensor into another. For different element types, the error of the plan is the only compile error,
/// without a second one about bounds.
#[inline]
pub fn try_run<L, M, B, C>(
    source: &Tensor<L, B>,
    destination: &mut Tensor<M, C>,
) -> Result<(), LayoutError>
where
    L: LayoutType,
    M: LayoutType,
    B: AsRef<[UnitOf<L>]>,
    C: AsRef<[UnitOf<M>]> + AsMut<[UnitOf<M>]>,
{
    const { Planned::<L, M>::CHECKED };
    match Planned::<L, M>::PLAN {
        Some(plan) => {
            // Once: a buffer of the user's may have another length the next time.
            let (from, to) = (source.buffer(), destination.buffer_mut());
            check(plan, from, to)?;
            // SAFETY: `check` has compared the units and lengths with those of the plan.
            unsafe { run_static_plan::<Planned<L, M>, _, _>(from, to) };
            Ok(())
        }
        None => {
            let plan = Plan::new(&source.layout(), &destination.layout())?;
            plan.run(source.buffer(), plain::same_mut(destination.buffer_mut()))
        }
    }
}

/// The plan between two layout types that are both static.
struct Planned<L, M>(PhantomData<(L, M)>);

impl<L: LayoutType, M: LayoutType> Planned<L, M> {
    /// Makes different axes or extents a compile error. It is the only one, since the code after it treats the
    /// layouts as known at run time.
    const CHECKED: () = if let Err(error) = plan_of::<L, M>() {
        error.panic_in_type()
    };

    const MADE: Option<Plan> = match plan_of::<L, M>() {
        Ok(plan) => plan,
        Err(_) => None,
    };
}

impl<L: LayoutType, M: LayoutType> HasStaticPlan for Planned<L, M> {
    const PLAN: Option<&'static Plan> = match &Self::MADE {
        Some(plan) => Some(plan),
        None => None,
    };
}

#[cfg(feature = "alloc")]
impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Moves the tensor to another layout type and returns it in a new buffer on the heap with the layout's
    /// alignment. Extents written `_` in the type are those of this tensor.
    ///
    /// # Errors
    /// - In the cases of [`relayout_into`](Self::relayout_into).
    /// - The extents break a rule of the layout.
    /// - Memory cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Image = layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let planes = image.to_layout::<layout!(NCHW<_, 2, 1, 2>, u8)>()?;
    /// assert_eq!(planes.buffer(), [1, 3, 2, 4]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn to_layout<M: FormatType<Element = L::Element>>(&self) -> Result<Tensor<M>, LayoutError> {
        const { Planned::<L, M>::CHECKED };
        let mut moved = Tensor::zeroed_in(M::with_extents_of(&self.layout())?)?;
        self.relayout_into(&mut moved)?;
        Ok(moved)
    }

    /// Moves the tensor to a format known at run time and returns it in a new buffer on the heap, as PyTorch's
    /// `to(memory_format=..)` does.
    ///
    /// # Errors
    /// - [`Layout::in_format`](crate::Layout::in_format) returns an error.
    /// - The rank is not `RANK`.
    /// - Memory cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Image = layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, u8);
    ///
    /// let image: Tensor<Image, _> = [1, 2, 3, 4].into();
    /// let planes = image.to_format("NCHW")?;
    /// assert_eq!((planes[[0, 1, 0, 0]], planes.buffer()), (2, &[1, 3, 2, 4][..]));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("contiguous", "rearrange", "to_contiguous"))]
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
