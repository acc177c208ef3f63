//! Tensors as tensors of candle on the CPU, and back, without a copy.
//!
//! ```
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, candle};
//!
//! type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 6>, f32);
//!
//! let elements = (0..Image::LEN).map(|i| i as f32).collect::<Vec<_>>();
//! let image = Tensor::<Image, _>::new(elements)?;
//! let theirs = candle::into_tensor(image)?; // dimensions in coordinate order, strides those of the layout
//! assert_eq!((theirs.dims(), theirs.stride()), (&[1, 3, 4, 6][..], &[72, 1, 18, 3][..]));
//!
//! let ours = candle::tensor::<f32, 4>(&theirs, "NCHW")?.try_into_layout::<Image>()?;
//! assert_eq!(ours[[0, 2, 1, 3]], 29.0);
//! # Ok::<(), AdapterError>(())
//! ```

use std::marker::PhantomData;
use std::ops::Range;

use ::candle_core::{Device, Storage, StorageRef, Tensor as CandleTensor, WithDType};
use tensor_layout::adapters::{storage_shape, strides};
use tensor_layout::{Dynamic, Layout, LayoutType, Tensor, WholeElement};

use crate::{AdapterError, refused};

/// Moves the tensor's elements into a tensor of candle on the CPU. Its dimensions are in coordinate order.
///
/// `to_device` moves it to a device. Many operations of candle require contiguous tensors; those of `NCHW` are.
///
/// # Errors
/// - The layout has blocks, so an axis has no single stride.
/// - The storage of the layout is not an array: it has gaps, shared elements, negative strides or a swizzle.
///
/// On an error, the tensor is dropped.
pub fn into_tensor<L>(tensor: Tensor<L, Vec<L::Element>>) -> Result<CandleTensor, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + WithDType,
{
    let layout = tensor.layout();
    strides(&layout)?;
    let shape = storage_shape(&layout)?;
    let stored = CandleTensor::from_vec(tensor.into_buffer(), shape, &Device::Cpu);
    // The position of each axis in memory order, in coordinate order.
    let mut order: Vec<usize> = (0..layout.rank()).collect();
    order.sort_by_key(|&digit| layout.digits()[digit].axis);
    stored.and_then(|stored| stored.permute(order)).map_err(failed)
}

/// The elements of a tensor of candle, locked for reading.
pub struct Elements<'a, E> {
    storage: StorageRef<'a>,
    used: Range<usize>,
    element: PhantomData<E>,
}

impl<E: WithDType> AsRef<[E]> for Elements<'_, E> {
    fn as_ref(&self) -> &[E] {
        match &*self.storage {
            Storage::Cpu(storage) => {
                E::cpu_storage_as_slice(storage).map_or(&[], |all| &all[self.used.clone()])
            }
            _ => &[],
        }
    }
}

/// Borrows a tensor of candle, of any strides. `axes` names its dimensions in order: `"NCHW"`.
///
/// # Errors
/// - The tensor is on a device.
/// - Its element type or rank differs from those of the result.
/// - The number of axes differs from the rank, or an axis is named twice.
pub fn tensor<'a, E, const RANK: usize>(
    tensor: &'a CandleTensor,
    axes: &str,
) -> Result<Tensor<Dynamic<E, RANK>, Elements<'a, E>>, AdapterError>
where
    E: WholeElement + WithDType,
{
    let (storage, theirs) = tensor.storage_and_layout();
    // candle has no more elements than memory, so no stride wraps.
    let strides: Vec<isize> = theirs.stride().iter().map(|&stride| stride as isize).collect();
    let layout = Layout::from_strides(axes, theirs.dims(), &strides, E::TYPE)?;
    match &*storage {
        Storage::Cpu(storage) => drop(E::cpu_storage_as_slice(storage).map_err(failed)?),
        _ => return Err(refused("candle", "tensor is on a device", "move it with `to_device`")),
    }
    let used = match layout.units() {
        0 => 0..0,
        units => theirs.start_offset()..theirs.start_offset() + units,
    };
    let elements = Elements { storage, used, element: PhantomData };
    Ok(Tensor::with_layout(Dynamic::new(layout)?, elements)?)
}

fn failed(problem: ::candle_core::Error) -> AdapterError {
    refused("candle", problem, "pass a tensor of the layout's element type")
}
