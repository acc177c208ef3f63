//! Elements of every type: their widths, and that a tensor of them holds what was written.

use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};
use tensor_layout::plain;
use tensor_layout::spec::Rule;
use tensor_layout::{
    Element, LayoutError, PlainElement, Relayout, StaticLayout, Tensor, UnitOf, bf16, f8e4m3,
    f8e5m2, f16, i4, layout, u4,
};

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

impl PlainElement for Complex {}

/// Three bytes: no power of two, no alignment.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
struct Rgb([u8; 3]);

impl PlainElement for Rgb {}

/// Wider than the bits of a fill.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C, align(16))]
struct Wide([u64; 2]);

impl PlainElement for Wide {}

/// A tensor of `L` keeps what is written at each coordinate, and nothing else changes.
fn keeps<L>(elements: &[L::Element])
where
    L: StaticLayout<Coordinate = [usize; 3]>,
    L::Element: PartialEq + Debug,
{
    let layout = L::LAYOUT;
    let mut tensor = Tensor::<L, _>::new(vec![plain::zero::<UnitOf<L>>(); layout.units()]).unwrap();
    let extents = layout.extents().to_vec();
    let mut all = Vec::new();
    for h in 0..extents[0] {
        for w in 0..extents[1] {
            all.extend((0..extents[2]).map(|c| [h, w, c]));
        }
    }
    for (i, &coordinate) in all.iter().enumerate() {
        tensor.set(coordinate, elements[i % elements.len()]).unwrap();
    }
    for (i, &coordinate) in all.iter().enumerate() {
        let expected = elements[i % elements.len()];
        assert_eq!(tensor.get(coordinate), Some(expected), "{coordinate:?}");
        let offset = layout.offset(&coordinate);
        assert_eq!(L::Element::read(tensor.buffer(), offset), Some(expected));
        // SAFETY: the coordinate lies inside the extents, and a `Vec` keeps its length.
        assert_eq!(unsafe { tensor.get_unchecked(coordinate) }, expected);
    }
    let outside = [0, extents[1], 0];
    assert_eq!(tensor.get(outside), None);
    let before = plain::as_bytes(tensor.buffer()).to_vec();
    let error = tensor.set(outside, elements[0]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::Coordinate { .. })));
    assert_eq!(plain::as_bytes(tensor.buffer()), before, "written outside");
    let past = layout.units() * 2;
    assert_eq!(L::Element::read(tensor.buffer(), past), None);
    assert_eq!(L::Element::write(&mut tensor.into_buffer(), past, elements[0]), None);
}

#[test]
fn tensors_of_every_element_keep_what_is_written() {
    macro_rules! kept {
        ($($element:ident: $($value:expr),*;)*) => {$(
            keeps::<layout!(HWC2w<H = 2, W = 3, C = 4>, $element, pad)>(&[$($value),*]);
        )*};
    }
    kept! {
        i8: -128, 127, 0, 5, -1;
        u8: 0, 255, 7;
        i16: i16::MIN, 3, -2;
        u16: u16::MAX, 3, 2;
        i32: i32::MIN, 3, -2;
        u32: u32::MAX, 3, 2;
        i64: i64::MIN, 3, -2;
        u64: u64::MAX, 3, 2;
        f32: 0.5, -1.5, f32::MAX, f32::MIN_POSITIVE, 3.0;
        f64: 0.5, -1.5, f64::MAX, f64::MIN_POSITIVE, 3.0;
        f16: f16::MAX, f16::MIN, f16::ZERO, f16::ONE, f16::EPSILON;
        bf16: bf16::MAX, bf16::MIN, bf16::ZERO, bf16::ONE, bf16::EPSILON;
        f8e4m3: f8e4m3::from_bits(0x7e), f8e4m3::from_bits(0x80), f8e4m3::from_bits(1);
        f8e5m2: f8e5m2::from_bits(0x7b), f8e5m2::from_bits(0x80), f8e5m2::from_bits(1);
        i4: i4::MIN, i4::MAX, i4::from_bits(0), i4::from_bits(0xf), i4::from_bits(1);
        u4: u4::MIN, u4::MAX, u4::from_bits(5), u4::from_bits(9), u4::from_bits(1);
        Complex: Complex { re: 1.0, im: -2.0 }, Complex { re: 0.5, im: 0.25 };
        Rgb: Rgb([1, 2, 3]), Rgb([255, 0, 128]);
        Wide: Wide([1, 2]), Wide([u64::MAX, 0]), Wide([3, 4]);
    }
}

#[test]
fn a_tensor_takes_a_buffer_of_exactly_its_length() {
    type Pairs = layout!(HW<2, 4>, i4);
    for given in [0, 3, 5, 8] {
        let error = Tensor::<Pairs, _>::new(vec![0u8; given]).unwrap_err();
        let expected = LayoutError(Rule::BufferLength { buffer: "buffer", needed: 4, given });
        assert_eq!(error, expected);
    }
    assert_eq!(Tensor::<Pairs, _>::new([7u8; 4]).unwrap().into_buffer(), [7; 4]);
}

#[test]
fn indexing_reads_and_writes_in_place() {
    let mut tensor = Tensor::<layout!(WH<H = 2, W = 3>, i16), _>::new([0i16; 6]).unwrap();
    tensor[[1, 2]] = -5;
    tensor[[0, 1]] += 3;
    assert_eq!((tensor[[1, 2]], tensor[[0, 1]], tensor[[0, 0]]), (-5, 3, 0));
    assert_eq!(tensor.buffer(), [0, 0, 3, 0, 0, -5]);
    tensor.buffer_mut()[1] = 9;
    assert_eq!(tensor.get([1, 0]), Some(9));
}

#[test]
#[should_panic(expected = "coordinate 3 is out of bounds for axis `W` of extent 3")]
fn indexing_outside_names_the_axis() {
    let _ = Tensor::<layout!(HW<2, 3>, i16), _>::new([0i16; 6]).unwrap()[[0, 3]];
}

/// The layout of a small tensor of `E` takes `bits` for each element, and its buffer needs the
/// alignment of what it is made of.
fn takes<E: Element>(bits: usize) {
    let layout = <layout!(NCHW<1, 2, 3, 4>, E)>::LAYOUT;
    assert_eq!(E::TYPE.bits(), bits, "{}", E::TYPE.name());
    assert_eq!(layout.bytes(), 3 * bits, "{}", E::TYPE.name());
    assert_eq!(layout.align(), align_of::<E::Unit>(), "{}", E::TYPE.name());
    assert_eq!(layout.units() * size_of::<E::Unit>(), layout.bytes(), "{}", E::TYPE.name());
}

#[test]
fn widths_and_alignments() {
    takes::<i4>(4);
    takes::<u4>(4);
    takes::<i8>(8);
    takes::<u8>(8);
    takes::<i16>(16);
    takes::<u16>(16);
    takes::<i32>(32);
    takes::<u32>(32);
    takes::<i64>(64);
    takes::<u64>(64);
    takes::<f16>(16);
    takes::<bf16>(16);
    takes::<f32>(32);
    takes::<f64>(64);
    takes::<f8e4m3>(8);
    takes::<f8e5m2>(8);
    takes::<Complex>(64);
    takes::<Rgb>(24);
    takes::<Wide>(128);
}

#[test]
fn alignment_is_of_the_element_and_of_the_rows() {
    assert_eq!(<layout!(HW<2, 3>, f32, align(H = 64))>::ALIGN, 64);
    // A buffer begins at a multiple of a power of two, so that is what counts of 12, 48 and 6.
    assert_eq!(<layout!(HW<2, 3>, f32, align(H = 12))>::ALIGN, 4);
    assert_eq!(<layout!(HW<2, 3>, Wide, align(H = 48))>::ALIGN, 16);
    assert_eq!(<layout!(HW<2, 3>, Rgb, align(H = 6))>::ALIGN, 2);
    assert_eq!(<layout!(CHW<2, 3, 5>, f32, align(H = 12, C = 8))>::ALIGN, 8);
    // Rows of 3 colours of 3 bytes are 9 bytes and take 12.
    type Rows = layout!(HW<2, 3>, Rgb, align(H = 6));
    assert_eq!((Rows::STRIDES, Rows::BYTES), (Some([4, 1]), 24));
}

type Pixels = layout!(HW<2, 3>, Rgb);
type Columns = layout!(WH4h<H = 2, W = 3>, Rgb, pad);

#[derive(Relayout)]
#[relayout(Pixels => Columns)]
struct ToColumns;

#[test]
fn a_type_of_the_users_own_is_moved_and_padded_with_zero_bytes() {
    let colour = |i: u8| Rgb([i, 100 + i, 200 + i]);
    const NONE: Rgb = Rgb([0; 3]);
    let pixels = [0, 1, 2, 3, 4, 5].map(colour);
    let mut columns = [Rgb([77; 3]); Columns::LEN];
    ToColumns::run_arrays(&pixels, &mut columns);
    let [a, b, c, d, e, f] = pixels;
    assert_eq!(columns, [a, d, NONE, NONE, b, e, NONE, NONE, c, f, NONE, NONE]);
}
