//! Tensors of tract as tensors with a layout, without a copy.
//!
//! tract owns the memory of its tensors. So allocate one of the layout, write into it, and pass it to tract. A relayout or
//! a conversion from another layout is the only pass over the elements.
//!
//! ```
//! use tensor_layout::{Conversion, Relayout, Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, tract};
//!
//! type Frame = layout!(NHWC<N = 1, C = 3, H = 4, W = 6>, u8); // what a camera delivers
//! type Input = layout!(NCHW<1, 3, 4, 6>, f32); // what the model takes
//!
//! #[derive(Relayout)]
//! #[relayout(Frame => Input, convert = Conversion::normalize(127.5, 1.0 / 127.5))]
//! struct ToModel;
//!
//! let frame = Tensor::<Frame>::from_fn(|[_, c, h, w]| (100 * c + 10 * h + w) as u8);
//! let mut input = tract::zeroed(&Input::default())?;
//! ToModel::run(&frame, &mut tract::tensor_mut(&mut input, Input::default())?);
//! // `model.run(tvec!(input.into()))` takes it and returns tensors. Here its input stands for its output.
//! let output = tract::tensor(&input, Input::default())?;
//! assert_eq!(output[[0, 0, 0, 0]], -1.0);
//! # Ok::<(), AdapterError>(())
//! ```

use tensor_layout::adapters::{from_storage, storage_shape};
use tensor_layout::{LayoutType, Tensor, WholeElement};
use tract_onnx::prelude::{Datum, Tensor as TractTensor};

use crate::{AdapterError, refused};

/// Allocates a tensor of tract with the shape of the storage of `layout` and its alignment. Its elements are 0.
///
/// # Errors
/// The storage of the layout is not an array: it has gaps, shared elements, negative strides or a swizzle.
pub fn zeroed<L>(layout: &L) -> Result<TractTensor, AdapterError>
where
    L: LayoutType<Element: Datum>,
{
    let layout = layout.layout();
    let (shape, align) = (storage_shape(&layout)?, layout.align());
    TractTensor::zero_aligned_dt(L::Element::datum_type(), &shape, align).map_err(failed)
}

/// Borrows a tensor of tract as a tensor of `layout`.
///
/// # Errors
/// - The shape differs from that of the layout's storage.
/// - The element type differs from the layout's.
/// - The elements do not have the layout's alignment.
pub fn tensor<L>(tensor: &TractTensor, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + Datum,
{
    let plain = tensor.try_as_plain_ram().map_err(failed)?;
    let elements = plain.as_slice::<L::Element>().map_err(failed)?;
    from_storage(layout, tensor.shape(), elements)
}

/// The mutable version of [`tensor`].
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<L>(
    tensor: &mut TractTensor,
    layout: L,
) -> Result<Tensor<L, &mut [L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + Datum,
{
    let shape = tensor.shape().to_vec();
    let array = tensor.to_plain_array_view_mut::<L::Element>().map_err(failed)?;
    let elements = array.into_slice().ok_or_else(|| failed("tensor is not in C order"))?;
    from_storage(layout, &shape, elements)
}

fn failed(problem: impl std::fmt::Display) -> AdapterError {
    refused("tract", problem, "pass a tensor in memory of the layout's element type")
}
