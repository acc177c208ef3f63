//! Tensors in .safetensors files.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, safetensors};
//! use tensor_layout::{Tensor, layout};
//!
//! type Weights = layout!(OIHW4i4o<8, 4, 3, 3>, f32);
//! type Bias = layout!(O<O = 8>, f32);
//!
//! let weights = Tensor::<Weights, _>::new([0.5; Weights::LEN])?;
//! let bias = Tensor::<Bias, _>::new([1.0; Bias::LEN])?;
//! let entries = [
//!     ("conv1.weight", safetensors::Entry::new(&weights)?),
//!     ("conv1.bias", safetensors::Entry::new(&bias)?),
//! ];
//! let mut bytes = Vec::new();
//! safetensors::write(entries, &mut bytes)?;
//!
//! let file = safetensors::File::new(&bytes)?;
//! let same = file.read("conv1.weight", Weights::default())?;
//! assert_eq!(same.buffer(), weights.buffer());
//! # Ok::<(), AdapterError>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::format;
use std::io::Write;
use std::string::{String, ToString};
use std::vec::Vec;

use ::safetensors::tensor::{TensorView, View};
use ::safetensors::{Dtype, SafeTensorError, SafeTensors};
use bytemuck::{Pod, cast_slice, try_cast_slice};
use layout_types::{ElementType, Layout, LayoutType, UnitOf};

use super::error::Cause;
use super::{AdapterError, Array, storage_array};
use crate::tensor::{HeapBuffer, Tensor};

const KIND: &str = ".safetensors file";

/// The element types and their names in safetensors.
const NAMES: [(ElementType, Dtype); 15] = [
    (ElementType::Bool, Dtype::BOOL),
    (ElementType::I8, Dtype::I8),
    (ElementType::U8, Dtype::U8),
    (ElementType::I16, Dtype::I16),
    (ElementType::U16, Dtype::U16),
    (ElementType::I32, Dtype::I32),
    (ElementType::U32, Dtype::U32),
    (ElementType::I64, Dtype::I64),
    (ElementType::U64, Dtype::U64),
    (ElementType::F16, Dtype::F16),
    (ElementType::BF16, Dtype::BF16),
    (ElementType::F32, Dtype::F32),
    (ElementType::F64, Dtype::F64),
    (ElementType::F8E4M3, Dtype::F8_E4M3),
    (ElementType::F8E5M2, Dtype::F8_E5M2),
];

/// The units of a tensor that was read: borrowed from the file, or a copy with the alignment of the layout.
#[derive(Clone, Debug)]
pub enum Units<'a, U> {
    /// The file's memory.
    InFile(&'a [U]),
    /// A copy on the heap.
    Copied(HeapBuffer),
}

impl<U: Pod> AsRef<[U]> for Units<'_, U> {
    #[inline]
    fn as_ref(&self) -> &[U] {
        match self {
            Self::InFile(units) => units,
            Self::Copied(buffer) => buffer.as_ref(),
        }
    }
}

/// A file in memory, which the caller has read or mapped.
#[derive(Debug)]
pub struct File<'a> {
    tensors: SafeTensors<'a>,
}

impl<'a> File<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a valid .safetensors file.
    pub fn new(bytes: &'a [u8]) -> Result<Self, AdapterError> {
        Ok(Self { tensors: SafeTensors::deserialize(bytes).map_err(broken)? })
    }

    /// Returns the names of the tensors, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names = self.tensors.names();
        names.sort();
        names
    }

    /// Returns the extents of a tensor, slowest first, if the file has a tensor of this name.
    pub fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.tensors.tensor(name).ok().map(|tensor| tensor.shape().to_vec())
    }

    /// Returns the array of this name with the file's element type and extents, to be packed.
    ///
    /// # Errors
    /// - The file has no tensor of this name.
    /// - No layout has elements of its type.
    pub fn array(&self, name: &str) -> Result<Array<'a>, AdapterError> {
        let tensor = self.tensor(name)?;
        let dtype = tensor.dtype().to_string();
        let Some(element) = ElementType::from_safetensors_name(&dtype) else {
            let problem = format!("tensor `{name}` holds `{dtype}`, which is not an element type");
            return Err(AdapterError(Cause::File { kind: KIND, problem }));
        };
        let mut bytes = Cow::Borrowed(tensor.data());
        if cfg!(target_endian = "big") {
            to_or_from_little_endian(bytes.to_mut(), element.bits() / 8);
        }
        let shape = tensor.shape().to_vec();
        Ok(Array { kind: KIND, element, shape, is_fortran: false, bytes })
    }

    fn tensor(&self, name: &str) -> Result<TensorView<'a>, AdapterError> {
        self.tensors.tensor(name).map_err(|_| {
            let there = self.names().into_iter().map(String::from).collect();
            AdapterError(Cause::Missing { name: name.to_string(), there })
        })
    }

    /// Returns the tensor of this name. Its buffer borrows the file if the bytes have the alignment of the layout
    /// ([`Layout::align`]) and this machine is little-endian, as the file is; else it is a copy with that alignment.
    /// Padding has the bytes in the file. For layouts whose storage is not an array, such as those with aligned rows,
    /// use [`array`](Self::array).
    ///
    /// # Errors
    /// - The file has no tensor of this name.
    /// - The element type or the storage of the layout differ from the file's.
    /// - Memory for a copy cannot be allocated.
    pub fn read<L: LayoutType>(
        &self,
        name: &str,
        layout: L,
    ) -> Result<Tensor<L, Units<'a, UnitOf<L>>>, AdapterError> {
        let value = layout.layout();
        let tensor = self.tensor(name)?;
        if tensor.dtype() != dtype(&value)? {
            let given = tensor.dtype().to_string();
            return Err(AdapterError::element(KIND, given, &value));
        }
        storage_array::check_shape(&value, tensor.shape())?;
        let data = tensor.data();
        let is_aligned = data.as_ptr().addr() % value.align() == 0;
        let units = match try_cast_slice(data) {
            Ok(units) if is_aligned && cfg!(target_endian = "little") => Units::InFile(units),
            _ => {
                let mut buffer = HeapBuffer::zeroed(&value)?;
                let bytes: &mut [u8] = buffer.as_mut();
                bytes.copy_from_slice(data);
                to_or_from_little_endian(bytes, size_of::<UnitOf<L>>());
                Units::Copied(buffer)
            }
        };
        Ok(Tensor::with_layout(layout, units)?)
    }
}

/// A tensor to be written.
pub struct Entry<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    /// In little-endian order.
    data: Cow<'a, [u8]>,
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dtype, shape, .. } = self;
        let mut fields = formatter.debug_struct("Entry");
        fields.field("dtype", dtype).field("shape", shape).finish_non_exhaustive()
    }
}

impl<'a> Entry<'a> {
    /// Makes an entry of the storage of `tensor`, including padding.
    ///
    /// # Errors
    /// - The file format does not have the element type.
    /// - The storage of the layout is not an array.
    pub fn new<L, B>(tensor: &'a Tensor<L, B>) -> Result<Self, AdapterError>
    where
        L: LayoutType,
        B: AsRef<[UnitOf<L>]>,
    {
        let layout = tensor.layout();
        let (dtype, shape) = (dtype(&layout)?, storage_array::storage_shape(&layout)?);
        let mut data = Cow::Borrowed(cast_slice(tensor.buffer()));
        if cfg!(target_endian = "big") {
            to_or_from_little_endian(data.to_mut(), size_of::<UnitOf<L>>());
        }
        Ok(Self { dtype, shape, data })
    }
}

impl View for Entry<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }

    fn data_len(&self) -> usize {
        self.data.len()
    }
}

/// Writes a file of these tensors, header first. The file is built in memory.
///
/// # Errors
/// - Two entries have the same name, or an entry is named `__metadata__`, which the format reserves.
/// - The writer fails. It may have written a part of the file.
///
/// On the first error, nothing is written.
pub fn write<'a, S: AsRef<str>>(
    entries: impl IntoIterator<Item = (S, Entry<'a>)>,
    mut writer: impl Write,
) -> Result<(), AdapterError> {
    let mut named = BTreeMap::new();
    for (name, entry) in entries {
        let name = name.as_ref();
        // safetensors panics if two entries have the same name.
        if name == "__metadata__" || named.insert(name.to_string(), entry).is_some() {
            return Err(AdapterError(Cause::Name { name: name.to_string() }));
        }
    }
    let bytes = ::safetensors::serialize(named, None).map_err(broken)?;
    writer.write_all(&bytes)?;
    Ok(writer.flush()?)
}

fn broken(error: SafeTensorError) -> AdapterError {
    AdapterError(Cause::File { kind: KIND, problem: error.to_string() })
}

/// Returns the safetensors name of the elements of `layout`.
fn dtype(layout: &Layout) -> Result<Dtype, AdapterError> {
    let found = NAMES.iter().find(|(element, _)| *element == layout.element());
    found.map(|(_, dtype)| *dtype).ok_or_else(|| AdapterError::no_element(KIND, layout))
}

/// Converts elements of `size` bytes from this machine's byte order to the file's, or back.
fn to_or_from_little_endian(bytes: &mut [u8], size: usize) {
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}
