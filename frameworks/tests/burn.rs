//! Tensors as data of burn and back: every element is where it was, and nothing is copied.
#![cfg(feature = "burn")]

use tensor_layout::{Tensor, layout};
use tensor_layout_frameworks::burn as adapter;

type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 6>, f32);

fn image() -> Tensor<Image, Vec<f32>> {
    Tensor::new((0..Image::LEN).map(|i| i as f32).collect()).unwrap()
}

#[test]
fn data_is_where_tensors_are() {
    let (image, same) = (image(), image());
    let address = image.buffer().as_ptr();
    let mut data = adapter::into_data(image).unwrap();
    assert_eq!(&data.shape()[..], [1, 4, 6, 3]);
    assert_eq!(data.as_slice::<f32>().unwrap().as_ptr(), address);
    let ours = adapter::tensor(&data, Image::default()).unwrap();
    assert_eq!(ours.buffer().as_ptr(), address);
    assert_eq!(ours, same);
    adapter::tensor_mut(&mut data, Image::default()).unwrap()[[0, 2, 3, 5]] = -1.0;
    assert_eq!(data.as_slice::<f32>().unwrap()[71], -1.0);

    let error = adapter::tensor(&data, <layout!(NCHW<1, 3, 4, 6>, f32)>::default());
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("array has shape [1, 4, 6, 3] but layout"), "{error}");
    let error = adapter::tensor(&data, <layout!(NHWC<N = 1, C = 3, H = 4, W = 6>, i32)>::default());
    assert!(error.unwrap_err().to_string().starts_with("burn data does not hold these elements"));
}

/// The backend on the CPU takes the memory over, and gives it back.
#[cfg(feature = "burn-backend")]
#[test]
fn the_backend_on_the_cpu_copies_nothing() {
    let image = image();
    let address = image.buffer().as_ptr();
    let data = adapter::into_data(image).unwrap();
    let theirs = burn_tensor::Tensor::<4>::from_data(data, &burn_tensor::Device::ndarray());
    let data = theirs.into_data();
    let ours = adapter::tensor(&data, Image::default()).unwrap();
    assert_eq!(ours[[0, 2, 3, 5]], 71.0);
    assert_eq!(ours.buffer().as_ptr(), address);
}
