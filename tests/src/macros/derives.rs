use super::*;

type Image = layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, u8);
type Packed = layout!(NCHW4<1, 3, 2, 2>, u8, pad = 9);

#[derive(Relayout, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[relayout(Image => Packed)]
pub struct Unit;

#[derive(Relayout)]
#[relayout(Image => Packed,)]
pub(crate) struct Fields {
    _name: &'static str,
}

#[derive(Relayout)]
#[relayout(crate = tensor_layout, Packed => Image)]
pub(super) struct Tuple(#[allow(dead_code)] u8, #[allow(dead_code)] pub u8);

#[derive(Relayout)]
#[relayout(crate = ::tensor_layout, super::derives::Image => self::Packed)]
enum Never {}

#[derive(Relayout)]
#[relayout(crate = crate::macros::derives::facade::inner, layout!(SCALAR, f16) => layout!(SCALAR, f16))]
struct Reexported;

pub mod facade {
    pub use tensor_layout as inner;
}

mod inner {
    use super::{Image, Packed};
    #[derive(tensor_layout::Relayout)]
    #[relayout(Image => Packed)]
    pub(in crate::macros::derives) struct Restricted;
}

#[derive(Relayout)]
#[relayout(<Never as Relayout>::Destination => <Never as Relayout>::Source)]
struct Projected;

const IMAGE: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const PACKED: [u8; 16] = [0, 1, 2, 9, 3, 4, 5, 9, 6, 7, 8, 9, 9, 10, 11, 9];
static AT_COMPILE_TIME: [u8; Packed::LEN] = Never::constant(&IMAGE);

#[test]
fn every_kind_of_type_moves() {
    assert_eq!(AT_COMPILE_TIME, PACKED);
    for run in
        [Unit::run_arrays, Fields::run_arrays, Never::run_arrays, inner::Restricted::run_arrays]
    {
        let mut packed = [0; 16];
        run(&IMAGE, &mut packed);
        assert_eq!(packed, PACKED);
    }
    for run in [Tuple::run_arrays, Projected::run_arrays] {
        let mut image = [0; 12];
        run(&PACKED, &mut image);
        assert_eq!(image, IMAGE);
    }
    assert_eq!(Reexported::constant(&[tensor_layout::f16::ONE]), [tensor_layout::f16::ONE]);
    let _ = (Unit, Fields { _name: "" }, Tuple(0, 0));
}

#[test]
fn a_function_can_have_its_own() {
    type Image = layout!(NCHW<1, 2, 1, 2>, i4);
    #[derive(Relayout)]
    #[relayout(Image => layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, i4))]
    struct Pack;
    #[derive(Relayout)]
    #[relayout(layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, i4) => Image)]
    struct Unpack;
    let packed = Pack::constant(&[0x21, 0x43]);
    assert_eq!(packed, [0x31, 0x42]);
    let mut back = [0; 2];
    Unpack::run_arrays(&packed, &mut back);
    assert_eq!(back, [0x21, 0x43]);
}

#[test]
fn a_relayout_is_a_bound() {
    fn move_all<
        R: Relayout<Source: tensor_layout::LayoutType<Element = u8>, Destination = Packed>,
    >(
        source: &[u8],
    ) -> [u8; Packed::LEN] {
        let mut destination = [0; Packed::LEN];
        R::run_slices(source, &mut destination).unwrap();
        destination
    }
    assert_eq!(move_all::<Unit>(&IMAGE), PACKED);
}
