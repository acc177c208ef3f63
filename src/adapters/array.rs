//! An array of a file, with the file's element type and extents, to be packed at run time.

use std::borrow::Cow;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use bytemuck::{Pod, pod_collect_to_vec, try_cast_slice};
use layout_types::numbers::{is_convertible, is_wide, read_values};
use layout_types::spec::{Factor, LayoutError, Rule};
use layout_types::{
    AsFormat, Conversion, Element, ElementType, Format, FormatType, Layout, LayoutType, Number,
    Rounding, UnitOf,
};

use super::{AdapterError, error::Cause};
use crate::convert::{Quantized, converted, quantized};
use crate::relayout::{Plan, relayout};
use crate::tensor::Tensor;

/// An array of a file, with the file's element type and extents. [`npy::File::array`] and
/// [`safetensors::File::array`] read one.
///
/// Each method takes the format of the array, whose letters are in the order of the array's shape, and moves the
/// array to a layout type in one pass. Extents written `_` in the type are those of the file. `include_tensor!` does
/// the same at compile time.
///
/// [`npy::File::array`]: super::npy::File::array
/// [`safetensors::File::array`]: super::safetensors::File::array
///
#[cfg_attr(feature = "safetensors", doc = "```")]
#[cfg_attr(not(feature = "safetensors"), doc = "```ignore")]
/// use tensor_layout::adapters::{AdapterError, safetensors};
/// use tensor_layout::{Rounding, Tensor, layout};
///
/// type Conv = layout!(OIHW4i4o<_, 4, 3, 3>, i8); // as a kernel reads it; the file says how many filters
///
/// // PyTorch's weights, f32 in OIHW. A program reads the file:
/// // `let bytes = std::fs::read("model.safetensors")?`
/// let weights = Tensor::<layout!(OIHW<8, 4, 3, 3>, f32), _>::new([0.5; 288])?;
/// let mut bytes = Vec::new();
/// safetensors::write([("conv1.weight", safetensors::Entry::new(&weights)?)], &mut bytes)?;
///
/// let file = safetensors::File::new(&bytes)?;
/// let conv = file.array("conv1.weight")?.quantize::<Conv>("OIHW", 'O', Rounding::HalfEven)?;
/// assert_eq!(conv.tensor.extents(), [8, 4, 3, 3]);
/// assert_eq!(conv.scales, [0.5 / 127.0; 8]);
/// assert_eq!(conv.sums, [127 * 36; 8]);
/// # Ok::<(), AdapterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Array<'a> {
    /// The kind of file.
    pub(super) kind: &'static str,
    pub(super) element: ElementType,
    /// The element type as the file names it.
    pub(super) shape: Vec<usize>,
    /// Whether the first axis is the fastest.
    pub(super) is_fortran: bool,
    /// The elements in this machine's byte order. They may be unaligned.
    pub(super) bytes: Cow<'a, [u8]>,
}

impl Array<'_> {
    /// Returns the element type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the extents in the order of the file.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the layout of the array, whose axes and blocks are those of `format`.
    ///
    /// # Errors
    /// - The format has another number of axes and blocks, or blocks of other sizes.
    /// - The array is in Fortran order and the format has blocks.
    pub fn layout(&self, format: impl AsFormat) -> Result<Layout, AdapterError> {
        self.layout_of(format.as_format()?, self.element)
    }

    /// Moves the array to another layout of the same element type.
    ///
    /// # Errors
    /// - [`layout`](Self::layout) returns an error.
    /// - The element types differ.
    /// - The layout has other axes or extents.
    /// - Memory cannot be allocated.
    pub fn to_layout<M: FormatType>(
        &self,
        format: impl AsFormat,
    ) -> Result<Tensor<M>, AdapterError> {
        let from = self.layout(format)?;
        let mut tensor = Tensor::zeroed_in(M::with_extents_of(&from)?)?;
        let to = tensor.layout();
        if self.element != to.element() {
            return Err(AdapterError::element(self.kind, self.element.name().to_string(), &to));
        }
        let units = units::<UnitOf<M>>(&self.bytes);
        relayout(&Plan::new(&from, &to)?, &units, tensor.buffer_mut())?;
        Ok(tensor)
    }

    /// Moves the array to another layout and converts its elements.
    ///
    /// # Errors
    /// - [`layout`](Self::layout) returns an error.
    /// - The conversion does not apply to the elements, or would convert to or from 64-bit integers.
    /// - The layout has other axes or extents.
    /// - Memory cannot be allocated.
    pub fn convert_to<M: FormatType<Element: Number>>(
        &self,
        format: impl AsFormat,
        conversion: &Conversion<'_>,
    ) -> Result<Tensor<M>, AdapterError> {
        let format = format.as_format()?;
        conversion.check_elements(self.element, M::Element::TYPE)?;
        self.check_convertible::<M>(format)?;
        Ok(match self.values() {
            Values::F32(values) => {
                converted::<f32, M>(&self.layout_of(format, ElementType::F32)?, &values, conversion)
            }
            Values::F64(values) => {
                converted::<f64, M>(&self.layout_of(format, ElementType::F64)?, &values, conversion)
            }
        }?)
    }

    /// Moves the array to another layout and quantizes its elements. The scales are the smallest for which every
    /// element is in the range of the integers: one for each coordinate of `axis`, or one for the whole tensor if
    /// `axis` is `None`; see [`Tensor::quantize_to`].
    ///
    /// # Errors
    /// - [`convert_to`](Self::convert_to) returns an error.
    /// - The integers are not signed, or have more than 32 bits.
    /// - The elements are not floats, or one of them is not finite.
    /// - The layout has no such axis.
    pub fn quantize<M: FormatType<Element: Number>>(
        &self,
        format: impl AsFormat,
        axis: impl Into<Option<char>>,
        rounding: Rounding,
    ) -> Result<Quantized<M>, AdapterError> {
        let (format, axis) = (format.as_format()?, axis.into());
        // Checks the file's own type, since the elements are read as floats whatever it is.
        Conversion::quantize(1.0, 0).check_elements(self.element, M::Element::TYPE)?;
        self.check_convertible::<M>(format)?;
        Ok(match self.values() {
            Values::F32(values) => {
                let layout = self.layout_of(format, ElementType::F32)?;
                quantized::<f32, M>(&layout, &values, axis, rounding)
            }
            Values::F64(values) => {
                let layout = self.layout_of(format, ElementType::F64)?;
                quantized::<f64, M>(&layout, &values, axis, rounding)
            }
        }?)
    }

    /// Returns the layout of the array with elements of this type.
    fn layout_of(&self, format: Format, element: ElementType) -> Result<Layout, AdapterError> {
        let format = if self.is_fortran { self.reversed(format)? } else { format };
        // Slowest first.
        let mut shape = self.shape.clone();
        if self.is_fortran {
            shape.reverse();
        }
        let mut extents: Vec<(char, usize)> = Vec::new();
        for (factor, size) in format.factors().iter().zip(&shape) {
            let (Factor::Axis(letter) | Factor::Block(letter, _) | Factor::Weighted(letter, ..)) =
                *factor
            else {
                continue;
            };
            match extents.iter_mut().find(|(own, _)| *own == letter) {
                Some((_, extent)) => *extent = extent.saturating_mul(*size),
                None => extents.push((letter, *size)),
            }
        }
        let wrong = |needed: Vec<usize>| {
            AdapterError(Cause::ArrayShape {
                given: self.shape.clone(),
                needed,
                format: format.to_string(),
            })
        };
        if format.factors().len() != shape.len() {
            return Err(wrong(Vec::new()));
        }
        let layout = Layout::builder(format, element).named_extents(&extents)?;
        let needed: Vec<usize> = layout.digits().iter().map(|digit| digit.size).collect();
        // Axes of extent 1 look the same in any order.
        match needed == shape {
            true => Ok(layout),
            false => Err(wrong(needed)),
        }
    }

    /// Returns the format with its axes reversed.
    fn reversed(&self, format: Format) -> Result<Format, AdapterError> {
        let mut letters = String::new();
        for factor in format.factors().iter().rev() {
            match factor {
                Factor::Axis(letter) => letters.push(*letter),
                _ => {
                    let layout = format.to_string();
                    return Err(AdapterError(Cause::Fortran { given: self.shape.clone(), layout }));
                }
            }
        }
        Ok(letters.as_str().as_format()?)
    }

    /// Returns an error if the elements cannot be converted through floats.
    fn check_convertible<M: LayoutType>(&self, format: Format) -> Result<(), AdapterError> {
        let (source, destination) = (self.element, M::Element::TYPE);
        if is_convertible(source, destination) {
            return Ok(());
        }
        if source == destination {
            let layout = self.layout_of(format, source)?;
            return Err(AdapterError::element(self.kind, source.name().to_string(), &layout));
        }
        Err(LayoutError(Rule::RelayoutElement { source, destination }).into())
    }

    /// Returns the elements as floats.
    fn values(&self) -> Values {
        let count = match self.element.bits() {
            bits @ 0..8 => self.bytes.len() * 8 / bits.max(1),
            bits => self.bytes.len() / (bits / 8),
        };
        if is_wide(self.element) {
            let mut values = vec![0.0; count];
            read_values::<f64>(self.element, &self.bytes, &mut values);
            Values::F64(values)
        } else {
            let mut values = vec![0.0; count];
            read_values::<f32>(self.element, &self.bytes, &mut values);
            Values::F32(values)
        }
    }
}

/// Returns the elements as floats.
enum Values {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Returns the bytes as units: borrowed if they are aligned, else copied.
fn units<U: Pod>(bytes: &[u8]) -> Cow<'_, [U]> {
    match try_cast_slice(bytes) {
        Ok(units) => Cow::Borrowed(units),
        Err(_) => Cow::Owned(pod_collect_to_vec(bytes)),
    }
}
