//! Tensors of tract as tensors with a layout, where they lie.
//!
//! tract owns the memory of its tensors. So make one of the layout, write into it, and hand it over: a relayout or a
//! conversion from another layout is the only pass over the elements.
//!
//! ```
//! use tensor_layout::{Conversion, Relayout, Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, tract};
//!
//! type Frame = layout!(NHWC<1, 3, 4, 6>, u8); // what a camera delivers
//! type Input = layout!(NCHW<1, 3, 4, 6>, f32); // what the model takes
//!
//! #[derive(Relayout)]
//! #[relayout(Frame => Input, convert = Conversion::normalize(127.5, 1.0 / 127.5))]
//! struct ToModel;
//!
//! let frame = Tensor::<Frame>::from_fn(|[_, c, h, w]| (100 * c + 10 * h + w) as u8);
//! let mut input = tract::zeroed(&Input::default())?;
//! ToModel::tensors(&frame, &mut tract::tensor_mut(&mut input, Input::default())?);
//! // `model.run(tvec!(input.into()))` takes it and returns tensors, which are read where they are:
//! let output = tract::tensor(&input, Input::default())?;
//! assert_eq!(output[[0, 0, 0, 0]], -1.0);
//! # Ok::<(), AdapterError>(())
//! ```

use tensor_layout::adapters::{from_storage, storage_shape};
use tensor_layout::{Element, LayoutType, Tensor};
use tract_onnx::prelude::{Datum, Tensor as TractTensor};

use crate::{AdapterError, refused};

/// A tensor of tract that is the storage of `layout`, aligned as the layout asks; its elements are 0.
///
/// # Errors
/// A layout whose storage is not an array: it has gaps, shared elements, negative strides or a swizzle.
pub fn zeroed<L>(layout: &L) -> Result<TractTensor, AdapterError>
where
    L: LayoutType<Element: Datum>,
{
    let layout = layout.layout();
    let (shape, align) = (storage_shape(&layout)?, layout.align());
    TractTensor::zero_aligned_dt(L::Element::datum_type(), &shape, align).map_err(failed)
}

/// The tensor of `layout` that a tensor of tract is, where it lies.
///
/// # Errors
/// Another shape than that of the layout's storage; other elements; a buffer that is not aligned as the layout asks.
pub fn tensor<L>(tensor: &TractTensor, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + Datum,
{
    let plain = tensor.try_as_plain_ram().map_err(failed)?;
    let elements = plain.as_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, tensor.shape(), elements)
}

/// [`tensor`], to be changed.
///
/// # Errors
/// As [`tensor`].
pub fn tensor_mut<L>(
    tensor: &mut TractTensor,
    layout: L,
) -> Result<Tensor<L, &mut [L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + Datum,
{
    let shape = tensor.shape().to_vec();
    let array = tensor.to_plain_array_view_mut::<L::Element>().map_err(failed)?;
    let elements = array.into_slice().ok_or_else(|| failed("tensor is not in C order"))?;
    from_storage(layout, &shape, elements)
}

fn failed(problem: impl std::fmt::Display) -> AdapterError {
    refused("tract", problem, "pass a tensor in memory of the layout's element type")
}
