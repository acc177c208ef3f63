//! An array of a file, whose element type and extents the file says: weights, packed at run time.

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

/// An array of a file, with the element type and the extents that the file says: [`npy::File::array`] and
/// [`safetensors::File::array`] read one.
///
/// Each function takes the format in which the file has the axes, in the order of the array's shape, and moves the
/// array to a layout type in one pass. Extents that the type leaves open are those of the file. It is what
/// `include_tensor!` does while the program compiles.
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
/// # let weights = Tensor::<layout!(OIHW<8, 4, 3, 3>, f32), _>::new([0.5; 288])?;
/// # let mut bytes = Vec::new();
/// # safetensors::write([("conv1.weight", safetensors::Entry::new(&weights)?)], &mut bytes)?;
///
/// let file = safetensors::File::new(&bytes)?; // of PyTorch's `f32` in OIHW
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
    /// As the file lists it.
    pub(super) shape: Vec<usize>,
    /// Whether the first axis is the fastest.
    pub(super) is_fortran: bool,
    /// The elements in this machine's order, not aligned for them.
    pub(super) bytes: Cow<'a, [u8]>,
}

impl Array<'_> {
    /// The element type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The extents in the order of the file.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The layout of the array, whose axes and blocks are those of `format`.
    ///
    /// # Errors
    /// A format of another number of axes and blocks, or of blocks of other sizes; blocks for an array in Fortran
    /// order.
    pub fn layout(&self, format: impl AsFormat) -> Result<Layout, AdapterError> {
        self.layout_of(format.as_format()?, self.element)
    }

    /// The array in another layout of the same elements.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout); other elements; axes or extents that the layout does not have; memory that
    /// cannot be allocated.
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

    /// The array in another layout, its elements converted.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout); elements that the conversion is not for, and integers of 64 bits that would
    /// become such; axes or extents that the layout does not have; memory that cannot be allocated.
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

    /// The array in another layout, quantized with the smallest scales with which no element is past the range of the
    /// integers: one for each coordinate of `axis`, or one for all where it is `None`; as
    /// [`Tensor::quantize_to`].
    ///
    /// # Errors
    /// Those of [`convert_to`](Self::convert_to); integers that are not signed or have more than 32 bits; elements
    /// that are not floats, or not finite; an axis that there is not.
    pub fn quantize<M: FormatType<Element: Number>>(
        &self,
        format: impl AsFormat,
        axis: impl Into<Option<char>>,
        rounding: Rounding,
    ) -> Result<Quantized<M>, AdapterError> {
        let (format, axis) = (format.as_format()?, axis.into());
        // What is read as a float may be none in the file.
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

    /// The layout of elements of this type.
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
        // An extent of 1 does not say where it lies.
        match needed == shape {
            true => Ok(layout),
            false => Err(wrong(needed)),
        }
    }

    /// The format with its axes the other way round.
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

    /// Errors where elements cannot be converted by way of floats.
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

    /// The elements as floats.
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

/// Elements as floats that hold them.
enum Values {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Bytes as units: themselves where they are aligned so, or a copy.
fn units<U: Pod>(bytes: &[u8]) -> Cow<'_, [U]> {
    match try_cast_slice(bytes) {
        Ok(units) => Cow::Borrowed(units),
        Err(_) => Cow::Owned(pod_collect_to_vec(bytes)),
    }
}
