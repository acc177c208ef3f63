//! The files that a repack writes: their names, headers and tensors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::checkpoint::Checkpoint;
use crate::checkpoint_header::{CheckpointFormat, Metadata};
use crate::checkpoint_writer::WrittenHeader;
use crate::digest::Digest;
use crate::error::{FileResult, refuse};
use crate::pieced_array::array_of;
use crate::plan::RuledTensors;
use crate::quantized::name_blocks;
use crate::repack_rules::RepackRules;
use crate::repacked_tensor::RepackedTensor;
use crate::stored_tensor::Content;

/// How a repack runs.
#[derive(Clone, Copy, Debug)]
pub struct RepackOptions {
    /// The bytes of memory for the contents of tensors: 1088 KiB at least.
    pub memory: usize,
    /// The number of output files: one for each rank.
    pub ranks: usize,
    /// The most bytes of tensors in a .safetensors file: an index lists several files. `None` for one file.
    pub shard: Option<u64>,
    /// Whether the outputs have a key in their metadata, by which [`Repack::is_fresh`](crate::Repack::is_fresh) knows them:
    /// of the rules, and of a digest of the inputs, which are read once more for it.
    pub is_cached: bool,
}

impl Default for RepackOptions {
    /// 256 MiB, and one file.
    fn default() -> Self {
        Self { memory: 256 << 20, ranks: 1, shard: None, is_cached: false }
    }
}

/// A file that a repack writes.
#[derive(Debug)]
pub(crate) struct RepackFile {
    pub(crate) path: PathBuf,
    pub(crate) header: WrittenHeader,
    pub(crate) tensors: Vec<RepackedTensor>,
}

impl RepackFile {
    /// The files that rules make of a checkpoint, and warnings.
    pub(crate) fn all(
        checkpoint: &Checkpoint,
        rules: &RepackRules,
        output: &Path,
        options: RepackOptions,
    ) -> FileResult<(Vec<Self>, Vec<String>)> {
        let format = format_of(output)?;
        let cache = |_| -> FileResult<String> {
            let (digest, ranks) = (checkpoint.digest()?, options.ranks.max(1));
            let mut key = Digest::new();
            key.add(rules.text.as_bytes());
            Ok(format!(
                "1 {digest:016x} {:016x} {ranks} {}",
                key.value(),
                env!("CARGO_PKG_VERSION")
            ))
        };
        if options.is_cached && format == CheckpointFormat::Npy {
            return refuse("an .npy file has no place for the key of a cache; write .safetensors");
        }
        let key = options.is_cached.then_some(()).map(cache).transpose()?;
        let key = key.as_deref();
        let ruled = RuledTensors::new(checkpoint, rules)?;
        let mut files = Vec::new();
        for rank in 0..options.ranks.max(1) {
            let path = match options.ranks {
                0 | 1 => output.to_path_buf(),
                _ => {
                    let end = output.extension().unwrap_or_default().to_string_lossy();
                    output.with_extension(format!("rank{rank}.{end}"))
                }
            };
            let outputs = ruled.outputs(rank, options.ranks.max(1))?;
            match options.shard {
                None => files.push(Self::new(checkpoint, (format, key), path, outputs)?),
                Some(most) if format == CheckpointFormat::Safetensors => {
                    Self::sharded(checkpoint, (format, key), (&path, most), outputs, &mut files)?;
                }
                Some(_) => {
                    return refuse(format!(
                        "only .safetensors files have an index, and {} is not one; name a .safetensors file, or leave out \
                         the size of its files",
                        output.display()
                    ));
                }
            }
        }
        let mut warnings = [checkpoint.lost(), &ruled.warnings].concat();
        warnings.extend(lost(format, checkpoint.metadata(), &files));
        Ok((files, warnings))
    }

    fn new(
        checkpoint: &Checkpoint,
        (format, key): (CheckpointFormat, Option<&str>),
        path: PathBuf,
        mut tensors: Vec<RepackedTensor>,
    ) -> FileResult<Self> {
        check_output(checkpoint, &path)?;
        if format == CheckpointFormat::Gguf {
            tensors.iter_mut().try_for_each(|own| name_blocks(&mut own.stored))?;
        }
        // Larger elements come first, so that all are aligned.
        tensors.sort_by_key(|own| match own.stored.content {
            Content::Element(element) => std::cmp::Reverse(element.bits()),
            _ => std::cmp::Reverse(0),
        });
        let stored: Vec<_> = tensors.iter().map(|own| own.stored.clone()).collect();
        let header = WrittenHeader::with_key(format, &stored, checkpoint.metadata(), key)?;
        Ok(Self { path, header, tensors })
    }

    /// Adds files of at most `most` bytes of tensors, unless one tensor has more, and their index.
    fn sharded(
        checkpoint: &Checkpoint,
        of: (CheckpointFormat, Option<&str>),
        (path, most): (&Path, u64),
        outputs: Vec<RepackedTensor>,
        files: &mut Vec<Self>,
    ) -> FileResult<()> {
        let mut shards = vec![Vec::new()];
        let (mut bytes, mut total) = (0, 0);
        for tensor in outputs {
            let own = tensor.stored.bytes;
            if bytes > 0 && bytes + own > most {
                shards.push(Vec::new());
                bytes = 0;
            }
            (bytes, total) = (bytes + own, total + own);
            shards.last_mut().expect("one at least").push(tensor);
        }
        let count = shards.len();
        let mut places = BTreeMap::new();
        for (number, tensors) in shards.into_iter().enumerate() {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{:05}-of-{count:05}.safetensors", number + 1);
            places.extend(tensors.iter().map(|own| (own.stored.name.clone(), name.clone())));
            let own = if count == 1 { path.into() } else { path.with_file_name(&name) };
            files.push(Self::new(checkpoint, of, own, tensors)?);
        }
        if count > 1 {
            let path = with_end(path, "index.json");
            check_output(checkpoint, &path)?;
            let index = json!({"metadata": {"total_size": total}, "weight_map": places});
            let start = format!("{index:#}\n").into_bytes();
            let length = start.len() as u64;
            let header = WrittenHeader { start, tensors: Vec::new(), length };
            files.push(Self { path, header, tensors: Vec::new() });
        }
        Ok(())
    }
}

/// The format of a file by its name.
fn format_of(output: &Path) -> FileResult<CheckpointFormat> {
    match output.extension().and_then(|own| own.to_str()) {
        Some("safetensors") => Ok(CheckpointFormat::Safetensors),
        Some("gguf") => Ok(CheckpointFormat::Gguf),
        Some("npy") => Ok(CheckpointFormat::Npy),
        _ => refuse(format!(
            "the format of {} is not known; name a file that ends in .safetensors, .gguf or .npy",
            output.display()
        )),
    }
}

/// What a format does not keep of the inputs, a sentence each.
fn lost(format: CheckpointFormat, metadata: &Metadata, files: &[RepackFile]) -> Vec<String> {
    let keys = match (metadata, format) {
        (Metadata::Texts(_), CheckpointFormat::Safetensors)
        | (Metadata::Gguf { .. }, CheckpointFormat::Gguf) => 0,
        (Metadata::Texts(own), _) => own.len() as u64,
        (Metadata::Gguf { count, .. }, _) => *count,
    };
    let mut all = Vec::new();
    if keys > 0 {
        all.push(format!(
            "the output has none of the {keys} keys of the input's metadata; write the input's format to keep them"
        ));
    }
    let tensors = files.iter().flat_map(|file| &file.tensors);
    for tensor in tensors.filter(|_| format == CheckpointFormat::Npy) {
        let Some((letters, layout)) = &tensor.target else { continue };
        let array = array_of(letters, &tensor.array.extents, layout.element());
        if array.is_ok_and(|array| array != **layout) {
            all.push(format!(
                "tensor `{}` becomes `{layout}`, and .npy has no place for this text; write .safetensors to keep it",
                tensor.stored.name
            ));
        }
    }
    all
}

/// Returns the path with a further extension.
pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

/// Returns an error if an output's name, or that of a file beside it, is one of an input or of a folder.
fn check_output(checkpoint: &Checkpoint, path: &Path) -> FileResult<()> {
    if path.is_dir() {
        return refuse(format!("{} is a folder; name a file in it", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return refuse(format!(
            "there is no folder {}; make it, or correct the path",
            folder.display()
        ));
    }
    for name in [path.to_path_buf(), with_end(path, "partial"), with_end(path, "journal")] {
        if checkpoint.has_file(&name) {
            return refuse(format!("{} is an input too; name another output", name.display()));
        }
    }
    Ok(())
}
