//! Buffers on the heap, aligned as layouts ask.

use alloc::alloc::{Layout as Block, alloc_zeroed, dealloc, handle_alloc_error};
use core::ptr::NonNull;

use bytemuck::Pod;
use layout_types::Layout;
use layout_types::spec::{LayoutError, Rule};

/// Bytes on the heap that begin at a multiple of the alignment of a layout, and of 64: the buffer of a
/// [`Tensor`](crate::Tensor) that owns its elements. `Tensor<L>` is short for `Tensor<L, HeapBuffer>`.
///
/// It is a slice of any plain-old-data type.
pub struct HeapBuffer {
    start: NonNull<u8>,
    bytes: usize,
    align: usize,
}

impl HeapBuffer {
    /// Every buffer begins at a cache line: no element type in use asks for more, so that alignment is found
    /// out when the program compiles.
    const LEAST_ALIGN: usize = 64;

    /// A buffer of zeros for a layout.
    ///
    /// # Errors
    /// Bytes that cannot be allocated.
    pub(crate) fn zeroed(layout: &Layout) -> Result<Self, LayoutError> {
        let (bytes, align) = (layout.bytes(), layout.align().max(Self::LEAST_ALIGN));
        Self::allocate(bytes, align).ok_or(LayoutError(Rule::Allocation { bytes, align }))
    }

    fn allocate(bytes: usize, align: usize) -> Option<Self> {
        if bytes == 0 {
            let start = NonNull::new(core::ptr::without_provenance_mut(align))?;
            return Some(Self { start, bytes, align });
        }
        let block = Block::from_size_align(bytes, align).ok()?;
        // SAFETY: the size of the block is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(block) })?;
        Some(Self { start, bytes, align })
    }

    /// How many units of this type the buffer holds: none where it is not aligned for them.
    #[inline(always)]
    const fn count_of<U: Pod>(&self) -> usize {
        let aligned = align_of::<U>() <= Self::LEAST_ALIGN || self.align >= align_of::<U>();
        match size_of::<U>() {
            0 => 0,
            size if aligned => self.bytes / size,
            _ => 0,
        }
    }
}

impl Drop for HeapBuffer {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        if let Ok(block) = Block::from_size_align(self.bytes, self.align) {
            // SAFETY: `allocate` got the bytes from this allocator with this block, and nothing has freed
            // them: the buffer is not `Copy`.
            unsafe { dealloc(self.start.as_ptr(), block) }
        }
    }
}

/// A copy of the bytes; where they cannot be allocated, what a `Vec` does.
impl Clone for HeapBuffer {
    fn clone(&self) -> Self {
        match Self::allocate(self.bytes, self.align) {
            Some(mut copy) => {
                let bytes: &mut [u8] = copy.as_mut();
                bytes.copy_from_slice(self.as_ref());
                copy
            }
            None => fail(self.bytes, self.align),
        }
    }
}

/// What a `Vec` does where it cannot be allocated.
#[cold]
pub(crate) fn fail(bytes: usize, align: usize) -> ! {
    match Block::from_size_align(bytes, align) {
        Ok(block) => handle_alloc_error(block),
        Err(_) => LayoutError(Rule::Allocation { bytes, align }).panic(),
    }
}

impl<U: Pod> AsRef<[U]> for HeapBuffer {
    #[inline(always)]
    fn as_ref(&self) -> &[U] {
        let count = self.count_of::<U>();
        if count == 0 {
            return &[];
        }
        // SAFETY: `count` units fit in the bytes, which were allocated, as zeros, and live as long as the
        // buffer; they are aligned for the units, of which any bytes are values, since they are `Pod`.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr().cast(), count) }
    }
}

impl<U: Pod> AsMut<[U]> for HeapBuffer {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [U] {
        let count = self.count_of::<U>();
        if count == 0 {
            return &mut [];
        }
        // SAFETY: as in `as_ref`; the buffer is borrowed mutably for as long as the slice, and units, which
        // are `Pod`, have no bytes that are not initialized.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr().cast(), count) }
    }
}

// SAFETY: the buffer owns its bytes, as a `Vec<u8>` does.
unsafe impl Send for HeapBuffer {}

// SAFETY: a shared buffer is only read.
unsafe impl Sync for HeapBuffer {}

impl core::fmt::Debug for HeapBuffer {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { bytes, align, .. } = self;
        formatter.debug_struct("HeapBuffer").field("bytes", bytes).field("align", align).finish()
    }
}
