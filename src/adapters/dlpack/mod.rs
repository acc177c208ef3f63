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
//! DLPack has element types that layouts do not have: complex numbers, floats of 6 bits and fewer, and vectors of
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

use ::dlpark::ffi::DLDataType;
use layout_types::{ElementType, Layout};

use super::{AdapterError, error::Cause};

/// The element types and their DLPack data types.
const NAMES: [(ElementType, DLDataType); 15] = [
    (ElementType::Bool, DLDataType::BOOL),
    (ElementType::I8, DLDataType::I8),
    (ElementType::U8, DLDataType::U8),
    (ElementType::I16, DLDataType::I16),
    (ElementType::U16, DLDataType::U16),
    (ElementType::I32, DLDataType::I32),
    (ElementType::U32, DLDataType::U32),
    (ElementType::I64, DLDataType::I64),
    (ElementType::U64, DLDataType::U64),
    (ElementType::F16, DLDataType::F16),
    (ElementType::BF16, DLDataType::BF16),
    (ElementType::F32, DLDataType::F32),
    (ElementType::F64, DLDataType::F64),
    (ElementType::F8E4M3, DLDataType::F8E4M3FN),
    (ElementType::F8E5M2, DLDataType::F8E5M2),
];

/// Returns the DLPack data type of the elements of `layout`.
fn name(layout: &Layout) -> Result<DLDataType, AdapterError> {
    let found = NAMES.iter().find(|(element, _)| *element == layout.element());
    found.map(|(_, name)| *name).ok_or_else(|| AdapterError::no_element("DLPack tensor", layout))
}

fn refused(problem: &dyn std::error::Error) -> AdapterError {
    AdapterError(Cause::Dlpack { problem: problem.to_string() })
}

/// Returns the name of an element type: the library's name if it has one.
fn text(given: DLDataType) -> String {
    match NAMES.iter().find(|(_, known)| given.matches(*known)) {
        Some((element, _)) => element.name().as_str().to_string(),
        None if given.lanes == 1 => format!("code {}, {} bits", given.code.0, given.bits),
        None => format!("code {}, {} bits, {} lanes", given.code.0, given.bits, given.lanes),
    }
}
