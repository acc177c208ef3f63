//! Tensors over DLPack, in host memory, without a copy.
#![cfg(feature = "dlpack")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dlpark::DlpackFlags;
use dlpark::ffi::{DLDataType, DLDevice};
use dlpark::metadata::Dynamic as Metadata;
use dlpark::versioned::Dlpack;
use tensor_layout::adapters::{AdapterError, dlpack};
use tensor_layout::{LayoutError, Tensor, bf16, layout};

/// A buffer that counts how often it was dropped.
struct Counted(Vec<f32>, Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }
}

impl AsRef<[f32]> for Counted {
    fn as_ref(&self) -> &[f32] {
        &self.0
    }
}

#[test]
fn what_is_handed_over_is_seen_and_dropped_once() {
    type Image = layout!(NHWC<_, 3, 2, 4>, f32);
    let drops = Arc::new(AtomicUsize::new(0));
    let buffer = Counted((0..48).map(|i| i as f32).collect(), drops.clone());
    let image = Tensor::with_layout(Image::new([2]).unwrap(), buffer).unwrap();
    let address = image.buffer().as_ptr();

    let exported = dlpack::export(image).unwrap();
    let seen = exported.validate().unwrap();
    assert_eq!(seen.shape(), [2, 3, 2, 4]);
    assert_eq!(seen.strides(), Some(&[24, 1, 12, 3][..]));
    assert!(seen.dtype().matches(DLDataType::F32));
    assert_eq!(seen.data_ptr().cast(), address);
    assert_eq!(exported.flags(), DlpackFlags::READ_ONLY);

    // SAFETY: `exported` was made above, and nobody else has it.
    let same = unsafe { dlpack::import::<f32, 4>(&exported, "NCHW") }.unwrap();
    assert_eq!(same[[1, 2, 1, 3]], (24 + 12 + 9 + 2) as f32);
    assert_eq!(same.buffer().as_ptr(), address);
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    drop(exported);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
}

#[test]
fn what_may_be_changed_is_changed_in_place() {
    type Backwards = layout!(MK<2, 3>, i16, strides = [3, -1]);
    let tensor = Tensor::<Backwards, _>::new([1, 2, 3, 4, 5, 6]).unwrap();
    let mut exported = dlpack::export_mut(tensor).unwrap();
    assert_eq!(exported.validate().unwrap().byte_offset(), 4);
    // SAFETY: `exported` was made above, and nobody else has it.
    let mut same = unsafe { dlpack::import_mut::<i16, 2>(&mut exported, "MK") }.unwrap();
    assert_eq!((same[[0, 0]], same[[1, 2]]), (3, 4));
    same[[1, 2]] = 9;
    assert_eq!(same.buffer(), [1, 2, 3, 9, 5, 6]);

    let tensor = Tensor::<Backwards, _>::new([0; 6]).unwrap();
    let mut exported = dlpack::export(tensor).unwrap();
    // SAFETY: as above.
    let error = unsafe { dlpack::import_mut::<i16, 2>(&mut exported, "MK") }.unwrap_err();
    assert!(matches!(error, AdapterError::Dlpack { .. }), "{error}");
}

#[test]
fn empty_tensors_and_scalars() {
    let empty = Tensor::with_layout(<layout!(HW<_, 4>, u8)>::new([0]).unwrap(), vec![]).unwrap();
    let exported = dlpack::export_mut(empty).unwrap();
    // SAFETY: `exported` was made above, and nobody else has it.
    let same = unsafe { dlpack::import::<u8, 2>(&exported, "HW") }.unwrap();
    assert!(same.buffer().is_empty());
    let scalar = Tensor::<layout!(SCALAR, bf16), _>::new([bf16::from_f32(0.5)]).unwrap();
    let exported = dlpack::export_mut(scalar).unwrap();
    // SAFETY: as above.
    let same = unsafe { dlpack::import::<bf16, 0>(&exported, "") }.unwrap();
    assert_eq!(same[[]], bf16::from_f32(0.5));
}

/// A tensor as another library hands it over: 6 elements from a byte offset on.
fn foreign(dtype: DLDataType, device: DLDevice, bytes: u64) -> Dlpack {
    let mut memory = Box::new([0u64; 8]);
    let data = memory.as_mut_ptr();
    let mut tensor = Metadata::new([2i64, 3], [3i64, 1]).initialize(memory).unwrap();
    tensor.set_data(data.cast()).set_dtype(dtype).set_device(device).set_byte_offset(bytes);
    // SAFETY: the memory holds 64 bytes and lives as long as the tensor.
    unsafe { tensor.finish() }
}

#[test]
fn tensors_that_do_not_fit_say_so() {
    let import = |tensor: &Dlpack, axes: &str| {
        // SAFETY: `foreign` made the tensor, and nobody writes to its memory.
        unsafe { dlpack::import::<f32, 2>(tensor, axes) }.map(|_| ()).map_err(|e| e.to_string())
    };
    let says = |result: Result<(), String>, text: &str| {
        let error = result.unwrap_err();
        assert!(error.starts_with(text), "{error}");
    };
    let host = DLDevice::CPU;
    assert_eq!(import(&foreign(DLDataType::F32, host, 4), "MK"), Ok(()));
    says(import(&foreign(DLDataType::F32, DLDevice::cuda(0), 0), "MK"), "DLPack tensor cannot");
    says(import(&foreign(DLDataType::I32, host, 0), "MK"), "DLPack tensor holds `");
    says(
        import(&foreign(DLDataType::F32, host, 2), "MK"),
        "buffer begins 2 bytes past a multiple ",
    );
    says(import(&foreign(DLDataType::F32, host, 0), "MKN"), "layout `MKN` names 3 axes ");
    let matrix = foreign(DLDataType::F32, host, 0);
    // SAFETY: as above.
    let error = unsafe { dlpack::import::<f32, 3>(&matrix, "MK") }.map(|_| ()).unwrap_err();
    assert!(matches!(error, AdapterError::Layout(LayoutError::TypeRank { needed: 3, .. })));
}

#[test]
fn layouts_that_dlpack_does_not_know_say_so() {
    type Blocked = layout!(NCHW4<1, 8, 2, 2>, u8);
    let blocked = Tensor::<Blocked, _>::new([0; Blocked::LEN]).unwrap();
    let error = dlpack::export(blocked).map(|_| ()).unwrap_err();
    assert!(matches!(error, AdapterError::Blocked { .. }), "{error}");
    type Nibbles = layout!(HW<2, 4>, i4);
    let nibbles = Tensor::<Nibbles, _>::new([0; Nibbles::BYTES]).unwrap();
    let error = dlpack::export(nibbles).map(|_| ()).unwrap_err();
    assert!(matches!(error, AdapterError::NoElement { .. }), "{error}");
}

/// A buffer that is shorter when it is to be changed.
struct Shrinking([u8; 6]);

impl AsRef<[u8]> for Shrinking {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for Shrinking {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0[..5]
    }
}

#[test]
fn buffers_are_as_long_as_they_said() {
    let shrinking = Tensor::<layout!(HW<2, 3>, u8), _>::new(Shrinking([0; 6])).unwrap();
    let error = dlpack::export_mut(shrinking).map(|_| ()).unwrap_err();
    let text = "buffer has length 5 but its layout takes 6; ";
    assert!(error.to_string().starts_with(text), "{error}");
}
