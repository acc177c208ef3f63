//! Runs a plan on several threads.

use rayon::prelude::*;

use layout_kernels::LEAST_PART;
use layout_types::plain::{self, Plain};
use layout_types::spec::{LayoutError, Rule};

use super::plan::Plan;
use super::run_plan::{by_unit, check, check_bytes, move_all};

impl Plan {
    /// Does what [`run`](Self::run) does, on all threads of rayon's pool.
    ///
    /// Each box of the plan is cut into parts if it takes more than about a third of a millisecond, as some MiB do:
    /// waking a thread takes a good part of that. So the calling thread alone moves a smaller tensor, and one whose plan
    /// has more than four boxes. If the whole destination is filled first and has more than 65,536 units, several threads fill it.
    ///
    /// # Errors
    /// The same as [`run`](Self::run). On an error, nothing is written.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout, Plan};
    ///
    /// let of = |format| Layout::of(format, &[2, 64, 256, 128], ElementType::F32);
    /// let plan = Plan::new(&of("NCHW")?, &of("NHWC")?)?;
    /// let source = vec![1.0f32; 2 * 64 * 256 * 128];
    /// let mut moved = vec![0.0; source.len()];
    /// plan.par_run(&source, &mut moved)?;
    /// assert_eq!(moved, source);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn par_run<U: Plain + Send + Sync>(
        &self,
        source: &[U],
        destination: &mut [U],
    ) -> Result<(), LayoutError> {
        par_run_in_parts(self, LEAST_PART, source, destination)
    }

    /// [`run_bytes`](Self::run_bytes), on all threads of rayon's pool as [`par_run`](Self::par_run).
    ///
    /// # Errors
    /// The same as [`run_bytes`](Self::run_bytes).
    #[doc(hidden)]
    pub fn par_run_bytes(&self, source: &[u8], destination: &mut [u8]) -> Result<(), LayoutError> {
        check_bytes(self, source, destination)?;
        // SAFETY: the lengths are those of the plan, and so are the units.
        by_unit!(self.unit, |U| unsafe {
            par_move_all::<U>(self, LEAST_PART, plain::cast(source), plain::cast_mut(destination));
        })
    }
}

/// [`Plan::par_run`] in parts of at least `least_part` bytes, which tests choose small. A thread fills an eighth as many
/// units of padding at a time.
///
/// # Errors
/// The same.
pub fn par_run_in_parts<U: Plain + Send + Sync>(
    plan: &Plan,
    least_part: usize,
    source: &[U],
    destination: &mut [U],
) -> Result<(), LayoutError> {
    check(plan, source, destination)?;
    // SAFETY: `check` has compared the units and lengths with those of the plan.
    unsafe { par_move_all(plan, least_part, source, destination) };
    Ok(())
}

/// Fills the padding and moves all boxes, on several threads.
///
/// # Safety
/// The lengths and the size of a unit must be those of the plan.
pub(super) unsafe fn par_move_all<U: Plain + Send + Sync>(
    plan: &Plan,
    least_part: usize,
    source: &[U],
    destination: &mut [U],
) {
    let filled = (least_part / 8).max(1);
    let Some(moves) = plan.few_moves() else {
        // SAFETY: the caller's promise.
        unsafe { move_all(plan, source, destination) };
        return;
    };
    match plan.padding {
        Some(_) if plan.pads() => {}
        Some(padding) if padding.is_everywhere() && destination.len() > filled => {
            let unit: U = plain::from_bits(plan.pair.destination().unit_of_fill());
            destination.par_chunks_mut(filled).for_each(|units| units.fill(unit));
        }
        _ => plan.fill(destination),
    }
    for of in moves.iter().flatten() {
        let (from, to) = (plain::as_bytes(source), plain::as_bytes_mut(destination));
        let done = layout_kernels::par_run(of, plan.stores, least_part, from, to);
        debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
    }
}
