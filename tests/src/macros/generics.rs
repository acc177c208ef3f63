use super::*;

pub const CHANNELS: usize = 8;

struct Layer<const N: usize, const C: usize, const HW: usize> {
    activations: layout!(NCHW4<N, C, HW, { HW }>, i8),
}

impl<const N: usize, const C: usize, const HW: usize> Layer<N, C, HW> {
    const LEN: usize = <layout!(NCHW4<N, C, HW, HW>, i8)>::LEN;
}

trait Sized2 {
    const CHANNELS: usize;
}

impl<const C: usize> Sized2 for layout!(NCHW<1, C, 2, 2>, f32) {
    const CHANNELS: usize = C;
}

/// The same letters for parameters as for axes, in another order.
fn swapped<const H: usize, const W: usize>() -> [usize; 4] {
    <layout!(NCHW<1, 1, { W }, { H }>, f32)>::EXTENTS
}

fn named<const H: usize, const W: usize>() -> [usize; 4] {
    <layout!(NCHW<N = 1, C = 1, H, W = W>, f32)>::EXTENTS
}

/// All four, in another order than that of the coordinates.
fn bare<const N: usize, const C: usize, const H: usize, const W: usize>() -> [usize; 4] {
    <layout!(NHWC<N, H, W, C>, f32)>::EXTENTS
}

fn of_element<E: Element, const C: usize>() -> usize {
    <layout!(NCHW4<1, C, 3, 3>, E, pad)>::BYTES
}

fn of_associated<E: Iterator<Item: Element>>() -> usize {
    <layout!(NCHW<1, 2, 3, 3>, E::Item)>::BYTES + <layout!(MK<2, 1>, <E as Iterator>::Item)>::BYTES
}

struct Weights<E: Element>(layout!(OIHW<8, 8, 3, 3>, E));

#[test]
fn extents_and_elements_can_be_parameters() {
    let layer = Layer::<2, 8, 3> { activations: Default::default() };
    same(layer.activations, <layout!(NCHW4<2, 8, 3, 3>, i8)>::default());
    assert_eq!(Layer::<2, 8, 3>::LEN, 144);
    assert_eq!(<layout!(NCHW<1, 7, 2, 2>, f32) as Sized2>::CHANNELS, 7);
    assert_eq!((swapped::<5, 6>(), named::<5, 6>()), ([1, 1, 6, 5], [1, 1, 5, 6]));
    assert_eq!(bare::<1, 3, 5, 6>(), [1, 3, 5, 6]);
    assert_eq!((of_element::<f64, 3>(), of_element::<tensor_layout::i4, 5>()), (288, 36));
    assert_eq!(of_associated::<std::vec::IntoIter<u16>>(), 40);
    same(Weights::<f32>(Default::default()).0, Default::default());
}

#[test]
fn extents_can_be_constants_and_expressions() {
    const N: usize = 2;
    type Reference = layout!(NCHW<2, 8, 16, 3>, f32);
    type Constants = layout!(NCHW<N, CHANNELS, { CHANNELS * N }, { N + 1 }>, f32);
    type Paths = layout!(NCHW<N, super::generics::CHANNELS, CHANNELS * 2, N + 1>, f32);
    type Calls =
        layout!(NCHW<{ size_of::<u16>() }, usize::pow(2, 3), (8 + 8), { Paths::EXTENTS[3] }>, f32);
    same(Reference::default(), Constants::default());
    same(Reference::default(), Paths::default());
    same(Reference::default(), Calls::default());
}
