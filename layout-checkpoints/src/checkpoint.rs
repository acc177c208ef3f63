//! Several files as one checkpoint.

#![cfg_attr(
    not(feature = "rules"),
    allow(dead_code, reason = "repacking by rules asks more of a file")
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use layout_types::files::MOST_HEADER;

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::digest::Digest;
use crate::error::{CheckpointError, FileResult, json_text, refuse};
use crate::index_text::IndexText;
use crate::stored_tensor::StoredTensor;

/// The tensors of one file or of several.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    files: Vec<CheckpointFile>,
    tensors: Vec<(usize, StoredTensor)>,
    metadata: Metadata,
    /// What the metadata of other files than the first says and that of the checkpoint does not, a sentence each.
    lost: Vec<String>,
}

#[derive(Clone, Debug)]
struct CheckpointFile {
    path: PathBuf,
    format: CheckpointFormat,
    state: FileState,
}

/// What tells a file from a changed one.
#[derive(Clone, PartialEq, Debug)]
struct FileState {
    length: u64,
    written: Option<SystemTime>,
    /// The device and the number of the file, and when anything of it changed: seconds and nanoseconds.
    unix: Option<[u64; 4]>,
}

impl Checkpoint {
    /// Reads the headers of .safetensors, GGUF, .npy and .npz files. `model.safetensors.index.json` stands for the files that
    /// it lists.
    ///
    /// # Errors
    /// - A file cannot be read, or its header is broken.
    /// - A file is cut off.
    /// - Two files have a tensor of one name, or an index lists a tensor that its file does not have, or a file that is
    ///   not beside it.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Self, CheckpointError> {
        let (files, tensors, lost) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Self { files, tensors, metadata: Metadata::Texts(Vec::new()), lost };
        for path in paths {
            let path = path.as_ref();
            match path.extension().is_some_and(|own| own == "json") {
                true => all.add_index(path)?,
                false => all.add(path)?,
            }
        }
        let mut names = BTreeMap::new();
        for (file, tensor) in &all.tensors {
            if let Some(other) = names.insert(&tensor.name, *file) {
                return refuse(format!(
                    "{} and {} both have a tensor `{}`; name one of them, or rename the tensor",
                    all.files[other].path.display(),
                    all.files[*file].path.display(),
                    tensor.name
                ));
            }
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path) -> FileResult<()> {
        let of = |error| CheckpointError::file(path, &error);
        let mut file = File::open(path).map_err(of)?;
        let state = state_of(&file.metadata().map_err(of)?);
        let header = CheckpointHeader::read_file(&mut file);
        let mut header = header.map_err(|error| CheckpointError::of(path.display(), error))?;
        if header.format == CheckpointFormat::Npy {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            header.tensors[0].name = name.into_owned();
        }
        self.merge(path, header.metadata);
        let number = self.files.len();
        self.files.push(CheckpointFile { path: path.into(), format: header.format, state });
        self.tensors.extend(header.tensors.into_iter().map(|tensor| (number, tensor)));
        Ok(())
    }

    /// Adds the metadata of a file.
    fn merge(&mut self, path: &Path, other: Metadata) {
        let lost = match (&mut self.metadata, other) {
            (own, other) if *own == other || other.is_empty() => return,
            (own, other) if own.is_empty() => {
                *own = other;
                return;
            }
            (Metadata::Texts(own), Metadata::Texts(others)) => {
                let mut texts: BTreeMap<String, String> = std::mem::take(own).into_iter().collect();
                let mut differ = Vec::new();
                for (key, text) in others {
                    if texts.entry(key.clone()).or_insert_with(|| text.clone()) != &text {
                        differ.push(key);
                    }
                }
                *own = texts.into_iter().collect();
                let Some(key) = differ.first() else { return };
                format!("{} texts for keys of files before it, such as `{key}`", differ.len())
            }
            _ => "metadata of its own".into(),
        };
        self.lost.push(format!(
            "{} has {lost}, which the output does not have; name the file first to keep them",
            path.display()
        ));
    }

    /// Adds the files of an index.
    fn add_index(&mut self, path: &Path) -> FileResult<()> {
        let of = |error: &dyn std::fmt::Display| CheckpointError::of(path.display(), error);
        let length =
            std::fs::metadata(path).map_err(|error| CheckpointError::file(path, &error))?.len();
        if length > MOST_HEADER as u64 {
            return Err(of(&format!(
                "it has {length} bytes, and an index has at most {MOST_HEADER}; name the files themselves"
            )));
        }
        let text = std::fs::read(path).map_err(|error| CheckpointError::file(path, &error))?;
        let IndexText(files) = serde_json::from_slice(&text)
            .map_err(|error| of(&format!("{}; name the files themselves", json_text(&error))))?;
        let Some(files) = files else {
            return Err(of(&"it has no `weight_map`; name the files themselves"));
        };
        for (file, tensors) in files {
            if Path::new(&file).file_name() != Some(file.as_ref()) {
                return Err(of(&format!(
                    "it lists `{}`, and an index lists files beside it; name the files themselves",
                    file.escape_debug()
                )));
            }
            let before = self.tensors.len();
            self.add(&path.with_file_name(&file))?;
            let names: BTreeSet<&str> =
                self.tensors[before..].iter().map(|(_, own)| own.name.as_str()).collect();
            if let Some(missing) = tensors.iter().find(|name| !names.contains(name.as_str())) {
                return Err(of(&format!(
                    "{file} has no tensor `{missing}`; name the files themselves"
                )));
            }
        }
        Ok(())
    }

    /// The tensors, file by file, in the order of their bytes.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = &StoredTensor> {
        self.tensors.iter().map(|(_, tensor)| tensor)
    }

    /// The metadata of the first file that has some, and of others what it has no key for.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// What the metadata of the files says and [`metadata`](Self::metadata) does not, a sentence each.
    pub(crate) fn lost(&self) -> &[String] {
        &self.lost
    }

    /// The tensor of this number, and the number of its file.
    pub(crate) fn tensor(&self, number: usize) -> (usize, &StoredTensor) {
        let (file, tensor) = &self.tensors[number];
        (*file, tensor)
    }

    /// Whether the bytes of a tensor are those of every format: little endian, and in the order of the shape.
    pub(crate) fn is_usual(&self, number: usize) -> bool {
        let (file, tensor) = self.tensor(number);
        let has_texts =
            !matches!(self.files[file].format, CheckpointFormat::Npy | CheckpointFormat::Npz);
        !tensor.is_big_endian && (has_texts || tensor.layout.is_none())
    }

    /// Whether one of the files lies at this path.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        let device = |state: &FileState| state.unix.map(|[device, number, ..]| (device, number));
        let there = std::fs::metadata(path).ok().and_then(|own| device(&state_of(&own)));
        let same = |own: &CheckpointFile| match (own.path.canonicalize(), path.canonicalize()) {
            (Ok(own), Ok(path)) if own == path => true,
            (Ok(_), Ok(_)) => there.is_some() && there == device(&own.state),
            _ => own.path == path,
        };
        self.files.iter().any(same)
    }

    /// A digest of all bytes of the files, in their order: XXH64. It tells a file from a changed one, unless somebody makes
    /// another of the same digest.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn digest(&self) -> Result<u64, CheckpointError> {
        let mut digest = Digest::new();
        let mut piece = vec![0; 1 << 20];
        for (own, mut file) in self.files.iter().zip(self.handles()?) {
            loop {
                let read = file.read(&mut piece);
                match read.map_err(|error| CheckpointError::file(&own.path, &error))? {
                    0 => break,
                    read => digest.add(&piece[..read]),
                }
            }
        }
        Ok(digest.value())
    }

    /// Opens all files.
    pub(crate) fn handles(&self) -> FileResult<Vec<File>> {
        let open = |own: &CheckpointFile| {
            File::open(&own.path).map_err(|error| CheckpointError::file(&own.path, &error))
        };
        self.files.iter().map(open).collect()
    }

    /// The file of the tensor of this number.
    pub fn path(&self, number: usize) -> &Path {
        &self.files[self.tensors[number].0].path
    }

    /// Returns an error if a file has changed since its header was read.
    pub(crate) fn check_unchanged(&self) -> FileResult<()> {
        for file in &self.files {
            let now = std::fs::metadata(&file.path);
            if !now.is_ok_and(|now| state_of(&now) == file.state) {
                return refuse(format!(
                    "{} has changed while it was read; start again",
                    file.path.display()
                ));
            }
        }
        Ok(())
    }
}

fn state_of(metadata: &std::fs::Metadata) -> FileState {
    #[cfg(unix)]
    let unix = {
        use std::os::unix::fs::MetadataExt;
        let changed = [metadata.ctime() as u64, metadata.ctime_nsec() as u64];
        Some([metadata.dev(), metadata.ino(), changed[0], changed[1]])
    };
    #[cfg(not(unix))]
    let unix = None;
    FileState { length: metadata.len(), written: metadata.modified().ok(), unix }
}
