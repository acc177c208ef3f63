//! Copies of runs between sides with swizzles, in groups that the swizzles keep contiguous.

use core::mem::MaybeUninit;

use layout_types::nests::{Level, Place, Places};

use super::xor::Xor;

/// The maximal number of loops of a box that is moved as a whole.
pub(super) const MAX_LOOPS: usize = 8;

/// The largest group that is copied at once, in bytes.
const LARGEST: usize = 16;

/// Loops over runs of bytes that are contiguous on both sides before the swizzles. Offsets count bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Groups {
    /// The loops over runs, slowest first.
    loops: [Level; MAX_LOOPS],
    count: usize,
    /// The bytes of a run.
    run: usize,
    /// The bytes that are copied at once: a power of two. Runs and their offsets before a swizzle are multiples.
    chunk: usize,
    from: Xor,
    to: Xor,
}

impl Groups {
    /// No run.
    pub(super) const fn between(from: Xor, to: Xor) -> Self {
        let least = if from.group() < to.group() { from.group() } else { to.group() };
        let chunk = if least < LARGEST { least } else { LARGEST };
        Self { loops: [Level::ONCE; MAX_LOOPS], count: 0, run: 0, chunk, from, to }
    }

    /// Adds a loop inside of all others. The last loop is the run, with steps of one byte. Returns false if there are
    /// too many loops.
    pub(super) const fn push(&mut self, level: Level) -> bool {
        if matches!(level.strides, [1, 1]) {
            self.run = level.size;
            self.align(level.size as isize, level.size as isize);
            return true;
        }
        if self.count == MAX_LOOPS {
            return false;
        }
        self.loops[self.count] = level;
        self.count += 1;
        self.align(level.strides[0], level.strides[1]);
        true
    }

    /// Shortens chunks such that offsets can be moved by these distances before a swizzle.
    pub(super) const fn align(&mut self, source: isize, destination: isize) {
        let mut distance = 0;
        if self.from.is_some() {
            distance |= source;
        }
        if self.to.is_some() {
            distance |= destination;
        }
        let most = 1usize << (distance.trailing_zeros() % usize::BITS);
        if distance != 0 && most < self.chunk {
            self.chunk = most;
        }
    }

    /// Whether there are runs.
    pub(super) const fn has_runs(&self) -> bool {
        self.run > 0
    }

    /// The bytes that are copied at once.
    pub(super) const fn chunk(&self) -> usize {
        self.chunk
    }

    /// Copies all runs, of which the first begins at `start` before the swizzles.
    ///
    /// # Safety
    /// Every byte of the runs, swizzled, lies in `source` and in `destination`.
    pub(super) unsafe fn copy(
        &self,
        start: Place,
        source: &[u8],
        destination: &mut [MaybeUninit<u8>],
    ) {
        let copy = match (self.chunk, self.from.is_some(), self.to.is_some()) {
            (1, ..) => Self::copy_chunks::<1, true, true>,
            (2, ..) => Self::copy_chunks::<2, true, true>,
            (4, ..) => Self::copy_chunks::<4, true, true>,
            (8, ..) => Self::copy_chunks::<8, true, true>,
            (_, true, false) => Self::copy_chunks::<LARGEST, true, false>,
            (_, false, true) => Self::copy_chunks::<LARGEST, false, true>,
            _ => Self::copy_chunks::<LARGEST, true, true>,
        };
        // SAFETY: the caller's promise, and the chunks are those of this length.
        unsafe { copy(self, start, source, destination) }
    }

    /// # Safety
    /// The same as [`copy`](Self::copy), with chunks of `CHUNK` bytes. A side without a swizzle may be left out of
    /// `FROM` and `TO`.
    unsafe fn copy_chunks<const CHUNK: usize, const FROM: bool, const TO: bool>(
        &self,
        start: Place,
        source: &[u8],
        destination: &mut [MaybeUninit<u8>],
    ) {
        debug_assert_eq!(self.chunk, CHUNK);
        let loops = self.loops.get(..self.count).unwrap_or(&[]);
        let (rows, outer) = match loops.split_last() {
            Some((rows, outer)) => (*rows, outer),
            None => (Level::ONCE, loops),
        };
        let mut places = Places::new(outer, start);
        while let Some(mut place) = places.next() {
            for _ in 0..rows.size {
                // SAFETY: it is one of the runs.
                unsafe { self.copy_run::<CHUNK, FROM, TO>(place, source, destination) };
                place.source = place.source.wrapping_add_signed(rows.strides[0]);
                place.destination = place.destination.wrapping_add_signed(rows.strides[1]);
            }
        }
    }

    /// Copies the run that begins at `start`.
    ///
    /// # Safety
    /// The same as [`copy`](Self::copy), for this run.
    #[inline(always)]
    unsafe fn copy_run<const CHUNK: usize, const FROM: bool, const TO: bool>(
        &self,
        start: Place,
        source: &[u8],
        destination: &mut [MaybeUninit<u8>],
    ) {
        let Self { run, from, to, .. } = *self;
        let (mut read, mut written) = (start.source, start.destination);
        let mut left = run;
        while left > 0 {
            // Up to here, the swizzles XOR offsets with the same values.
            let (mut size, mut from_xor, mut other) = (left, 0, 0);
            if FROM {
                (size, from_xor) = (size.min(from.until(read)), from.value(read));
            }
            if TO {
                (size, other) = (size.min(to.until(written)), to.value(written));
            }
            left -= size;
            // Eight chunks at a time, since the loop around one would take as long as the chunk.
            while size >= 8 * CHUNK {
                for i in 0..8 {
                    let (read, written) =
                        ((read + i * CHUNK) ^ from_xor, (written + i * CHUNK) ^ other);
                    // SAFETY: it is a chunk of the run.
                    unsafe { copy_chunk::<CHUNK>((read, source), (written, destination)) };
                }
                (read, written, size) = (read + 8 * CHUNK, written + 8 * CHUNK, size - 8 * CHUNK);
            }
            while size > 0 {
                // SAFETY: it is a chunk of the run.
                unsafe {
                    copy_chunk::<CHUNK>((read ^ from_xor, source), (written ^ other, destination))
                };
                (read, written, size) = (read + CHUNK, written + CHUNK, size - CHUNK);
            }
        }
    }
}

/// # Safety
/// `CHUNK` bytes from these offsets on lie in `source` and in `destination`.
#[inline(always)]
unsafe fn copy_chunk<const CHUNK: usize>(
    (read, source): (usize, &[u8]),
    (written, destination): (usize, &mut [MaybeUninit<u8>]),
) {
    debug_assert!(read + CHUNK <= source.len(), "{read}");
    debug_assert!(written + CHUNK <= destination.len(), "{written}");
    let chunk = source.as_ptr().wrapping_add(read).cast::<[u8; CHUNK]>();
    let place = destination.as_mut_ptr().wrapping_add(written).cast::<[u8; CHUNK]>();
    // SAFETY: the caller's promise.
    let chunk = unsafe { chunk.read_unaligned() };
    // SAFETY: the caller's promise.
    unsafe { place.write_unaligned(chunk) };
}

/// Returns bytes as ones that may be uninitialized.
///
/// # Safety
/// Only initialized bytes may be written to the result.
pub(super) unsafe fn as_uninit(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    let (start, length) = (bytes.as_mut_ptr().cast(), bytes.len());
    // SAFETY: the pointer and the length are those of a slice, which stays mutably borrowed as long as the result.
    unsafe { core::slice::from_raw_parts_mut(start, length) }
}
