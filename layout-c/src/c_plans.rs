//! Functions of plans.

use core::ffi::c_void;

use tensor_layout::{LayoutError, Plan, relayout_cost};

use crate::c_memory::Sides;
#[cfg(feature = "rayon")]
use crate::c_memory::has_own_threads;
use crate::c_stored::{LayoutOfC, PlanOfC, exported};
use crate::c_text::{Fault, print, report};

exported! { report;
    /// Plans a relayout.
    fn tl_plan_new(&source: LayoutOfC, &destination: LayoutOfC,) -> plan: PlanOfC {
        Plan::new(source, destination)
    }

    /// Finds about how many cycles a relayout takes.
    fn tl_relayout_cost(&source: LayoutOfC, &destination: LayoutOfC,) -> cost: u64 {
        relayout_cost(source, destination)
    }
}

/// Returns an error unless the buffers have the bytes of their layouts.
pub(crate) fn check_bytes(
    sides: &Sides,
    (source, destination): (usize, usize),
) -> Result<(), Fault> {
    for (side, needed, given) in [
        ("source", source, sides.source_bytes),
        ("destination", destination, sides.destination_bytes),
    ] {
        if needed != given {
            return Err(Fault::Length { side, needed, given });
        }
    }
    Ok(())
}

/// Runs a plan over bytes, which need no alignment. `is_parallel` asks for all cores, which a forked process does not get.
///
/// # Errors
/// A side has another number of bytes than its layout. Nothing is written then.
pub fn run_bytes(
    plan: &Plan,
    source: &[u8],
    destination: &mut [u8],
    is_parallel: bool,
) -> Result<(), LayoutError> {
    match is_parallel {
        #[cfg(feature = "rayon")]
        true if has_own_threads() => plan.par_run_bytes(source, destination),
        _ => plan.run_bytes(source, destination),
    }
}

/// Moves a tensor.
///
/// # Safety
/// The sides must lead to their bytes, as the header says.
#[inline(always)]
unsafe fn run(plan: &Plan, sides: &Sides, is_parallel: bool) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let (source, destination) = unsafe { sides.slices() }?;
    run_bytes(plan, source, destination, is_parallel).map_err(|error| {
        let bytes = (plan.source().bytes(), plan.destination().bytes());
        check_bytes(sides, bytes).err().unwrap_or(Fault::Rule(error))
    })
}

/// Declares the functions that move a tensor.
macro_rules! runs {
    ($($(#[$of:meta])* $name:ident $is_parallel:literal)*) => {
        exported! { report; $(
            $(#[$of])*
            fn $name(
                &plan: PlanOfC,
                source: *const c_void,
                source_bytes: usize,
                destination: *mut c_void,
                destination_bytes: usize,
            ) {
                let sides = Sides { source, source_bytes, destination, destination_bytes };
                // SAFETY: the caller's promise.
                unsafe { run(plan, &sides, $is_parallel) }
            }
        )* }
    };
}

runs! {
    /// Moves a tensor.
    tl_plan_run false
    /// Moves a tensor on all cores.
    tl_plan_run_parallel true
}

exported! { print;
    /// Writes the path that a plan takes.
    fn tl_plan_print(&plan: PlanOfC,) {
        Ok(plan)
    }
}
