//! Functions of plans.

use core::ffi::c_void;

use bytemuck::Pod;
use tensor_layout::{LayoutError, Plan};

use crate::c_memory::{Sides, units, units_mut};
use crate::c_stored::{LayoutOfC, PlanOfC};
use crate::c_text::{Fault, Status, TextOfC, report, write};

/// Plans a relayout.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_plan_new(
    source: *const LayoutOfC,
    destination: *const LayoutOfC,
    plan: *mut PlanOfC,
    error: *mut TextOfC,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let source = unsafe { LayoutOfC::get(source) }?;
        // SAFETY: the caller's promise.
        let destination = unsafe { LayoutOfC::get(destination) }?;
        let made = Plan::new(source, destination)?;
        // SAFETY: the caller's promise.
        unsafe { PlanOfC::put(plan, made) }
    };
    // SAFETY: the caller's promise.
    unsafe { report(body(), error) }
}

/// How units are moved: by the calling thread, or on all cores.
trait Runs {
    fn run<U: Pod + Send + Sync>(plan: &Plan, from: &[U], to: &mut [U]) -> Result<(), LayoutError>;
}

struct OnOne;

impl Runs for OnOne {
    fn run<U: Pod + Send + Sync>(plan: &Plan, from: &[U], to: &mut [U]) -> Result<(), LayoutError> {
        plan.run(from, to)
    }
}

#[cfg(feature = "rayon")]
struct OnAll;

#[cfg(feature = "rayon")]
impl Runs for OnAll {
    fn run<U: Pod + Send + Sync>(plan: &Plan, from: &[U], to: &mut [U]) -> Result<(), LayoutError> {
        plan.par_run(from, to)
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

/// Moves a tensor.
///
/// # Safety
/// `plan` must be null or lead to a `tl_plan`, and the sides to their bytes, as the header says.
unsafe fn run<R: Runs>(plan: *const PlanOfC, sides: &Sides) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let plan = unsafe { PlanOfC::get(plan) }?;
    check_bytes(sides, (plan.source().bytes(), plan.destination().bytes()))?;
    // SAFETY: the caller's promise.
    let (source, destination) = unsafe { sides.slices() }?;
    match plan.source().element().bits().div_ceil(8) {
        1 => R::run(plan, source, destination)?,
        2 => R::run(plan, units::<2>(source), units_mut::<2>(destination))?,
        4 => R::run(plan, units::<4>(source), units_mut::<4>(destination))?,
        8 => R::run(plan, units::<8>(source), units_mut::<8>(destination))?,
        _ => R::run(plan, units::<16>(source), units_mut::<16>(destination))?,
    }
    Ok(())
}

/// Moves a tensor.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_plan_run(
    plan: *const PlanOfC,
    source: *const c_void,
    source_bytes: usize,
    destination: *mut c_void,
    destination_bytes: usize,
    error: *mut TextOfC,
) -> Status {
    let sides = Sides { source, source_bytes, destination, destination_bytes };
    // SAFETY: the caller's promise.
    let result = unsafe { run::<OnOne>(plan, &sides) };
    // SAFETY: the caller's promise.
    unsafe { report(result, error) }
}

/// Moves a tensor on all cores.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_plan_run_parallel(
    plan: *const PlanOfC,
    source: *const c_void,
    source_bytes: usize,
    destination: *mut c_void,
    destination_bytes: usize,
    error: *mut TextOfC,
) -> Status {
    let sides = Sides { source, source_bytes, destination, destination_bytes };
    #[cfg(feature = "rayon")]
    // SAFETY: the caller's promise.
    let result = unsafe { run::<OnAll>(plan, &sides) };
    #[cfg(not(feature = "rayon"))]
    // SAFETY: the caller's promise.
    let result = unsafe { run::<OnOne>(plan, &sides) };
    // SAFETY: the caller's promise.
    unsafe { report(result, error) }
}

/// Writes the path that a plan takes.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_plan_print(plan: *const PlanOfC, text: *mut TextOfC) -> Status {
    // SAFETY: the caller's promise.
    match unsafe { PlanOfC::get(plan) } {
        Ok(plan) => {
            // SAFETY: the caller's promise.
            unsafe { write(text, plan) };
            Status::Ok
        }
        // SAFETY: the caller's promise.
        Err(fault) => unsafe { report(Err(fault), text) },
    }
}
