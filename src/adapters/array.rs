//! An array of a file or of bytes, with an element type and a shape, to be packed at run time.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use layout_types::numbers::{Real, complex_part, is_convertible, is_wide, read_values};
use layout_types::plain::Plain;
use layout_types::spec::{Factor, LayoutError, Rule};
use layout_types::{
    AsFormat, Conversion, Element, ElementType, Format, FormatType, Layout, LayoutType, Number,
    Rounding, UnitOf,
};

use super::storage_array::{check_shape, storage_shape};
use super::{AdapterError, ByteOrder, Units, error::Cause};
use crate::convert::{Quantized, converted, quantized};
use crate::relayout::Plan;
use crate::tensor::{HeapBuffer, Tensor};

/// An array of a file or of bytes, with its element type and shape. [`npy::File::array`] and
/// [`safetensors::File::array`] read one, and [`new`](Self::new) makes one of bytes.
///
/// Each method takes the format of the array, whose letters are in the order of the array's shape, and moves the
/// array to a layout type in one pass. Extents written `_` in the type are those of the array. `include_tensor!` does
/// the same at compile time.
///
/// A format with blocks is that of an array with one dimension for each axis and block. If the blocks of each axis
/// are neighbors, the array may also have one dimension for each axis: `O32o2o/32 I` is the format of a matrix whose
/// rows are in another order.
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
    /// The kind of file, or `array`.
    pub(super) kind: &'static str,
    pub(super) element: ElementType,
    /// Whether the elements are complex numbers, which have no element type of their own. `None` for bytes that the
    /// caller knows.
    pub(super) is_complex: Option<bool>,
    pub(super) shape: Vec<usize>,
    pub(super) order: ArrayOrder,
    /// The elements in this machine's byte order. They may be unaligned.
    pub(super) bytes: Units<'a, u8>,
}

/// Which axis of an array is the fastest in memory, as NumPy names the two orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayOrder {
    /// The last axis is the fastest.
    C,
    /// The first axis is the fastest.
    Fortran,
}

impl<'a> Array<'a> {
    /// Makes an array of `bytes` without gaps: elements of this type, with these extents, in this order. The bytes may
    /// be unaligned. They are borrowed if they are in this machine's byte order or elements take one byte or less, else
    /// copied.
    ///
    /// # Errors
    /// - The number of bytes is not that of the elements.
    /// - The elements are more than a buffer can have.
    /// - The element is [`ElementType::Plain`] and the bytes are not in this machine's order: nothing says which bytes
    ///   of such an element belong together.
    /// - Memory for a copy cannot be allocated.
    ///
    /// ```
    /// use tensor_layout::adapters::{AdapterError, Array, ArrayOrder, ByteOrder};
    /// use tensor_layout::{ElementType, layout};
    ///
    /// // A matrix of 2 x 3, column by column, as Fortran and MATLAB write it, on a big-endian machine.
    /// let bytes = [0u8, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6];
    /// let array =
    ///     Array::new(&bytes, &[2, 3], ElementType::I16, ArrayOrder::Fortran, ByteOrder::Big)?;
    /// let rows = array.to_layout::<layout!(MK<_, _>, i16)>("MK")?;
    /// assert_eq!((rows.extents(), rows.buffer()), ([2, 3], &[1, 2, 3, 4, 5, 6][..]));
    /// # Ok::<(), AdapterError>(())
    /// ```
    pub fn new(
        bytes: &'a [u8],
        shape: &[usize],
        element: ElementType,
        order: ArrayOrder,
        byte_order: ByteOrder,
    ) -> Result<Self, AdapterError> {
        let elements =
            shape.iter().try_fold(1usize, |product, extent| product.checked_mul(*extent));
        let needed = elements.and_then(|elements| element.bytes_of(elements));
        let given = bytes.len();
        match needed {
            Some(needed) if needed == given => {}
            Some(needed) => return Err(LayoutError(Rule::BufferBytes { needed, given }).into()),
            None => {
                let problem = format!(
                    "of shape {shape:?} has more elements of type `{element}` than a buffer can have"
                );
                return Err(refused(problem, "write smaller extents"));
            }
        }
        let is_opaque = matches!(element, ElementType::Plain { .. });
        if is_opaque && byte_order != ByteOrder::NATIVE {
            let problem = format!(
                "of a {element} cannot be put in this machine's byte order, since its parts are not known"
            );
            return Err(refused(problem, "pass its bytes in this machine's byte order"));
        }
        let bytes = Units::of(bytes, 1, element.bits() / 8, byte_order)?;
        let is_complex = if is_opaque { None } else { Some(false) };
        Ok(Self { kind: "array", element, is_complex, shape: shape.to_vec(), order, bytes })
    }

    /// Returns the element type. That of complex numbers is [`ElementType::Plain`].
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the extents in the order in which the array is indexed.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the layout of the array, whose axes and blocks, or axes, are those of `format`.
    ///
    /// # Errors
    /// - The format has another number of axes and blocks, or blocks of other sizes.
    /// - The array has one dimension for each axis, and blocks of an axis lie apart or do not divide the extent.
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
        let layout = M::with_extents_of(&from)?;
        let to = layout.layout();
        let is_complex = complex_part::<M::Element>().is_some();
        if self.element != to.element()
            || self.is_complex.is_some_and(|complex| complex != is_complex)
        {
            let name = self.element.name();
            let element =
                if self.is_complex == Some(true) { "complex numbers" } else { name.as_str() };
            return Err(AdapterError::element(self.kind, element.to_string(), &to));
        }
        let plan = Plan::new(&from, &to)?;
        let bytes = self.bytes.as_ref();
        let units = Units::<UnitOf<M>>::of(bytes, to.element().align(), 1, ByteOrder::NATIVE)?;
        let mut tensor = Tensor::zeroed_in(layout)?;
        plan.run(units.as_ref(), tensor.buffer_mut())?;
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
        match is_wide(self.element) {
            false => self.convert_as::<f32, M>(format, conversion),
            true => self.convert_as::<f64, M>(format, conversion),
        }
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
    /// - The array has no elements, and the axis more than 65,536 coordinates.
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
        match is_wide(self.element) {
            false => self.quantize_as::<f32, M>(format, axis, rounding),
            true => self.quantize_as::<f64, M>(format, axis, rounding),
        }
    }

    /// [`convert_to`](Self::convert_to) through floats of type `F`.
    fn convert_as<F: Float, M: FormatType<Element: Number>>(
        &self,
        format: Format,
        conversion: &Conversion<'_>,
    ) -> Result<Tensor<M>, AdapterError> {
        let layout = self.layout_of(format, F::TYPE)?;
        Ok(converted::<F, M>(&layout, self.values::<F>()?.as_ref(), conversion)?)
    }

    /// [`quantize`](Self::quantize) through floats of type `F`.
    fn quantize_as<F: Float, M: FormatType<Element: Number>>(
        &self,
        format: Format,
        axis: Option<char>,
        rounding: Rounding,
    ) -> Result<Quantized<M>, AdapterError> {
        let layout = self.layout_of(format, F::TYPE)?;
        Ok(quantized::<F, M>(&layout, self.values::<F>()?.as_ref(), axis, rounding)?)
    }

    /// Returns the layout of the array with elements of this type.
    fn layout_of(&self, format: Format, element: ElementType) -> Result<Layout, AdapterError> {
        // Slowest first.
        let mut shape = self.shape.clone();
        let format = match self.order {
            ArrayOrder::C => format,
            ArrayOrder::Fortran => {
                shape.reverse();
                self.reversed(format)?
            }
        };
        let wrong = |needed: Vec<usize>| {
            AdapterError(Cause::ArrayShape {
                given: self.shape.clone(),
                needed,
                format: format.to_string(),
            })
        };
        let Some(letters) = letters_of(&format, shape.len()) else {
            return Err(wrong(Vec::new()));
        };
        let mut extents: Vec<(char, usize)> = Vec::new();
        for (letter, size) in letters.into_iter().zip(&shape) {
            match extents.iter_mut().find(|(axis, _)| *axis == letter) {
                Some((_, extent)) => *extent = extent.saturating_mul(*size),
                None => extents.push((letter, *size)),
            }
        }
        let layout = Layout::builder(format, element).named_extents(&extents)?;
        // Axes of extent 1 look the same in any order.
        match check_shape(&layout, &shape) {
            Ok(()) => Ok(layout),
            Err(_) => Err(wrong(storage_shape(&layout)?)),
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

    /// Returns the elements as floats: borrowed if they are such floats and aligned, else copied.
    ///
    /// # Errors
    /// Memory for a copy cannot be allocated.
    fn values<F: Float>(&self) -> Result<Units<'_, F>, LayoutError> {
        let bytes = self.bytes.as_ref();
        if self.element == F::TYPE {
            return Units::of(bytes, align_of::<F>(), 1, ByteOrder::NATIVE);
        }
        let units = bytes.len() / self.element.bits().div_ceil(8).max(1);
        let count = units.saturating_mul(self.element.per_byte());
        let mut values = HeapBuffer::zeros(count.saturating_mul(size_of::<F>()), align_of::<F>())?;
        read_values::<F>(self.element, bytes, values.as_mut());
        Ok(Units::Copied(values))
    }
}

/// The error of bytes that are not an array.
fn refused(problem: String, remedy: &'static str) -> AdapterError {
    AdapterError(Cause::Other { library: "array", problem, remedy })
}

/// Returns the letter of each dimension of an array: those of all axes and blocks, or those of the axes, if the blocks of
/// each axis are neighbors. `None` if neither are as many as the dimensions.
fn letters_of(format: &Format, dimensions: usize) -> Option<Vec<char>> {
    let letters = format.factors().iter().filter_map(|factor| match *factor {
        Factor::Axis(letter) | Factor::Block(letter, _) | Factor::Weighted(letter, ..) => {
            Some(letter)
        }
        _ => None,
    });
    let mut letters: Vec<char> = letters.collect();
    if letters.len() != dimensions {
        letters.dedup();
    }
    (letters.len() == dimensions).then_some(letters)
}

/// A float that holds every number of some element types.
trait Float: Number<Unit = Self> + Real + Plain {}

impl Float for f32 {}
impl Float for f64 {}
