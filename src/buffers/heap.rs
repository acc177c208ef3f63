//! Buffers on the heap with the alignment of a layout.

use alloc::alloc::{Layout as Block, alloc_zeroed, dealloc, handle_alloc_error};
use core::ptr::NonNull;

use bytemuck::Pod;
use layout_types::Layout;
use layout_types::spec::{LayoutError, Rule};

/// Bytes on the heap: the buffer of a [`Tensor`](crate::Tensor) that owns its elements. They begin at a multiple of
/// 64 bytes and of the layout's alignment. `Tensor<L>` is short for `Tensor<L, HeapBuffer>`.
///
/// The buffer is a slice of any plain-old-data type.
pub struct HeapBuffer {
    start: NonNull<u8>,
    bytes: usize,
    align: usize,
}

impl HeapBuffer {
    /// Every buffer begins at a cache line. Usual element types need no larger alignment, so the compiler removes the
    /// check.
    const LEAST_ALIGN: usize = 64;

    /// Allocates a buffer of zeros for a layout.
    ///
    /// # Errors
    /// Memory cannot be allocated.
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

    /// Returns the number of units of type `U` in the buffer, or 0 if it is not aligned for them.
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
            // SAFETY: `allocate` got the bytes from this allocator with this layout. Nothing has freed them, since
            // the buffer is not `Copy`.
            unsafe { dealloc(self.start.as_ptr(), block) }
        }
    }
}

/// Copies the bytes. If memory cannot be allocated, it does what `Vec` does.
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

/// Does what a `Vec` does if memory cannot be allocated.
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
        // SAFETY: `count` units fit in the bytes and are aligned. The bytes were allocated as zeros and live as long
        // as the buffer. Units are `Pod`, so any bytes are valid values.
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
        // SAFETY: the same proof as in `as_ref`. The buffer stays mutably borrowed as long as the slice, and units
        // are `Pod`, so they have no uninitialized bytes.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr().cast(), count) }
    }
}

// SAFETY: the buffer owns its bytes, as a `Vec<u8>` does.
unsafe impl Send for HeapBuffer {}

// SAFETY: a shared buffer can only be read.
unsafe impl Sync for HeapBuffer {}

impl core::fmt::Debug for HeapBuffer {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { bytes, align, .. } = self;
        formatter.debug_struct("HeapBuffer").field("bytes", bytes).field("align", align).finish()
    }
}
