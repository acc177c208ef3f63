//! Tensors in NumPy's .npy files.
//!
//! ```
//! use tensor_layout::adapters::{AdapterError, npy};
//! use tensor_layout::{Tensor, layout};
//!
//! type Image = layout!(HWC<H = 2, W = 4, C = 3>, u8);
//!
//! let image = Tensor::<Image, _>::new([7; Image::LEN])?;
//! let mut file = Vec::new();
//! npy::write(&image, &mut file)?; // numpy.load gives an array of shape (2, 4, 3)
//!
//! let same = npy::read(Image::default(), &file[..])?;
//! assert_eq!(same.buffer(), image.buffer());
//!
//! // An extent that only the file knows.
//! type Batch = layout!(HWC<H = _, W = 4, C = 3>, u8);
//! let file = npy::File::open(&file[..])?;
//! let batch = Batch::new([file.shape()[0]])?;
//! let batch = file.read(batch)?;
//! assert_eq!(batch.buffer(), image.buffer());
//! # Ok::<(), AdapterError>(())
//! ```
//!
//! A file names its element type in any way that NumPy reads: `<f4`, `>f4`, `f4`, `=f4`, `f`, `float32`, `single`. A
//! type without a byte order has that of the machine which reads the file. Headers of versions 1 to 3 are read, also
//! those that Python 2 wrote, with extents such as `3L`.
//!
//! | NumPy's types | elements |
//! |---|---|
//! | `bool`, `int8` to `int64`, `uint8` to `uint64`, `float16`, `float32`, `float64` | those of the same width |
//! | `complex64`, `complex128` | `Complex<f32>` and `Complex<f64>`, with feature `num-complex` |
//! | `int`, `long`, `intp` and others whose size depends on the platform | error |
//! | texts, dates, objects, records, `void`, floats of more than 64 bits | error |

mod arrived;
mod header;

use std::io::{Read, Write};
use std::string::{String, ToString};
use std::vec::Vec;

use layout_types::files::{NpyHeader, NpyType};
use layout_types::plain;
use layout_types::{ElementType, Layout, LayoutType, UnitOf};

use super::error::Cause;
use super::{AdapterError, Array, ArrayOrder, ByteOrder, Units, storage_array};
use crate::tensor::Tensor;
use header::KIND;

/// Returns the bytes before an array of these elements and this shape, in C order and little endian: the header as NumPy
/// writes it. A program that writes an array in pieces writes it first.
///
/// # Errors
/// NumPy does not have the element type, or the header would be longer than NumPy reads.
pub fn header(element: ElementType, shape: &[usize]) -> Result<Vec<u8>, AdapterError> {
    if element.numpy_name().is_none() || shape.len() > header::MOST_AXES {
        let problem =
            std::format!("no .npy file has elements of type {element} and shape {shape:?}");
        return Err(header::broken(problem));
    }
    let stored = NpyType { number: element, is_complex: false, order: ByteOrder::Little };
    Ok(header::written(stored, shape))
}

/// A file whose header has been read.
#[derive(Debug)]
pub struct File<R> {
    /// The element type as the file names it: `<f4`.
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
        let bytes = header::read(&mut reader)?;
        let (header, _) = NpyHeader::parse(&bytes).map_err(header::broken)?;
        let mut shape: Vec<usize> = header.shape().collect();
        if header.is_fortran {
            shape.reverse();
        }
        let element = String::from_utf8_lossy(header.element).into_owned();
        Ok(Self { element, shape, is_fortran: header.is_fortran, data: reader })
    }

    /// Returns the extents of the array's axes, slowest first. For an array in Fortran order, this is NumPy's `shape`
    /// reversed.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the element type as the file names it: `<f4` is a little-endian `f32`, as are `f4` and `float32` on a
    /// little-endian machine. For records, it is Python's list of their fields.
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
        let stored = self.stored()?;
        let element = stored.element();
        let count = self.shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        let needed = count.and_then(|count| element.bytes_of(count));
        let memory = || {
            let layout = std::format!("{:?} of {}", self.shape, element.name());
            AdapterError(Cause::Memory { needed: needed.unwrap_or(usize::MAX), layout })
        };
        let needed = needed.ok_or_else(memory)?;
        let mut buffer = arrived::read(&mut self.data, needed, element.align(), memory)?;
        to_native(stored, buffer.as_mut());
        let (mut shape, mut order) = (self.shape, ArrayOrder::C);
        if self.is_fortran {
            shape.reverse();
            order = ArrayOrder::Fortran;
        }
        let (is_complex, bytes) = (Some(stored.is_complex), Units::Copied(buffer));
        Ok(Array { kind: KIND, element, is_complex, shape, order, bytes })
    }

    /// Reads the tensor and converts it to this machine's byte order. Padding gets the bytes in the file. The reader
    /// stops after the array. Memory grows with the bytes that arrive, whatever the header claims.
    ///
    /// The first axis of an array in Fortran order is the fastest. Read it with a layout whose first coordinate is
    /// the fastest and whose last is the slowest: `WH<H = 3, W = 4>` for an array that NumPy indexes by [h, w].
    ///
    /// # Errors
    /// - The element type or the order of axes differ from the file's.
    /// - The shape differs from that of the layout's axes, and from that of its storage.
    /// - The reader fails, or the file is too short.
    /// - Memory cannot be allocated.
    pub fn read<L: LayoutType>(mut self, layout: L) -> Result<Tensor<L>, AdapterError> {
        let value = layout.layout();
        let needed = element::<L>(&value)?;
        let stored = self.stored()?;
        if !stored.has_numbers_of(&needed) {
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
        to_native(stored, buffer.as_mut());
        Ok(Tensor::with_layout(layout, buffer)?)
    }

    /// Returns the type of the elements in the file.
    fn stored(&self) -> Result<NpyType, AdapterError> {
        NpyType::parse(self.element.as_bytes()).map_err(|error| {
            AdapterError(Cause::FileElement { kind: KIND, problem: error.to_string() })
        })
    }
}

/// Converts the elements of a file to this machine's byte order. The two parts of a complex number keep their places.
fn to_native(stored: NpyType, bytes: &mut [u8]) {
    if stored.order != ByteOrder::NATIVE {
        bytes.chunks_exact_mut(stored.number.bits() / 8).for_each(<[u8]>::reverse);
    }
}

/// Reads the tensor of `layout` from a file: [`File::open`] and [`File::read`].
///
/// # Errors
/// The same as [`File::open`] and [`File::read`].
pub fn read<L: LayoutType>(layout: L, reader: impl Read) -> Result<Tensor<L>, AdapterError> {
    File::open(reader)?.read(layout)
}

/// Writes `tensor` as an array in C order with one dimension for each axis, in the memory order of the layout.
/// [`read`] with the same layout is the inverse.
///
/// If the blocks of an axis are neighbors, the array has the axis in the order of memory: `O32o2o/32 I<256, 8>` is an
/// array of 256 x 8 whose rows are in another order. An axis of extent 1 is placed by its stride. If that is 0, it
/// is placed as in the coordinate order, since NumPy ignores such strides and saves such axes in the order of its
/// shape.
///
/// # Errors
/// - NumPy does not have the element type.
/// - The layout has gaps, shared elements, negative strides or a swizzle.
/// - Blocks of an axis lie apart, as in `NCHW4c`, or an axis is padded. [`write_storage`] writes such tensors.
/// - The writer fails. It may have written a part of the file.
///
/// On the other errors, nothing is written.
pub fn write<L, B>(tensor: &Tensor<L, B>, writer: impl Write) -> Result<(), AdapterError>
where
    L: LayoutType,
    B: AsRef<[UnitOf<L>]>,
{
    let shape = storage_array::file_shape(&tensor.layout(), "npy::write_storage")?;
    write_array(tensor, &shape, writer)
}

/// Writes the storage of `tensor`, including padding, as an array in C order with one dimension for each axis and
/// block, in the memory order of the layout: `NCHW4c<1, 64, 56, 56>` is an array of 1 x 16 x 56 x 56 x 4. [`read`] with
/// the same layout is the inverse. A program that does not know the layout cannot tell which dimensions are blocks.
///
/// # Errors
/// - NumPy does not have the element type.
/// - The layout has gaps, shared elements, negative strides or a swizzle.
/// - The writer fails. It may have written a part of the file.
///
/// On the other errors, nothing is written.
///
/// ```
/// use tensor_layout::adapters::{AdapterError, npy};
/// use tensor_layout::{Tensor, layout};
///
/// let packed = Tensor::<layout!(NCHW4c<1, 6, 2, 2>, i8, pad)>::zeroed();
/// let mut file = Vec::new();
/// assert!(npy::write(&packed, &mut file).is_err()); // the axes are not an array
/// npy::write_storage(&packed, &mut file)?;
/// assert_eq!(npy::File::open(&file[..])?.shape(), [1, 2, 2, 2, 4]);
/// # Ok::<(), AdapterError>(())
/// ```
pub fn write_storage<L, B>(tensor: &Tensor<L, B>, writer: impl Write) -> Result<(), AdapterError>
where
    L: LayoutType,
    B: AsRef<[UnitOf<L>]>,
{
    let shape = storage_array::storage_shape(&tensor.layout())?;
    write_array(tensor, &shape, writer)
}

/// Writes the buffer of `tensor` as an array of this shape.
fn write_array<L: LayoutType, B: AsRef<[UnitOf<L>]>>(
    tensor: &Tensor<L, B>,
    shape: &[usize],
    mut writer: impl Write,
) -> Result<(), AdapterError> {
    let element = element::<L>(&tensor.layout())?;
    writer.write_all(&header::written(element, shape))?;
    writer.write_all(plain::cast(tensor.buffer()))?;
    Ok(writer.flush()?)
}

/// Returns the element type of `layout` in this machine's byte order.
fn element<L: LayoutType>(layout: &Layout) -> Result<NpyType, AdapterError> {
    NpyType::of::<L::Element>().ok_or_else(|| AdapterError::no_element(KIND, layout))
}
