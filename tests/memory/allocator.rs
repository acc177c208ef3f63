//! An allocator that counts what each thread allocates, and refuses what a test asks it to refuse.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};

/// Allocations from this size on are large. Texts and lists of axes are smaller.
pub(crate) const LARGE: usize = 16 << 10;

/// What the system serves with zeros that are not written before somebody reads them. For larger alignments, the
/// standard library writes zeros.
const MOST_ALIGN_OF_ZEROS: usize = 8;

/// What a thread has allocated since the last measurement began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// The bytes that are allocated now, and the most that were at one time.
    pub(crate) held: isize,
    pub(crate) peak: isize,
    /// The bytes that somebody has written, or may have: all but zeros of the system.
    written: isize,
    pub(crate) peak_written: isize,
    /// The allocations that are counted.
    pub(crate) counted: usize,
    /// All blocks that are allocated now, as a sum of numbers that stand for address, size and alignment.
    blocks: usize,
}

const NONE: Counts =
    Counts { held: 0, peak: 0, written: 0, peak_written: 0, counted: 0, blocks: 0 };

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(NONE) };
    /// The least size of allocations that are counted, and the index of the one of them that is refused.
    static REFUSED: Cell<(usize, usize)> = const { Cell::new((LARGE, usize::MAX)) };
    /// The sizes of the first of them.
    static SIZES: RefCell<[usize; 1024]> = const { RefCell::new([0; 1024]) };
}

pub(crate) struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

impl Counting {
    /// Counts an allocation unless it is refused.
    fn count(layout: Layout, is_zero: bool) -> bool {
        let mut counts = COUNTS.get();
        let (least, refused) = REFUSED.get();
        if layout.size() >= least {
            SIZES.with_borrow_mut(|sizes| {
                if let Some(size) = sizes.get_mut(counts.counted) {
                    *size = layout.size();
                }
            });
            counts.counted += 1;
            if counts.counted - 1 == refused {
                COUNTS.set(counts);
                return false;
            }
        }
        counts.held += layout.size() as isize;
        counts.peak = counts.peak.max(counts.held);
        if !(is_zero && layout.align() <= MOST_ALIGN_OF_ZEROS) {
            counts.written += layout.size() as isize;
            counts.peak_written = counts.peak_written.max(counts.written);
        }
        COUNTS.set(counts);
        true
    }

    /// Adds a block that was allocated, or subtracts it.
    fn add(block: *mut u8, layout: Layout, sign: isize) {
        let mut counts = COUNTS.get();
        let number = block.addr() ^ layout.size().rotate_left(24) ^ layout.align().rotate_left(48);
        counts.blocks = match sign {
            1 => counts.blocks.wrapping_add(number),
            _ => counts.blocks.wrapping_sub(number),
        };
        COUNTS.set(counts);
    }
}

// SAFETY: each function returns what the system's allocator does, or null.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Self::count(layout, false) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller promises what the system's allocator needs.
        let block = unsafe { System.alloc(layout) };
        Self::add(block, layout, 1);
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Self::count(layout, true) {
            return std::ptr::null_mut();
        }
        // SAFETY: the same.
        let block = unsafe { System.alloc_zeroed(layout) };
        Self::add(block, layout, 1);
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size fits the alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if !Self::count(new, false) {
            return std::ptr::null_mut();
        }
        Self::add(block, layout, -1);
        // SAFETY: the caller promises what the system's allocator needs.
        let block = unsafe { System.realloc(block, layout, size) };
        Self::add(block, new, 1);
        let mut counts = COUNTS.get();
        counts.held -= layout.size() as isize;
        counts.written -= layout.size() as isize;
        COUNTS.set(counts);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let mut counts = COUNTS.get();
        counts.held -= layout.size() as isize;
        counts.written = (counts.written - layout.size() as isize).max(0);
        COUNTS.set(counts);
        Self::add(block, layout, -1);
        // SAFETY: the caller promises what the system's allocator needs.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Returns the result and what was allocated.
pub(crate) fn measured<T>(of: impl FnOnce() -> T) -> (T, Counts) {
    refusing(usize::MAX, of)
}

/// Returns the result and what was allocated, if the large allocation with this index is refused.
pub(crate) fn refusing<T>(index: usize, of: impl FnOnce() -> T) -> (T, Counts) {
    refusing_from(LARGE, index, of)
}

/// The same of any allocation of at least so many bytes.
pub(crate) fn refusing_from<T>(least: usize, index: usize, of: impl FnOnce() -> T) -> (T, Counts) {
    COUNTS.set(NONE);
    REFUSED.set((least, index));
    let result = of();
    REFUSED.set((LARGE, usize::MAX));
    (result, COUNTS.get())
}

/// Returns the sizes of all allocations of a call, in order.
pub(crate) fn sizes(of: impl FnOnce()) -> Vec<usize> {
    let ((), counts) = refusing_from(0, usize::MAX, of);
    SIZES.with_borrow(|sizes| sizes[..counts.counted].to_vec())
}

impl Counts {
    /// Whether every block that was allocated has been freed, with its own size and alignment.
    pub(crate) fn is_even(&self) -> bool {
        (self.held, self.blocks) == (0, 0)
    }
}
