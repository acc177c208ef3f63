//! Functions of copies between strided arrays.

use core::ffi::c_void;

use tensor_layout::strided::StridedCopy;

#[cfg(feature = "rayon")]
use crate::c_memory::has_own_threads;
use crate::c_memory::{check_apart, slice};
use crate::c_stored::{CopyOfC, exported, null};
use crate::c_text::{Fault, report};

/// Returns how far before the element whose indices are all 0 the first byte lies.
fn bytes_before(shape: &[usize], strides: &[isize]) -> usize {
    let back = |(&extent, &stride): (&usize, &isize)| {
        let back = stride.min(0).unsigned_abs();
        back.saturating_mul(extent.saturating_sub(1))
    };
    shape.iter().zip(strides).map(back).fold(0, usize::saturating_add)
}

/// A side: the offset of the element whose indices are all 0, and strides, both in bytes.
type SideOfC<'a> = (usize, &'a [isize]);

/// Returns the shape and the sides of a copy.
///
/// # Safety
/// The lists must have `rank` values, as the header says, which nothing changes while the result is used.
unsafe fn sides<'a>(
    rank: usize,
    shape: *const usize,
    source_strides: *const isize,
    destination_strides: *const isize,
) -> Result<(&'a [usize], SideOfC<'a>, SideOfC<'a>), Fault> {
    // SAFETY: the caller's promise.
    let shape = unsafe { slice(shape, rank) }?;
    // SAFETY: the caller's promise.
    let source = unsafe { slice(source_strides, rank) }?;
    // SAFETY: the caller's promise.
    let destination = unsafe { slice(destination_strides, rank) }?;
    let before = match shape.contains(&0) {
        true => (0, 0),
        false => (bytes_before(shape, source), bytes_before(shape, destination)),
    };
    Ok((shape, (before.0, source), (before.1, destination)))
}

/// Runs a copy between elements at these addresses.
///
/// # Safety
/// All elements must be readable and writable, as the header says.
unsafe fn run(
    copy: &StridedCopy,
    source: *const c_void,
    destination: *mut c_void,
    run: unsafe fn(&StridedCopy, *const u8, *mut u8),
) -> Result<(), Fault> {
    if copy.numel() == 0 {
        return Ok(());
    }
    if source.is_null() || destination.is_null() {
        return Err(null());
    }
    let source = source.cast::<u8>().wrapping_sub(copy.source_offset());
    let destination = destination.cast::<u8>().wrapping_sub(copy.destination_offset());
    check_apart(
        (source as usize, copy.source_len()),
        (destination as usize, copy.destination_len()),
    )?;
    // SAFETY: the lengths are those of all elements, which are readable and writable by the caller's promise, and are
    // apart.
    unsafe { run(copy, source, destination) };
    Ok(())
}

exported! { report;
    /// Copies elements between strided arrays.
    fn tl_copy_strided(
        rank: usize,
        shape: *const usize,
        element_bytes: usize,
        source: *const c_void,
        source_strides: *const isize,
        destination: *mut c_void,
        destination_strides: *const isize,
    ) {
        // SAFETY: the caller's promise.
        let sides = unsafe { sides(rank, shape, source_strides, destination_strides) }?;
        StridedCopy::once(sides.0, element_bytes, sides.1, sides.2, |copy| {
            // SAFETY: the caller's promise.
            unsafe { run(copy, source, destination, StridedCopy::run_pointers) }
        })?
    }

    /// Runs a copy.
    fn tl_copy_run(&copy: CopyOfC, source: *const c_void, destination: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { run(copy, source, destination, StridedCopy::run_pointers) }
    }

    /// Runs a copy on all cores.
    fn tl_copy_run_parallel(&copy: CopyOfC, source: *const c_void, destination: *mut c_void) {
        #[cfg(feature = "rayon")]
        let how = match has_own_threads() {
            true => StridedCopy::par_run_pointers,
            false => StridedCopy::run_pointers,
        };
        #[cfg(not(feature = "rayon"))]
        let how = StridedCopy::run_pointers;
        // SAFETY: the caller's promise.
        unsafe { run(copy, source, destination, how) }
    }

    /// Plans a copy.
    fn tl_copy_new(
        rank: usize,
        shape: *const usize,
        element_bytes: usize,
        source_strides: *const isize,
        destination_strides: *const isize,
    ) -> copy: CopyOfC {
        // SAFETY: the caller's promise.
        let sides = unsafe { sides(rank, shape, source_strides, destination_strides) }?;
        StridedCopy::of_bytes(sides.0, element_bytes, sides.1, sides.2)
    }
}
