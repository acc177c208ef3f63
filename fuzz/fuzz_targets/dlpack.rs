//! Structs of DLPack: a struct is taken only where its elements are inside the memory that extents and
//! strides span around the data, and none wraps around the address space.
#![no_main]

use dlpark::Managed;
use dlpark::ffi::{DLDataType, DLDevice, DLManagedTensor, DLTensor};
use libfuzzer_sys::fuzz_target;
use tensor_layout::adapters::dlpack;

fuzz_target!(|input: (Vec<[i64; 2]>, u64, bool, bool, i32)| {
    let (axes, byte_offset, has_strides, is_float, rank) = input;
    let mut shape: Vec<i64> = axes.iter().map(|axis| axis[0]).collect();
    let mut strides: Vec<i64> = axes.iter().map(|axis| axis[1]).collect();
    let mut memory = [0f32; 64];
    let dl_tensor = DLTensor {
        data: memory.as_mut_ptr().cast(),
        device: DLDevice::CPU,
        ndim: if rank < 0 { rank } else { axes.len() as i32 },
        dtype: if is_float { DLDataType::F32 } else { DLDataType::I8 },
        shape: shape.as_mut_ptr(),
        strides: if has_strides { strides.as_mut_ptr() } else { std::ptr::null_mut() },
        byte_offset,
    };
    let mut raw = DLManagedTensor { dl_tensor, manager_ctx: std::ptr::null_mut(), deleter: None };
    // SAFETY: the struct is as DLPack describes it, and lives as long as what is made of it.
    let Ok(tensor) = (unsafe { Managed::from_raw(&mut raw) }) else { return };
    // SAFETY: nobody else uses the memory, and of what may be outside of it nothing is read.
    let Ok(taken) = (unsafe { dlpack::import::<f32, 2>(&tensor, "MK") }) else { return };
    let start = memory.as_ptr().addr() as i128 + i128::from(byte_offset);
    let (mut low, mut high) = (start, start + 4);
    if !has_strides {
        let count =
            shape.iter().fold(4i128, |count, extent| count.saturating_mul((*extent).into()));
        high = start.saturating_add(count);
    }
    for (&extent, &stride) in shape.iter().zip(&strides).filter(|_| has_strides) {
        let distance = (4 * (i128::from(extent) - 1)).saturating_mul(stride.into());
        low = low.saturating_add(distance.min(0));
        high = high.saturating_add(distance.max(0));
    }
    let is_empty = shape.contains(&0);
    assert!(
        is_empty || (low > 0 && high <= usize::MAX as i128),
        "{shape:?} by {strides:?}, {byte_offset}"
    );
    assert!(is_empty || !has_strides || taken.buffer().as_ptr().addr() as i128 == low);
});
