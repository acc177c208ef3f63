//! The class of records: several tensors in one buffer, such as blocks of quantized weights.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::slice::from_ref;

use pyo3::prelude::*;
use pyo3::types::PyType;

use tensor_layout::ElementType;
use tensor_layout::records::{self, FieldUnit, Quantizer, RecordPlan, ValuePlan, ValueSide};

use crate::buffer::{Array, check_apart};
use crate::layout::{Layout, wrong};

/// Several tensors in one buffer: `Record("MK<4096, 4096>, ggml::Q4_0")` or `Record("MK<8, 64>, { d: f16, q: 32k i8 }")`.
#[pyclass(frozen, eq, subclass, module = "tensor_layout", skip_from_py_object)]
#[derive(PartialEq)]
pub(crate) struct Record(records::Record);

#[pymethods]
impl Record {
    /// Read a record from its text, with the fields or the name of a record that the library knows.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        records::Record::parse(text).map(Self).map_err(wrong)
    }

    /// The records that have names, with what they are.
    #[staticmethod]
    fn known() -> BTreeMap<&'static str, &'static str> {
        records::KNOWN_RECORDS.iter().map(|own| (own.name(), own.text())).collect()
    }

    /// The letters of the axes, in coordinate order.
    #[getter]
    fn letters(&self) -> String {
        let letters = self.0.letters();
        (0..letters.count()).map(|axis| letters.at(axis)).collect()
    }

    /// The extents of the axes.
    #[getter]
    fn extents(&self) -> Vec<usize> {
        self.0.extents().to_vec()
    }

    /// The bytes of each buffer. Most records have one.
    #[getter]
    fn buffers(&self) -> Vec<usize> {
        (0..self.0.buffers()).map(|buffer| self.0.bytes(buffer)).collect()
    }

    /// The bytes of all buffers.
    #[getter]
    fn nbytes(&self) -> usize {
        self.buffers().iter().sum()
    }

    /// The names of the fields, in their order.
    #[getter]
    fn fields(&self) -> Vec<String> {
        (0..self.0.field_count()).map(|i| self.0.field_name(i).as_str().to_string()).collect()
    }

    /// The rule of the values, such as `d * (q - 8)`, or None.
    #[getter]
    fn value(&self) -> Option<&str> {
        self.0.value()
    }

    /// The name of the record, such as `ggml::Q4_0`, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        records::known(&self.0).map(|own| own.name())
    }

    /// Where an element of a field begins, in bits. The coordinate has an index for each axis of the field.
    fn bit_offset(&self, field: &str, coordinate: Vec<usize>) -> PyResult<u64> {
        self.0.bit_offset(field, &coordinate).map_err(wrong)
    }

    /// What the record is, a line for each field.
    fn explain(&self) -> String {
        self.0.explain().to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Record({:?})", self.0.to_string())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyType>, (String,)) {
        (slf.get_type().unbind(), (slf.get().0.to_string(),))
    }

    /// Not for users: `quantize` gives it arrays.
    fn _quantize(
        &self,
        py: Python<'_>,
        layout: &Layout,
        source: &Bound<'_, PyAny>,
        buffers: Vec<Bound<'_, PyAny>>,
        quantizer: Option<&str>,
    ) -> PyResult<()> {
        let quantizer = quantizer.map(Quantizer::named).transpose().map_err(wrong)?;
        let plan = ValuePlan::new(&layout.0, &self.0, quantizer).map_err(wrong)?;
        run(py, from_ref(source), &buffers, |from, to| plan.run(from, to).map_err(wrong))
    }

    /// Not for users: `dequantize` gives it arrays.
    fn _dequantize(
        &self,
        py: Python<'_>,
        buffers: Vec<Bound<'_, PyAny>>,
        layout: &Layout,
        destination: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let plan = ValuePlan::new(&self.0, &layout.0, None).map_err(wrong)?;
        run(py, &buffers, from_ref(destination), |from, to| plan.run(from, to).map_err(wrong))
    }

    /// Not for users: `relayout` gives it arrays.
    fn _relayout(
        &self,
        py: Python<'_>,
        buffers: Vec<Bound<'_, PyAny>>,
        destination: &Self,
        to: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let plan = RecordPlan::new(&self.0, &destination.0).map_err(wrong)?;
        run(py, &buffers, &to, |from, to| plan.run(from, to).map_err(wrong))
    }

    /// The shape of a field, the element of an array of its numbers, its buffer, and how `_read_field` stores them. Not for
    /// users.
    fn _field(&self, name: &str) -> PyResult<(Vec<usize>, String, usize, Stored)> {
        let field = self.0.field(name).map_err(wrong)?;
        let element = field.element();
        use ElementType::{BF16, F16, F32, F64};
        let is_of_arrays = matches!(element, F16 | BF16 | F32 | F64);
        let (element, stored) = match (field.bits(), element.integer_range()) {
            (8 | 16 | 32 | 64, Some(_)) => (element, (8, "elements")),
            (_, Some(_)) if element == ElementType::Bool => (element, (8, "elements")),
            (bits, Some((least, _))) => {
                let whole = ElementType::integer(bits.next_power_of_two().max(8), least < 0);
                (whole.unwrap_or(element), (bits, "bits"))
            }
            _ if is_of_arrays => (element, (8, "elements")),
            _ => (F32, (8, "floats")),
        };
        Ok((field.extents().to_vec(), element.to_string(), field.buffer(), stored))
    }

    /// Read a field to the bytes of an array as `_field` says: elements, `f32` in their place, or the bits of all numbers, the
    /// lowest first and each from a byte on. Not for users.
    fn _read_field(
        &self,
        py: Python<'_>,
        name: &str,
        buffer: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (_, _, _, (_, stored)) = self._field(name)?;
        let field = self.0.field(name).map_err(wrong)?;
        let both = (from_ref(buffer), from_ref(destination));
        let (source, element) = match stored {
            "elements" => (field.layout_in(FieldUnit::Bytes), ElementType::U8),
            "bits" => (field.layout_in(FieldUnit::Bits), ElementType::U1),
            _ => (field.elements(), ElementType::F32),
        };
        let source = source.map_err(wrong)?;
        let letters: String = (0..source.rank()).map(|axis| source.letters().at(axis)).collect();
        let extents = source.extents();
        // Bits of a number begin at a byte; all else lies one after another.
        let first =
            if stored == "bits" { extents[extents.len() - 1].next_multiple_of(8) } else { 1 };
        let mut strides = vec![1; extents.len()];
        let mut step = first as isize;
        for axis in (0..extents.len() - usize::from(stored == "bits")).rev() {
            strides[axis] = step;
            step *= extents[axis] as isize;
        }
        let plain = tensor_layout::Layout::from_strides(&letters, extents, &strides, element);
        let plain = plain.map_err(wrong)?;
        if stored == "floats" {
            let plan = ValuePlan::new(ValueSide::Layout(&source), &plain, None).map_err(wrong)?;
            return run(py, both.0, both.1, |from, to| plan.run(from, to).map_err(wrong));
        }
        let plan = tensor_layout::Plan::new(&source, &plain).map_err(wrong)?;
        run(py, both.0, both.1, |from, to| plan.run(from[0], &mut *to[0]).map_err(wrong))
    }
}

/// The bits of a number, and what is stored of it.
type Stored = (usize, &'static str);

/// Runs a move between the bytes of arrays in C order, without the GIL.
fn run(
    py: Python<'_>,
    sources: &[Bound<'_, PyAny>],
    destinations: &[Bound<'_, PyAny>],
    body: impl FnOnce(&[&[u8]], &mut [&mut [u8]]) -> PyResult<()> + Send,
) -> PyResult<()> {
    let sources = sources.iter().map(Array::of).collect::<PyResult<Vec<_>>>()?;
    let destinations = destinations.iter().map(Array::for_writing).collect::<PyResult<Vec<_>>>()?;
    for (at, own) in destinations.iter().enumerate() {
        for other in sources.iter().chain(&destinations[..at]) {
            check_apart(other, own)?;
        }
    }
    for own in &destinations {
        own.check_contiguous("destination")?;
    }
    py.detach(|| {
        // SAFETY: the documentation says that no thread may write the sources meanwhile.
        let from: Vec<&[u8]> = sources.iter().map(|own| unsafe { own.bytes() }).collect();
        // SAFETY: no array overlaps a destination, and no other thread may access it meanwhile, as the documentation says.
        let mut to: Vec<&mut [u8]> =
            destinations.iter().map(|own| unsafe { own.bytes_mut() }).collect();
        body(&from, &mut to)
    })
}
