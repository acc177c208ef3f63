//! The plan of a copy between strided arrays.

use core::fmt;

use layout_kernels::{Isa, MAX_LOOPS, Move, Plan, SubByte};
use layout_types::plain::{self, Plain};

use super::unit_copies::{copy_elements, copy_units, each};
use super::{Side, StridedError, StridedLoops, StridedSide};

/// How to copy elements from one strided array to another: the checks and choices made once.
///
/// ```
/// use tensor_layout::strided::StridedCopy;
///
/// // Frames of 2 channels to planes.
/// let plan = StridedCopy::of::<f32>(&[2, 4], (0, &[1, 2]), (0, &[4, 1]))?;
/// let mut planes = [0.0f32; 8];
/// for frames in [[1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0], [0.0; 8]] {
///     plan.run(&frames, &mut planes)?;
/// }
/// println!("{plan}"); // the path that it takes
/// # Ok::<(), tensor_layout::strided::StridedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StridedCopy {
    loops: StridedLoops,
    /// The elements of less than a byte, if the loops count those.
    elements: Option<SubByte>,
    /// The kernel of the first loops. Without it, all units are copied one by one.
    pub(super) kernel: Option<Plan>,
    /// Where the slices of the kernel begin in the first iteration of all other loops.
    pub(super) start: (isize, isize),
}

/// Returns the loops of a copy of units of `unit` bytes. A side is an offset and strides in `scale` bytes.
pub(super) fn loops_of(
    shape: &[usize],
    (unit, scale): (usize, usize),
    source: (usize, &[isize]),
    destination: (usize, &[isize]),
) -> Result<StridedLoops, StridedError> {
    let of = |side, (offset, strides)| StridedSide { side, offset, strides, scale };
    StridedLoops::new(shape, unit, of(Side::Source, source), of(Side::Destination, destination))
}

impl StridedCopy {
    /// Plans a copy of `shape` elements of type `T` for the CPU that the program runs on. A side is the position of the
    /// element whose indices are all 0, and a stride for each axis, in elements.
    ///
    /// # Errors
    /// - A list of strides has another length than the shape.
    /// - An element lies before the start of its slice.
    /// - Elements of the destination overlap, or its strides interleave on so many axes that 10,000 steps of a search do
    ///   not find out.
    /// - More than 32 axes have several elements.
    /// - Offsets exceed [`isize::MAX`] bytes.
    pub fn of<T: Plain>(
        shape: &[usize],
        source: (usize, &[isize]),
        destination: (usize, &[isize]),
    ) -> Result<Self, StridedError> {
        let size = size_of::<T>();
        Ok(Self::planned(loops_of(shape, (size, size), source, destination)?, None))
    }

    /// [`of`](Self::of) for elements of `size` bytes. Offsets and strides count bytes, and need not be multiples of the
    /// size, as those of a field of structs.
    ///
    /// # Errors
    /// The same as [`of`](Self::of).
    pub fn of_bytes(
        shape: &[usize],
        size: usize,
        source: (usize, &[isize]),
        destination: (usize, &[isize]),
    ) -> Result<Self, StridedError> {
        Ok(Self::planned(loops_of(shape, (size, 1), source, destination)?, None))
    }

    /// Calls `run` with the copy of [`of_bytes`](Self::of_bytes), which it runs once: few elements are copied one by one,
    /// since a plan of them would take longer.
    ///
    /// # Errors
    /// The same as [`of`](Self::of).
    pub fn once<R>(
        shape: &[usize],
        size: usize,
        source: (usize, &[isize]),
        destination: (usize, &[isize]),
        run: impl FnOnce(&Self) -> R,
    ) -> Result<R, StridedError> {
        Ok(run(&Self::of_one_run(loops_of(shape, (size, 1), source, destination)?)))
    }

    pub(super) fn of_one_run(loops: StridedLoops) -> Self {
        /// The largest number of elements that are copied one by one faster than a plan is made.
        const FEW: usize = 256;
        match loops.numel <= FEW {
            true => Self::unplanned(loops),
            false => Self::planned(loops, None),
        }
    }

    /// [`of`](Self::of) for elements of 1, 2 or 4 bits. Offsets and strides count elements. The first element of a byte
    /// has its lowest bits. Slices are bytes, and other elements of their bytes stay as they are.
    ///
    /// # Errors
    /// - Elements have another number of bits.
    /// - The same as [`of`](Self::of).
    pub fn of_bits(
        shape: &[usize],
        bits: usize,
        source: (usize, &[isize]),
        destination: (usize, &[isize]),
    ) -> Result<Self, StridedError> {
        let elements = SubByte::new(bits).ok_or(StridedError::Bits { bits })?;
        Ok(Self::planned(loops_of(shape, (1, 1), source, destination)?, Some(elements)))
    }

    /// A copy of units one by one.
    fn unplanned(loops: StridedLoops) -> Self {
        Self { loops, elements: None, kernel: None, start: (0, 0) }
    }

    fn planned(loops: StridedLoops, elements: Option<SubByte>) -> Self {
        let mut copy = Self { elements, ..Self::unplanned(loops) };
        /// The largest number of units that loops copy faster than a kernel with loops.
        const LEAST: usize = 16;
        let has_outer_loops = loops.loops().len() > MAX_LOOPS;
        let is_small = loops.numel <= LEAST && loops.unit <= 8 && elements.is_none();
        // Iterations of outer loops begin at whole bytes.
        if loops.numel == 0 || (has_outer_loops && elements.is_some()) {
            return copy;
        }
        copy.loops.put_smallest_first(MAX_LOOPS);
        let of = copy.inner();
        let back = |of: &Move| (of.source as isize, of.destination as isize);
        if elements.is_none() {
            let back = back(&of);
            copy.start = (loops.source - back.0, loops.destination - back.1);
        }
        // In place: a plan takes 3 KiB. Without one, units would be copied one by one; the checks of the loops are those
        // of a plan, so there is one.
        let _ = Plan::set(&mut copy.kernel, &of, Isa::best());
        if is_small && copy.kernel.as_ref().is_some_and(|kernel| !kernel.is_one_vector()) {
            copy.kernel = None;
        }
        copy
    }

    /// The move of the kernel, from the first byte that it reads to the first one that it writes. That of elements of
    /// less than a byte begins at the start of the slices.
    pub(super) fn inner(&self) -> Move {
        let loops = self.loops.loops();
        let inner = &loops[..loops.len().min(MAX_LOOPS)];
        if let Some(elements) = self.elements {
            let start = (self.loops.source as usize, self.loops.destination as usize);
            return Move::of_elements(elements, inner, self.loops.unit).from(start.0, start.1);
        }
        let back =
            |level: &layout_kernels::Loop| level.source.min(0).unsigned_abs() * (level.size - 1);
        Move::new(inner, self.loops.unit).from(inner.iter().map(back).sum(), 0)
    }

    /// The loops around the kernel.
    pub(super) fn outer(&self) -> &[layout_kernels::Loop] {
        let loops = self.loops.loops();
        &loops[loops.len().min(MAX_LOOPS)..]
    }

    /// The number of elements that are copied.
    pub const fn numel(&self) -> usize {
        self.loops.numel
    }

    /// The bytes of an element, or 1 for elements of less than a byte.
    #[cfg(feature = "rayon")]
    pub(super) const fn unit(&self) -> usize {
        self.loops.unit
    }

    /// Where the element of the source lies whose indices are all 0: in bytes, or in elements of less than a byte.
    pub const fn source_offset(&self) -> usize {
        self.loops.first.0 as usize
    }

    /// Where the element of the destination lies whose indices are all 0: in bytes, or in elements of less than a byte.
    pub const fn destination_offset(&self) -> usize {
        self.loops.first.1 as usize
    }

    /// The least number of bytes of a source.
    pub fn source_len(&self) -> usize {
        self.bytes(self.loops.source_range.1)
    }

    /// The least number of bytes of a destination.
    pub fn destination_len(&self) -> usize {
        self.bytes(self.loops.destination_range.1)
    }

    /// The number of bytes up to an offset.
    fn bytes(&self, end: isize) -> usize {
        // Ranges begin at 0 or above.
        match self.elements {
            None => end as usize,
            Some(of) => (end as usize).div_ceil(of.per_byte()),
        }
    }

    /// Copies the elements. Slices have elements of the plan's size, or bytes.
    ///
    /// # Errors
    /// - The slices have elements of another size.
    /// - An element lies after the end of its slice.
    ///
    /// On an error, nothing is written.
    pub fn run<T: Plain>(&self, source: &[T], destination: &mut [T]) -> Result<(), StridedError> {
        let (source, destination) = self.checked(source, destination)?;
        // SAFETY: both slices have the lengths of the copy, and a mutably borrowed slice overlaps no other.
        unsafe { self.run_pointers(source.as_ptr(), destination.as_mut_ptr()) };
        Ok(())
    }

    /// The slices as bytes, if they have the size of the elements and the lengths of the copy.
    fn checked<'a, T: Plain>(
        &self,
        source: &'a [T],
        destination: &'a mut [T],
    ) -> Result<(&'a [u8], &'a mut [u8]), StridedError> {
        self.check_size::<T>()?;
        let (source, destination) = (plain::as_bytes(source), plain::as_bytes_mut(destination));
        self.check_length(Side::Source, source.len())?;
        self.check_length(Side::Destination, destination.len())?;
        Ok((source, destination))
    }

    fn check_size<T>(&self) -> Result<(), StridedError> {
        let (needed, given) = (self.loops.unit, size_of::<T>());
        match given == 1 || given == needed {
            true => Ok(()),
            false => Err(StridedError::ElementSize { needed, given }),
        }
    }

    fn check_length(&self, side: Side, given: usize) -> Result<(), StridedError> {
        let needed = match side {
            Side::Source => self.source_len(),
            Side::Destination => self.destination_len(),
        };
        match given >= needed {
            true => Ok(()),
            false => Err(StridedError::TooShort { side, needed, given }),
        }
    }

    /// Copies the elements between memory at these addresses, where slices would begin.
    ///
    /// # Safety
    /// - [`source_len`](Self::source_len) bytes must be readable at `source`, and
    ///   [`destination_len`](Self::destination_len) bytes writable at `destination`.
    /// - The two must not overlap, and nothing else may write either meanwhile.
    pub unsafe fn run_pointers(&self, source: *const u8, destination: *mut u8) {
        if self.loops.numel == 0 {
            return;
        }
        let Some(kernel) = &self.kernel else {
            match self.elements {
                // SAFETY: all elements lie in the bytes of the caller's promise, which do not overlap.
                Some(of) => unsafe { copy_elements(&self.loops, of, source, destination) },
                // SAFETY: all units lie in the bytes of the caller's promise, which do not overlap.
                None => unsafe { copy_units(&self.loops, source, destination) },
            }
            return;
        };
        each(self.outer(), self.start, |(from, to)| {
            // SAFETY: the caller's promise, and this is an iteration of the loops around the kernel.
            unsafe { run_iteration(kernel, (source, from), (destination, to)) };
        });
        kernel.finish();
    }

    /// [`run`](Self::run) within one slice, for machines without memory for a second one. The elements of both sides
    /// take the same places, in another order. See [`Plan::run_in_place`](crate::Plan::run_in_place) for what it costs.
    ///
    /// # Errors
    /// - The slice has elements of another size, or they have less than a byte.
    /// - An element lies after the end of the slice.
    /// - The sides take different places, the places have gaps, or an axis goes backwards.
    /// - The source is broadcast.
    /// - The orders of the sides differ by more than 12 loops.
    ///
    /// On an error, nothing is moved.
    ///
    /// ```
    /// use tensor_layout::strided::StridedCopy;
    ///
    /// let plan = StridedCopy::of::<u8>(&[2, 3], (0, &[3, 1]), (0, &[1, 2]))?;
    /// let mut matrix = [1u8, 2, 3, 4, 5, 6];
    /// plan.run_in_place(&mut matrix)?;
    /// assert_eq!(matrix, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), tensor_layout::strided::StridedError>(())
    /// ```
    pub fn run_in_place<T: Plain>(&self, buffer: &mut [T]) -> Result<(), StridedError> {
        self.check_size::<T>()?;
        let bytes = plain::as_bytes_mut(buffer);
        self.check_length(Side::Source, bytes.len())?;
        self.check_length(Side::Destination, bytes.len())?;
        if self.loops.numel == 0 {
            return Ok(());
        }
        if let Some(elements) = self.elements {
            return Err(StridedError::BitsInPlace { bits: 8 / elements.per_byte() });
        }
        let (source, destination) = (self.loops.source_range, self.loops.destination_range);
        let bytes = match bytes.get_mut(destination.0 as usize..destination.1 as usize) {
            Some(bytes) if source == destination => bytes,
            _ => return Err(StridedError::Places { source, destination }),
        };
        let mut in_place = || {
            let source = self.loops.layout(|strided| strided.source)?;
            let destination = self.loops.layout(|strided| strided.destination)?;
            crate::Plan::const_new(&source, &destination)?.run_in_place(bytes)
        };
        in_place().map_err(StridedError::in_place)
    }

    /// [`run`](Self::run) on all threads of rayon's pool. The calling thread alone does what takes
    /// less than about a third of a millisecond.
    ///
    /// # Errors
    /// The same as [`run`](Self::run).
    #[cfg(feature = "rayon")]
    pub fn par_run<T: Plain>(
        &self,
        source: &[T],
        destination: &mut [T],
    ) -> Result<(), StridedError> {
        let (source, destination) = self.checked(source, destination)?;
        // SAFETY: both slices have the lengths of the copy, and a mutably borrowed slice overlaps no other.
        unsafe { self.par_run_pointers(source.as_ptr(), destination.as_mut_ptr()) };
        Ok(())
    }
}

/// Runs a kernel at offsets of both sides.
///
/// # Safety
/// The bytes of the kernel's lengths must be readable at the offset from the source, and writable at that from the
/// destination. The two must not overlap, and nothing else may access what the kernel writes meanwhile.
pub(super) unsafe fn run_iteration(
    kernel: &Plan,
    (source, from): (*const u8, isize),
    (destination, to): (*mut u8, isize),
) {
    // SAFETY: the caller's promise.
    let source = unsafe { source.offset(from) };
    // SAFETY: the caller's promise.
    let source = unsafe { core::slice::from_raw_parts(source, kernel.source_len()) };
    // SAFETY: the caller's promise.
    let destination = unsafe { destination.offset(to) };
    // SAFETY: the slice has the kernel's length, and so has what is writable, by the caller's promise.
    unsafe { kernel.run_unchecked(source, destination) };
}

/// Prints the kernel and the loops around it.
///
/// ```text
/// transpose 64 rows by 3136 columns of 2 bytes (AVX2)
/// ```
impl fmt::Display for StridedCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kernel {
            None => f.write_str("element by element"),
            Some(kernel) => {
                self.outer()
                    .iter()
                    .try_for_each(|outer_loop| write!(f, "{} times ", outer_loop.size))?;
                kernel.fmt(f)
            }
        }
    }
}
