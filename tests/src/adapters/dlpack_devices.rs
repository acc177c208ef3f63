//! Tensors over DLPack in the memory of a device, which the host passes on and does not read.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic as Metadata;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use tensor_layout::adapters::{AdapterError, dlpack};
use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{Dynamic, Tensor, layout};

/// A device that there is not: its addresses lead nowhere, so that whoever reads them crashes.
struct Npu;

impl Space for Npu {}

impl dlpack::DeviceSpace for Npu {
    const DEVICE: DLDeviceType = DLDeviceType::EXTDEV;
}

const ADDRESS: usize = 0x40;

/// What the driver gives: counts when it is given back.
struct Handle {
    bytes: usize,
    is_read_only: bool,
    drops: Arc<AtomicUsize>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::Relaxed);
    }
}

impl BufferIn<Npu> for Handle {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

// SAFETY: nobody reads the device, which there is not.
unsafe impl dlpack::DeviceBuffer<Npu> for Handle {
    fn memory(&self) -> dlpack::DeviceMemory {
        let data = std::ptr::without_provenance_mut(ADDRESS);
        dlpack::DeviceMemory {
            device_id: 3,
            data,
            byte_offset: 256,
            is_read_only: self.is_read_only,
        }
    }
}

type Image = layout!(NHWC<N = 1, C = 3, H = 2, W = 4>, f32);

fn image(is_read_only: bool, drops: &Arc<AtomicUsize>) -> Tensor<Image, Handle, Npu> {
    let handle = Handle { bytes: Image::BYTES, is_read_only, drops: drops.clone() };
    Tensor::in_space(Image::default(), handle).unwrap()
}

type OnNpu<const RANK: usize> = Tensor<Dynamic<f32, RANK>, dlpack::ImportedDevice<Npu>, Npu>;

fn import<const RANK: usize>(
    source: Managed<impl ManagedTensorBase>,
    axes: &str,
) -> Result<OnNpu<RANK>, AdapterError> {
    // SAFETY: nobody reads the device.
    unsafe { dlpack::import_device(source, axes) }
}

#[test]
fn device_type_and_number_and_address_go_over() {
    let drops = Arc::new(AtomicUsize::new(0));
    for is_read_only in [false, true] {
        let before = drops.load(Ordering::Relaxed);
        let exported = dlpack::export_device(image(is_read_only, &drops)).unwrap();
        let seen = exported.validate().unwrap();
        let device = DLDevice { device_type: DLDeviceType::EXTDEV, device_id: 3 };
        assert_eq!((seen.device(), seen.data_ptr().addr()), (device, ADDRESS));
        assert_eq!((seen.byte_offset(), seen.shape()), (256, &[1, 3, 2, 4][..]));
        assert_eq!(seen.strides(), Some(&[24, 1, 12, 3][..]));
        assert_eq!(exported.flags().contains(DlpackFlags::READ_ONLY), is_read_only);

        let back = import::<4>(exported, "NCHW").unwrap();
        let memory = dlpack::DeviceBuffer::memory(back.handle());
        let data: *mut c_void = std::ptr::without_provenance_mut(ADDRESS);
        let byte_offset = 256;
        let whole = dlpack::DeviceMemory { device_id: 3, data, byte_offset, is_read_only };
        assert_eq!((memory, back.handle().bytes()), (whole, 96));
        assert_eq!(back.layout().strides().unwrap(), [24, 1, 12, 3]);

        // A view of it goes on, from another thread, and the driver's buffer lives until it is done with.
        let row = back.into_view::<2>(|layout| layout.index('N', 0)?.index('H', 1)).unwrap();
        let again = std::thread::spawn(move || dlpack::export_device(row).unwrap()).join().unwrap();
        let seen = again.validate().unwrap();
        assert_eq!((seen.byte_offset(), seen.shape()), (256 + 48, &[3, 4][..]));
        assert_eq!(again.flags().contains(DlpackFlags::READ_ONLY), is_read_only);
        assert_eq!(drops.load(Ordering::Relaxed), before);
        drop(again);
        assert_eq!(drops.load(Ordering::Relaxed), before + 1);
    }
}

#[test]
fn the_host_does_not_read_devices() {
    let drops = Arc::new(AtomicUsize::new(0));
    let exported = dlpack::export_device(image(false, &drops)).unwrap();
    // SAFETY: nothing is read of a tensor that is refused.
    let error = unsafe { dlpack::import::<f32, 4>(&exported, "NCHW") }.unwrap_err().to_string();
    let text =
        "DLPack tensor lies on device type 12, which the host cannot read; copy it to the host, ";
    assert!(error.starts_with(text), "{error}");
}

/// A tensor of 2 x 3 as another library hands it over.
fn foreign<M: ManagedTensorBase>(
    device: DLDeviceType,
    address: usize,
    strides: [i64; 2],
    byte_offset: u64,
) -> Managed<M> {
    let mut tensor = Metadata::new([2i64, 3], strides).initialize_as::<M>(Box::new(0)).unwrap();
    let device = DLDevice { device_type: device, device_id: 7 };
    tensor.set_data(std::ptr::without_provenance_mut(address)).set_device(device);
    tensor.set_dtype(DLDataType::F32).set_byte_offset(byte_offset);
    // SAFETY: nobody reads the device.
    unsafe { tensor.finish() }
}

#[test]
fn tensors_of_others_come_as_they_are() {
    let legacy = foreign::<DLManagedTensor>(DLDeviceType::EXTDEV, 1, [-3, 1], 32);
    let tensor = import::<2>(legacy, "MK").unwrap();
    let memory = dlpack::DeviceBuffer::memory(tensor.handle());
    // The elements begin one row before coordinate 0.
    assert_eq!((memory.device_id, memory.byte_offset), (7, 20));
    assert_eq!(tensor.layout().offset(&[0, 0]), 3);
}

#[test]
fn what_does_not_fit_says_so() {
    type Versioned = DLManagedTensorVersioned;
    let fails = |source: Managed<Versioned>, axes: &str, text: &str| {
        let error = import::<2>(source, axes).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    let on = |device| foreign::<Versioned>(device, 64, [3, 1], 0);
    let text =
        "DLPack tensor lies on device type 2, not 12; take it into a memory space of that type";
    fails(on(DLDeviceType::CUDA), "MK", text);
    fails(on(DLDeviceType::CPU), "MK", "DLPack tensor lies on device type 1, not 12; ");
    fails(on(DLDeviceType::EXTDEV), "MKN", "array has shape [2, 3] but the axes are `MKN`; ");
    let before = foreign(DLDeviceType::EXTDEV, 64, [-3, 1], 8);
    fails(before, "MK", "DLPack tensor has elements 12 bytes before byte 8 of its memory; ");
    let null = foreign(DLDeviceType::EXTDEV, 0, [3, 1], 0);
    fails(null, "MK", "DLPack tensor has a null pointer; ");

    type Blocked = layout!(NCHW4<1, 8, 2, 2>, u8);
    let drops = Arc::new(AtomicUsize::new(0));
    let handle = Handle { bytes: Blocked::BYTES, is_read_only: false, drops: drops.clone() };
    let blocked = Tensor::in_space(Blocked::default(), handle).unwrap();
    let error = dlpack::export_device(blocked).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("has blocks"), "{error}");
    assert_eq!(drops.load(Ordering::Relaxed), 1);
}
