//! Tensors as those of ONNX Runtime, and back, without a copy: both sides borrow.
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
use tensor_layout::{Element, LayoutType, Tensor, UnitOf};

use crate::{AdapterError, refused};

/// The tensor as one of ONNX Runtime, an array of the shape of its storage.
///
/// # Errors
/// A layout whose storage is not an array: it has gaps, shared elements, negative strides or a swizzle.
pub fn view<L, B>(tensor: &Tensor<L, B>) -> Result<TensorRef<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + PrimitiveTensorElementType + Debug,
    B: AsRef<[UnitOf<L>]>,
{
    TensorRef::from_array_view(storage(tensor)?).map_err(failed)
}

/// [`view`], to be changed.
///
/// # Errors
/// As [`view`].
pub fn view_mut<L, B>(
    tensor: &mut Tensor<L, B>,
) -> Result<TensorRefMut<'_, L::Element>, AdapterError>
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + PrimitiveTensorElementType + Debug,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    TensorRefMut::from_array_view_mut(storage_mut(tensor)?).map_err(failed)
}

/// The tensor of `layout` that a value of ONNX Runtime is, where it lies.
///
/// # Errors
/// Another shape than that of the layout's storage; other elements; memory that the host cannot read.
pub fn tensor<T, L>(value: &Value<T>, layout: L) -> Result<Tensor<L, &[L::Element]>, AdapterError>
where
    T: TensorValueTypeMarker + ?Sized,
    L: LayoutType,
    L::Element: Element<Unit = L::Element> + PrimitiveTensorElementType,
{
    let (shape, elements) = value.try_extract_tensor::<L::Element>().map_err(failed)?;
    // The runtime made the extents; none is negative.
    let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    from_storage(layout, &shape, elements)
}

fn failed(problem: ::ort::Error) -> AdapterError {
    refused("ONNX Runtime", problem, "pass a tensor in host memory of the layout's element type")
}
