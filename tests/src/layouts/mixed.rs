//! Layouts with run-time extents are the same as layouts with all extents written.

use tensor_layout::spec::Rule;
use tensor_layout::{
    Dynamic, ElementType, Layout, LayoutError, LayoutType, Mixed, Static, Tensor, layout,
    named_format, typed,
};
use test_support::coordinates_of_rank;

/// That a layout with unknown extents is the one with these extents written.
fn assert_same<E, X, O, const RANK: usize, const UNKNOWN: usize>(
    mixed: Mixed<E, X, O, RANK, UNKNOWN>,
    written: Layout,
) where
    E: tensor_layout::Element,
    X: typed::ExtentList<RANK>,
    O: typed::Order,
{
    assert_eq!(mixed.layout(), written);
    assert_eq!(mixed.units(), written.units());
    assert_eq!(mixed.extents(), written.extents());
    let strides = written.strides().map(|all| all.to_vec());
    assert_eq!(mixed.strides().map(|all| all.to_vec()), strides, "{written}");
    for c in coordinates_of_rank(mixed.extents()) {
        assert_eq!(mixed.offset(c), written.offset(&c), "{written} at {c:?}");
        assert_eq!(mixed.checked_offset(c), Ok(written.offset(&c)), "{written} at {c:?}");
    }
    for axis in 0..RANK {
        let mut outside = [0; RANK];
        outside[axis] = mixed.extents()[axis];
        if written.numel() > 0 {
            assert_eq!(mixed.checked_offset(outside), written.checked_offset(&outside));
        }
    }
    assert_eq!(Mixed::<E, X, O, RANK, UNKNOWN>::try_from(written), Ok(mixed));
    assert_eq!(Dynamic::from(mixed), Dynamic::<E, RANK>::new(written).unwrap());
}

macro_rules! same {
    ($($mixed:ty: $($extents:expr => $written:ty,)+;)*) => {$($(
        let mixed = <$mixed>::in_coordinate_order($extents).unwrap();
        assert_same(mixed, <$written>::LAYOUT);
        assert_eq!(<$written>::try_from(mixed.layout()), Ok(<$written>::default()));
    )+)*};
}

#[test]
fn plain_orders() {
    same! {
        layout!(NCHW<_, 3, 2, 5>, f32):
            [1] => layout!(NCHW<1, 3, 2, 5>, f32),
            [4] => layout!(NCHW<4, 3, 2, 5>, f32),;
        layout!(NCHW<2, _, 3, 5>, f32):
            [1] => layout!(NCHW<2, 1, 3, 5>, f32),
            [4] => layout!(NCHW<2, 4, 3, 5>, f32),;
        layout!(NCHW<2, 3, 4, _>, u8):
            [1] => layout!(NCHW<2, 3, 4, 1>, u8),
            [7] => layout!(NCHW<2, 3, 4, 7>, u8),;
        layout!(NCHW<2, 3, _, _>, i64):
            [5, 4] => layout!(NCHW<2, 3, 5, 4>, i64),
            [1, 1] => layout!(NCHW<2, 3, 1, 1>, i64),;
        layout!(NHWC<N = _, C = 3, H = _, W = _>, u8):
            [2, 5, 4] => layout!(NHWC<N = 2, C = 3, H = 5, W = 4>, u8),;
        layout!(NCHW<_, _, _, _>, f16):
            [2, 3, 5, 4] => layout!(NCHW<2, 3, 5, 4>, f16),
            [1, 1, 1, 1] => layout!(NCHW<1, 1, 1, 1>, f16),;
        layout!(BSHD<B = _, H = 3, S = _, D = 4>, f32, coordinates(B, H, S, D)):
            [2, 5] => layout!(BSHD<B = 2, H = 3, S = 5, D = 4>, f32, coordinates(B, H, S, D)),;
        layout!(CN<N = _, C = 4>, i8, broadcast(C)): [3] => layout!(CN<N = 3, C = 4>, i8, broadcast(C)),;
        layout!(CN<N = 4, C = _>, i8, broadcast(N)): [3] => layout!(CN<N = 4, C = 3>, i8, broadcast(N)),;
        layout!(CN<N = _, C = _>, i8, broadcast(N)): [4, 3] => layout!(CN<N = 4, C = 3>, i8, broadcast(N)),;
        layout!(ABCDEFGH<2, 1, _, 2, _, 1, 2, _>, u16):
            [2, 3, 2] => layout!(ABCDEFGH<2, 1, 2, 2, 3, 1, 2, 2>, u16),;
    }
}

#[test]
fn blocks() {
    same! {
        layout!(NCHW4<_, 8, 3, 5>, f16): [2] => layout!(NCHW4<2, 8, 3, 5>, f16),;
        layout!(NCHW4<2, _, 3, 5>, f16):
            [4] => layout!(NCHW4<2, 4, 3, 5>, f16),
            [12] => layout!(NCHW4<2, 12, 3, 5>, f16),;
        layout!(NCHW4<2, 8, _, _>, f16): [3, 5] => layout!(NCHW4<2, 8, 3, 5>, f16),;
        layout!(CHWN4<N = _, C = _, H = 3, W = _>, f16): [2, 8, 5] => layout!(CHWN4<N = 2, C = 8, H = 3, W = 5>, f16),;
        layout!(OIHW4i16o4i<_, 32, 1, 3>, i8): [32] => layout!(OIHW4i16o4i<32, 32, 1, 3>, i8),;
        layout!(OIHW4i16o4i<32, _, _, 3>, i8): [48, 2] => layout!(OIHW4i16o4i<32, 48, 2, 3>, i8),;
        layout!(NHWC1c4w<N = 2, C = _, H = 3, W = _>, f16): [3, 8] =>
            layout!(NHWC1c4w<N = 2, C = 3, H = 3, W = 8>, f16),;
        layout!(NCHW4h4w4c<_, _, _, _>, u8): [2, 4, 8, 12] => layout!(NCHW4h4w4c<2, 4, 8, 12>, u8),;
        layout!(4cNHWC<N = 2, C = _, H = 2, W = 3>, u8): [12] => layout!(4cNHWC<N = 2, C = 12, H = 2, W = 3>, u8),;
        layout!(NCHW64<_, _, 3, 3>, i4): [2, 128] => layout!(NCHW64<2, 128, 3, 3>, i4),;
    }
}

#[test]
fn padding_and_alignment() {
    same! {
        layout!(NCHW4<2, _, 3, _>, u8, pad = 7):
            [3, 2] => layout!(NCHW4<2, 3, 3, 2>, u8, pad = 7),
            [4, 2] => layout!(NCHW4<2, 4, 3, 2>, u8, pad = 7),
            [9, 1] => layout!(NCHW4<2, 9, 3, 1>, u8, pad = 7),;
        layout!(OIHW4i16o4i<_, _, 2, 1>, i8, pad): [17, 20] => layout!(OIHW4i16o4i<17, 20, 2, 1>, i8, pad),;
        layout!(NCHW<2, 3, 4, _>, f16, align(H = 16)):
            [5] => layout!(NCHW<2, 3, 4, 5>, f16, align(H = 16)),
            [8] => layout!(NCHW<2, 3, 4, 8>, f16, align(H = 16)),
            [9] => layout!(NCHW<2, 3, 4, 9>, f16, align(H = 16)),;
        layout!(NCHW<2, 3, _, _>, f16, align(C = 24, H = 8)):
            [3, 5] => layout!(NCHW<2, 3, 3, 5>, f16, align(C = 24, H = 8)),
            [1, 4] => layout!(NCHW<2, 3, 1, 4>, f16, align(C = 24, H = 8)),;
        layout!(NCHW<_, 3, _, 5>, f32, align(N = 64, H = 32)):
            [2, 3] => layout!(NCHW<2, 3, 3, 5>, f32, align(N = 64, H = 32)),;
        // One alignment on another, over a digit of size 1, or one that takes no memory.
        layout!(ABC<2, 3, _>, u8, align(A = 8, B = 4), broadcast(B)):
            [5] => layout!(ABC<2, 3, 5>, u8, align(A = 8, B = 4), broadcast(B)),;
        layout!(ABC<2, 3, _>, u8, align(A = 64, B = 12), broadcast(B)):
            [5] => layout!(ABC<2, 3, 5>, u8, align(A = 64, B = 12), broadcast(B)),;
        // Rows of 4-bit elements are rounded up to whole bytes.
        layout!(NCHW<2, 3, 2, _>, i4, pad):
            [1] => layout!(NCHW<2, 3, 2, 1>, i4, pad),
            [5] => layout!(NCHW<2, 3, 2, 5>, i4, pad),
            [6] => layout!(NCHW<2, 3, 2, 6>, i4, pad),;
        layout!(NCHW<_, 3, 2, 5>, u4, pad): [2] => layout!(NCHW<2, 3, 2, 5>, u4, pad),;
        layout!(NCHW<2, 3, _, _>, i4): [3, 4] => layout!(NCHW<2, 3, 3, 4>, i4),;
    }
}

#[test]
fn strides_of_ones_own() {
    same! {
        layout!(NCHW<_, 3, 2, 2>, i8, strides = [24, 8, 4, 2]):
            [4] => layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, 4, 2]),;
        layout!(NCHW<4, 3, _, _>, i8, strides = [24, 8, -4, -2]):
            [2, 2] => layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, -2]),
            [1, 1] => layout!(NCHW<4, 3, 1, 1>, i8, strides = [24, 8, -4, -2]),;
        layout!(MK<_, 3>, i8, strides = [0, 1], broadcast(M)):
            [4] => layout!(MK<4, 3>, i8, strides = [0, 1], broadcast(M)),;
    }
}

#[test]
fn lanes_of_accelerators() {
    same! {
        layout!(NCHW<_, 70, 4, 5>, f16, bm1684x::aligned(start = 2)):
            [2] => layout!(NCHW<2, 70, 4, 5>, f16, bm1684x::aligned(start = 2)),;
        layout!(NCHW<2, _, _, 5>, f16, bm1684x::compact):
            [70, 4] => layout!(NCHW<2, 70, 4, 5>, f16, bm1684x::compact),
            [64, 1] => layout!(NCHW<2, 64, 1, 5>, f16, bm1684x::compact),;
        layout!(NCHW<2, _, 2, 5>, f16, bm1684x::line_aligned(start = 63)):
            [1] => layout!(NCHW<2, 1, 2, 5>, f16, bm1684x::line_aligned(start = 63)),
            [66] => layout!(NCHW<2, 66, 2, 5>, f16, bm1684x::line_aligned(start = 63)),;
        layout!(OIHW<_, _, 1, 3>, i8, bm1684x::ic):
            [65, 100] => layout!(OIHW<65, 100, 1, 3>, i8, bm1684x::ic),;
    }
}

#[test]
fn empty_tensors() {
    for layout in [
        <layout!(NCHW4<_, 64, 56, 56>, f16)>::new([0]).unwrap().layout(),
        <layout!(NCHW4<2, 64, _, _>, f16)>::new([0, 5]).unwrap().layout(),
        <layout!(NCHW<2, 64, _, 5>, f16, strides = [320, 5, 640, 1])>::new([0]).unwrap().layout(),
    ] {
        assert_eq!((layout.len(), layout.numel()), (0, 0), "{layout}");
    }
    type Batch = layout!(NCHW<_, 1, 2, 2>, u8);
    let tensor = Tensor::with_layout(Batch::new([0]).unwrap(), [0u8; 0]).unwrap();
    assert_eq!(tensor.get([0, 0, 0, 0]), None);
}

named_format!(TILED = NCHW4h4w4c);

#[test]
fn formats_of_ones_own_and_consts() {
    const FILL: i8 = -3;
    const SIDE: usize = 4;
    same! {
        layout!(TILED!<_, 4, 8, _>, u8): [2, 4] => layout!(NCHW4h4w4c<2, 4, 8, 4>, u8),;
        layout!(nchw4C<_, 3, SIDE, { SIDE / 2 }>, i8, pad = FILL):
            [2] => layout!(NCHW4<2, 3, 4, 2>, i8, pad = -3),;
    }
}

#[test]
fn only_unknown_extents_are_stored() {
    assert_eq!(size_of::<layout!(NCHW4<_, 64, 56, 56>, f16)>(), size_of::<usize>());
    assert_eq!(size_of::<layout!(NCHW4<_, 64, _, _>, f16)>(), 3 * size_of::<usize>());
}

#[test]
fn extents_that_break_a_rule_are_errors() {
    let error = <layout!(NCHW4<1, _, 3, 3>, f16)>::new([63]).unwrap_err();
    assert_eq!(error, LayoutError(Rule::NotDivisible { letter: 'C', extent: 63, block: 4 }));
    let error = <layout!(NCHW4<_, 64, 3, 3>, f16)>::new([usize::MAX]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::TooLarge { .. })));
    let error = <layout!(HW<3, _>, i4)>::new([3]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::OddRow { letter: 'W', length: 3, .. })));
    let error = <layout!(HW<3, _>, u8, strides = [4, 1])>::new([5]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::Overlap { .. })));
    let error = <layout!(HW<3, _>, u8, strides = [4, 0])>::new([2]).unwrap_err();
    assert_eq!(error, LayoutError(Rule::ZeroStride { letter: 'W', extent: 2 }));
}

#[test]
fn layouts_that_are_not_the_types_say_what_is_different() {
    type Act = layout!(NCHW4<_, 64, 3, 3>, f16);
    type Fixed = layout!(NCHW4<2, 64, 3, 3>, f16);
    let errors =
        |given: Layout| (Act::try_from(given).unwrap_err(), Fixed::try_from(given).unwrap_err());
    let text = |given: Layout| {
        let (mixed, fixed) = errors(given);
        assert_eq!(mixed, fixed);
        mixed.to_string()
    };
    let other = text(<layout!(NCHW4<2, 64, 3, 3>, f32)>::LAYOUT);
    assert!(other.starts_with("layout holds `f32` but its type holds `f16`; "), "{other}");
    let other = text(<layout!(NCHW4h<2, 64, 4, 3>, f16)>::LAYOUT);
    assert!(other.starts_with("axis `H` has extent 4 but its type has 3; "), "{other}");
    let other = text(<layout!(OIHW<2, 64, 3, 3>, f16)>::LAYOUT);
    let says = "layout has axes O, I, H, W but its type has N, C, H, W; ";
    assert!(other.starts_with(says), "{other}");
    let other = text(<layout!(NHWC<N = 2, C = 64, H = 3, W = 3>, f16)>::LAYOUT);
    let says = "layout `NHWC` and its type `NCHW4c` place elements differently; ";
    assert!(other.starts_with(says), "{other}");
    let other = text(<layout!(NCHW4<2, 64, 3, 3>, f16, align(H = 32))>::LAYOUT);
    let says =
        "layout and its type are both `NCHW4c` but differ in padding, alignment or strides; ";
    assert!(other.starts_with(says), "{other}");

    // The same offsets, computed from strides.
    let strides = [576, 1, 192, 64];
    let strided = Layout::from_strides("NCHW", &[2, 64, 3, 3], &strides, ElementType::F16).unwrap();
    assert!(<layout!(NHWC<N = 2, C = 64, H = 3, W = 3>, f16)>::try_from(strided).is_ok());
    assert!(<layout!(NHWC<N = _, C = 64, H = _, W = 3>, f16)>::try_from(strided).is_ok());
    let spread = [1152, 1, 384, 64];
    let spread = Layout::from_strides("NCHW", &[2, 64, 3, 3], &spread, ElementType::F16).unwrap();
    type Aligned = layout!(NHWC<N = 2, C = 64, H = 3, W = 3>, f16, align(H = 768));
    let error = Aligned::try_from(spread).unwrap_err();
    assert_eq!(
        error.to_string(),
        "layout takes a buffer of 2112 elements but its type takes 2304; move the tensor to its own buffer with a relayout, or write the layout's padding or alignment in the type",
    );
    let error = Aligned::try_from(Aligned::LAYOUT.permute("NCHW").unwrap()).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::TypeOrder { .. })), "gaps are not padding");
    // A part of a longer buffer, at its beginning.
    let longer = <layout!(NCHW4<5, 64, 3, 3>, f16)>::LAYOUT.slice('N', 0, 1, 2).unwrap();
    let error = LayoutError(Rule::TypeLength { needed: 1152, given: 2880 });
    assert_eq!(errors(longer), (error, error));
    assert_eq!(Fixed::try_from(Dynamic::<tensor_layout::f16, 4>::new(longer).unwrap()), Err(error));

    let five = <layout!(NCHW4<5, 64, 3, 3>, f16)>::LAYOUT;
    assert_eq!(Act::try_from(five), Act::new([5]));
    let error = LayoutError(Rule::TypeExtent { letter: 'N', needed: 2, given: 5, permuted: false });
    assert_eq!(Fixed::try_from(five), Err(error));
    let blocked = <layout!(NCHW<2, 6, 3, 3>, f16)>::LAYOUT;
    let error = LayoutError(Rule::NotDivisible { letter: 'C', extent: 6, block: 4 });
    assert_eq!(<layout!(NCHW4<_, _, 3, 3>, f16)>::try_from(blocked), Err(error));
}

#[test]
fn tensors() {
    type Act = layout!(NCHW4<_, 8, 2, 2>, u16);
    let act = Act::new([3]).unwrap();
    let mut tensor = Tensor::with_layout(act, vec![0u16; act.units()]).unwrap();
    for (i, c) in coordinates_of_rank([3, 8, 2, 2]).enumerate() {
        tensor[c] = i as u16;
    }
    let at = |c: [usize; 4]| <layout!(NCHW4<3, 8, 2, 2>, u16)>::offset(c);
    for (i, c) in coordinates_of_rank([3, 8, 2, 2]).enumerate() {
        assert_eq!(tensor.buffer()[at(c)], i as u16);
    }
    assert!(Tensor::with_layout(act, [0u16; 64]).is_err());
}

/// A generic function over known extents, an unknown batch beside them.
fn length<const C: usize>(batch: usize) -> Result<usize, LayoutError> {
    Ok(<layout!(NCHW4<_, C, 3, 3>, i8)>::new([batch])?.layout().len())
}

#[test]
fn generic_code() {
    assert_eq!(length::<8>(5), Ok(360));
    const BATCH: layout!(NCHW<_, 3, 4, 5>, u8) = match <layout!(NCHW<_, 3, 4, 5>, u8)>::new([2]) {
        Ok(layout) => layout,
        Err(error) => error.panic(),
    };
    const AT: usize = BATCH.offset([1, 2, 3, 4]);
    assert_eq!(AT, 119);
    let _: Static<_, _, _, 4> = <layout!(NCHW<2, 3, 4, 5>, u8)>::try_from(BATCH.layout()).unwrap();
}

#[test]
fn layout_types_become_one_another_where_they_say_the_same() {
    type Fixed = layout!(NCHW4<2, 8, 3, 3>, i8);
    type Batch = layout!(NCHW4<_, 8, 3, 3>, i8);
    type Plain = layout!(NCHW<2, 8, 3, 3>, i8);
    let batch = Batch::new([2]).unwrap();
    assert_eq!(Batch::try_from(Fixed::default()), Ok(batch));
    assert_eq!(Fixed::try_from(batch), Ok(Fixed::default()));
    let dynamic = Dynamic::from(batch);
    assert_eq!(
        (Fixed::try_from(dynamic), Batch::try_from(dynamic)),
        (Ok(Fixed::default()), Ok(batch))
    );

    let three = Batch::new([3]).unwrap();
    let error = LayoutError(Rule::TypeExtent { letter: 'N', needed: 2, given: 3, permuted: false });
    assert_eq!(Fixed::try_from(three), Err(error));
    assert_eq!(Fixed::try_from(Dynamic::from(three)), Err(error));
    assert!(matches!(Plain::try_from(batch), Err(LayoutError(Rule::TypeOrder { .. }))));
    assert!(matches!(Batch::try_from(Plain::default()), Err(LayoutError(Rule::TypeOrder { .. }))));
    assert!(matches!(Plain::try_from(dynamic), Err(LayoutError(Rule::TypeOrder { .. }))));
}

/// A type of a layout prints as the layout does.
#[test]
fn layout_types_print_in_the_notation_of_the_macro() {
    let text = "NCHW4c<2, 64, 3, 3>, f16";
    let mixed = <layout!(NCHW4<_, 64, _, 3>, f16)>::new([2, 3]).unwrap();
    let all = <layout!(NCHW4<2, 64, 3, 3>, f16)>::default();
    let dynamic = Dynamic::from(mixed);
    assert_eq!([all.to_string(), mixed.to_string(), dynamic.to_string()], [text; 3]);
    assert_eq!([format!("{all:?}"), format!("{mixed:?}"), format!("{dynamic:?}")], [text; 3]);
    let debugged = format!("{:?}", all.layout());
    assert!(
        debugged.starts_with(
            "Layout { layout: NCHW4c<2, 64, 3, 3>, f16, element: F16, digits: [Digit {"
        )
    );
    assert_eq!(debugged.matches("Digit {").count(), 5, "{debugged}");
    let letters = all.layout().letters();
    assert_eq!((format!("{letters:?}"), letters.to_string()), ("\"NCHW\"".into(), "NCHW".into()));
    assert_eq!(letters.as_str().chars().nth(2), Some('H'));
}
