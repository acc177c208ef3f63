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
    assert_eq!(json, format!("\"v1:{layout}\""));
    assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), layout);
    let format = Format::parse("OIHW4i16o4i").unwrap();
    let json = serde_json::to_string(&format).unwrap();
    assert_eq!(
        (json.as_str(), serde_json::from_str::<Format>(&json).unwrap()),
        ("\"v1:OIHW4i16o4i\"", format)
    );
    // A version is written, and need not be read. A format may begin with a number, and `v` may be an axis.
    for text in ["NHWC<N = 1, H = 2, W = 3, C = 4>, u8", "2m MK<M = 4, K = 2>, u8", "V<V = 3>, u8"]
    {
        let layout = Layout::parse(text).unwrap();
        for text in [text.to_owned(), format!("v1:{text}"), format!(" v1 : {text}")] {
            let json = serde_json::to_string(&text).unwrap();
            assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), layout, "{text}");
        }
        assert_eq!(Layout::parse(&layout.versioned().to_string()), Ok(layout));
    }
    for text in ["2m MK2k", "v1:2m MK2k", "v1: V4v", "V4v"] {
        let json = serde_json::to_string(text).unwrap();
        let letters = text.trim_start_matches("v1:");
        assert_eq!(serde_json::from_str::<Format>(&json).unwrap(), Format::parse(letters).unwrap());
    }
    let newer =
        "text is in version 2 of the notation and this library reads version 1; read it with";
    for text in ["v2:NCHW4<1, 64, 3, 3>, i8", "v2:NCHW4"] {
        let error = match text.contains('<') {
            true => Layout::parse(text).unwrap_err().to_string(),
            false => {
                serde_json::from_str::<Format>(&format!("\"{text}\"")).unwrap_err().to_string()
            }
        };
        assert!(error.contains(newer), "{error}");
    }
    // An error stands where it stands in the text.
    assert_eq!(Layout::parse("v1:NCHW4<1, 63, 3, 3>, i8").unwrap_err().range(), 12..14);
    assert_eq!(Layout::parse("v12:NCHW<1, 1, 3, 3>, i8").unwrap_err().range(), 0..3);
    for text in ["v1::TILED!<1, 2>, u8", "v:NCHW<1, 2, 3, 4>, u8", "w1:NCHW<1, 2, 3, 4>, u8"] {
        let error = Layout::parse(text).unwrap_err().to_string();
        assert!(error.contains("text cannot name a format of your own"), "{error}");
    }
    let error = serde_json::from_str::<Layout>("\"NCHW4<1, 63, 3, 3>, i8\"").unwrap_err();
    assert!(error.to_string().contains("not a multiple of its block 4"), "{error}");
    let error = serde_json::from_str::<Layout>("7").unwrap_err();
    assert!(error.to_string().contains("a layout such as `NCHW4c"), "{error}");
    let dynamic = Dynamic::<i8, 4>::new(layout).unwrap();
    assert!(Tensor::zeroed_in(dynamic).is_ok());
}

#[test]
fn element_types_are_serialized_as_their_names() {
    use ElementType::*;
    for (element, text) in [
        (F32, "f32"),
        (BF16, "bf16"),
        (F8E4M3, "f8e4m3"),
        (Bool, "bool"),
        (U1, "u1"),
        (I4.high_first().unwrap(), "i4, high_first"),
        (Plain { bytes: 12, align: 4 }, "plain(12, align = 4)"),
        (Plain { bytes: 3, align: 1 }, "plain(3)"),
    ] {
        let json = serde_json::to_string(&element).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<ElementType>(&json).unwrap(), element);
    }
    for (json, text) in [
        ("\"float32\"", "unknown element type `float32`; write `f32`"),
        ("\"f32, high_first\"", "`f32`"),
        ("\"u4, low_first\"", "unknown element type"),
        ("7", "an element type such as `f32`"),
    ] {
        let error = serde_json::from_str::<ElementType>(json).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}
