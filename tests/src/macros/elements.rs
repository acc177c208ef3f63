use super::*;

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Complex {
    pub re: f32,
    pub im: f32,
}
impl PlainElement for Complex {}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Tagged<T>(T);
impl<T: Pod> PlainElement for Tagged<T> {}

type Spectrum = layout!(NCHW4<1, 3, 2, 2>, Complex, pad);
type Path = layout!(NCHW4<1, 3, 2, 2>, super::elements::Complex, pad);
type Frame = layout!(HW<2, 3>, Tagged<[u8; 3]>);

#[derive(Relayout)]
#[relayout(layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, Complex) => Spectrum)]
struct Pack;

#[test]
fn a_type_of_the_users_own_is_an_element() {
    same(Spectrum::default(), Path::default());
    assert_eq!((Spectrum::BYTES, Frame::BYTES), (128, 18));
    let source: [Complex; 12] = std::array::from_fn(|i| Complex { re: i as f32, im: 1.0 });
    let packed = Pack::constant(&source);
    assert_eq!(packed[Spectrum::offset([0, 2, 1, 0])], source[8]);
    assert_eq!(packed[3], Complex::zeroed());
    let mut frame = Tensor::<Frame, _>::new([Tagged([0; 3]); Frame::LEN]).unwrap();
    frame[[1, 2]] = Tagged([1, 2, 3]);
    assert_eq!(frame.buffer()[5], Tagged([1, 2, 3]));
}
