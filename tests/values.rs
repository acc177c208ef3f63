//! Layouts as values: what run-time code can hand in that the types cannot, and how they print.

use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{ElementType, Format, Layout, LayoutError, layout};

/// A layout of one axis.
fn line(letter: char, extent: usize, element: ElementType, fill: Option<u64>) -> Spec<'static> {
    let axes = Box::leak(Box::new([AxisExtent { letter, extent: Length::Runtime(extent) }]));
    let factors = Box::leak(Box::new([Factor::Axis(letter)]));
    Spec { element, axes, factors, fill }
}

#[test]
fn elements_that_memory_cannot_hold_are_refused() {
    for (bytes, align) in [(0, 1), (3, 0), (3, 2), (6, 4), (usize::MAX / 4, 1)] {
        let element = ElementType::Plain { bytes, align };
        let error = Layout::new(&line('N', 2, element, None)).unwrap_err();
        assert_eq!(error, LayoutError::ElementSize { bytes, align });
    }
    let rgb = ElementType::Plain { bytes: 3, align: 1 };
    assert_eq!(Layout::new(&line('N', 2, rgb, None)).unwrap().bytes(), 6);
}

#[test]
fn axes_are_upper_case_letters() {
    for letter in ['n', 'é', '4', ' '] {
        let error = Layout::new(&line(letter, 2, ElementType::U8, None)).unwrap_err();
        assert_eq!(error, LayoutError::AxisLetter { letter });
    }
}

#[test]
fn extents_are_known() {
    let axes = [AxisExtent { letter: 'N', extent: Length::Unknown }];
    let factors = [Factor::Axis('N')];
    let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
    assert_eq!(Layout::new(&spec), Err(LayoutError::UnknownExtent { letter: 'N' }));
    assert!(Layout::check(&spec).is_empty());
}

#[test]
fn fills_are_one_element() {
    let plain = ElementType::Plain { bytes: 16, align: 8 };
    for (element, bits) in [(ElementType::U8, 0x1ff), (ElementType::I4, 16), (plain, 7)] {
        let error = Layout::new(&line('N', 2, element, Some(bits))).unwrap_err();
        assert_eq!(error, LayoutError::Fill { bits, element });
    }
    for (element, bits) in [(ElementType::U8, 255), (ElementType::F64, u64::MAX), (plain, 0)] {
        assert!(Layout::new(&line('N', 2, element, Some(bits))).is_ok());
    }
}

#[test]
fn empty_tensors_break_no_rule_of_size() {
    let nchw = Format::parse("NCHW").unwrap();
    for (extents, element) in [
        ([0, 1 << 32, 1 << 32, 1], ElementType::F64),
        ([1 << 32, 1 << 32, 1 << 32, 0], ElementType::F64),
        ([3, 3, 3, 0], ElementType::I4),
        ([3, 0, 3, 3], ElementType::I4),
    ] {
        let layout = Layout::of(&nchw, &extents, element).unwrap();
        assert_eq!((layout.length(), layout.bytes(), layout.span()), (0, 0, 0), "{extents:?}");
        assert_eq!(layout.coordinate(0), None);
    }
}

#[test]
fn alignments_of_any_size_round_rows() {
    type Twelve = layout!(HW<2, 2>, f32, align(H = 12));
    assert_eq!((Twelve::STRIDES, Twelve::ALIGN), (Some([3, 1]), 4));
    type Huge = layout!(HW<2, 2>, u8, align(H = 8589934593, W = 8589934591));
    assert_eq!(Huge::ALIGN, 1);
    type Full = layout!(
        NGCDHW2n2g2c2d2h2w2n2g2c2d<4, 4, 4, 4, 2, 2>, u8, align(N = 64, W = 64)
    );
    assert_eq!(Full::ALIGN, 64);
}

#[test]
fn layouts_print_as_they_are_written() {
    macro_rules! prints {
        ($($layout:ty => $text:literal;)*) => {
            $(assert_eq!(<$layout>::LAYOUT.to_string(), $text);)*
        };
    }
    prints! {
        layout!(SCALAR, f32) => "SCALAR, f32";
        layout!(nChw4c<2, 64, 3, 3>, f16) => "NCHW4c<2, 64, 3, 3>, f16";
        layout!(NCHW4<2, 3, 2, 5>, u8, pad) => "NCHW4c<2, 3, 2, 5>, u8, pad";
        layout!(NCHW4<2, 3, 2, 5>, i8, pad = -7) => "NCHW4c<2, 3, 2, 5>, i8, pad = -7";
        layout!(NCHW4<2, 3, 2, 5>, i4, pad = -8) => "NCHW4c<2, 3, 2, 5>, i4, pad = -8";
        layout!(NCHW4<2, 3, 2, 5>, f16, pad = 0.5) => "NCHW4c<2, 3, 2, 5>, f16, pad = 0.5";
        layout!(NCHW<2, 3, 2, 5>, f16, align(H = 64)) => "NCHW<2, 3, 2, 5>, f16, align(H = 64)";
        layout!(NCHW<2, 3, 2, 7>, i4, pad) => "NCHW<2, 3, 2, 7>, i4, pad";
        layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2])
            => "NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2]";
        layout!(MK<4, 3>, i8, strides = [0, 1], broadcast(M))
            => "MK<4, 3>, i8, strides = [0, 1], broadcast(M)";
        layout!(CN<4, 3>, i8, broadcast(C)) => "NC<4, 3>, i8, broadcast(C)";
        layout!(BSHD<B = 8, H = 12, S = 128, D = 64>, f32)
            => "BSHD<B = 8, H = 12, S = 128, D = 64>, f32";
    }
}
