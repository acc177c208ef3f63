//! The memory of a Python object that has the buffer protocol.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::prelude::*;

use crate::layout::LayoutError;

/// An array in memory of another object, which is kept.
pub(crate) struct Array {
    buffer: PyUntypedBuffer,
    /// The address of the lowest byte of an element, and the bytes up to the end of the highest one.
    lowest: *mut u8,
    span: usize,
}

// SAFETY: the memory belongs to an object that the buffer keeps, and any thread may read it. Python's rules about threads
// that write it are those of the caller.
unsafe impl Sync for Array {}

impl Array {
    /// The memory of an object.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(object)?;
        if buffer.suboffsets().is_some_and(|all| all.iter().any(|&own| own >= 0)) {
            return Err(LayoutError::new_err(
                "the array is one of pointers; copy it to memory of its own, as `numpy.array(x)` does",
            ));
        }
        let (mut below, mut above) = (0isize, 0isize);
        let is_empty = buffer.item_size() == 0 || buffer.shape().contains(&0);
        if !is_empty {
            for (&extent, &stride) in buffer.shape().iter().zip(buffer.strides()) {
                let last = (extent as isize - 1) * stride;
                *(if last < 0 { &mut below } else { &mut above }) += last;
            }
        }
        let span = match is_empty {
            true => 0,
            false => (above - below) as usize + buffer.item_size(),
        };
        let lowest = buffer.buf_ptr().cast::<u8>().wrapping_offset(below);
        Ok(Self { buffer, lowest, span })
    }

    /// [`of`](Self::of), for writing.
    pub(crate) fn for_writing(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let own = Self::of(object)?;
        if own.buffer.readonly() {
            return Err(LayoutError::new_err(
                "the destination is read-only; give one that can be written",
            ));
        }
        Ok(own)
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.buffer.shape()
    }

    /// The distances between elements, in bytes.
    pub(crate) fn strides(&self) -> &[isize] {
        self.buffer.strides()
    }

    /// The bytes of an element.
    pub(crate) fn item_size(&self) -> usize {
        self.buffer.item_size()
    }

    /// Where the element whose indices are all 0 lies, in bytes from the lowest one.
    pub(crate) fn offset(&self) -> usize {
        match self.span {
            0 => 0,
            _ => self.buffer.buf_ptr() as usize - self.lowest as usize,
        }
    }

    /// The address of the lowest byte, and the number of bytes.
    pub(crate) fn range(&self) -> (*mut u8, usize) {
        (self.lowest, self.span)
    }

    /// Returns an error if elements are not in C order without gaps.
    pub(crate) fn check_contiguous(&self, side: &str) -> PyResult<()> {
        match self.buffer.is_c_contiguous() {
            true => Ok(()),
            false => Err(LayoutError::new_err(format!(
                "the {side} has strides, which a plan does not read; give an array in C order, or call `relayout`"
            ))),
        }
    }

    /// All bytes from the lowest to the highest element.
    ///
    /// # Safety
    /// Nothing may write them while the result is used.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        match self.span {
            0 => &[],
            // SAFETY: the object has the memory of all its elements, which the buffer keeps. The caller promises the
            // rest.
            span => unsafe { core::slice::from_raw_parts(self.lowest, span) },
        }
    }

    /// [`bytes`](Self::bytes), for writing.
    ///
    /// # Safety
    /// Nothing else may access them while the result is used, and the array is one of `for_writing`.
    #[allow(clippy::mut_from_ref, reason = "the memory is that of another object")]
    pub(crate) unsafe fn bytes_mut(&self) -> &mut [u8] {
        match self.span {
            0 => &mut [],
            // SAFETY: the object has the memory of all its elements, which the buffer keeps. The caller promises the
            // rest.
            span => unsafe { core::slice::from_raw_parts_mut(self.lowest, span) },
        }
    }
}

/// Returns an error if two arrays share memory.
pub(crate) fn check_apart(source: &Array, destination: &Array) -> PyResult<()> {
    let ((a, a_bytes), (b, b_bytes)) = (source.range(), destination.range());
    let (a, b) = (a as usize, b as usize);
    let is_apart = a_bytes == 0 || b_bytes == 0 || a + a_bytes <= b || b + b_bytes <= a;
    match is_apart {
        true => Ok(()),
        false => Err(LayoutError::new_err(
            "source and destination lie in ranges of memory that overlap; copy the source first, or give another `out`",
        )),
    }
}
