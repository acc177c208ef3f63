//! Tensors as the `TensorData` of burn, of which its backends make tensors, and back, without a copy.
//!
//! A backend on the CPU may take the memory over; one on a device copies it there.
//!
//! ```
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, burn};
//!
//! type Planes = layout!(NCHW<1, 3, 4, 6>, f32); // what the model takes
//!
//! let planes: Vec<f32> = (0..72).map(|i| i as f32).collect();
//! let data = burn::into_data(Tensor::<Planes, _>::new(planes)?)?;
//! // A program has `burn::tensor::Tensor::<4>::from_data(data, &device)`, and `tensor.into_data()` of the result:
//! let output = burn::tensor(&data, Planes::default())?;
//! assert_eq!(output[[0, 2, 3, 5]], 71.0);
//! # Ok::<(), AdapterError>(())
//! ```

use ::burn_tensor::{Element as BurnElement, TensorData};
use tensor_layout::adapters::{from_storage, storage_shape};
use tensor_layout::{Element, LayoutType, Tensor};

use crate::{AdapterError, refused};

/// The data that takes over the tensor's elements, an array of the shape of its storage.
///
/// # Errors
/// A layout whose storage is not an array: it has gaps, shared elements, negative strides or a swizzle. The tensor is
/// gone then.
pub fn into_data<L>(tensor: Tensor<L, Vec<L::Element>>) -> Result<TensorData, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + BurnElement,
{
    let shape = storage_shape(&tensor.layout())?;
    Ok(TensorData::new(tensor.into_buffer(), shape))
}

/// The tensor of `layout` that data of burn is, where it lies.
///
/// # Errors
/// Another shape than that of the layout's storage; other elements; a buffer that is not aligned as the layout asks.
pub fn tensor<L>(data: &TensorData, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + BurnElement,
{
    let elements = data.as_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, data.shape(), elements)
}

/// [`tensor`], to be changed.
///
/// # Errors
/// As [`tensor`].
pub fn tensor_mut<L>(
    data: &mut TensorData,
    layout: L,
) -> Result<Tensor<L, &mut [L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + BurnElement,
{
    let shape = data.shape().to_vec();
    let elements = data.as_mut_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, &shape, elements)
}

fn failed(problem: impl std::fmt::Debug) -> AdapterError {
    let problem = format!("data does not hold these elements: {problem:?}");
    refused("burn", problem, "convert it to the layout's element type with `TensorData::convert`")
}
