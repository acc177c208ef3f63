//! The class of layouts.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use tensor_layout::show::{self, Picture};
use tensor_layout::{ElementType, adapters, names};

pyo3::create_exception!(
    tensor_layout,
    LayoutError,
    PyValueError,
    "A layout, a relayout or a copy is wrong. The text says what is wrong, with numbers, and what to do."
);

/// An error of the library as an exception.
pub(crate) fn wrong(error: impl ToString) -> PyErr {
    LayoutError::new_err(error.to_string())
}

/// Where each element of a tensor lies in memory: `Layout("NCHW4<2, 64, 3, 3>, f16")`.
#[pyclass(frozen, eq, module = "tensor_layout", skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Layout(pub(crate) tensor_layout::Layout);

/// The layout of an argument: a layout, or its text.
pub(crate) fn layout_of(argument: &Bound<'_, PyAny>) -> PyResult<tensor_layout::Layout> {
    if let Ok(layout) = argument.cast::<Layout>() {
        return Ok(layout.get().0);
    }
    let text: String = argument.extract().map_err(|_| {
        LayoutError::new_err(format!(
            "a layout is of type {}; give a Layout, or its text such as \"NCHW4<1, 8, 2, 3>, i8\"",
            argument.get_type()
        ))
    })?;
    tensor_layout::Layout::parse(&text).map_err(wrong)
}

#[pymethods]
impl Layout {
    /// Read a layout from its text.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        tensor_layout::Layout::parse(text).map(Self).map_err(wrong)
    }

    /// The layout of a strided array. `axes` names its axes in order, and strides count elements.
    #[classmethod]
    fn from_strides(
        _: &Bound<'_, PyType>,
        axes: &str,
        extents: Vec<usize>,
        strides: Vec<isize>,
        element: &str,
    ) -> PyResult<Self> {
        let element = element_of(element)?;
        let made = tensor_layout::Layout::from_strides(axes, &extents, &strides, element);
        made.map(Self).map_err(wrong)
    }

    /// The layout of a format such as "NHWC" over the extents of its axes, by their letters.
    #[classmethod]
    #[pyo3(signature = (format, extents, element, options = ""))]
    fn of(
        _: &Bound<'_, PyType>,
        format: &str,
        extents: BTreeMap<char, usize>,
        element: &str,
        options: &str,
    ) -> PyResult<Self> {
        let list: Vec<_> =
            extents.iter().map(|(axis, extent)| format!("{axis} = {extent}")).collect();
        let (comma, list) = (if options.is_empty() { "" } else { ", " }, list.join(", "));
        let text = format!("{format}<{list}>, {element}{comma}{options}");
        tensor_layout::Layout::parse(&text).map(Self).map_err(wrong)
    }

    /// The letters of the axes, in coordinate order.
    #[getter]
    fn letters(&self) -> String {
        (0..self.0.rank()).map(|axis| self.0.letters().at(axis)).collect()
    }

    /// The extents of the axes, without padding.
    #[getter]
    fn extents(&self) -> Vec<usize> {
        self.0.extents().to_vec()
    }

    /// The strides in elements, or None if an axis has blocks.
    #[getter]
    fn strides(&self) -> Option<Vec<isize>> {
        self.0.strides().map(|all| all.to_vec())
    }

    /// The name of the element type.
    #[getter]
    fn element(&self) -> String {
        self.0.element().to_string()
    }

    /// The bits of an element.
    #[getter]
    fn element_bits(&self) -> usize {
        self.0.element().bits()
    }

    /// The number of elements, without padding.
    #[getter]
    fn numel(&self) -> usize {
        self.0.numel()
    }

    /// The bytes of a buffer, with padding.
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.bytes()
    }

    /// The elements of a buffer, with padding.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The shape of a buffer as an array in C order: a dimension for each axis and block.
    #[getter]
    fn storage_shape(&self) -> PyResult<Vec<usize>> {
        adapters::storage_shape(&self.0).map_err(wrong)
    }

    /// The letter of the axis of each dimension of `storage_shape`.
    #[getter]
    fn storage_axes(&self) -> String {
        self.0.digits().iter().map(|own| self.0.letters().at(own.axis)).collect()
    }

    /// The offset of an element, in elements. The coordinate has an index for each axis.
    fn offset(&self, coordinate: Vec<isize>) -> PyResult<usize> {
        if let Some(index) = coordinate.iter().find(|index| **index < 0) {
            return Err(PyIndexError::new_err(format!(
                "index {index} is below 0; indices count from the start of an axis"
            )));
        }
        let coordinate: Vec<_> = coordinate.iter().map(|index| index.unsigned_abs()).collect();
        self.0.checked_offset(&coordinate).map_err(|error| PyIndexError::new_err(error.to_string()))
    }

    /// The coordinate of the element at an offset, or None if there is none.
    fn coordinate(&self, offset: isize) -> Option<Vec<usize>> {
        self.0.coordinate(usize::try_from(offset).ok()?).map(|all| all.to_vec())
    }

    /// What the layout is, in words.
    fn explain(&self) -> String {
        show::explain(&self.0).to_string()
    }

    /// The names of the layout in other systems.
    fn names(&self) -> BTreeMap<String, String> {
        let named = |own: names::Named| (own.system.to_string(), own.name.to_string());
        names::of(&self.0).map(named).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Layout({:?})", self.0.to_string())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyType>, (String,)) {
        (slf.get_type().unbind(), (slf.get().0.to_string(),))
    }

    /// A picture for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        (self.0.len() <= 4096).then(|| Picture::of(&self.0).to_svg())
    }

    /// A picture for notebooks that take no SVG.
    fn _repr_html_(&self) -> Option<String> {
        (self.0.len() <= 4096).then(|| Picture::of(&self.0).to_html())
    }
}

/// The element type of a name.
fn element_of(name: &str) -> PyResult<ElementType> {
    ElementType::from_name(name).ok_or_else(|| {
        LayoutError::new_err(format!(
            "no element type is named `{name}`; write one such as f32, f16, i8 or u4"
        ))
    })
}
