//! Moving one tensor into another.

use core::marker::PhantomData;

use layout_types::spec::LayoutError;
use layout_types::{LayoutType, UnitOf};

use super::plan::Plan;
use super::run::{KnownPlan, check, relayout, run_known};
use crate::tensor::Tensor;

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Moves every element to the same coordinate of `destination`. Axes are matched by letter.
    ///
    /// Padding of the destination is filled, gaps between explicit strides stay as they are. Where
    /// both layouts are static, the plan is made when the program compiles, and layouts that do not
    /// go together are a compile error. Else it is made here; to use one plan for many tensors see
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
        const { Planned::<L, M>::CHECKED };
        match Planned::<L, M>::PLAN {
            Some(plan) => {
                check(plan, self.buffer(), destination.buffer_mut())?;
                run_known::<Planned<L, M>, _, _>(self.buffer(), destination.buffer_mut());
                Ok(())
            }
            None => {
                let plan = Plan::new(&self.layout(), &destination.layout())?;
                relayout(&plan, self.buffer(), destination.buffer_mut())
            }
        }
    }
}

/// The plan between two layout types that are both static.
struct Planned<L, M>(PhantomData<(L, M)>);

impl<L: LayoutType, M: LayoutType> Planned<L, M> {
    const MADE: Option<Result<Plan, LayoutError>> = match (L::STATIC, M::STATIC) {
        (Some(source), Some(destination)) => Some(Plan::const_new(&source, &destination)),
        _ => None,
    };

    /// An error of the compiler for layouts that do not go together: one, as nothing else depends on this.
    const CHECKED: () = if let Some(Err(error)) = Self::MADE {
        error.panic_in_type()
    };
}

impl<L: LayoutType, M: LayoutType> KnownPlan for Planned<L, M> {
    const PLAN: Option<&'static Plan> = match &Self::MADE {
        Some(Ok(plan)) => Some(plan),
        _ => None,
    };
}
