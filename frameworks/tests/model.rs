//! A camera's frame to a model and back, in each engine: the same bits as NumPy's.
//!
//! `tests/data/make.py` wrote the model, the frame and the results.
#![cfg(any(feature = "tract", feature = "ort-dynamic"))]

use tensor_layout::{Conversion, Relayout, Tensor, layout};

/// Rows begin at multiples of 32 bytes, as a driver writes them.
type Frame = layout!(NHWC<N = 1, C = 3, H = 6, W = 8>, u8, align(H = 32));
type Input = layout!(NCHW<1, 3, 6, 8>, f32);
type Mask = layout!(NCHW<1, 2, 6, 8>, f32);
type Screen = layout!(NHWC<N = 1, C = 2, H = 6, W = 8>, u8);

#[derive(Relayout)]
#[relayout(Frame => Input, convert = Conversion::normalize(128.0, 1.0 / 128.0))]
struct ToModel;

#[derive(Relayout)]
#[relayout(Mask => Screen, convert = Conversion::quantize(1.0 / 16.0, 0))]
struct ToScreen;

const MODEL: &[u8] = include_bytes!("data/model.onnx");

fn frame() -> Tensor<Frame> {
    let pixels = include_bytes!("data/frame.bin");
    Tensor::from_fn(|[_, c, h, w]: [usize; 4]| pixels[(h * 8 + w) * 3 + c])
}

/// That the mask and what it is on the screen are NumPy's, bit for bit.
fn assert_is_numpys(mask: &Tensor<Mask, &[f32]>) {
    let planes = include_bytes!("data/planes.bin").chunks_exact(4);
    let planes = planes.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    assert!(planes.eq(mask.buffer().iter().copied()));
    assert_eq!(ToScreen::tensor(mask).buffer(), include_bytes!("data/screen.bin"));
}

#[cfg(feature = "tract")]
#[test]
fn tract_gives_what_numpy_gives() {
    use tensor_layout_frameworks::tract as adapter;
    use tract_onnx::prelude::*;

    let model = tract_onnx::onnx().model_for_read(&mut &*MODEL).unwrap();
    let model = model.into_optimized().unwrap().into_runnable().unwrap();

    // One pass, straight into tract's memory.
    let mut input = adapter::zeroed(&Input::default()).unwrap();
    let mut image = adapter::tensor_mut(&mut input, Input::default()).unwrap();
    ToModel::run(&frame(), &mut image);
    let outputs = model.run(tvec!(input.into())).unwrap();

    let mask = adapter::tensor(&outputs[0], Mask::default()).unwrap();
    let theirs = outputs[0].to_plain_array_view::<f32>().unwrap();
    assert_eq!(mask.buffer().as_ptr(), theirs.as_ptr(), "no copy");
    assert_is_numpys(&mask);

    type Other = layout!(NHWC<N = 1, C = 2, H = 6, W = 8>, f32);
    let error = adapter::tensor(&outputs[0], Other::default()).unwrap_err().to_string();
    assert!(error.starts_with("array has shape [1, 2, 6, 8] but layout"), "{error}");
    let error = adapter::tensor(&outputs[0], Screen::default()).unwrap_err().to_string();
    assert!(error.starts_with("tract ") && error.ends_with("element type"), "{error}");
}

#[cfg(feature = "tract")]
#[test]
fn tensors_of_tract_are_aligned_as_layouts_ask() {
    use tensor_layout_frameworks::tract as adapter;

    type Rows = layout!(HW<4, 64>, f32, align(H = 256));
    let mut rows = adapter::zeroed(&Rows::default()).unwrap();
    let ours = adapter::tensor_mut(&mut rows, Rows::default()).unwrap();
    assert_eq!(ours.buffer().as_ptr().addr() % 256, 0);
    type Gaps = layout!(HW<4, 60>, f32, align(H = 256));
    let error = adapter::zeroed(&Gaps::default()).unwrap_err().to_string();
    assert!(error.contains("it has gaps"), "{error}");
}

/// ONNX Runtime in a library of its own: the variable ORT_DYLIB_PATH names it, such as that in PyPI's onnxruntime.
#[cfg(feature = "ort-dynamic")]
#[test]
fn onnx_runtime_gives_what_numpy_gives() {
    use ort::session::Session;
    use tensor_layout_frameworks::ort as adapter;

    let environment = ort::init().build().unwrap();
    let mut session = Session::builder(&environment).unwrap().commit_from_memory(MODEL).unwrap();
    let input = ToModel::tensor(&frame());
    let view = adapter::view(&input).unwrap();
    assert_eq!(view.data_ptr().cast(), input.buffer().as_ptr(), "no copy");
    let outputs = session.run(ort::inputs![view]).unwrap();
    let mask = adapter::tensor(&outputs[0], Mask::default()).unwrap();
    assert_is_numpys(&mask);
    type Other = layout!(NHWC<N = 1, C = 2, H = 6, W = 8>, f32);
    let error = adapter::tensor(&outputs[0], Other::default()).unwrap_err().to_string();
    assert!(error.starts_with("array has shape [1, 2, 6, 8] but layout"), "{error}");
    let error = adapter::tensor(&outputs[0], Screen::default()).unwrap_err().to_string();
    assert!(error.starts_with("ONNX Runtime ") && error.ends_with("element type"), "{error}");
    drop(outputs);

    let mut mask = Tensor::<Mask>::zeroed();
    let address = mask.buffer().as_ptr();
    let mut view = adapter::view_mut(&mut mask).unwrap();
    let (shape, elements) = view.try_extract_tensor_mut::<f32>().unwrap();
    assert_eq!((&shape[..], elements.as_ptr()), (&[1, 2, 6, 8][..], address));
    elements[95] = 1.0;
    drop(view);
    assert_eq!(mask[[0, 1, 5, 7]], 1.0);
}
