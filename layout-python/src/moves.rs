//! What moves elements: plans, copies and conversions. The GIL is released meanwhile.

use layout_c::{conversion_of, convert_bytes, has_own_threads, run_bytes};
use pyo3::prelude::*;

use tensor_layout::strided::StridedCopy;

use crate::buffer::{Array, check_apart};
use crate::layout::{Layout, LayoutError, layout_of, wrong};

/// How to move a tensor from one layout to another on this CPU. `str(plan)` is the path that it takes.
#[pyclass(frozen, module = "tensor_layout", skip_from_py_object)]
pub(crate) struct Plan(Box<tensor_layout::Plan>);

#[pymethods]
impl Plan {
    /// Plan a relayout. Both layouts have the same axes, extents and elements.
    #[new]
    fn new(source: &Bound<'_, PyAny>, destination: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (source, destination) = (layout_of(source)?, layout_of(destination)?);
        let made = tensor_layout::Plan::new(&source, &destination).map_err(wrong)?;
        Ok(Self(Box::new(made)))
    }

    /// Move a tensor between buffers in C order that have the bytes of their layouts.
    #[pyo3(signature = (source, destination, parallel = false))]
    fn run(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        parallel: bool,
    ) -> PyResult<()> {
        Array::of(source)?.check_contiguous("source")?;
        Array::of(destination)?.check_contiguous("destination")?;
        self.run_strided(py, source, destination, parallel)
    }

    /// `run` for a source whose layout has its strides. Not for users: nothing compares these.
    #[pyo3(name = "_run_strided")]
    fn run_strided(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        parallel: bool,
    ) -> PyResult<()> {
        let (source, destination) = (Array::of(source)?, Array::for_writing(destination)?);
        check_apart(&source, &destination)?;
        check_bytes("source", self.0.source().bytes(), source.range().1)?;
        check_bytes("destination", self.0.destination().bytes(), destination.range().1)?;
        py.detach(|| {
            // SAFETY: the documentation says that no thread may write the source meanwhile.
            let source = unsafe { source.bytes() };
            // SAFETY: no array overlaps the destination, and no other thread may access it meanwhile, as the
            // documentation says.
            let destination = unsafe { destination.bytes_mut() };
            run_bytes(&self.0, source, destination, parallel)
        })
        .map_err(wrong)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

/// Return about how many cycles a relayout takes on this CPU, or 0 if both layouts store every element at the same place.
/// Such costs serve to compare relayouts, where layouts are chosen; they are not times.
#[pyfunction]
pub(crate) fn relayout_cost(
    source: &Bound<'_, PyAny>,
    destination: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    tensor_layout::relayout_cost(&layout_of(source)?, &layout_of(destination)?).map_err(wrong)
}

/// Returns an error unless a buffer has the bytes of its layout.
fn check_bytes(side: &str, needed: usize, given: usize) -> PyResult<()> {
    match needed == given {
        true => Ok(()),
        false => Err(LayoutError::new_err(format!(
            "the {side} has {given} bytes, and its layout {needed}; give an array of the layout's shape and element"
        ))),
    }
}

/// Copy the elements of one array to another of the same shape, whatever their strides.
#[pyfunction]
#[pyo3(signature = (source, destination, parallel = false))]
pub(crate) fn copy(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    destination: &Bound<'_, PyAny>,
    parallel: bool,
) -> PyResult<()> {
    let (source, destination) = (Array::of(source)?, Array::for_writing(destination)?);
    check_apart(&source, &destination)?;
    if source.shape() != destination.shape() || source.item_size() != destination.item_size() {
        return Err(LayoutError::new_err(format!(
            "the source has shape {:?} and elements of {} bytes, the destination {:?} and {}; give arrays of one shape and \
             element",
            source.shape(),
            source.item_size(),
            destination.shape(),
            destination.item_size()
        )));
    }
    let (from, to) =
        ((source.offset(), source.strides()), (destination.offset(), destination.strides()));
    let addresses = (source.range().0 as usize, destination.range().0 as usize);
    let parallel = parallel && has_own_threads();
    let run = |copied: &StridedCopy| {
        let (source, destination) = (addresses.0 as *const u8, addresses.1 as *mut u8);
        match parallel {
            // SAFETY: both objects have the memory of all their elements, which their buffers keep. The ranges do not
            // overlap, and the documentation says that no other thread may write the source or use the destination meanwhile.
            true => unsafe { copied.par_run_pointers(source, destination) },
            // SAFETY: the same.
            false => unsafe { copied.run_pointers(source, destination) },
        }
    };
    let (shape, size) = (source.shape(), source.item_size());
    StridedCopy::once(shape, size, from, to, |copied| py.detach(|| run(copied))).map_err(wrong)
}

/// Move a tensor to another layout and its elements to another type. `kind` is a number of the
/// interface for C.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the function of the package has them by name")]
pub(crate) fn convert(
    py: Python<'_>,
    layouts: (PyRef<'_, Layout>, PyRef<'_, Layout>),
    source: &Bound<'_, PyAny>,
    destination: &Bound<'_, PyAny>,
    kind: i32,
    axis: Option<char>,
    scales: Vec<f32>,
    zero_points: Vec<i32>,
    means: Vec<f32>,
    half_away: bool,
    saturate: bool,
) -> PyResult<()> {
    let lists = (&scales[..], &zero_points[..], &means[..]);
    let conversion = conversion_of(kind, axis, lists, (half_away, saturate));
    let conversion = conversion.ok_or_else(|| {
        LayoutError::new_err(format!(
            "{} scales are given without an axis; give one `scale`, or the axis of the scales",
            scales.len()
        ))
    })?;
    let (source, destination) = (Array::of(source)?, Array::for_writing(destination)?);
    check_apart(&source, &destination)?;
    let (from, to) = (layouts.0.0, layouts.1.0);
    check_bytes("source", from.bytes(), source.range().1)?;
    check_bytes("destination", to.bytes(), destination.range().1)?;
    py.detach(|| {
        // SAFETY: the documentation says that no thread may write the source meanwhile.
        let source = unsafe { source.bytes() };
        // SAFETY: no array overlaps the destination, and no other thread may access it meanwhile, as the documentation
        // says.
        let destination = unsafe { destination.bytes_mut() };
        convert_bytes((&from, &to), &conversion, (source, destination))
            .map_err(|error| error.to_string())
    })
    .map_err(wrong)
}
