//! Tensors over DLPack, in host memory, without a copy.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dlpark::DlpackFlags;
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor};
use dlpark::metadata::Dynamic as Metadata;
use dlpark::versioned::Dlpack;
use dlpark::{Managed, ManagedTensorBase};
use tensor_layout::adapters::{AdapterError, Cause, dlpack};
use tensor_layout::spec::Rule;
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
    type Image = layout!(NHWC<N = _, C = 3, H = 2, W = 4>, f32);
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
    assert!(matches!(error, AdapterError(Cause::Dlpack { .. })), "{error}");
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

#[test]
fn the_older_struct_goes_over_as_well() {
    type Image = layout!(HWC<C = 2, H = 1, W = 3>, u16);
    let image = Tensor::<Image, _>::new((0..6).collect::<Vec<u16>>()).unwrap();
    let mut exported = dlpack::export_legacy(image).unwrap();
    // SAFETY: `exported` was made above, and nobody else has it.
    let mut same = unsafe { dlpack::import_mut::<u16, 3>(&mut exported, "CHW") }.unwrap();
    same[[1, 0, 2]] = 9;
    // SAFETY: as above; `same` is gone.
    let same = unsafe { dlpack::import::<u16, 3>(&exported, "CHW") }.unwrap();
    assert_eq!(same.buffer(), [0, 1, 2, 3, 4, 9]);

    // Without strides, elements lie in C order.
    let legacy: Managed<DLManagedTensor> = foreign(DLDataType::I16, DLDevice::CPU, 0);
    let raw = legacy.into_raw();
    // SAFETY: `into_raw` gave the pointer of a tensor, which nobody else has.
    let tensor = unsafe { &mut (*raw).dl_tensor };
    tensor.strides = std::ptr::null_mut();
    // SAFETY: as above, and `tensor` is not used any more.
    let legacy = unsafe { Managed::from_raw(raw) }.unwrap();
    // SAFETY: `foreign` made the tensor, and nobody writes to its memory.
    let same = unsafe { dlpack::import::<i16, 2>(&legacy, "MK") }.unwrap();
    assert_eq!(same.layout().strides().unwrap(), [3, 1]);
}

#[test]
fn tensors_keep_what_they_own() {
    type Image = layout!(NHWC<N = 1, C = 3, H = 1, W = 2>, f32);
    let drops = Arc::new(AtomicUsize::new(0));
    let buffer = Counted((0..6).map(|i| i as f32).collect(), drops.clone());
    let exported = dlpack::export(Tensor::<Image, _>::new(buffer).unwrap()).unwrap();
    // SAFETY: `exported` was made above, and nobody else has it.
    let owned = unsafe { dlpack::import_owned::<f32, 4>(exported, "NCHW") }.unwrap();
    let sum = std::thread::spawn(move || owned.iter().map(|(_, number)| number).sum::<f32>());
    assert_eq!((sum.join().unwrap(), drops.load(Ordering::Relaxed)), (15.0, 1));

    let exported = dlpack::export_legacy(Tensor::<Image, _>::new(vec![0.0; 6]).unwrap()).unwrap();
    // SAFETY: as above.
    let mut owned = unsafe { dlpack::import_owned_mut::<f32, 4>(exported, "NCHW") }.unwrap();
    owned[[0, 2, 0, 1]] = 7.0;
    assert_eq!(owned.buffer(), [0.0, 0.0, 0.0, 0.0, 0.0, 7.0]);

    // An import that fails gives the tensor back, and so does a mutable import of a read-only tensor.
    let counted = |buffer| {
        let buffer = Counted(buffer, drops.clone());
        dlpack::export(Tensor::<Image, _>::new(buffer).unwrap()).unwrap()
    };
    // SAFETY: as above.
    let error = unsafe { dlpack::import_owned::<f32, 3>(counted(vec![0.0; 6]), "CHW") };
    assert!(error.is_err() && drops.load(Ordering::Relaxed) == 2);
    // SAFETY: as above.
    let error = unsafe { dlpack::import_owned_mut::<f32, 4>(counted(vec![0.0; 6]), "NCHW") };
    assert!(error.is_err() && drops.load(Ordering::Relaxed) == 3);
}

#[test]
fn strides_as_frameworks_write_them() {
    let import = |shape: [i64; 2], strides: [i64; 2]| {
        let mut memory = Box::new([0f32; 6]);
        let data = memory.as_mut_ptr();
        let mut tensor = Metadata::new(shape, strides).initialize(memory).unwrap();
        tensor.set_data(data.cast()).set_dtype(DLDataType::F32).set_device(DLDevice::CPU);
        // SAFETY: all strides below lead to the six elements, which live as long as the tensor.
        let tensor = unsafe { tensor.finish() };
        // SAFETY: as above, and nobody writes to them.
        unsafe { dlpack::import::<f32, 2>(&tensor, "MK") }.map(|tensor| tensor.iter().count())
    };
    // An axis of one coordinate may have any stride, and so may axes of empty tensors.
    for stride in [0, 1, 3, 100] {
        assert_eq!(import([1, 3], [stride, 1]).unwrap(), 3);
        assert_eq!(import([0, 3], [stride, 1]).unwrap(), 0);
    }
    assert_eq!(import([2, 3], [0, 1]).unwrap(), 6, "broadcast");
    let error = import([2, 3], [1, 1]).unwrap_err();
    assert!(
        matches!(error, AdapterError(Cause::Layout(LayoutError(Rule::Overlap { .. })))),
        "{error:?}"
    );
    // The stride leads below address 0, where no memory is.
    let error = import([2, 3], [-(1 << 59), 1]).unwrap_err().to_string();
    assert!(error.contains("strides lead past either end of the address space"), "{error}");
}

/// A tensor as another library hands it over: 6 elements from a byte offset on.
fn foreign<M: ManagedTensorBase>(dtype: DLDataType, device: DLDevice, bytes: u64) -> Managed<M> {
    let mut memory = Box::new([0u64; 8]);
    let data = memory.as_mut_ptr();
    let mut tensor = Metadata::new([2i64, 3], [3i64, 1]).initialize_as::<M>(memory).unwrap();
    tensor.set_data(data.cast()).set_dtype(dtype).set_device(device).set_byte_offset(bytes);
    // SAFETY: the memory holds 64 bytes and lives as long as the tensor.
    unsafe { tensor.finish() }
}

/// The end of a slice is an address too, so the last byte of a tensor is not that of the address space.
#[test]
fn tensors_end_before_the_last_address() {
    for (first, is_taken) in
        [(usize::MAX - 6, true), (usize::MAX - 5, false), (usize::MAX - 4, false)]
    {
        let raw = foreign::<DLManagedTensor>(DLDataType::U8, DLDevice::CPU, 0).into_raw();
        // SAFETY: `into_raw` gave the pointer of a tensor, which nobody else has.
        let tensor = unsafe { &mut (*raw).dl_tensor };
        tensor.data = std::ptr::without_provenance_mut(first);
        // SAFETY: as above, and `tensor` is not used any more.
        let tensor = unsafe { Managed::from_raw(raw) }.unwrap();
        // SAFETY: of the memory, which does not exist, nothing is read.
        let taken = unsafe { dlpack::import::<u8, 2>(&tensor, "MK") };
        assert_eq!(taken.is_ok(), is_taken, "{first:#x}");
    }
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
    let on_gpu = foreign(DLDataType::F32, DLDevice::cuda(0), 0);
    says(
        import(&on_gpu, "MK"),
        "DLPack tensor lies on device type 2, which the host cannot read; ",
    );
    says(import(&foreign(DLDataType::I32, host, 0), "MK"), "DLPack tensor holds `i32` but layout");
    says(import(&foreign(DLDataType::F32, host, 2), "MK"), "buffer begins at address 0x");
    says(
        import(&foreign(DLDataType::F32, host, 0), "MKN"),
        "array has shape [2, 3] but the axes are `MKN`; ",
    );
    // Host memory that a GPU can read, too.
    let pinned = DLDevice { device_type: DLDeviceType::CUDAHOST, device_id: 0 };
    assert_eq!(import(&foreign(DLDataType::F32, pinned, 0), "MK"), Ok(()));
    says(
        import(&foreign(DLDataType::C64, host, 0), "MK"),
        "DLPack tensor holds `code 5, 64 bits` ",
    );
    let matrix: Dlpack = foreign(DLDataType::F32, host, 0);
    // SAFETY: as above.
    let error = unsafe { dlpack::import::<f32, 3>(&matrix, "MK") }.map(|_| ()).unwrap_err();
    assert!(matches!(
        error,
        AdapterError(Cause::Layout(LayoutError(Rule::TypeRank { needed: 3, .. })))
    ));
}

#[test]
fn layouts_that_dlpack_does_not_know_say_so() {
    type Blocked = layout!(NCHW4<1, 8, 2, 2>, u8);
    let blocked = Tensor::<Blocked, _>::new([0; Blocked::LEN]).unwrap();
    let error = dlpack::export(blocked).map(|_| ()).unwrap_err();
    assert!(matches!(error, AdapterError(Cause::Blocked { .. })), "{error}");
    type Nibbles = layout!(HW<2, 4>, i4);
    let nibbles = Tensor::<Nibbles, _>::new([0; Nibbles::BYTES]).unwrap();
    let error = dlpack::export(nibbles).map(|_| ()).unwrap_err();
    assert!(matches!(error, AdapterError(Cause::NoElement { .. })), "{error}");
}

/// A buffer that becomes shorter when it is borrowed mutably.
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
