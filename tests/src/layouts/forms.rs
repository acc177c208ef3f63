//! A type, a type with run-time extents, text, the builder and a value are forms of one layout.

use std::collections::HashSet;
use std::fmt::Debug;

use tensor_layout::plain;
use tensor_layout::tensor::zip;
use tensor_layout::typed::{ExtentList, Order};
use tensor_layout::{Dynamic, Mixed, Static};
use tensor_layout::{
    Element, ElementType, Layout, LayoutError, LayoutType, PlainElement, Swizzle, Tensor, UnitOf,
    layout, u4,
};
use test_support::coordinates_of_rank;

/// A tensor whose bytes are all of the value `byte`.
fn filled<L: LayoutType + Copy>(layout: L, byte: u8) -> Tensor<L> {
    let mut tensor = Tensor::zeroed_in(layout).unwrap();
    plain::as_bytes_mut(tensor.buffer_mut()).fill(byte);
    tensor
}

/// Writes the elements of `from` to a tensor of `layout` in each of the ways that there are.
fn written<L, M>(layout: L, from: &Tensor<M>) -> [Vec<UnitOf<L>>; 4]
where
    L: LayoutType + Copy,
    M: LayoutType<Element = L::Element, Coordinate = L::Coordinate> + Copy,
{
    let mut all: [Tensor<L>; 4] = std::array::from_fn(|_| filled(layout, 0));
    for (coordinate, element) in from.iter() {
        all[0].set(coordinate, element).unwrap();
    }
    all[1].for_each_mut(|coordinate, to| *to = from.get(coordinate).unwrap()).unwrap();
    zip((from, &mut all[2])).unwrap().for_each(|from, to| *to = from);
    from.relayout_into(&mut all[3]).unwrap();
    all.map(|tensor| tensor.buffer().to_vec())
}

/// Compares the forms of a layout by all that they say, and by elements that are read and written.
fn check<E, X, O, Y, P, const RANK: usize, const UNKNOWN: usize>(
    mixed: Mixed<E, X, O, RANK, UNKNOWN>,
    fixed: Static<E, Y, P, RANK>,
    text: &str,
) where
    E: Element + PartialEq + Debug,
    E::Unit: PartialEq + Debug,
    X: ExtentList<RANK>,
    O: Order,
    Y: ExtentList<RANK>,
    P: Order,
{
    let value = Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    for layout in [mixed.layout(), fixed.layout()] {
        assert_eq!(layout, value);
        assert_eq!(layout.to_string(), value.to_string());
        assert_eq!(Layout::parse(&layout.to_string()), Ok(layout));
    }
    let strides = value.strides().map(|strides| strides.to_vec());
    assert_eq!(mixed.strides().map(Vec::from), strides, "{text}");
    assert_eq!(Static::<E, Y, P, RANK>::STRIDES.map(Vec::from), strides, "{text}");
    let dynamic = Dynamic::<E, RANK>::new(value).unwrap();
    let mut offsets = HashSet::new();
    for at in coordinates_of_rank(mixed.extents()) {
        let offset = value.offset(&at);
        let all = [mixed.offset(at), fixed.offset_of(at), dynamic.offset_of(at)];
        assert_eq!(all, [offset; 3], "{text} at {at:?}");
        assert!(offset < value.len() && offsets.insert(offset), "{text} at {at:?}");
    }
    let from = filled(dynamic, 0b1101_0110);
    let expected = written(dynamic, &from);
    assert_eq!(written(mixed, &from), expected, "{text}");
    assert_eq!(written(fixed, &from), expected, "{text}");
    for units in &expected {
        let tensors = (
            Tensor::with_layout(mixed, units.as_slice()).unwrap(),
            Tensor::with_layout(dynamic, units.as_slice()).unwrap(),
        );
        assert!(tensors.0.iter().eq(tensors.1.iter()), "{text}");
        assert!(tensors.0.iter_in_memory().eq(tensors.1.iter_in_memory()), "{text}");
        assert!(tensors.0.view::<RANK>(Ok).unwrap().iter().eq(from.iter()), "{text}");
    }
}

/// Compares forms: a type with unknown extents, these extents, and the layout with all extents written.
macro_rules! forms {
    ($(($($mixed:tt)*), $extents:expr => ($($fixed:tt)*);)+) => {$(
        let mixed = <layout!($($mixed)*)>::in_coordinate_order($extents).unwrap();
        check(mixed, <layout!($($fixed)*)>::default(), stringify!($($fixed)*));
    )+};
}

#[test]
fn rows_of_less_than_a_byte() {
    type Rows = layout!(MK<M = _, K = 3>, u4, pad);
    let rows = Rows::new([3]).unwrap();
    // Rows of three elements of half a byte take two bytes.
    assert_eq!((rows.offset([2, 2]), rows.layout().offset(&[2, 2])), (10, 10));
    let mut tensor = Tensor::<Rows>::zeroed_in(rows).unwrap();
    tensor.set([2, 2], u4::new(9).unwrap()).unwrap();
    assert_eq!(tensor.view::<2>(Ok).unwrap().get([2, 2]), u4::new(9));
    forms! {
        (MK<M = _, K = 3>, u4, pad), [3] => (MK<M = 3, K = 3>, u4, pad);
        (MK<M = _, K = 3>, u4, pad), [1] => (MK<M = 1, K = 3>, u4, pad);
        (C3c<C = _>, u1, pad), [7] => (C3c<C = 7>, u1, pad);
        (C3c<C = _>, u1, pad), [2] => (C3c<C = 2>, u1, pad);
        (NCHW<_, 1, 1, 5>, u4, pad), [3] => (NCHW<3, 1, 1, 5>, u4, pad);
        (NCHW<_, _, _, _>, u4, pad), [2, 3, 2, 3] => (NCHW<2, 3, 2, 3>, u4, pad);
        (NCHW<_, _, _, _>, u2, pad), [2, 3, 2, 1] => (NCHW<2, 3, 2, 1>, u2, pad);
        (NCHW<_, _, _, _>, i4, pad), [2, 3, 1, 1] => (NCHW<2, 3, 1, 1>, i4, pad);
        (NCHW<2, _, 3, _>, u1, pad = 1), [3, 2] => (NCHW<2, 3, 3, 2>, u1, pad = 1);
        (NCHW<2, _, 3, _>, u1, pad = 1), [1, 4] => (NCHW<2, 1, 3, 4>, u1, pad = 1);
        (NCHW4<_, _, 3, _>, i2, pad), [2, 9, 3] => (NCHW4<2, 9, 3, 3>, i2, pad);
        (NCHW3c<_, _, 2, 3>, u1, pad), [2, 7] => (NCHW3c<2, 7, 2, 3>, u1, pad);
        (ABC<_, 1, _>, u4, pad, align(A = 3)), [3, 5] => (ABC<3, 1, 5>, u4, pad, align(A = 3));
        (ABC<_, 1, 5>, u4, pad, align(B = 3)), [3] => (ABC<3, 1, 5>, u4, pad, align(B = 3));
        (MK<M = _, K = 3>, u2, pad, high_first), [5] => (MK<M = 5, K = 3>, u2, pad, high_first);
    }
}

#[test]
fn swizzles_of_less_than_a_byte() {
    forms! {
        (MK<M = _, K = 6>, u1, pad, swizzle(3, 1, -6)), [3] => (MK<M = 3, K = 6>, u1, pad, swizzle(3, 1, -6));
        (MK<M = _, K = 12>, u4, swizzle(2, 1, 3)), [7] => (MK<M = 7, K = 12>, u4, swizzle(2, 1, 3));
        (MK<M = _, K = _>, u2, pad, swizzle(1, 2, -3)), [7, 9] => (MK<M = 7, K = 9>, u2, pad, swizzle(1, 2, -3));
    }
}

#[test]
fn lanes_of_less_than_a_byte() {
    forms! {
        (C<C = _>, u4, lanes(C, 2)), [4] => (C<C = 4>, u4, lanes(C, 2));
        (C<C = _>, u4, lanes(C, 2)), [3] => (C<C = 3>, u4, lanes(C, 2));
        (C<C = _>, u4, lanes(C, 2, start = 1)), [6] => (C<C = 6>, u4, lanes(C, 2, start = 1));
        (C2c<C = _>, u1, lanes(C, 4)), [32] => (C2c<C = 32>, u1, lanes(C, 4));
        (MK<M = _, K = 3>, u2, pad, lanes(M, 4)), [7] => (MK<M = 7, K = 3>, u2, pad, lanes(M, 4));
        (KM<M = 5, K = _>, u2, pad, lanes(M, 4)), [7] => (KM<M = 5, K = 7>, u2, pad, lanes(M, 4));
        (KM<M = _, K = _>, u1, pad, lanes(M, 4)), [9, 2] => (KM<M = 9, K = 2>, u1, pad, lanes(M, 4));
        (MK<M = _, K = 4>, u2, lanes(4)), [8] => (MK<M = 8, K = 4>, u2, lanes(4));
    }
    let error = <layout!(C<C = _>, u4, lanes(C, 2))>::new([1]).unwrap_err();
    assert!(error.to_string().starts_with("rows of 1 element along axis `C` end in the middle"));
}

#[test]
fn axes_of_equal_strides() {
    forms! {
        (NHWC<N = _, C = 1, H = 1, W = 3>, u8, strides = [N = 3, C = 3, H = 3, W = 1]), [2] =>
            (NHWC<N = 2, C = 1, H = 1, W = 3>, u8, strides = [N = 3, C = 3, H = 3, W = 1]);
        (NCHW<_, 1, 1, 3>, u8, strides = [3, 3, 3, 1]), [2] => (NCHW<2, 1, 1, 3>, u8, strides = [3, 3, 3, 1]);
        (NHWC<N = _, C = 1, H = 2, W = 1>, u8, strides = [N = 2, C = 0, H = 1, W = 0]), [2] =>
            (NHWC<N = 2, C = 1, H = 2, W = 1>, u8, strides = [N = 2, C = 0, H = 1, W = 0]);
        (KM<M = _, K = 1>, u8, strides = [M = -1, K = -1]), [4] => (KM<M = 4, K = 1>, u8, strides = [M = -1, K = -1]);
        (KM<M = _, K = 1>, u8, strides = [M = 1, K = 0], broadcast(K)), [4]
            => (KM<M = 4, K = 1>, u8, strides = [M = 1, K = 0], broadcast(K));
    }
    let mixed = <layout!(NHWC<N = 1, C = _, H = 1, W = 2>, u8, strides = [N = 4, C = 1, H = 8, W = 1])>::new([2])
        .unwrap_err();
    let value = Layout::parse(
        "NHWC<N = 1, C = 2, H = 1, W = 2>, u8, strides = [N = 4, C = 1, H = 8, W = 1]",
    )
    .unwrap_err();
    assert_eq!(mixed, value.error());
}

#[test]
fn swizzles_that_change_no_offset() {
    forms! {
        (MK<_, 16>, f32, swizzle(3, 3, 3)), [4] => (MK<4, 16>, f32, swizzle(3, 3, 3));
        (MK<_, 16>, f32, swizzle = b128), [1] => (MK<1, 16>, f32, swizzle = b128);
        (MK<_, 16>, u8, strides = [16, 1], swizzle(3, 3, 3)), [4]
            => (MK<4, 16>, u8, strides = [16, 1], swizzle(3, 3, 3));
        (MK<_, 64>, u8, swizzle(vec = 8, per_phase = 8, max_phase = 4)), [8]
            => (MK<8, 64>, u8, swizzle(vec = 8, per_phase = 8, max_phase = 4));
    }
    let built = Layout::builder("MK", ElementType::F32).swizzle(Swizzle::new(3, 3, 3));
    assert_eq!(built.extents(&[4, 16]), Ok(<layout!(MK<4, 16>, f32, swizzle(3, 3, 3))>::LAYOUT));
    assert_eq!(<layout!(MK<4, 16>, f32, swizzle(3, 3, 3))>::LAYOUT.swizzle(), None);
}

#[test]
fn strides_of_empty_tensors() {
    fn same<E: Element, X, O, const RANK: usize, const UNKNOWN: usize>(
        mixed: Result<Mixed<E, X, O, RANK, UNKNOWN>, LayoutError>,
    ) where
        X: ExtentList<RANK>,
        O: Order,
    {
        let mixed = mixed.unwrap();
        assert_eq!(mixed.layout().numel(), 0);
        let strides = mixed.layout().strides().map(|strides| strides.to_vec());
        assert_eq!(mixed.strides().map(Vec::from), strides);
    }
    same(<layout!(NCHW<2, 3, 4, _>, u8)>::new([0]));
    same(<layout!(NCHW<_, 3, 4, 4>, u8)>::new([0]));
    same(<layout!(NCHW<_, 3, 4, 4>, u8, align(N = 64))>::new([0]));
    same(<layout!(NC<_, _>, u8, broadcast(N))>::new([0, 3]));
    same(<layout!(NC<_, 5>, u4, pad)>::new([0]));
    same(<layout!(NCHW<2, _, _, 4>, u8)>::new([0, 3]));
    same(<layout!(NCHW<2, _, _, 4>, u8, align(C = 24))>::new([3, 0]));
    same(<layout!(NCHW<2, _, _, 4>, f32)>::new([0, usize::MAX]));
    same(<layout!(NCHW<1, _, 4, 4>, u8, strides = [0, 16, 4, 1])>::new([0]));
}

/// Three bytes, which the macro does not know.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Zeroable, bytemuck::Pod)]
struct Rgb([u8; 3]);

impl PlainElement for Rgb {}

type Complex = num_complex::Complex<f32>;

/// Another name of an element type, which may be any type.
type Nibble = u4;

const ROW: usize = 1024;
const LANES: usize = 4;
const START: usize = 1;
const ON: bool = true;

/// That a type is this text. Text names no type of the user's own.
fn is<E: Element, X: ExtentList<RANK>, O: Order, const RANK: usize>(
    _: Static<E, X, O, RANK>,
    text: &str,
) {
    assert_eq!(Ok(Static::<E, X, O, RANK>::LAYOUT), Layout::parse(text));
}

#[test]
fn numbers_that_only_const_evaluation_knows() {
    is(
        <layout!(MK<2, 16>, Rgb, align(M = 48), swizzle(vec = 2, per_phase = 1, max_phase = 4))>::default(),
        "MK<2, 16>, plain(3), align(M = 48), swizzle(vec = 2, per_phase = 1, max_phase = 4)",
    );
    is(
        <layout!(MK<2, 16>, Rgb, align(M = 48), swizzle(1, 0, 4))>::default(),
        "MK<2, 16>, plain(3), align(M = 48), swizzle(1, 0, 4)",
    );
    is(
        <layout!(MK<2, 12>, Complex, align(M = 128), swizzle(vec = 2, per_phase = 1, max_phase = 4))>::default(),
        "MK<2, 12>, plain(8, align = 4), align(M = 128), swizzle(vec = 2, per_phase = 1, max_phase = 4)",
    );
    is(
        <layout!(MK<2, 16>, u8, align(M = ROW), swizzle(1, 0, 10))>::default(),
        "MK<2, 16>, u8, align(M = 1024), swizzle(1, 0, 10)",
    );
    is(
        <layout!(MK<2, 96>, u8, align(M = ROW), swizzle(vec = 2, per_phase = 1, max_phase = 8))>::default(),
        "MK<2, 96>, u8, align(M = 1024), swizzle(vec = 2, per_phase = 1, max_phase = 8)",
    );
    is(
        <layout!(C<C = 9>, u4, pad, lanes(C, LANES, start = START))>::default(),
        "C<C = 9>, u4, pad, lanes(C, 4, start = 1)",
    );
    is(<layout!(MK<2, 3>, Nibble, pad, lanes(4))>::default(), "MK<2, 3>, u4, pad, lanes(4)");
    is(
        <layout!(MK<4, 3>, Nibble, pad, swizzle(vec = 1, per_phase = 1, max_phase = 4))>::default(),
        "MK<4, 3>, u4, pad, swizzle(vec = 1, per_phase = 1, max_phase = 4)",
    );
    is(<layout!(MK4k<4, 15>, bool, pad = ON)>::default(), "MK4k<4, 15>, bool, pad = 1");
}
