//! Buffers between pages that nobody may touch.
//!
//! Where there are no such pages, and in the rest of the pages in use, guard bytes show what was
//! written outside.

/// What is around a buffer.
const GUARD: u8 = 0xa5;

/// Where a buffer is between its guard pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Whether the buffer ends before the page after it, or begins after the page before it.
    pub is_at_end: bool,
    /// The bytes between it and that page.
    pub distance: usize,
    /// What its address is a multiple of.
    pub align: usize,
}

impl Position {
    /// Directly before the page that follows, aligned only for bytes.
    pub const END: Self = Self { is_at_end: true, distance: 0, align: 1 };
}

/// Bytes between guard pages.
#[derive(Debug)]
pub struct Buffer {
    pages: pages::Pages,
    start: usize,
    length: usize,
}

impl Buffer {
    /// A copy of `bytes` between guard pages.
    pub fn new(bytes: &[u8], position: Position) -> Self {
        let align = position.align.max(1);
        let needed = bytes.len() + position.distance + align;
        let mut pages = pages::Pages::new(needed);
        let all = pages.bytes_mut();
        all.fill(GUARD);
        let start = match position.is_at_end {
            true => (all.len() - bytes.len() - position.distance) / align * align,
            false => position.distance.next_multiple_of(align),
        };
        all[start..start + bytes.len()].copy_from_slice(bytes);
        Self { pages, start, length: bytes.len() }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.pages.bytes()[self.start..self.start + self.length]
    }

    /// The bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.pages.bytes_mut()[self.start..self.start + self.length]
    }

    /// Whether all bytes around the buffer are as they were.
    pub fn is_guarded(&self) -> bool {
        let (before, rest) = self.pages.bytes().split_at(self.start);
        before.iter().chain(&rest[self.length..]).all(|byte| *byte == GUARD)
    }
}

#[cfg(unix)]
mod pages {
    use std::slice;

    /// Pages in use, with one page before and one after them that nobody may touch.
    #[derive(Debug)]
    pub(super) struct Pages {
        mapped: *mut u8,
        page: usize,
        length: usize,
    }

    impl Pages {
        /// Pages of at least `needed` bytes, which hold zeros.
        pub(super) fn new(needed: usize) -> Self {
            // SAFETY: the call takes a number and returns one.
            let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
            let length = needed.next_multiple_of(page).max(page);
            let (protection, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new mapping, at an address that the system chooses.
            let mapped = unsafe {
                libc::mmap(std::ptr::null_mut(), length + 2 * page, protection, flags, -1, 0)
            };
            assert_ne!(mapped, libc::MAP_FAILED, "no memory for {length} bytes");
            let mapped: *mut u8 = mapped.cast();
            let first = mapped.wrapping_add(page);
            // SAFETY: the pages are those of the mapping but the first and the last.
            let changed =
                unsafe { libc::mprotect(first.cast(), length, libc::PROT_READ | libc::PROT_WRITE) };
            assert_eq!(changed, 0, "pages that may be written");
            Self { mapped, page, length }
        }

        pub(super) fn bytes(&self) -> &[u8] {
            // SAFETY: the pages are mapped, readable and initialised for as long as `self` lives.
            unsafe { slice::from_raw_parts(self.mapped.wrapping_add(self.page), self.length) }
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            // SAFETY: as in `bytes`; the pages may be written, and `self` is borrowed for it.
            unsafe { slice::from_raw_parts_mut(self.mapped.wrapping_add(self.page), self.length) }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: the mapping was made in `new`, and nobody refers to it any more.
            unsafe { libc::munmap(self.mapped.cast(), self.length + 2 * self.page) };
        }
    }
}

#[cfg(not(unix))]
mod pages {
    /// Memory without guard pages.
    #[derive(Debug)]
    pub(super) struct Pages(Vec<u8>);

    impl Pages {
        pub(super) fn new(needed: usize) -> Self {
            Self(vec![0; needed + 128])
        }

        pub(super) fn bytes(&self) -> &[u8] {
            &self.0
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_outside_is_seen() {
        let position = Position { is_at_end: false, distance: 3, align: 1 };
        let mut buffer = Buffer::new(&[1, 2, 3], position);
        buffer.bytes_mut()[2] = 4;
        assert!(buffer.is_guarded());
        let start = buffer.start;
        buffer.pages.bytes_mut()[start + 3] = 0;
        assert!(!buffer.is_guarded());
    }

    #[test]
    #[cfg(unix)]
    fn a_byte_past_the_last_page_kills_the_process() {
        let buffer = Buffer::new(&[7; 5], Position::END);
        let verdict = crate::isolation::run(10, || {
            let past = buffer.bytes().as_ptr().wrapping_add(5);
            // SAFETY: none: the page is one that may not be read, and the test is that it is not.
            let _ = unsafe { past.read_volatile() };
            Ok(())
        });
        assert!(verdict.unwrap_err().contains("signal"));
    }
}
