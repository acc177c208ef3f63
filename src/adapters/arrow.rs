//! Tensors as Arrow's arrays of fixed-shape tensors, and back, without a copy.
//!
//! Each row of a `FixedSizeListArray` is a tensor; all rows together are a tensor whose first axis counts them.
//! The field of the array has the shape of a row, the names of its axes, and their logical order, as
//! [`arrow.fixed_shape_tensor`](https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor).
//! Without these, a row has one axis.
//!
//! ```
//! use arrow_array::types::Float32Type;
//! use tensor_layout::adapters::{AdapterError, arrow};
//! use tensor_layout::{Tensor, layout};
//!
//! type Batch = layout!(NHWC<N = 2, C = 3, H = 4, W = 6>, f32);
//!
//! let batch = Tensor::<Batch>::from_fn(|[n, c, h, w]| (1000 * n + 100 * c + 10 * h + w) as f32);
//! let (field, array) = arrow::into_array::<Float32Type, _, _>(batch, "image")?; // 2 rows of 4 x 6 x 3
//!
//! // The logical order of the axes is that of coordinates: C, H, W.
//! let same = arrow::tensor::<Float32Type, 4>(&field, &array, "NCHW")?;
//! assert_eq!(same[[1, 2, 3, 5]], 1235.0);
//! let batch = arrow::tensor_in::<Float32Type, _>(Batch::default(), &field, &array)?;
//! assert_eq!(batch.buffer().as_ptr(), same.buffer().as_ptr());
//! # Ok::<(), AdapterError>(())
//! ```
//!
//! Arrow packs booleans into bits, so tensors of `bool` cannot be shared without a copy; convert them to `u8`.
//! Metadata is written as Arrow's specification and PyArrow write it. Where axes are in another order than memory,
//! `FixedShapeTensor` of arrow-schema 60 does not read that, since it expects the key `permutations`; both keys
//! are read here.

use std::borrow::ToOwned;
use std::collections::HashMap;
use std::format;
use std::marker::PhantomData;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use ::arrow_array::{Array, ArrowPrimitiveType, FixedSizeListArray, PrimitiveArray};
use ::arrow_buffer::{Buffer, ScalarBuffer};
use ::arrow_schema::Field;
use ::arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use ::bytes::Bytes;
use ::serde_json::{Value, json};
use layout_types::plain;
use layout_types::{Digit, Dynamic, Element, Layout, LayoutType, WholeElement};

use super::axis_strides::strided;
use super::{AdapterError, error::Cause, from_storage, storage_shape};
use crate::tensor::Tensor;

const NAME: &str = "arrow.fixed_shape_tensor";

/// A tensor that shares the memory of an array.
pub type Rows<E, const RANK: usize> = Tensor<Dynamic<E, RANK>, ScalarBuffer<E>>;

/// Returns the rows of `array`, whose field is `field`, as a tensor with these axes: first the one that counts rows,
/// then those of a row in its logical order. The tensor shares the array's memory and keeps it.
///
/// # Errors
/// - The element type differs, or the array has nulls.
/// - The metadata of the field is not that of a fixed-shape tensor.
/// - The number of axes differs, or an axis is named twice.
/// - The field names its axes with other letters.
pub fn tensor<T: ArrowPrimitiveType<Native: WholeElement>, const RANK: usize>(
    field: &Field,
    array: &FixedSizeListArray,
    axes: &str,
) -> Result<Rows<T::Native, RANK>, AdapterError> {
    let row = Row::of(field, array)?;
    row.check_names(field, axes)?;
    let strides = row.strides();
    let (mut extents, mut ordered) = (vec![array.len()], vec![row.elements.max(1) as isize]);
    for &axis in &row.order {
        extents.push(row.shape[axis]);
        ordered.push(strides[axis]);
    }
    let layout = strided(axes, &extents, &ordered, T::Native::TYPE)?;
    let values = values::<T>(field, array, &layout)?;
    Ok(Tensor::with_layout(Dynamic::new(layout)?, values)?)
}

/// Returns the rows of `array`, whose field is `field`, as a tensor of `layout`, whose storage is an array of the
/// number of rows and the shape of a row: with blocks as well. The tensor shares the array's memory and keeps it.
///
/// # Errors
/// The same as [`tensor`] and [`from_storage`].
pub fn tensor_in<
    T: ArrowPrimitiveType<Native: WholeElement>,
    L: LayoutType<Element = T::Native>,
>(
    layout: L,
    field: &Field,
    array: &FixedSizeListArray,
) -> Result<Tensor<L, ScalarBuffer<T::Native>>, AdapterError> {
    let row = Row::of(field, array)?;
    let mut shape = vec![array.len()];
    shape.extend(row.shape);
    let values = values::<T>(field, array, &layout.layout())?;
    from_storage(layout, &shape, values)
}

/// Returns an array that shares the tensor's memory and keeps it, and its field with this name. The slowest axis
/// counts the rows. The logical order of the other axes is that of coordinates; blocks have the order of memory
/// and names such as `4c`.
///
/// # Errors
/// - The storage of the layout is not an array, or its slowest axis has blocks.
/// - A row has more than `i32::MAX` elements.
pub fn into_array<T, L, B>(
    tensor: Tensor<L, B>,
    name: &str,
) -> Result<(Field, FixedSizeListArray), AdapterError>
where
    T: ArrowPrimitiveType<Native: WholeElement>,
    L: LayoutType<Element = T::Native>,
    B: AsRef<[T::Native]> + Send + 'static,
{
    let layout = tensor.layout();
    let shape = storage_shape(&layout)?;
    let Some((&rows, shape)) = shape.split_first().filter(|_| !has_blocks(&layout, 0)) else {
        let problem = format!(
            "does not take layout `{layout}`: its slowest axis has blocks, or it has no axis"
        );
        return Err(refused(problem, "relayout it to one whose slowest axis counts the rows"));
    };
    let elements = shape.iter().product::<usize>();
    let Ok(size) = i32::try_from(elements) else {
        let problem = format!("does not take layout `{layout}`: a row has {elements} elements");
        return Err(refused(problem, "make rows of less than 2^31 elements"));
    };
    let owner = ArrowOwner::<B, T::Native>(tensor.into_buffer(), PhantomData);
    let buffer = Buffer::from(Bytes::from_owner(owner));
    let values = PrimitiveArray::<T>::new(ScalarBuffer::from(buffer), None);
    let item = Arc::new(Field::new("item", T::DATA_TYPE, false));
    let array = FixedSizeListArray::try_new_with_length(item, size, Arc::new(values), None, rows);
    let array = array.map_err(|problem| refused(format!("does not take it: {problem}"), WHOLE))?;
    let metadata = HashMap::from([
        (EXTENSION_TYPE_NAME_KEY.to_owned(), NAME.to_owned()),
        (EXTENSION_TYPE_METADATA_KEY.to_owned(), metadata(&layout, shape)),
    ]);
    Ok((Field::new(name, array.data_type().clone(), false).with_metadata(metadata), array))
}

const WHOLE: &str = "pass a buffer that stays as long as it was";

/// A buffer as its bytes.
struct ArrowOwner<B, E>(B, PhantomData<fn() -> E>);

impl<B: AsRef<[E::Unit]>, E: Element> AsRef<[u8]> for ArrowOwner<B, E> {
    fn as_ref(&self) -> &[u8] {
        plain::cast(self.0.as_ref())
    }
}

/// Whether other digits of the same axis stand beside one.
fn has_blocks(layout: &Layout, digit: usize) -> bool {
    let digits = layout.digits();
    digits.iter().filter(|other| other.axis == digits[digit].axis).count() > 1
}

/// What the field says of a row of this shape.
fn metadata(layout: &Layout, shape: &[usize]) -> String {
    let digits = layout.digits();
    let digits = &digits[1..];
    let name = |digit: &Digit| {
        let letter = layout.letters().at(digit.axis);
        let is_block =
            digits.iter().any(|other| other.axis == digit.axis && other.weight > digit.weight);
        match is_block {
            true => format!("{}{}", digit.size, letter.to_ascii_lowercase()),
            false => letter.to_string(),
        }
    };
    let mut metadata =
        json!({ "shape": shape, "dim_names": digits.iter().map(name).collect::<Vec<_>>() });
    // Digits of memory in the order of coordinates.
    let mut order: Vec<usize> = (0..digits.len()).collect();
    order.sort_by_key(|&digit| digits[digit].axis);
    let is_blocked = (0..=digits.len()).any(|digit| has_blocks(layout, digit));
    if !is_blocked && !order.is_sorted() {
        metadata["permutation"] = json!(order);
    }
    metadata.to_string()
}

/// A row as its field describes it.
struct Row {
    /// The sizes of its axes, slowest first.
    shape: Vec<usize>,
    elements: usize,
    /// Which of these is the first in logical order, and so on.
    order: Vec<usize>,
    /// Their names, slowest first, where there are any.
    names: Option<Vec<String>>,
}

impl Row {
    fn of(field: &Field, array: &FixedSizeListArray) -> Result<Self, AdapterError> {
        let elements = array.value_length() as usize;
        if field.metadata().get(EXTENSION_TYPE_NAME_KEY).is_none_or(|name| name != NAME) {
            return Ok(Self { shape: vec![elements], elements, order: vec![0], names: None });
        }
        let text = field.metadata().get(EXTENSION_TYPE_METADATA_KEY).map_or("", String::as_str);
        Self::read(text, elements).ok_or_else(|| {
            let problem = format!(
                "field `{}` has the metadata `{text}`, which is not that of a tensor of {elements} elements",
                field.name()
            );
            refused(problem, "pass the field of the array as its own library writes it")
        })
    }

    /// `None` for metadata that is not that of a tensor of this number of elements.
    fn read(text: &str, elements: usize) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let numbers = |value: &Value| -> Option<Vec<usize>> {
            value.as_array()?.iter().map(|number| usize::try_from(number.as_u64()?).ok()).collect()
        };
        let stated = |key: &str| value.get(key).filter(|value| !value.is_null());
        let shape = numbers(value.get("shape")?)?;
        let order = match stated("permutation").or(stated("permutations")) {
            Some(order) => numbers(order)?,
            None => (0..shape.len()).collect(),
        };
        let names = match stated("dim_names") {
            Some(names) => {
                let names = names.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
                Some(names.collect::<Option<Vec<String>>>()?)
            }
            None => None,
        };
        let product = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size))?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let is_valid = product == elements
            && sorted.iter().copied().eq(0..shape.len())
            && names.as_ref().is_none_or(|names| names.len() == shape.len());
        is_valid.then_some(Self { shape, elements, order, names })
    }

    /// The stride of each axis, in elements, slowest first.
    fn strides(&self) -> Vec<isize> {
        let mut strides = vec![1; self.shape.len()];
        for axis in (1..strides.len()).rev() {
            strides[axis - 1] = strides[axis] * self.shape[axis].max(1) as isize;
        }
        strides
    }

    /// Errors where the names of the axes are letters, and others than those of a tensor.
    fn check_names(&self, field: &Field, axes: &str) -> Result<(), AdapterError> {
        let Some(names) = &self.names else { return Ok(()) };
        let given: String = self.order.iter().map(|&axis| names[axis].as_str()).collect();
        let is_letters = names.iter().all(|name| name.len() == 1);
        let needed = axes.get(1..).unwrap_or("");
        if !is_letters || given.eq_ignore_ascii_case(needed) {
            return Ok(());
        }
        let problem = format!("field `{}` has axes {given} in a row, not {needed}", field.name());
        Err(refused(problem, "write the letter of the rows and those of the field's axes"))
    }
}

/// The elements of all rows, which share the memory of `array`.
fn values<T: ArrowPrimitiveType>(
    field: &Field,
    array: &FixedSizeListArray,
    layout: &Layout,
) -> Result<ScalarBuffer<T::Native>, AdapterError> {
    let values = array.values();
    let nulls = array.null_count() + values.null_count();
    if nulls > 0 {
        let problem = format!("field `{}` has {nulls} nulls, which no layout has", field.name());
        return Err(refused(problem, "fill them with values, or filter their rows"));
    }
    match values.as_any().downcast_ref::<PrimitiveArray<T>>() {
        Some(values) => Ok(values.values().clone()),
        None => Err(AdapterError::element("Arrow array", values.data_type().to_string(), layout)),
    }
}

fn refused(problem: String, remedy: &'static str) -> AdapterError {
    AdapterError(Cause::Other { library: "Arrow", problem, remedy })
}
