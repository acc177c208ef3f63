//! Tensors as tensors of ONNX Runtime, and back, without a copy. Both directions borrow.
//!
//! ```no_run
//! use ort::session::{Session, builder::SessionBuilder};
//! use tensor_layout::{Tensor, layout};
//! use tensor_layout_frameworks::{AdapterError, ort as adapter};
//!
//! type Input = layout!(NCHW<1, 3, 224, 224>, f32);
//! type Scores = layout!(NC<1, 1000>, f32);
//!
//! fn classify(session: &mut Session, input: &Tensor<Input>) -> Result<usize, Box<dyn std::error::Error>> {
//!     let outputs = session.run(ort::inputs![adapter::view(input)?])?;
//!     let scores = adapter::tensor(&outputs[0], Scores::default())?;
//!     let best = scores.iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
//!     Ok(best.map_or(0, |([_, class], _)| class))
//! }
//! ```

use std::fmt::Debug;

use ::ort::value::{
    PrimitiveTensorElementType, TensorRef, TensorRefMut, TensorValueTypeMarker, Value,
};
use tensor_layout::adapters::{from_storage, storage, storage_mut};
use tensor_layout::{LayoutType, Tensor, UnitOf, WholeElement};

use crate::{AdapterError, refused};

/// Borrows the tensor as a tensor of ONNX Runtime: an array with the shape of its storage.
///
/// # Errors
/// The storage of the layout is not an array: it has gaps, shared elements, negative strides or a swizzle.
pub fn view<L, B>(tensor: &Tensor<L, B>) -> Result<TensorRef<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + PrimitiveTensorElementType + Debug,
    B: AsRef<[UnitOf<L>]>,
{
    TensorRef::from_array_view(storage(tensor)?).map_err(failed)
}

/// The mutable version of [`view`].
///
/// # Errors
/// The same as [`view`].
pub fn view_mut<L, B>(
    tensor: &mut Tensor<L, B>,
) -> Result<TensorRefMut<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement + PrimitiveTensorElementType + Debug,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    TensorRefMut::from_array_view_mut(storage_mut(tensor)?).map_err(failed)
}

/// Borrows a value of ONNX Runtime as a tensor of `layout`.
///
/// # Errors
/// - The value is not a tensor, or the host cannot read its memory.
/// - The shape differs from that of the layout's storage.
/// - The element type differs from the layout's.
/// - The elements do not have the layout's alignment.
pub fn tensor<T, L>(value: &Value<T>, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    T: TensorValueTypeMarker + ?Sized,
    L: LayoutType,
    L::Element: WholeElement + PrimitiveTensorElementType,
{
    let (shape, elements) = value.try_extract_tensor::<L::Element>().map_err(failed)?;
    // The runtime made the extents; none is negative.
    let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    from_storage(layout, &shape, elements)
}

fn failed(problem: ::ort::Error) -> AdapterError {
    refused("ONNX Runtime", problem, "pass a tensor in host memory of the layout's element type")
}
