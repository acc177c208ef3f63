//! Relayouts between layouts that are types.

use bytemuck::{cast_slice, cast_slice_mut};
use tensor_layout::{Relayout, layout};

use crate::check::{Side, check};
use crate::naive;

/// Moves and compares, aligned and not: `FORMAT to FORMAT of <EXTENTS>, ELEMENT, fill FILL`.
macro_rules! relayouts {
    ($($from:ident to $to:ident of $n:literal $c:literal $h:literal $w:literal, $unit:ident, fill $fill:literal;)*) => {{
        let mut count = 0;
        $({
            type From = layout!($from<N = $n, C = $c, H = $h, W = $w>, $unit, pad);
            type To = layout!($to<N = $n, C = $c, H = $h, W = $w>, $unit, pad = $fill);
            #[derive(Relayout)]
            #[relayout(From => To)]
            struct Move;

            let extents = [$n, $c, $h, $w];
            let bytes = size_of::<$unit>();
            let side = |format| Side { format, extents, bytes };
            let (from, to) = (side(stringify!($from)), side(stringify!($to)));
            assert_eq!((From::LEN, To::LEN), (from.len(), to.len()), "{from:?} to {to:?}");
            for coordinate in naive::coordinates(extents) {
                let offset = naive::offset(to.format, extents, coordinate);
                assert_eq!(To::offset(coordinate), offset, "{to:?}: {coordinate:?}");
                assert_eq!(To::coordinate(offset), Some(coordinate), "{to:?}: {offset}");
            }
            let fill: $unit = $fill;
            let skews = [[0, 0], [1, 0], [0, 1], [3, 2]].map(|skew| skew.map(|n| n * bytes));
            for skew in skews {
                check([from, to], skew, &fill.to_ne_bytes(), &mut |source, destination| {
                    let source: &[$unit; From::LEN] = cast_slice(source).try_into().unwrap();
                    let destination = cast_slice_mut(destination).try_into().unwrap();
                    Move::run_arrays(source, destination);
                });
                count += 1;
            }
        })*
        count
    }};
}

/// A table that was packed while the program compiled.
fn constant() -> usize {
    type From = layout!(NCHW<1, 3, 2, 2>, u16);
    type To = layout!(NCHW4c<1, 3, 2, 2>, u16, pad = 7);
    #[derive(Relayout)]
    #[relayout(From => To)]
    struct Move;

    static MOVED: [u16; To::LEN] =
        Move::constant(&[256, 1, 2, 3, 260, 5, 6, 7, 264, 9, 10, 0xabcd]);
    let expected = [256, 260, 264, 7, 1, 5, 9, 7, 2, 6, 10, 7, 3, 7, 0xabcd, 7];
    assert_eq!(MOVED, expected);
    1
}

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    constant()
        + relayouts! {
            // Four rows take turns, as whole words and with odd ends.
            NCHW to NCHW4c of 1 8 4 4, i8, fill 0;
            NCHW to NCHW4c of 2 8 3 7, i8, fill 0;
            NCHW to NCHW4c of 1 8 7 7, u16, fill 0;
            NCHW to NCHW4c of 1 4 5 5, u32, fill 0;
            // Three of four: a camera's picture.
            NHWC to NCHW4c of 1 3 8 8, u8, fill 0;
            NHWC to NCHW4c of 2 3 5 7, u8, fill 128;
            NCHW to NCHW4c of 1 3 6 6, u8, fill 200;
            NCHW to NCHW4c of 1 3 3 5, u16, fill 0x1234;
            NCHW4c to NHWC of 1 3 5 7, u8, fill 0;
            NCHW4c to NCHW of 1 3 6 6, u8, fill 0;
            // Three rows and three columns.
            NCHW to NHWC of 1 3 8 8, u8, fill 0;
            NCHW to NHWC of 1 3 5 7, u16, fill 0;
            NHWC to NCHW of 1 3 8 8, u8, fill 0;
            NHWC to NCHW of 1 3 5 7, u16, fill 0;
            // Transposes.
            NCHW to NHWC of 1 16 6 6, i8, fill 0;
            NCHW to NHWC of 2 18 3 3, i8, fill 0;
            NCHW to NHWC of 1 9 5 5, i16, fill 0;
            NHWC to NCHW of 1 16 7 5, i8, fill 0;
            NHWC to NCHW of 1 6 5 9, i16, fill 0;
            NHWC to NCHW of 1 6 5 9, u32, fill 0;
            NHWC to NCHW of 1 6 3 3, u64, fill 0;
            NCHW4c to NHWC of 1 16 4 5, i8, fill 0;
            NCHW4c to CHWN4c of 8 8 3 3, i8, fill 0;
            NCHW to CHWN of 4 5 3 7, u8, fill 0;
            // Blocks that do not divide each other, and blocks of several axes.
            NCHW4c to NCHW6c of 1 16 3 3, u8, fill 0;
            NCHW to NCHW2w4c4n2c of 5 10 2 3, u8, fill 9;
        }
}
