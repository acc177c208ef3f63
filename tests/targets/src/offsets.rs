//! The stack that an offset takes.

use core::hint::black_box;

use crate::stack;
use tensor_layout::layout;

type Act = layout!(NCHW4<1, 64, 7, 7>, i8);
type Batch = layout!(NCHW4<_, 64, 7, 7>, i8);

/// The most bytes of stack: those of the arithmetic and of this measurement. With debug assertions an offset checks its
/// coordinate, and what a failed check needs must lie in a function of its own.
const MOST: usize = 208;

const AT: [usize; 4] = [0, 33, 2, 5];

/// Measures the offset of a static layout, of one with an extent found at run time, and of one known at run time alone.
/// Returns the largest number of bytes.
///
/// # Panics
/// If it is too large.
pub(crate) fn run() -> usize {
    let layout = black_box(Act::LAYOUT);
    let batch = black_box(Batch::new([1]).expect("a layout"));
    let depths =
        [depth(|at| Act::offset(at)), depth(|at| batch.offset(at)), depth(|at| layout.offset(&at))];
    assert!(depths.iter().all(|depth| *depth <= MOST), "{depths:?} bytes of stack for offsets");
    depths.into_iter().fold(0, usize::max)
}

fn depth(offset: impl Fn([usize; 4]) -> usize) -> usize {
    let mut found = 0;
    let depth = stack(2048, || found = black_box(offset(black_box(AT))));
    assert_eq!(found, 8 * 196 + 2 * 28 + 5 * 4 + 1);
    depth
}
