//! Functions of plans.

use core::ffi::c_void;

use tensor_layout::{LayoutError, Plan, relayout_cost};

use crate::c_memory::Sides;
#[cfg(feature = "rayon")]
use crate::c_memory::has_own_threads;
use crate::c_stored::{LayoutOfC, PlanOfC, null};
use crate::c_text::{Fault, exported, print, report};

exported! { report;
    /// Plans a relayout.
    fn tl_plan_new(source: *const LayoutOfC, destination: *const LayoutOfC, plan: *mut PlanOfC) {
        // SAFETY: the caller's promise.
        let source = unsafe { LayoutOfC::get(source) }?;
        // SAFETY: the caller's promise.
        let destination = unsafe { LayoutOfC::get(destination) }?;
        let made = Plan::new(source, destination)?;
        // SAFETY: the caller's promise.
        unsafe { PlanOfC::put(plan, made) }
    }

    /// Finds about how many cycles a relayout takes.
    fn tl_relayout_cost(source: *const LayoutOfC, destination: *const LayoutOfC, cost: *mut u64) {
        // SAFETY: the caller's promise.
        let source = unsafe { LayoutOfC::get(source) }?;
        // SAFETY: the caller's promise.
        let destination = unsafe { LayoutOfC::get(destination) }?;
        let found = relayout_cost(source, destination)?;
        if cost.is_null() {
            return Err(null());
        }
        // SAFETY: the caller's memory has room for a number, which need not be initialized.
        unsafe { cost.write(found) };
        Ok(())
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
/// `plan` must be null or lead to a `tl_plan`, and the sides to their bytes, as the header says.
#[inline(always)]
unsafe fn run(plan: *const PlanOfC, sides: &Sides, is_parallel: bool) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let plan = unsafe { PlanOfC::get(plan) }?;
    // SAFETY: the caller's promise.
    let (source, destination) = unsafe { sides.slices() }?;
    run_bytes(plan, source, destination, is_parallel).map_err(|error| {
        let bytes = (plan.source().bytes(), plan.destination().bytes());
        check_bytes(sides, bytes).err().unwrap_or(Fault::Rule(error))
    })
}

exported! { report;
    /// Moves a tensor.
    fn tl_plan_run(
        plan: *const PlanOfC,
        source: *const c_void,
        source_bytes: usize,
        destination: *mut c_void,
        destination_bytes: usize,
    ) {
        let sides = Sides { source, source_bytes, destination, destination_bytes };
        // SAFETY: the caller's promise.
        unsafe { run(plan, &sides, false) }
    }

    /// Moves a tensor on all cores.
    fn tl_plan_run_parallel(
        plan: *const PlanOfC,
        source: *const c_void,
        source_bytes: usize,
        destination: *mut c_void,
        destination_bytes: usize,
    ) {
        let sides = Sides { source, source_bytes, destination, destination_bytes };
        // SAFETY: the caller's promise.
        unsafe { run(plan, &sides, true) }
    }
}

exported! { print;
    /// Writes the path that a plan takes.
    fn tl_plan_print(plan: *const PlanOfC) {
        // SAFETY: the caller's promise.
        unsafe { PlanOfC::get(plan) }
    }
}
