//! Tensors as `TensorData` of burn, from which its backends make tensors, and back, without a copy.
//!
//! A backend on the CPU may take over the memory. A backend on a device copies it there.
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
use tensor_layout::{LayoutType, Tensor, WholeElement};

use crate::{AdapterError, refused};

/// Moves the tensor's elements into data of burn: an array with the shape of its storage.
///
/// # Errors
/// The storage of the layout is not an array: it has gaps, shared elements, negative strides or a swizzle. The tensor
/// is dropped.
pub fn into_data<L>(tensor: Tensor<L, Vec<L::Element>>) -> Result<TensorData, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + BurnElement,
{
    let shape = storage_shape(&tensor.layout())?;
    Ok(TensorData::new(tensor.into_buffer(), shape))
}

/// Borrows data of burn as a tensor of `layout`.
///
/// # Errors
/// - The shape differs from that of the layout's storage.
/// - The element type differs from the layout's.
/// - The elements do not have the layout's alignment.
pub fn tensor<L>(data: &TensorData, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + BurnElement,
{
    let elements = data.as_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, data.shape(), elements)
}

/// The mutable version of [`tensor`].
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<L>(
    data: &mut TensorData,
    layout: L,
) -> Result<Tensor<L, &mut [L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + BurnElement,
{
    let shape = data.shape().to_vec();
    let elements = data.as_mut_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, &shape, elements)
}

fn failed(problem: impl std::fmt::Debug) -> AdapterError {
    let problem = format!("data does not hold these elements: {problem:?}");
    refused("burn", problem, "convert it to the layout's element type with `TensorData::convert`")
}
