//! Tensors in NumPy's .npy files.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, npy};
//! use tensor_layout::{Tensor, layout};
//!
//! type Image = layout!(HWC<3, 2, 4>, u8);
//!
//! let image = Tensor::<Image, _>::new([7; Image::LEN])?;
//! let mut file = Vec::new();
//! npy::write(&image, &mut file)?; // numpy.load gives an array of shape (2, 4, 3)
//!
//! let same = npy::read(Image::default(), &file[..])?;
//! assert_eq!(same.buffer(), image.buffer());
//!
//! // An extent that only the file knows.
//! type Batch = layout!(HWC<3, _, 4>, u8);
//! let file = npy::File::open(&file[..])?;
//! let batch = Batch::new([file.shape()[0]])?;
//! let batch = file.read(batch)?;
//! assert_eq!(batch.buffer(), image.buffer());
//! # Ok::<(), AdapterError>(())
//! ```

mod arrived;
mod header;

use std::io::{self, ErrorKind, Read, Write};
use std::string::{String, ToString};
use std::vec::Vec;

use bytemuck::cast_slice;
use layout_types::{ElementType, Layout, LayoutType, UnitOf};
use npyz::{DType, NpyHeader, Order, TypeStr, WriteOptions, WriterBuilder};

use super::error::Cause;
use super::{AdapterError, Array, Units, storage_array};
use crate::tensor::{HeapBuffer, Tensor};

const KIND: &str = ".npy file";

/// A file whose header has been read.
#[derive(Debug)]
pub struct File<R> {
    /// The element type as NumPy writes it: `<f4`.
    element: String,
    /// The extents, slowest first.
    shape: Vec<usize>,
    /// Whether NumPy lists the axes in reverse order.
    is_fortran: bool,
    data: R,
}

impl<R: Read> File<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// - The reader fails.
    /// - The file is not a valid .npy file. A header of more than 10,000 bytes is not valid, as for `numpy.load`.
    pub fn open(mut reader: R) -> Result<Self, AdapterError> {
        let broken = |problem: String| AdapterError(Cause::File { kind: KIND, problem });
        let read = |error: io::Error| match error.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => broken(error.to_string()),
            _ => AdapterError(Cause::Io(error)),
        };
        let text = header::read(&mut reader).map_err(read)?;
        let header = NpyHeader::from_reader(&text[..]).map_err(read)?;
        let mut shape = Vec::new();
        for &extent in header.shape() {
            let extent = extent.try_into();
            shape
                .push(extent.map_err(|_| broken("an extent does not fit in `usize`".to_string()))?);
        }
        let is_fortran = header.order() == Order::Fortran;
        if is_fortran {
            shape.reverse();
        }
        let element = header.dtype().descr().replace('\'', "");
        Ok(Self { element, shape, is_fortran, data: reader })
    }

    /// Returns the extents of the array's axes, slowest first. For an array in Fortran order, this is NumPy's `shape`
    /// reversed.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the element type as NumPy writes it: `<f4` is a little-endian `f32`.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// Reads the array with the file's element type and extents, to be packed. Memory grows with the bytes that
    /// arrive, whatever the header claims.
    ///
    /// # Errors
    /// - No layout has elements of this type.
    /// - The reader fails, or the file is too short.
    /// - Memory cannot be allocated.
    pub fn array(mut self) -> Result<Array<'static>, AdapterError> {
        let Some(element) = self.element.get(1..).and_then(ElementType::from_numpy_name) else {
            let problem = std::format!("it holds `{}`, which is not an element type", self.element);
            return Err(AdapterError(Cause::File { kind: KIND, problem }));
        };
        let count = self.shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        let needed = count.and_then(|count| element.bytes_of(count));
        let memory = || {
            let layout = std::format!("{:?} of {}", self.shape, element.name());
            AdapterError(Cause::Memory { needed: needed.unwrap_or(usize::MAX), layout })
        };
        let needed = needed.ok_or_else(memory)?;
        let mut buffer = arrived::read(&mut self.data, needed, element.align(), memory)?;
        if self.element.starts_with(OTHER_ORDER) {
            reverse(&mut buffer, element.bits() / 8);
        }
        let mut shape = self.shape;
        if self.is_fortran {
            shape.reverse();
        }
        let (is_fortran, bytes) = (self.is_fortran, Units::Copied(buffer));
        Ok(Array { kind: KIND, element, shape, is_fortran, bytes })
    }

    /// Reads the tensor and converts it to this machine's byte order. Padding gets the bytes in the file. The reader
    /// stops after the array. Memory grows with the bytes that arrive, whatever the header claims.
    ///
    /// The first axis of an array in Fortran order is the fastest. Read it with a layout whose first coordinate is
    /// the fastest and whose last is the slowest: `WH<3, 4>` for an array that NumPy indexes by [h, w].
    ///
    /// # Errors
    /// - The element type, the order of axes or the storage of the layout differ from the file's.
    /// - The reader fails, or the file is too short.
    /// - Memory cannot be allocated.
    pub fn read<L: LayoutType>(mut self, layout: L) -> Result<Tensor<L>, AdapterError> {
        let value = layout.layout();
        let name = name(&value)?;
        if self.element.get(1..) != Some(name) {
            return Err(AdapterError::element(KIND, self.element, &value));
        }
        if self.is_fortran && !storage_array::is_fortran(&value) {
            let layout = value.to_string();
            return Err(AdapterError(Cause::Fortran { given: self.shape, layout }));
        }
        storage_array::check_shape(&value, &self.shape)?;
        let needed = value.bytes();
        let memory = || AdapterError(Cause::Memory { needed, layout: value.to_string() });
        let mut buffer = arrived::read(&mut self.data, needed, value.align(), memory)?;
        if self.element.starts_with(OTHER_ORDER) {
            reverse(&mut buffer, size_of::<UnitOf<L>>());
        }
        Ok(Tensor::with_layout(layout, buffer)?)
    }
}

/// Reverses the bytes of each element.
fn reverse(buffer: &mut HeapBuffer, element: usize) {
    let bytes: &mut [u8] = buffer.as_mut();
    bytes.chunks_exact_mut(element).for_each(<[u8]>::reverse);
}

/// The first character of types in the other byte order, and in this machine's.
const OTHER_ORDER: char = if cfg!(target_endian = "big") { '<' } else { '>' };
const OWN_ORDER: char = if cfg!(target_endian = "big") { '>' } else { '<' };

/// Reads the tensor of `layout` from a file: [`File::open`] and [`File::read`].
///
/// # Errors
/// The same as [`File::open`] and [`File::read`].
pub fn read<L: LayoutType>(layout: L, reader: impl Read) -> Result<Tensor<L>, AdapterError> {
    File::open(reader)?.read(layout)
}

/// Writes the storage of `tensor`, including padding, as an array in C order. The shape is the memory order of the
/// layout. An axis of extent 1 is placed by its stride. If that is 0, it is placed as in the coordinate order, since
/// NumPy ignores such strides and saves such axes in the order of its shape.
///
/// # Errors
/// - NumPy does not have the element type.
/// - The storage of the layout is not an array.
/// - The writer fails. It may have written a part of the file.
///
/// On the other errors, nothing is written.
pub fn write<L, B>(tensor: &Tensor<L, B>, mut writer: impl Write) -> Result<(), AdapterError>
where
    L: LayoutType,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let name = name(&layout)?;
    let shape: Vec<u64> =
        storage_array::storage_shape(&layout)?.iter().map(|&size| size as u64).collect();
    let order = if layout.element().bits() == 8 { '|' } else { OWN_ORDER };
    let text = std::format!("{order}{name}");
    let element: TypeStr = text.parse().map_err(|_| AdapterError::no_element(KIND, &layout))?;
    WriteOptions::new_header_only()
        .dtype(DType::Plain(element))
        .shape(&shape)
        .writer(&mut writer)
        .write_header_only()?;
    writer.write_all(cast_slice(tensor.buffer()))?;
    Ok(writer.flush()?)
}

/// Returns NumPy's name of the elements of `layout`.
fn name(layout: &Layout) -> Result<&'static str, AdapterError> {
    layout.element().numpy_name().ok_or_else(|| AdapterError::no_element(KIND, layout))
}
