//! Tensors of which some extents, or the whole layout, are found at run time.

use tensor_layout::{Dynamic, ElementType, Format, Layout, LayoutType, Tensor, layout};

use crate::naive::{self, Coordinate};

/// The elements of the largest tensor here, padded to blocks of 16.
const MOST: usize = 2 * 16 * 4;
const FILL: u16 = 0xabcd;

type Last = layout!(NHWC<N = _, C = 6, H = _, W = _>, u16);
type Blocks = layout!(NCHW4c<_, 6, _, 4>, u16, pad = 0xabcd);

/// Moves a tensor from one layout to another, compares, and returns 1. Layouts and a plan take stack, so this is not
/// inlined into one large frame.
#[inline(never)]
fn moves<L, M>(formats: [&str; 2], extents: Coordinate, from: L, to: M) -> usize
where
    L: LayoutType<Element = u16, Coordinate = Coordinate>,
    M: LayoutType<Element = u16, Coordinate = Coordinate>,
{
    let [a, b] = formats;
    let lengths = formats.map(|format| naive::offset(format, extents, extents));
    assert_eq!((from.units(), to.units()), (lengths[0], lengths[1]), "{a} and {b} of {extents:?}");
    let source: [u16; MOST] = core::array::from_fn(|i| i as u16);
    let mut moved = [0; MOST];
    let source = Tensor::with_layout(from, &source[..lengths[0]]).expect("the length");
    let mut tensor = Tensor::with_layout(to, &mut moved[..lengths[1]]).expect("the length");
    source.relayout_into(&mut tensor).expect("the same tensor");
    let mut elements = 0;
    for coordinate in naive::coordinates(extents) {
        let [at, to] = formats.map(|format| naive::offset(format, extents, coordinate));
        assert_eq!(source[coordinate], at as u16, "{a} of {extents:?}: {coordinate:?}");
        assert_eq!(tensor.buffer()[to], at as u16, "{a} to {b} of {extents:?}: {coordinate:?}");
        elements += 1;
    }
    let filled = tensor.buffer().iter().filter(|&&element| element == FILL).count();
    assert_eq!(filled, lengths[1] - elements, "{a} to {b} of {extents:?}: padding");
    1
}

fn last([n, _, h, w]: Coordinate) -> Last {
    Last::new([n, h, w]).expect("extents")
}

fn blocks([n, _, h, _]: Coordinate) -> Blocks {
    Blocks::new([n, h]).expect("extents")
}

#[inline(never)]
fn of(format: &str, extents: Coordinate) -> Dynamic<u16, 4> {
    let format: Format = format.parse().expect("a format");
    let layout = Layout::builder(format, ElementType::U16).pad(FILL.into()).extents(&extents);
    Dynamic::new(layout.expect("a layout")).expect("the element and the rank")
}

/// A layout is of a type if what the type says of it is so.
#[inline(never)]
fn types() {
    let extents = [2, 6, 1, 4];
    assert_eq!(Last::try_from(last(extents).layout()), Ok(last(extents)));
    assert!(Last::try_from(blocks(extents).layout()).is_err());
    // No multiple of a block.
    assert!(<layout!(NCHW4c<1, _, 2, 2>, u8)>::new([6]).is_err());
}

/// Panics unless every coordinate lies where the format puts it; else returns 1.
#[inline(never)]
fn offsets<L: LayoutType<Coordinate = Coordinate>>(
    format: &str,
    extents: Coordinate,
    layout: L,
) -> usize {
    for coordinate in naive::coordinates(extents) {
        let offset = naive::offset(format, extents, coordinate);
        assert_eq!(layout.offset_of(coordinate), offset, "{format}: {coordinate:?}");
        assert_eq!(layout.checked_offset_of(coordinate), Ok(offset), "{format}: {coordinate:?}");
    }
    assert!(layout.checked_offset_of(extents).is_err(), "{format}: {extents:?}");
    1
}

/// Runs all tests, and returns their number. Without atomics the target is a Cortex-M0, whose 16 KiB are too few for
/// the plans of such tensors; there it tests offsets.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    types();
    let mut count = 0;
    for extents in [[2, 6, 1, 4], [1, 6, 2, 4]] {
        let (last, blocks) = (last(extents), blocks(extents));
        count += offsets("NHWC", extents, last);
        count += offsets("NCHW4c", extents, blocks);
        count += offsets("CHWN", extents, of("CHWN", extents));
        if cfg!(target_has_atomic = "32") {
            count += moves(["NHWC", "NCHW4c"], extents, last, blocks);
            count += moves(["NCHW4c", "NHWC"], extents, blocks, last);
            count += moves(["NHWC", "NCHW16c"], extents, last, of("nChw16c", extents));
            count += moves(["CHWN", "NCHW4c"], extents, of("CHWN", extents), blocks);
        }
    }
    count
}
