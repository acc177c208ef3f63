//! Layouts whose extents are found at run time, as types.

use std::collections::{HashMap, HashSet};

use bytemuck::{Pod, Zeroable};
use tensor_layout::spec::Rule;
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
    Layout::of(format, extents, element).unwrap()
}

/// What the documentation says.
#[cfg(target_pointer_width = "64")]
#[test]
fn values_are_small() {
    assert!(size_of::<Layout>() <= 400);
    assert!(size_of::<Tensor<Dynamic<f32, 4>, &[f32]>>() <= 560);
    assert!(size_of::<LayoutError>() <= 112);
}

#[test]
fn dynamic_layouts_have_the_element_and_the_rank_of_their_type() {
    let layout = of("NCHW4", &[2, 8, 3, 5], ElementType::F32);
    let same: Dynamic<f32, 4> = layout.try_into().unwrap();
    assert_eq!(format!("{same:?}"), "NCHW4c<2, 8, 3, 5>, f32");

    let error = Dynamic::<i32, 4>::new(layout).unwrap_err();
    let (needed, given) = (ElementType::I32, ElementType::F32);
    assert_eq!(error, LayoutError(Rule::TypeElement { needed, given }));
    assert!(error.to_string().starts_with("layout holds `f32` but its type holds `i32`; "));

    let error = Dynamic::<f32, 3>::new(layout).unwrap_err();
    assert_eq!(error, LayoutError(Rule::TypeRank { needed: 3, given: layout.letters() }));
    assert_eq!(
        error.to_string(),
        "layout has 4 axes (N, C, H, W) but its type has 3; make a layout of rank 3, or write rank 4 in the type",
    );

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
fn equal_layouts_are_one_key_of_a_map() {
    type Act = layout!(NCHW4<2, 8, 3, 5>, f32);
    type Batch = layout!(NCHW4<_, 8, _, 5>, f32);
    let texts = [
        "NCHW4c<2, 8, 3, 5>, f32",
        "NCHW4c<2, 8, 3, 5>, i32",
        "NCHW4c<2, 8, 5, 3>, f32",
        "NCHW4c<2, 8, 3, 5>, f32, pad = 0",
        "NCHW4c<2, 8, 3, 5>, f32, align(H = 64)",
        "NCHW4c<2, 8, 3, 5>, f32, swizzle(1, 2, 3)",
        "NCHW<2, 8, 3, 5>, f32",
        "NDHW<2, 8, 3, 5>, f32",
    ];
    let mut places: HashMap<Layout, usize> =
        texts.iter().enumerate().map(|(i, text)| (text.parse().unwrap(), i)).collect();
    assert_eq!(places.len(), texts.len());
    places.insert(Act::LAYOUT, 8);
    assert_eq!((places.len(), places[&texts[0].parse().unwrap()]), (texts.len(), 8));
    // Made in another way, with other unused entries of its lists.
    let view = Act::LAYOUT.unsqueeze('B', 0).unwrap().index('B', 0).unwrap();
    assert_eq!(places.insert(view, 9), None);
    assert_eq!(places.get(&view.to_string().parse().unwrap()), Some(&9));

    let batches = HashSet::from([[2, 3], [2, 3], [3, 2]].map(|own| Batch::new(own).unwrap()));
    assert_eq!(batches.len(), 2);
    let dynamic = batches.iter().map(|&batch| Dynamic::from(batch));
    let dynamic: HashSet<_> = dynamic.chain([Act::default().into()]).collect();
    assert_eq!(dynamic.len(), 2);
}

#[test]
fn tensors_of_dynamic_layouts_find_every_element() {
    for (format, extents) in [("NCHW4", [2, 8, 3, 5]), ("CHWN", [3, 1, 4, 2]), ("NHWC", [0; 4])] {
        let layout = of(format, &extents, ElementType::U16);
        let mut buffer = vec![0u16; layout.len()];
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
    let error = "NC-HW".parse::<Format>().unwrap_err();
    assert!(error.to_string().starts_with("format `NC-HW` contains `-`; "));
}

/// Two images of two channels, 2 x 3. The element at a coordinate is its offset in NCHW.
const NHWC: [u16; 24] =
    [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 12, 18, 13, 19, 14, 20, 15, 21, 16, 22, 17, 23];

#[test]
fn tensors_of_any_layouts_are_moved_into_one_another() {
    type Source = layout!(NHWC<N = 2, C = 2, H = 2, W = 3>, u16);
    type Blocked = layout!(NCHW4<_, 2, _, 3>, u16, pad = 9);
    let source = Tensor::<Source, _>::new(NHWC).unwrap();

    let mut planes = Tensor::<layout!(NCHW<2, 2, 2, 3>, u16), _>::new([0; 24]).unwrap();
    source.relayout_into(&mut planes).unwrap();
    assert!(planes.buffer().iter().copied().eq(0..24));

    let mut blocked = Tensor::with_layout(Blocked::new([2, 2]).unwrap(), [0; 48]).unwrap();
    source.relayout_into(&mut blocked).unwrap();
    assert_eq!(blocked.buffer()[..8], [0, 6, 9, 9, 1, 7, 9, 9]);

    let dynamic = Dynamic::new(of("CHWN", &[2, 2, 2, 3], ElementType::U16)).unwrap();
    let mut dynamic: Tensor<Dynamic<u16, 4>, _> = Tensor::with_layout(dynamic, [0; 24]).unwrap();
    blocked.relayout_into(&mut dynamic).unwrap();
    let mut back = Tensor::<Source, _>::new([0; 24]).unwrap();
    dynamic.relayout_into(&mut back).unwrap();
    assert_eq!(back.buffer(), NHWC);
}

#[test]
fn tensors_that_do_not_go_together_are_errors_and_nothing_is_written() {
    type Source = layout!(NHWC<N = 2, C = 2, H = 2, W = 3>, u16);
    let source = Tensor::<Source, _>::new(NHWC).unwrap();
    let other = Dynamic::<u16, 4>::new(of("NCHW", &[2, 2, 3, 2], ElementType::U16)).unwrap();
    let mut other = Tensor::with_layout(other, [7; 24]).unwrap();
    let error = source.relayout_into(&mut other).unwrap_err();
    assert_eq!(
        error,
        LayoutError(Rule::RelayoutExtent {
            letter: 'H',
            source: 2,
            destination: 3,
            permuted: true,
        })
    );
    let other = Dynamic::<u16, 3>::new(of("CHW", &[2, 2, 3], ElementType::U16)).unwrap();
    let mut other = Tensor::with_layout(other, [7; 12]).unwrap();
    let error = source.relayout_into(&mut other).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::RelayoutAxes { .. })));
    assert_eq!(other.buffer(), [7; 12]);
}

#[test]
fn bytes_are_tensors_where_they_are_aligned_and_as_many() {
    type Act = layout!(NCHW4<_, 3, 1, 2>, u32, pad);
    let act = Act::new([1]).unwrap();
    let mut words = [0u64; 6];
    let bytes = bytemuck::bytes_of_mut(&mut words);

    let mut tensor = Tensor::from_bytes_mut(act, &mut bytes[4..36]).unwrap();
    tensor[[0, 2, 0, 1]] = u32::from_ne_bytes([1, 2, 3, 4]);
    assert_eq!(bytes[4 + 4 * (4 + 2)..][..4], [1, 2, 3, 4]);
    let tensor = Tensor::from_bytes(act, &bytes[4..36]).unwrap();
    assert_eq!(tensor[[0, 2, 0, 1]], u32::from_ne_bytes([1, 2, 3, 4]));

    let error = Tensor::from_bytes(act, &bytes[4..35]).unwrap_err();
    assert_eq!(error, LayoutError(Rule::BufferBytes { needed: 32, given: 31 }));
    assert!(error.to_string().starts_with("buffer has 31 bytes but its layout takes 32; "));
    for past in 1..4 {
        let error = Tensor::from_bytes(act, &bytes[past..][..32]).unwrap_err();
        let address = bytes[past..].as_ptr().addr() as u64;
        assert_eq!(error, LayoutError(Rule::BufferAlignment { address, needed: 4 }));
        let error = Tensor::from_bytes_mut(act, &mut bytes[past..][..32]).unwrap_err();
        assert_eq!(error, LayoutError(Rule::BufferAlignment { address, needed: 4 }));
    }
    // An empty tensor needs no alignment.
    assert!(Tensor::from_bytes(Act::new([0]).unwrap(), &bytes[1..1]).is_ok());
}
