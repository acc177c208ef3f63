//! Rows, panels and parts against offsets that are added up by hand.

use tensor_layout::{Dynamic, ElementType, Layout, Tensor, i4, layout};

fn numbered<U: TryFrom<usize>>(length: usize) -> Vec<U> {
    (0..length).map(|i| U::try_from(i % 120).ok().unwrap()).collect()
}

#[test]
fn rows_are_what_is_faster_than_the_index() {
    type Act = layout!(NCHW4<2, 8, 3, 5>, i16);
    let act = Tensor::<Act, _>::new(numbered::<i16>(Act::LEN)).unwrap();
    for n in 0..2 {
        for c in 0..2 {
            for h in 0..3 {
                let row: &[[i16; 4]; 5] = act.row([n, c, h]);
                let panel: &[[i16; 4]] = act.panel([n, c, h]);
                assert_eq!(row, panel);
                assert_eq!(row.as_flattened(), act.part([n, c, h]));
                for (w, block) in row.iter().enumerate() {
                    assert_eq!(block, act.row([n, c, h, w]));
                    for (i, element) in block.iter().enumerate() {
                        assert_eq!(*element, act[[n, 4 * c + i, h, w]]);
                        assert_eq!(element, act.row([n, c, h, w, i]));
                    }
                }
            }
        }
        let blocks: &[[[[i16; 4]; 5]; 3]] = act.panel([n]);
        assert_eq!((blocks.len(), blocks[1][2][4][3]), (2, act[[n, 7, 2, 4]]));
    }
    assert_eq!(act.part([]), act.buffer());
    let all: &[[[[i16; 4]; 5]; 3]] = act.panel([1]);
    assert_eq!(all.as_flattened().as_flattened().as_flattened(), &act.buffer()[120..]);
}

#[test]
fn rows_of_other_orders_blocks_and_paddings() {
    // Last channels, and weights in nested blocks.
    type Last = layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, u8);
    let last = Tensor::<Last, _>::new(numbered::<u8>(Last::LEN)).unwrap();
    let row: &[[u8; 3]; 5] = last.row([1, 2]);
    assert_eq!(row[4][2], last[[1, 2, 2, 4]]);
    let image: &[[[u8; 3]; 5]; 4] = last.row([1]);
    assert_eq!(image[2][4][2], last[[1, 2, 2, 4]]);
    type Weights = layout!(OIHW4i16o4i<32, 32, 1, 3>, i8);
    let weights = Tensor::<Weights, _>::new(numbered::<i8>(Weights::LEN)).unwrap();
    let block: &[[[i8; 4]; 16]; 4] = weights.row([1, 1, 0, 2]);
    assert_eq!(block[2][9][3], weights[[16 + 9, 16 + 2 * 4 + 3, 0, 2]]);
    assert_eq!(weights.part([1, 1, 0, 2]).len(), 256);
    // The last block ends after the axis, and rows begin at multiples of 16 bytes.
    type Padded = layout!(NCHW4<1, 6, 2, 3>, u8, pad, align(H = 16));
    let padded = Tensor::<Padded, _>::new(numbered::<u8>(Padded::LEN)).unwrap();
    let row: &[[u8; 4]; 3] = padded.row([0, 1, 1]);
    assert_eq!((row[2][1], padded.part([0, 1, 1]).len()), (padded[[0, 5, 1, 2]], 12));
    assert_eq!(padded.part([0, 1]).len(), 16 + 12);
    // Blocks of one position are digits all the same, and strides are those that are given.
    type Single = layout!(NCHW1c<1, 2, 1, 3>, u8);
    let single = Tensor::<Single, _>::new([0, 1, 2, 3, 4, 5u8]).unwrap();
    let row: &[[u8; 1]; 3] = single.row([0, 1, 0]);
    assert_eq!((row, single.row([0, 1, 0, 2, 0])), (&[[3], [4], [5]], &5));
    type Strided = layout!(NCHW<1, 2, 2, 3>, u8, strides = [0, 20, 5, 1]);
    let strided = Tensor::<Strided, _>::new(numbered::<u8>(Strided::LEN)).unwrap();
    let row: &[u8; 3] = strided.row([0, 1, 1]);
    assert_eq!(row, &[25, 26, 27]);
    assert_eq!(strided.part([0, 1]).len(), 8);
}

#[test]
fn rows_are_changed_in_place() {
    type Act = layout!(NCHW4<1, 8, 2, 3>, u8);
    let mut act = Tensor::<Act, _>::new([0; Act::LEN]).unwrap();
    act.row_mut([0, 1, 1])[2] = [1, 2, 3, 4];
    act.panel_mut([0, 0, 1])[1][3] = 9;
    act.part_mut([0, 0, 0])[..2].fill(7);
    for (c, element) in act.iter() {
        let expected = match c {
            [0, c @ 4..8, 1, 2] => c as u8 - 3,
            [0, 3, 1, 1] => 9,
            [0, 0 | 1, 0, 0] => 7,
            _ => 0,
        };
        assert_eq!(element, expected, "{c:?}");
    }
}

#[test]
fn parts_of_nibbles_are_the_bytes_that_hold_them() {
    type Nibbles = layout!(MK<3, 6>, i4);
    let nibbles = Tensor::<Nibbles, _>::new([1u8, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    assert_eq!(nibbles.part([1]), [4, 5, 6]);
    assert_eq!((nibbles.part([1, 1]), nibbles.get([1, 1])), (&[4u8][..], i4::new(0)));
}

#[test]
fn rows_keep_to_generic_extents() {
    fn sum<const C: usize, const W: usize>(
        act: &Tensor<layout!(NCHW4<1, C, 2, W>, i8), &[i8]>,
    ) -> i32 {
        let mut sum = 0;
        for c in 0..C / 4 {
            let rows: [&[[i8; 4]; W]; 2] = [act.row([0, c, 0]), act.row([0, c, 1])];
            sum += rows.map(|row| row.iter().flatten().map(|&e| i32::from(e)).sum::<i32>())[1];
        }
        sum
    }
    type Act = layout!(NCHW4<1, 8, 2, 3>, i8);
    let units: [i8; Act::LEN] = core::array::from_fn(|i| i as i8);
    let act = Tensor::<Act, _>::new(&units[..]).unwrap();
    let expected: i32 = act.iter().filter(|(c, _)| c[2] == 1).map(|(_, e)| i32::from(e)).sum();
    assert_eq!(sum(&act), expected);
}

#[test]
#[should_panic = "index 2 is out of bounds for digit 1 of the memory order, which is of axis `C` and has 2 values"]
fn rows_outside_the_digits_name_the_axis() {
    let act = Tensor::<layout!(NCHW4<1, 8, 2, 3>, u8), _>::new([0; 48]).unwrap();
    act.row([0, 2, 0]);
}

#[test]
fn rows_along_an_axis_of_any_layout() {
    let layout = Layout::of("NCHW4", &[1, 6, 1, 3], ElementType::U8);
    assert!(layout.is_err());
    let layout = Layout::builder("NCHW4", ElementType::U8).pad(0).extents(&[1, 6, 1, 3]).unwrap();
    let act = Tensor::with_layout(Dynamic::<u8, 4>::new(layout).unwrap(), numbered::<u8>(24));
    let mut act = act.unwrap();
    assert_eq!(act.row_along('C', [0, 1, 0, 1]).unwrap(), [5, 6, 7]);
    assert_eq!(act.row_along('C', [0, 4, 0, 2]).unwrap(), [20, 21]);
    assert_eq!(act.row_along('W', [0, 1, 0, 2]).unwrap(), [9]);
    assert_eq!(
        act.row_along('W', [0, 1, 0, 0]).unwrap_err().to_string(),
        "axis `W` has stride 4, so its elements are not a slice; take the axis of stride 1, or move the tensor to another format first",
    );
    assert!(act.row_along('C', [0, 6, 0, 0]).is_err() && act.row_along('X', [0; 4]).is_err());
    act.row_along_mut('C', [0, 4, 0, 2]).unwrap().fill(99);
    assert_eq!((act[[0, 5, 0, 2]], act.buffer()[22]), (99, 22));
}

#[test]
fn digits_have_constant_strides() {
    type Weights = layout!(OIHW4i16o4i<64, 64, 3, 3>, i8);
    const STRIDES: [isize; 4] = [
        Weights::stride_of('O', 16),
        Weights::stride_of('I', 16),
        Weights::stride_of('I', 4),
        Weights::stride_of('O', 1),
    ];
    assert_eq!(STRIDES, [9216, 2304, 64, 4]);
    assert_eq!(Weights::DIGITS, &*Weights::LAYOUT.digits());
}
