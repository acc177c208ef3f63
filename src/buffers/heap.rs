//! Buffers on the heap with the alignment of a layout.
//! Large ones ask for huge pages: the first access to a page costs more than writing it, and a huge page is one in place
//! of 512.

use alloc::alloc::{Layout as Block, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use core::ptr::NonNull;
use layout_types::Layout;
use layout_types::plain::Plain;
use layout_types::spec::{LayoutError, Rule, broken};

/// Bytes on the heap: the buffer of a [`Tensor`](crate::Tensor) that owns its elements. They begin at a multiple of
/// 64 bytes and of the layout's alignment. `Tensor<L>` is short for `Tensor<L, HeapBuffer>`.
///
/// The buffer is a slice of any plain-old-data type.
///
/// Large buffers of zeros are pages that the system gives to the program at the first access to each. With feature
/// `std`, Linux is asked for huge pages if a buffer has 4 MiB or more.
pub struct HeapBuffer {
    start: NonNull<u8>,
    bytes: usize,
    align: usize,
    /// The bytes of the allocated block before `start`.
    before: usize,
}

impl HeapBuffer {
    /// Every buffer begins at a cache line. Usual element types need no larger alignment, so the compiler removes the
    /// check.
    const LEAST_ALIGN: usize = 64;

    /// The alignment of the allocated block of a buffer. An allocator takes zeros of the alignment of `usize` from the
    /// system, which writes them at the first access; for larger alignments, the standard library writes zeros to all
    /// bytes. Without a system, nothing is gained by a larger block.
    const fn block_align(align: usize) -> usize {
        if cfg!(target_os = "none") { align } else { align_of::<usize>() }
    }

    /// Allocates a buffer of zeros for a layout.
    ///
    /// # Errors
    /// Memory cannot be allocated.
    pub(crate) fn zeroed(layout: &Layout) -> Result<Self, LayoutError> {
        Self::zeros(layout.bytes(), layout.align())
    }

    /// Allocates a buffer of zeros.
    ///
    /// # Errors
    /// Memory cannot be allocated.
    pub(crate) fn zeros(bytes: usize, align: usize) -> Result<Self, LayoutError> {
        let align = align.max(Self::LEAST_ALIGN);
        let allocated = Self::allocate(bytes, align, alloc_zeroed);
        allocated.ok_or(LayoutError(Rule::Allocation { bytes, align }))
    }

    /// Allocates a buffer with these bytes.
    ///
    /// # Errors
    /// Memory cannot be allocated.
    pub(crate) fn copied(bytes: &[u8], align: usize) -> Result<Self, LayoutError> {
        let align = align.max(Self::LEAST_ALIGN);
        let error = LayoutError(Rule::Allocation { bytes: bytes.len(), align });
        let copy = Self::allocate(bytes.len(), align, alloc).ok_or(error)?;
        // SAFETY: both have `bytes.len()` bytes. Nobody else has the new memory, so the two do not overlap.
        unsafe { copy.start.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
        Ok(copy)
    }

    /// Returns the block of a buffer, which is large enough for bytes at a multiple of `align` wherever it begins.
    const fn block(bytes: usize, align: usize) -> Option<Block> {
        let least = Self::block_align(align);
        if !align.is_power_of_two() || align < least {
            return None;
        }
        let Some(size) = bytes.checked_add(align - least) else { return None };
        match Block::from_size_align(size, least) {
            Ok(block) => Some(block),
            Err(_) => None,
        }
    }

    /// Allocates a buffer whose bytes are what `get` returns, which is `alloc` or `alloc_zeroed`.
    fn allocate(bytes: usize, align: usize, get: unsafe fn(Block) -> *mut u8) -> Option<Self> {
        let block = Self::block(bytes, align)?;
        if bytes == 0 {
            let start = NonNull::new(core::ptr::without_provenance_mut(align))?;
            return Some(Self { start, bytes, align, before: 0 });
        }
        // SAFETY: the size of the block is not 0.
        let first = NonNull::new(unsafe { get(block) })?;
        let before = first.addr().get().wrapping_neg() & (align - 1);
        // SAFETY: `first` is a multiple of the block's alignment, and so is `align`, which is a larger power of two or
        // the same. So `before` is at most the difference of both, which the block has in addition to `bytes`.
        let start = unsafe { first.add(before) };
        advise(start, bytes);
        Some(Self { start, bytes, align, before })
    }

    /// Returns the number of units of type `U` in the buffer, or 0 if it is not aligned for them.
    #[inline(always)]
    const fn count_of<U: Plain>(&self) -> usize {
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
        if let Some(block) = Self::block(self.bytes, self.align) {
            // SAFETY: `allocate` found `start` that many bytes after the first of the block.
            let first = unsafe { self.start.sub(self.before) };
            // SAFETY: `allocate` got the bytes from this allocator with this layout. Nothing has freed them, since
            // the buffer is not `Copy`.
            unsafe { dealloc(first.as_ptr(), block) }
        }
    }
}

/// Copies the bytes. If memory cannot be allocated, it does what `Vec` does.
impl Clone for HeapBuffer {
    fn clone(&self) -> Self {
        Self::copied(self.as_ref(), self.align).unwrap_or_else(|_| fail(self.bytes, self.align))
    }
}

/// Does what a `Vec` does if memory cannot be allocated.
#[cold]
pub(crate) fn fail(bytes: usize, align: usize) -> ! {
    match Block::from_size_align(bytes, align) {
        Ok(block) => handle_alloc_error(block),
        Err(_) => panic!("{}", broken::Allocation { bytes, align }),
    }
}

impl<U: Plain> AsRef<[U]> for HeapBuffer {
    #[inline(always)]
    fn as_ref(&self) -> &[U] {
        let count = self.count_of::<U>();
        if count == 0 {
            return &[];
        }
        // SAFETY: `count` units fit in the bytes and are aligned. The bytes are zeros or copies since the buffer was
        // made, and live as long as it. Units are `Plain`, so any bytes are valid values.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr().cast(), count) }
    }
}

impl<U: Plain> AsMut<[U]> for HeapBuffer {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [U] {
        let count = self.count_of::<U>();
        if count == 0 {
            return &mut [];
        }
        // SAFETY: the same proof as in `as_ref`. The buffer stays mutably borrowed as long as the slice, and units
        // are `Plain`, so they have no uninitialized bytes.
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

/// Asks the system for huge pages in memory that was just allocated. Whatever the system does, the bytes stay the
/// same.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
pub(super) fn advise(start: NonNull<u8>, bytes: usize) {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// Linux's `MADV_HUGEPAGE`.
    const HUGE_PAGES: c_int = 14;
    /// The size of a huge page, a multiple of the size of every other page.
    const PAGE: usize = 2 << 20;
    /// The least number of bytes, which is NumPy's.
    const LEAST: usize = 4 << 20;

    if bytes < LEAST {
        return;
    }
    // Whole pages alone can be huge.
    let before = start.addr().get().wrapping_neg() % PAGE;
    let whole = (bytes - before) / PAGE * PAGE;
    let first = start.as_ptr().wrapping_add(before);
    // SAFETY: the range lies in memory that belongs to the caller, since `before` is less than `PAGE` and so less than
    // `bytes`. The advice changes neither the bytes nor what may be done with them.
    let _ = unsafe { madvise(first.cast(), whole, HUGE_PAGES) };
}

/// Only Linux is asked.
#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
pub(super) const fn advise(_: NonNull<u8>, _: usize) {}
