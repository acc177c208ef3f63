//! Files of tensors: what they hold, files that are written, and repacking by rules. The GIL is released meanwhile.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use layout_checkpoints::{
    Checkpoint, CheckpointError, CheckpointFormat, CheckpointWriter, Content, Metadata, Repack,
    RepackOptions, RepackRules, StoredTensor,
};
use pyo3::prelude::*;
use tensor_layout::{ElementType, records};

use crate::buffer::Array;
use crate::layout::wrong;

/// What a GGUF file says besides its tensors, to write it to another file.
#[pyclass(frozen, module = "tensor_layout", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct GgufMetadata(Metadata);

#[pymethods]
impl GgufMetadata {
    fn __repr__(&self) -> String {
        let Metadata::Gguf { count, .. } = self.0 else { return String::new() };
        format!("<metadata of a GGUF file with {count} keys>")
    }
}

/// Metadata as Python has it: texts, or that of a GGUF file.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) enum FileMetadata<'py> {
    Texts(BTreeMap<String, String>),
    Gguf(Bound<'py, GgufMetadata>),
}

/// A tensor of a file: its name, shape, element, layout, file, first byte and number of bytes, whether it is big endian, and
/// why its layout is not that of its bytes.
type Described =
    (String, Vec<usize>, String, Option<String>, PathBuf, u64, u64, bool, Option<String>);

/// Read the headers of files. Not for users.
#[pyfunction]
pub(crate) fn read_headers(
    py: Python<'_>,
    paths: Vec<PathBuf>,
) -> PyResult<(Vec<Described>, FileMetadata<'_>)> {
    let opened = py.detach(|| Checkpoint::open(&paths)).map_err(wrong)?;
    let described = |(number, own): (usize, &StoredTensor)| {
        let (name, shape, layout) = (own.name.clone(), own.shape.clone(), own.layout.clone());
        let (path, element) = (opened.path(number).into(), own.content.to_string());
        let read = own.layout().map(drop).and_then(|()| own.record().map(drop));
        let fault = read.err().map(|error| error.to_string());
        (name, shape, element, layout, path, own.at, own.bytes, own.is_big_endian, fault)
    };
    let metadata = match opened.metadata() {
        Metadata::Texts(texts) => FileMetadata::Texts(texts.iter().cloned().collect()),
        gguf => FileMetadata::Gguf(Bound::new(py, GgufMetadata(gguf.clone()))?),
    };
    Ok((opened.tensors().enumerate().map(described).collect(), metadata))
}

/// A tensor to write: its name, element or record, shape, layout and bytes.
type Written<'py> = (String, String, Vec<usize>, Option<String>, Bound<'py, PyAny>);

/// Write a file. Not for users: `save` gives it arrays in C order.
#[pyfunction]
pub(crate) fn write_file(
    py: Python<'_>,
    path: PathBuf,
    tensors: Vec<Written<'_>>,
    metadata: FileMetadata<'_>,
) -> PyResult<()> {
    let format = CheckpointFormat::of_path(&path).map_err(wrong)?;
    let metadata = match metadata {
        FileMetadata::Texts(texts) => Metadata::Texts(texts.into_iter().collect()),
        FileMetadata::Gguf(own) => own.get().0.clone(),
    };
    let (mut stored, mut arrays) = (Vec::new(), Vec::new());
    for (name, element, shape, layout, array) in tensors {
        let array = Array::of(&array)?;
        let content = match ElementType::from_name(&element) {
            Some(element) => Content::Element(element),
            None => Content::Record(records::named(&element).map_err(wrong)?),
        };
        let bytes = array.range().1 as u64;
        stored.push(StoredTensor {
            name,
            content,
            shape,
            layout,
            at: 0,
            bytes,
            is_big_endian: false,
        });
        arrays.push(array);
    }
    py.detach(|| {
        let mut partial = path.clone().into_os_string();
        partial.push(".partial");
        let written = write_all(Path::new(&partial), format, &stored, &arrays, &metadata)
            .and_then(|()| Ok(std::fs::rename(&partial, &path)?));
        if written.is_err() {
            // What was begun is nothing; it may not be there.
            let _ = std::fs::remove_file(&partial);
        }
        written.map_err(|error| format!("{}: {error}", path.display()))
    })
    .map_err(wrong)
}

fn write_all(
    path: &Path,
    format: CheckpointFormat,
    stored: &[StoredTensor],
    arrays: &[Array],
    metadata: &Metadata,
) -> Result<(), CheckpointError> {
    let mut writer = CheckpointWriter::new(File::create(path)?, format, stored, metadata)?;
    for (number, array) in arrays.iter().enumerate() {
        // SAFETY: the documentation says that no thread may write the arrays meanwhile.
        writer.write(number, 0, unsafe { array.bytes() })?;
    }
    writer.finish()
}

/// Make one checkpoint of others by rules in TOML, and return warnings. Not for users: `repack` has names for the rest.
#[pyfunction]
pub(crate) fn run_repack(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    rules: (String, String),
    output: PathBuf,
    sizes: (usize, Option<usize>),
    passes: (bool, bool),
) -> PyResult<Vec<String>> {
    let ((ranks, memory), (resumes, checks)) = (sizes, passes);
    let run = || {
        let rules = RepackRules::parse(&rules.0, &rules.1)?;
        let mut options = RepackOptions::default();
        if let Some(memory) = memory {
            options.memory = memory;
        }
        options.ranks = ranks;
        let checkpoint = Checkpoint::open(&inputs)?;
        let repack = Repack::new(checkpoint, &rules, &output, options)?;
        repack.run(resumes, &|_| {})?;
        if checks {
            repack.check(&|_| {})?;
        }
        Ok::<_, CheckpointError>(repack.warnings().to_vec())
    };
    py.detach(run).map_err(wrong)
}
