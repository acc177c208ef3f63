//! Tensors over DLPack, the interface between deep-learning frameworks, without a copy.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, dlpack};
//! use tensor_layout::{Tensor, layout};
//!
//! type Image = layout!(NHWC<N = 1, C = 3, H = 2, W = 4>, u8);
//!
//! let image = Tensor::<Image, _>::new(vec![7; Image::LEN])?;
//! let exported = dlpack::export_mut(image)?; // axes in coordinate order: N, C, H, W
//!
//! // SAFETY: `exported` was made by the line above, and nobody else has it.
//! let same = unsafe { dlpack::import::<u8, 4>(&exported, "NCHW") }?;
//! assert_eq!(same[[0, 2, 1, 3]], 7);
//! # Ok::<(), AdapterError>(())
//! ```
//!
//! A tensor is exchanged as a [`Managed`](::dlpark::Managed) of crate `dlpark` 0.10, in one of two structs: the
//! versioned one, or the legacy one that frameworks export unless version 1 is requested. `Managed::from_raw` makes
//! one of a pointer, such as that in a Python capsule named `dltensor_versioned` or `dltensor`; with its feature
//! `pyo3`, dlpark does that itself.
//!
//! | function | what it does |
//! |---|---|
//! | [`export`] | exports a tensor for reading |
//! | [`export_mut`], [`export_legacy`] | exports a tensor for reading and writing, in the versioned or the legacy struct |
//! | [`import`], [`import_mut`] | returns a tensor over memory that the [`Managed`](::dlpark::Managed) keeps |
//! | [`import_owned`], [`import_owned_mut`] | returns a tensor that keeps the memory itself |
//! | [`export_device`], [`import_device`] | the same for the memory of a device, in a [`Space`](crate::tensor::Space) |
//!
//! DLPack has element types that layouts do not have: complex numbers, packed floats of 6 bits, and vectors of
//! several lanes. Layouts have blocks, padding and plain old data, which DLPack does not have. Elements of 4 bits can
//! be neither exported nor imported. Memory that the host cannot read is exported from and imported into memory spaces
//! only, with [`export_device`] and [`import_device`].

mod device;
mod export;
mod import;

pub use device::{
    DeviceBuffer, DeviceMemory, DeviceSpace, ImportedDevice, export_device, import_device,
};
pub use export::{export, export_legacy, export_mut};
pub use import::{Imported, ImportedMut, import, import_mut, import_owned, import_owned_mut};

use std::format;
use std::string::{String, ToString};

use ::dlpark::ffi::{DLDataType, DLDataTypeCode};
use layout_types::{ElementType, Layout};

use super::{AdapterError, error::Cause};

/// Returns the DLPack data type of the elements of `layout`.
fn name(layout: &Layout) -> Result<DLDataType, AdapterError> {
    let element = layout.element();
    match (element.dlpack_code(), u8::try_from(element.bits())) {
        (Some(code), Ok(bits)) => Ok(DLDataType { code: DLDataTypeCode(code), bits, lanes: 1 }),
        _ => Err(AdapterError::no_element("DLPack tensor", layout)),
    }
}

fn refused(problem: &dyn std::error::Error) -> AdapterError {
    AdapterError(Cause::Dlpack { problem: problem.to_string() })
}

/// Returns the name of an element type: the library's name if it has one.
fn text(given: DLDataType) -> String {
    match ElementType::from_dlpack(given.code.0, given.bits.into()) {
        Some(element) if given.lanes == 1 => element.to_string(),
        _ if given.lanes == 1 => format!("code {}, {} bits", given.code.0, given.bits),
        _ => format!("code {}, {} bits, {} lanes", given.code.0, given.bits, given.lanes),
    }
}
