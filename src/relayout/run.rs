//! Runs a plan.

use bytemuck::Pod;

use layout_kernels::{Job, KnownJob};
use layout_types::nests::Boxes;
use layout_types::spec::LayoutError;
use layout_types::{StaticLayout, UnitOf};

use super::lowering;
use super::plan::{Jobs, Plan};
use crate::buffers::{Lengths, as_bytes, as_bytes_mut, copy_row, same_units_mut};

/// A relayout between two static layouts, as `#[derive(Relayout)]` writes it.
pub trait Relayout {
    /// The layout that is read.
    type Source: StaticLayout;

    /// The layout that is written.
    type Destination: StaticLayout;

    /// How the tensor is moved, where elements keep their type. The derive makes it once for all that
    /// needs it; any other plan would move another tensor.
    #[doc(hidden)]
    const PLAN: &'static Plan = &plan::<Self::Source, Self::Destination>();

    /// Moves the tensor in `source` to `destination`, whose lengths count units (elements; bytes
    /// for 4-bit elements). Padding of the destination is filled, what padding of the source holds
    /// has no effect, gaps between explicit strides stay as they are.
    ///
    /// # Errors
    /// A slice whose length is not its layout's; nothing is written then.
    fn run_slices(
        source: &[UnitOf<Self::Source>],
        destination: &mut [UnitOf<Self::Destination>],
    ) -> Result<(), LayoutError> {
        const { check_units::<Self>() };
        // Worked out at compile time: a tiny tensor takes but a few times as long as to ask for them.
        const { Lengths::of(&Self::PLAN.pair) }.check(source.len(), destination.len())?;
        run_known::<Self>(source, destination);
        Ok(())
    }
}

/// Whoever implements [`Relayout`] may put any plan in it: a plan for units of another size does not
/// compile. That leaves the lengths to check.
pub(super) const fn check_units<R: Relayout + ?Sized>() {
    let (source, destination) =
        (size_of::<UnitOf<R::Source>>(), size_of::<UnitOf<R::Destination>>());
    if let Err(error) = R::PLAN.check_unit(source) {
        error.panic()
    }
    if let Err(error) = R::PLAN.check_unit(destination) {
        error.panic()
    }
}

/// Job number `JOB` of a relayout between static layouts.
struct JobOf<R: ?Sized, const JOB: usize>(core::marker::PhantomData<R>);

impl<R: Relayout + ?Sized, const JOB: usize> KnownJob for JobOf<R, JOB> {
    const JOB: Job = match R::PLAN.job(JOB) {
        Some(job) => job,
        // Not run, but evaluated all the same.
        None => Job::NOTHING,
    };
}

/// The plan between two static layouts; one that cannot be made is a compile error.
#[track_caller]
pub const fn plan<Source: StaticLayout, Destination: StaticLayout>() -> Plan {
    match Plan::new(&Source::LAYOUT, &Destination::LAYOUT) {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// Moves a tensor from `source` to `destination` as `plan` says.
///
/// Lengths count units: elements, or bytes for 4-bit elements. Padding of the destination is
/// filled, what padding of the source holds has no effect, and gaps between explicit strides stay
/// as they are.
///
/// # Errors
/// A unit of another size than the plan's, or a slice whose length is not its layout's; nothing
/// is written then.
pub fn relayout<U: Pod>(
    plan: &Plan,
    source: &[U],
    destination: &mut [U],
) -> Result<(), LayoutError> {
    check(plan, source, destination)?;
    move_all(plan, source, destination);
    Ok(())
}

/// Errors unless units have the size and slices the lengths that the plan takes.
pub(super) fn check<U>(plan: &Plan, source: &[U], destination: &[U]) -> Result<(), LayoutError> {
    plan.check_unit(size_of::<U>())?;
    plan.check_lengths(source.len(), destination.len())
}

/// [`relayout`] for arrays of the right lengths: nothing is left that could fail.
#[inline]
pub fn run<R: Relayout, const SOURCE: usize, const DESTINATION: usize>(
    source: &[UnitOf<R::Source>; SOURCE],
    destination: &mut [UnitOf<R::Destination>; DESTINATION],
) {
    const {
        check_units::<R>();
        if let Err(error) = R::PLAN.check_lengths(SOURCE, DESTINATION) {
            error.panic()
        }
    }
    run_known::<R>(source, destination);
}

/// The lengths must be the plan's. Only what the plan needs is compiled.
#[inline]
fn run_known<R: Relayout + ?Sized>(
    source: &[UnitOf<R::Source>],
    destination: &mut [UnitOf<R::Destination>],
) {
    if const { R::PLAN.jobs.is_none() } {
        return move_all(R::PLAN, source, same_units_mut(destination));
    }
    if let Some((padding, unit)) = const { R::PLAN.padding() } {
        padding.fill(destination, unit);
    }
    macro_rules! run_jobs {
        ($($job:literal)*) => {$(
            if const { R::PLAN.job($job).is_some() } {
                let (from, to) = (as_bytes(source), as_bytes_mut(destination));
                // SAFETY: a job moves the elements at offsets of coordinates, which both layouts
                // keep below their lengths, and the buffers were found to have those lengths. No
                // two coordinates share a place in the destination: `Pair::new` refuses that.
                // `finish` follows.
                unsafe { layout_kernels::run_known::<JobOf<R, $job>>(from, to) }
            }
        )*};
    }
    const { assert!(Jobs::CAPACITY == 4) };
    run_jobs!(0 1 2 3);
    const { R::PLAN.stores }.finish();
}

/// The lengths and the size of a unit must be the plan's.
pub(super) fn move_all<U: Pod>(plan: &Plan, source: &[U], destination: &mut [U]) {
    debug_assert_eq!(source.len(), plan.pair.source.units());
    debug_assert_eq!(destination.len(), plan.pair.destination.units());
    if let Some((padding, unit)) = plan.padding() {
        padding.fill(destination, unit);
    }
    if let Some(jobs) = &plan.jobs {
        for job in jobs.iter() {
            // SAFETY: a job moves the elements at offsets of coordinates, which both layouts keep
            // below their lengths, and the buffers have those lengths. No two coordinates share a place
            // in the destination: `Pair::new` refuses that. `finish` follows.
            unsafe { job.run(as_bytes(source), as_bytes_mut(destination)) }
        }
        return plan.stores.finish();
    }
    let bits = plan.pair.source.element().bits();
    let mut boxes = Boxes::new(&plan.pair, None);
    while let Some(nest) = boxes.next() {
        if let Some((job, last)) = lowering::jobs(nest, bits, plan.stores) {
            for job in core::iter::once(job).chain(last) {
                // SAFETY: as above; `relayout` checked that a unit is an element, and the lengths.
                unsafe { job.run(as_bytes(source), as_bytes_mut(destination)) }
            }
            continue;
        }
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            if bits < 8 {
                let (from, to) = (as_bytes(source), as_bytes_mut(destination));
                row.copy_nibbles(from, to);
            } else {
                // SAFETY: a row holds offsets of coordinates, which both layouts keep below their
                // lengths, and the buffers have those lengths in units, here elements.
                unsafe { copy_row(source, destination, row) }
            }
        }
    }
    plan.stores.finish();
}
