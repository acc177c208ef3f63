//! Tensors in .safetensors files.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, safetensors};
//! use tensor_layout::{Tensor, layout};
//!
//! type Weights = layout!(OIHW<8, 4, 3, 3>, f32);
//! type Packed = layout!(OIHW4i4o<8, 4, 3, 3>, f32);
//! type Bias = layout!(O<O = 8>, f32);
//!
//! let weights = Tensor::<Weights, _>::new([0.5; Weights::LEN])?;
//! let packed = weights.to_layout::<Packed>()?;
//! let bias = Tensor::<Bias, _>::new([1.0; Bias::LEN])?;
//! let entries = [
//!     ("conv1.weight", safetensors::Entry::new(&weights)?), // 8 x 4 x 3 x 3
//!     ("conv1.packed", safetensors::Entry::storage(&packed)?), // 2 x 1 x 3 x 3 x 4 x 4
//!     ("conv1.bias", safetensors::Entry::new(&bias)?),
//! ];
//! let mut bytes = Vec::new();
//! safetensors::write(entries, &mut bytes)?;
//!
//! let file = safetensors::File::new(&bytes)?;
//! let same = file.read("conv1.packed", Packed::default())?;
//! assert_eq!(same.buffer(), packed.buffer());
//! # Ok::<(), AdapterError>(())
//! ```

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::format;
use std::io::{self, Write};
use std::string::{String, ToString};
use std::vec::Vec;

use ::safetensors::tensor::{Metadata, TensorInfo, TensorView, View};
use ::safetensors::{Dtype, SafeTensorError, SafeTensors};
use layout_types::plain;
use layout_types::{ElementType, Layout, LayoutType, UnitOf};

use super::error::Cause;
pub use super::file_units::Units;
use super::{AdapterError, Array, ArrayOrder, ByteOrder, storage_array};
use crate::tensor::Tensor;

const KIND: &str = ".safetensors file";

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
    /// - Memory for a copy cannot be allocated, which a big-endian machine needs.
    pub fn array(&self, name: &str) -> Result<Array<'a>, AdapterError> {
        let tensor = self.tensor(name)?;
        let dtype = tensor.dtype().to_string();
        let Some(element) = ElementType::from_safetensors_name(&dtype) else {
            let problem = format!("tensor `{name}` holds `{dtype}`, which is not an element type");
            return Err(AdapterError(Cause::File { kind: KIND, problem }));
        };
        let (shape, data) = (tensor.shape(), tensor.data());
        let array = Array::new(data, shape, element, ArrayOrder::C, ByteOrder::Little)?;
        Ok(Array { kind: KIND, ..array })
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
    /// - The element type differs from the file's.
    /// - The shape differs from that of the layout's axes, and from that of its storage.
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
        let size = size_of::<UnitOf<L>>();
        let units = Units::of(tensor.data(), value.align(), size, ByteOrder::Little)?;
        Ok(Tensor::with_layout(layout, units)?)
    }
}

/// A tensor to be written.
pub struct Entry<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    /// In this machine's byte order.
    data: &'a [u8],
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dtype, shape, .. } = self;
        let mut fields = formatter.debug_struct("Entry");
        fields.field("dtype", dtype).field("shape", shape).finish_non_exhaustive()
    }
}

impl<'a> Entry<'a> {
    /// Makes an entry of `tensor` with one dimension for each axis, in the memory order of the layout. If the blocks of
    /// an axis are neighbors, the entry has the axis in the order of memory: `O32o2o/32 I<256, 8>` is an array of
    /// 256 x 8 whose rows are in another order.
    ///
    /// # Errors
    /// - The file format does not have the element type.
    /// - The layout has gaps, shared elements, negative strides or a swizzle.
    /// - Blocks of an axis lie apart, as in `NCHW4c`, or an axis is padded. [`storage`](Self::storage) takes such
    ///   tensors.
    pub fn new<L, B>(tensor: &'a Tensor<L, B>) -> Result<Self, AdapterError>
    where
        L: LayoutType,
        B: AsRef<[UnitOf<L>]>,
    {
        let shape = storage_array::file_shape(&tensor.layout(), "safetensors::Entry::storage")?;
        Self::of(tensor, shape)
    }

    /// Makes an entry of the storage of `tensor`, including padding, with one dimension for each axis and block, in the
    /// memory order of the layout. A program that does not know the layout cannot tell which dimensions are blocks.
    ///
    /// # Errors
    /// - The file format does not have the element type.
    /// - The layout has gaps, shared elements, negative strides or a swizzle.
    pub fn storage<L, B>(tensor: &'a Tensor<L, B>) -> Result<Self, AdapterError>
    where
        L: LayoutType,
        B: AsRef<[UnitOf<L>]>,
    {
        Self::of(tensor, storage_array::storage_shape(&tensor.layout())?)
    }

    fn of<L, B>(tensor: &'a Tensor<L, B>, shape: Vec<usize>) -> Result<Self, AdapterError>
    where
        L: LayoutType,
        B: AsRef<[UnitOf<L>]>,
    {
        Ok(Self { dtype: dtype(&tensor.layout())?, shape, data: plain::cast(tensor.buffer()) })
    }

    /// Writes the elements in little-endian order.
    fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        if cfg!(target_endian = "little") {
            return writer.write_all(self.data);
        }
        let mut part = [0; 1024];
        for data in self.data.chunks(part.len()) {
            let part = &mut part[..data.len()];
            part.copy_from_slice(data);
            self.reverse(part);
            writer.write_all(part)?;
        }
        Ok(())
    }

    /// Reverses the bytes of each element.
    fn reverse(&self, data: &mut [u8]) {
        let bytes = self.dtype.bitsize() / 8;
        if bytes > 1 {
            data.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
        }
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
        let mut data = Cow::Borrowed(self.data);
        if cfg!(target_endian = "big") {
            self.reverse(data.to_mut());
        }
        data
    }

    fn data_len(&self) -> usize {
        self.data.len()
    }
}

/// Writes a file of these tensors: a header, then the bytes of each tensor.
///
/// # Errors
/// - Two entries have the same name, or an entry is named `__metadata__`, which the format reserves.
/// - The header takes more than 100 MB, which no reader accepts.
/// - The writer fails. It may have written a part of the file.
///
/// On the other errors, nothing is written.
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
    // As in the crate's own files, larger elements come first, so that all are aligned.
    let mut entries: Vec<_> = named.into_iter().collect();
    entries.sort_by_key(|(_, entry)| Reverse(entry.dtype));
    let header = header(&entries)?;
    writer.write_all(&(header.len() as u64).to_le_bytes())?;
    writer.write_all(&header)?;
    entries.iter().try_for_each(|(_, entry)| entry.write(&mut writer))?;
    Ok(writer.flush()?)
}

/// The most bytes of a header that the crate reads.
const MAX_HEADER: usize = 100_000_000;

/// Returns the text that describes the entries, in their order.
fn header(entries: &[(String, Entry<'_>)]) -> Result<Vec<u8>, AdapterError> {
    let mut end = 0;
    let infos = entries.iter().map(|(name, Entry { dtype, shape, data })| {
        let start = end;
        end += data.len();
        let data_offsets = (start, end);
        (name.clone(), TensorInfo { dtype: *dtype, shape: shape.clone(), data_offsets })
    });
    let metadata = Metadata::new(None, infos.collect()).map_err(broken)?;
    let text = ::serde_json::to_vec(&metadata).map_err(|error| broken(error.into()))?;
    // Spaces align the tensors that follow.
    let (length, mut text) = (text.len().next_multiple_of(8), text);
    text.resize(length, b' ');
    match length > MAX_HEADER {
        true => Err(broken(SafeTensorError::HeaderTooLarge)),
        false => Ok(text),
    }
}

fn broken(error: SafeTensorError) -> AdapterError {
    AdapterError(Cause::File { kind: KIND, problem: error.to_string() })
}

/// Returns the safetensors name of the elements of `layout`.
fn dtype(layout: &Layout) -> Result<Dtype, AdapterError> {
    let name = layout.element().safetensors_name();
    // Only serde makes a `Dtype` of its name.
    let found = name.and_then(|name| serde_json::from_value(name.into()).ok());
    found.ok_or_else(|| AdapterError::no_element(KIND, layout))
}
