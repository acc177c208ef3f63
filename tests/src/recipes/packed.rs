//! Elements that are narrower than what the library names, blocks without padding, and memory of a program's own: what
//! a user writes where no format says it.

use tensor_layout::{Tensor, layout};

/// RAW14: 4 pixels in 7 bytes, the high 8 bits in bytes 0 to 3, and a stream of 6 bits for each after them, lowest
/// first. Six bits are an axis of three `u2`.
#[test]
fn six_bits_are_an_axis_of_three_times_two() {
    type High = layout!(GP<2, 4>, u8, strides = [7, 1], from 0 of 14);
    // B: bits 0, 2 and 4.
    type Low = layout!(GPB<2, 4, 3>, u2, strides = [28, 3, 1], from 16 of 56);
    // A byte for each.
    type LowBytes = layout!(GPB<2, 4, 3>, u2, pad);
    let pixel = |i: usize| (i * 2311 % 16384) as u16;
    let mut bytes = Vec::new();
    for group in 0..2 {
        let pixels: [u16; 4] = core::array::from_fn(|i| pixel(4 * group + i));
        bytes.extend(pixels.map(|pixel| (pixel >> 6) as u8));
        let stream = (0..4).fold(0u32, |all, i| all | u32::from(pixels[i] & 63) << (6 * i));
        bytes.extend(&stream.to_le_bytes()[..3]);
    }
    let high = Tensor::<High, _>::new(&bytes).unwrap();
    let low = Tensor::<Low, _>::new(&bytes).unwrap();
    let low = low.to_layout::<LowBytes>().unwrap();
    for (group, i) in (0..2).flat_map(|group| (0..4).map(move |i| (group, i))) {
        let low = u16::from(low.buffer()[4 * group + i]);
        assert_eq!(u16::from(high[[group, i]]) << 6 | low, pixel(4 * group + i));
    }
}

/// 24-bit stereo to planes of `i32`: three of four bytes move, and a shift brings the sign.
#[test]
fn three_bytes_are_the_high_part_of_four() {
    type Samples = layout!(SCB<S = 3, C = 2, B = 3>, u8);
    type Planes = layout!(SCB<S = 3, C = 2, B = 4>, u8, strides = [S = 4, C = 12, B = 1]);
    let values = [1, -2, 8_388_607, -8_388_608, 70_000, -70_000];
    let bytes: Vec<u8> = values.iter().flat_map(|i: &i32| i.to_le_bytes()[..3].to_vec()).collect();
    let samples = Tensor::<Samples, _>::new(&bytes).unwrap();
    let mut planes = Tensor::<Planes, _>::new([0; 24]).unwrap();
    let mut high = planes.view_mut::<3>(|all| all.slice('B', 1, 1, 3)).unwrap();
    samples.relayout_into(&mut high).unwrap();
    let words = planes.buffer().chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap()));
    let read: Vec<i32> = words.map(|word| word >> 8).collect();
    assert_eq!(read, [1, 8_388_607, 70_000, -2, -8_388_608, -70_000]);
}

/// Windows of 4 x 4 of a grid of 5 x 6, one after the other, those at the edge smaller: each is a slice, and a relayout
/// of its own. `HW4h4w` has their order with padding.
#[test]
fn windows_without_padding_are_slices() {
    type Grid = layout!(HW<5, 6>, u8);
    let grid = Tensor::<Grid>::from_fn(|[h, w]| (6 * h + w) as u8);
    let windows: Vec<[usize; 4]> = [0, 4]
        .into_iter()
        .flat_map(|h: usize| [0, 4].map(|w: usize| [h, w, 4.min(5 - h), 4.min(6 - w)]))
        .collect();
    let of = |all: tensor_layout::Layout, [h, w, rows, columns]: [usize; 4]| {
        all.slice('H', h, 1, rows)?.slice('W', w, 1, columns)
    };
    let mut compact = Vec::new();
    for &window in &windows {
        let view = grid.view::<2>(|all| of(all, window)).unwrap();
        compact.extend_from_slice(view.to_layout::<layout!(HW<_, _>, u8)>().unwrap().buffer());
    }
    let expected = [
        0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, 18, 19, 20, 21, 4, 5, 10, 11, 16, 17, 22, 23, 24,
        25, 26, 27, 28, 29,
    ];
    assert_eq!(compact, expected);
    // And back.
    let mut again = Tensor::<Grid>::zeroed();
    let mut rest = &compact[..];
    for &window in &windows {
        let (own, after) = rest.split_at(window[2] * window[3]);
        rest = after;
        let rows = <layout!(HW<_, _>, u8)>::new([window[2], window[3]]).unwrap();
        let own = Tensor::with_layout(rows, own).unwrap();
        own.relayout_into(&mut again.view_mut::<2>(|all| of(all, window)).unwrap()).unwrap();
    }
    assert_eq!(again.buffer(), grid.buffer());
    // What a format of such windows says.
    let error = tensor_layout::Layout::parse("HW4h4w<5, 6>, u8").unwrap_err();
    assert_eq!(
        error.message().as_str(),
        "axis `H` has extent 5, which is not a multiple of its block 4; write 4 or 8, or add the option `pad` to store the rest of the last block as padding"
    );
}

/// A destination that the call allocates holds what one that is there does.
#[test]
fn new_memory_holds_what_moves() {
    type Image = layout!(HWC<H = 91, W = 137, C = 3>, f64);
    let image = Tensor::<Image>::from_fn(|[c, h, w]| (1000 * h + w) as f64 + c as f64 / 4.0);
    let planes = image.to_format("CHW").unwrap();
    let mut values = planes.buffer().iter();
    for (c, h, w) in
        (0..3).flat_map(|c| (0..91).flat_map(move |h| (0..137).map(move |w| (c, h, w))))
    {
        assert_eq!(*values.next().unwrap(), (1000 * h + w) as f64 + f64::from(c) / 4.0);
    }
    assert!(values.next().is_none());
}
