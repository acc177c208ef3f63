//! One relayout, compared with the naive move byte by byte.

use crate::naive::{self, Coordinate};

/// The bytes of the largest tensor here: two of them fit a small microcontroller.
const MOST: usize = 1088;
/// Bytes before and after a destination.
const GUARD: usize = 16;
const UNTOUCHED: u8 = 0xa5;

/// A tensor: its format, its extents, and the bytes of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) format: &'static str,
    pub(crate) extents: Coordinate,
    pub(crate) bytes: usize,
}

impl Side {
    pub(crate) fn len(&self) -> usize {
        naive::offset(self.format, self.extents, self.extents)
    }

    /// The bytes of an element in a buffer.
    fn element(&self, coordinate: Coordinate) -> core::ops::Range<usize> {
        let start = naive::offset(self.format, self.extents, coordinate) * self.bytes;
        start..start + self.bytes
    }
}

/// 16-byte aligned, so that it is known what is not.
#[repr(align(16))]
struct Buffer([u8; MOST + 2 * GUARD + 16]);

/// Nonzero bytes such that no two near each other are equal.
fn byte(i: usize) -> u8 {
    ((i * 31 + i / 251 * 17) % 255 + 1) as u8
}

/// Runs `run` with a source and a destination that lie `skew` bytes past what is aligned, and
/// panics unless the destination then holds the tensor, its padding `fill`, and nothing is written
/// outside.
pub(crate) fn check(
    [from, to]: [Side; 2],
    skew: [usize; 2],
    fill: &[u8],
    run: &mut dyn FnMut(&[u8], &mut [u8]),
) {
    let mut source = Buffer([0; _]);
    for (i, place) in source.0.iter_mut().enumerate() {
        *place = byte(i);
    }
    let source = &source.0[skew[0]..][..from.len() * from.bytes];
    let mut destination = Buffer([UNTOUCHED; _]);
    let (before, rest) = destination.0.split_at_mut(GUARD + skew[1]);
    let (moved, after) = rest.split_at_mut(to.len() * to.bytes);
    run(source, moved);
    for coordinate in naive::coordinates(from.extents) {
        let (element, expected) =
            (&mut moved[to.element(coordinate)], &source[from.element(coordinate)]);
        assert!(*element == *expected, "{from:?} to {to:?}, skew {skew:?}: {coordinate:?}");
        // Seen; what is left is padding.
        element.copy_from_slice(fill);
    }
    for (i, element) in moved.chunks_exact(to.bytes).enumerate() {
        assert!(element == fill, "{from:?} to {to:?}, skew {skew:?}: padding at {i}");
    }
    let around = before.iter().chain(&*after);
    assert!(
        around.clone().all(|&byte| byte == UNTOUCHED),
        "{from:?} to {to:?}, skew {skew:?}: past an end"
    );
}
