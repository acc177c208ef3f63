//! Tensors as those of candle and back: every element is where it was, and nothing is copied.
#![cfg(feature = "candle")]

use candle_core::{Device, IndexOp, Tensor as CandleTensor};
use tensor_layout::{Tensor, layout};
use tensor_layout_frameworks::candle as adapter;

#[test]
fn tensors_go_over_where_they_are() {
    macro_rules! handed {
        ($($layout:ty;)*) => {$(
            let elements = (0..<$layout>::LEN).map(|i| i as f32).collect::<Vec<_>>();
            let tensor = Tensor::<$layout, _>::new(elements).unwrap();
            let (same, address) = (tensor.clone(), tensor.buffer().as_ptr());
            let theirs = adapter::into_tensor(tensor).unwrap();
            assert_eq!(theirs.dims(), same.extents());
            for ([n, c, h, w], element) in same.iter() {
                let number = theirs.i((n, c, h, w)).unwrap().to_scalar::<f32>().unwrap();
                assert_eq!(number, element, "{}", same.layout());
            }
            let ours = adapter::tensor::<f32, 4>(&theirs, "NCHW").unwrap();
            assert_eq!(ours.buffer().as_ptr(), address);
            let ours = ours.try_into_layout::<$layout>().unwrap();
            assert_eq!(ours, same);
        )*};
    }
    handed! {
        layout!(NCHW<2, 3, 4, 5>, f32);
        layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, f32);
        layout!(CHWN<N = 2, C = 3, H = 1, W = 5>, f32);
    }
}

#[test]
fn views_of_candle_are_tensors_where_they_are() {
    let theirs = CandleTensor::arange(0u32, 120, &Device::Cpu).unwrap();
    let theirs = theirs.reshape((2, 3, 4, 5)).unwrap();
    let part = theirs.narrow(2, 1, 2).unwrap().transpose(1, 3).unwrap();
    let ours = adapter::tensor::<u32, 4>(&part, "NWHC").unwrap();
    assert_eq!(ours.extents(), [2, 5, 2, 3]);
    for ([n, w, h, c], element) in ours.iter() {
        assert_eq!(element as usize, ((n * 3 + c) * 4 + h + 1) * 5 + w);
    }
    let scalar = theirs.i((1, 2, 3, 4)).unwrap();
    assert_eq!(adapter::tensor::<u32, 0>(&scalar, "").unwrap()[[]], 119);
    let row = theirs.i((0, 0, 1)).unwrap().broadcast_as((3, 5)).unwrap();
    assert_eq!(adapter::tensor::<u32, 2>(&row, "HW").unwrap()[[2, 4]], 9);
    let none = theirs.narrow(3, 5, 0).unwrap();
    assert_eq!(adapter::tensor::<u32, 4>(&none, "NCHW").unwrap().extents(), [2, 3, 4, 0]);

    let error = adapter::tensor::<f32, 4>(&theirs, "NCHW").map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("candle ") && error.ends_with("element type"), "{error}");
    assert!(adapter::tensor::<u32, 4>(&theirs, "NCH").is_err());
    assert!(adapter::tensor::<u32, 3>(&theirs, "NCHW").is_err());
}

#[test]
fn what_candle_has_no_strides_for_says_so() {
    type Blocked = layout!(NCHW4<1, 8, 2, 2>, f32);
    let blocked = Tensor::<Blocked, _>::new(vec![0.0; Blocked::LEN]).unwrap();
    let error = adapter::into_tensor(blocked).unwrap_err().to_string();
    assert!(error.contains("has blocks"), "{error}");
    type Gaps = layout!(HW<2, 3>, f32, strides = [4, 1]);
    let gaps = Tensor::<Gaps, _>::new(vec![0.0; Gaps::LEN]).unwrap();
    let error = adapter::into_tensor(gaps).unwrap_err().to_string();
    assert!(error.contains("it has gaps"), "{error}");
}
