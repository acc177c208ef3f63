//! Layouts whose extents are found at run time, as types.

use bytemuck::{Pod, Zeroable};
use tensor_layout::{
    Dynamic, ElementType, Format, Layout, LayoutError, PlainElement, Tensor, layout,
};

/// Neither comparable nor printable, as elements may be.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

impl PlainElement for Complex {}

fn of(format: &str, extents: &[usize], element: ElementType) -> Layout {
    Layout::of(&format.parse().unwrap(), extents, element).unwrap()
}

#[test]
fn dynamic_layouts_have_the_element_and_the_rank_of_their_type() {
    let layout = of("NCHW4", &[2, 8, 3, 5], ElementType::F32);
    let same: Dynamic<f32, 4> = layout.try_into().unwrap();
    assert_eq!(format!("{same:?}"), "NCHW4c<2, 8, 3, 5>, f32");

    let error = Dynamic::<i32, 4>::new(layout).unwrap_err();
    let (needed, given) = (ElementType::I32, ElementType::F32);
    assert_eq!(error, LayoutError::TypeElement { needed, given });
    assert!(error.to_string().starts_with("layout holds `f32` but its type says `i32`; "));

    let error = Dynamic::<f32, 3>::new(layout).unwrap_err();
    assert_eq!(error, LayoutError::TypeRank { needed: 3, given: layout.letters() });
    assert!(error.to_string().starts_with("layout has 4 axes (N, C, H, W) but its type says 3; "));

    let scalar = of("SCALAR", &[], ElementType::Plain { bytes: 8, align: 4 });
    assert!(Dynamic::<Complex, 0>::new(scalar).is_ok());
    assert!(Dynamic::<u64, 0>::new(scalar).is_err());
}

#[test]
fn static_layouts_are_dynamic_ones() {
    type Act = layout!(NCHW4<2, 6, 3, 3>, i8, pad = 7);
    let act: Dynamic<i8, 4> = Act::default().into();
    assert_eq!(act, Act::LAYOUT.try_into().unwrap());
}

#[test]
fn tensors_of_dynamic_layouts_find_every_element() {
    for (format, extents) in [("NCHW4", [2, 8, 3, 5]), ("CHWN", [3, 1, 4, 2]), ("NHWC", [0; 4])] {
        let layout = of(format, &extents, ElementType::U16);
        let mut buffer = vec![0u16; layout.length()];
        let dynamic = Dynamic::<u16, 4>::new(layout).unwrap();
        let mut tensor = Tensor::with_layout(dynamic, &mut buffer[..]).unwrap();
        let [n, c, h, w] = extents;
        let coordinates = |i: usize| [i / w / h / c, i / w / h % c, i / w % h, i % w];
        for i in 0..n * c * h * w {
            tensor.set(coordinates(i), i as u16).unwrap();
        }
        for i in 0..n * c * h * w {
            assert_eq!(tensor[coordinates(i)], i as u16);
            assert_eq!(tensor.buffer()[layout.offset(&coordinates(i))], i as u16);
        }
        assert_eq!(tensor.get([n, 0, 0, 0]), None);
    }
    let layout = of("HW", &[3, 4], ElementType::I4);
    let dynamic = Dynamic::<tensor_layout::i4, 2>::new(layout).unwrap();
    assert!(Tensor::with_layout(dynamic, [0u8; 6]).is_ok());
    assert!(Tensor::with_layout(dynamic, [0u8; 12]).is_err());
}

#[test]
fn formats_that_are_none_say_so() {
    let error = "NC HW".parse::<Format>().unwrap_err();
    assert!(error.to_string().starts_with("format `NC HW` contains ` `; "));
}
