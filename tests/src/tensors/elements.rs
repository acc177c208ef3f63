//! Truth values and complex numbers as elements, and layouts as text of serde.

use num_complex::Complex;
use tensor_layout::{Dynamic, ElementType, Format, Layout, Tensor, layout};

#[test]
fn every_byte_but_0_is_true() {
    type Mask = layout!(NHWC<N = 1, C = 2, H = 1, W = 3>, bool);
    let mask = Tensor::<Mask, _>::from([0, 1, 2, 255, 0, 1]);
    let read: Vec<bool> = mask.iter_in_memory().map(|(_, element)| element).collect();
    assert_eq!(read, [false, true, true, true, false, true]);
    let mut planes = mask.to_layout::<layout!(NCHW<1, 2, 1, 3>, bool)>().unwrap();
    assert_eq!(planes, mask);
    planes.set([0, 1, 0, 0], false).unwrap();
    planes.set([0, 0, 0, 0], true).unwrap();
    assert_eq!(planes.buffer(), [1, 2, 0, 0, 255, 1]);
    assert_eq!((planes.get([0, 0, 0, 1]), planes.get([0, 1, 0, 0])), (Some(true), Some(false)));
    assert_eq!(planes.to_string(), "[[[[true, true, false]],\n\n  [[false, true, true]]]]");
    let truths = [true, false, true];
    let bytes: &[u8] = bytemuck::cast_slice(&truths);
    assert_eq!(Tensor::<layout!(W<3>, bool), _>::try_from(bytes).unwrap().get([2]), Some(true));

    type Padded = layout!(NC4c<1, 3>, bool, pad = 1);
    assert_eq!(Tensor::<Padded>::from_fn(|_| false).buffer(), [0, 0, 0, 1]);
    assert_eq!(Padded::LAYOUT.to_string(), "NC4c<1, 3>, bool, pad = 1");
    assert_eq!(Layout::parse("NC4c<1, 3>, bool, pad = 1"), Ok(Padded::LAYOUT));
    assert!(Layout::parse("NC4c<1, 3>, bool, pad = 2").is_err());
    assert_eq!(ElementType::from_numpy_name("b1"), Some(ElementType::Bool));
}

#[test]
fn complex_numbers_are_elements() {
    type Signal = layout!(MK<2, 3>, Complex<f32>);
    let mut signal = Tensor::<Signal>::from_fn(|[m, k]| Complex::new(m as f32, k as f32));
    assert_eq!(signal.to_format("KM").unwrap()[[1, 2]], Complex::new(1.0, 2.0));
    signal[[0, 0]] *= Complex::i();
    assert_eq!((Signal::BYTES, Signal::ALIGN), (48, 4));
}

#[test]
fn layouts_and_formats_are_serialized_as_their_text() {
    let layout = Layout::parse("NCHW4<2, 63, 3, 3>, i8, pad = -1").unwrap().flip('W').unwrap();
    let json = serde_json::to_string(&layout).unwrap();
    assert_eq!(json, format!("\"{layout}\""));
    assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), layout);
    let format = Format::parse("OIHW4i16o4i").unwrap();
    let json = serde_json::to_string(&format).unwrap();
    assert_eq!(
        (json.as_str(), serde_json::from_str::<Format>(&json).unwrap()),
        ("\"OIHW4i16o4i\"", format)
    );
    let error = serde_json::from_str::<Layout>("\"NCHW4<1, 63, 3, 3>, i8\"").unwrap_err();
    assert!(error.to_string().contains("not a multiple of its block 4"), "{error}");
    let error = serde_json::from_str::<Layout>("7").unwrap_err();
    assert!(error.to_string().contains("a layout such as `NCHW4c"), "{error}");
    let dynamic = Dynamic::<i8, 4>::new(layout).unwrap();
    assert!(Tensor::zeroed_in(dynamic).is_ok());
}
