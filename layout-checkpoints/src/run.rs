//! Runs the plan of a repack: reads, moves and writes bands on several threads.

use std::fmt::{self, Display};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::bands::Bands;
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::element_moves::move_elements;
use crate::error::{CheckpointError, FileResult, refuse};
use crate::gather::{BandReader, LONG, SPAN, filled, room};
use crate::journal::{JOURNAL, Journal};
use crate::output_files::{RepackFile, RepackOptions, with_end};
use crate::repack_rules::RepackRules;
use crate::repacked_tensor::{check_bands, layouts_of};
use crate::rows_of_blocks::KeptPlan;

/// The plan of a repack: a checkpoint, and the files that rules make of it.
#[derive(Debug)]
pub struct Repack {
    checkpoint: Checkpoint,
    files: Vec<RepackFile>,
    /// The bands of each tensor of all files.
    bands: Vec<Bands>,
    warnings: Vec<String>,
    is_cached: bool,
    /// What tells this run from others.
    identity: String,
    /// The first band of each tensor, among those of all files.
    starts: Vec<usize>,
    /// The number of threads, and the bytes of memory of each.
    workers: (usize, usize),
}

/// What a worker keeps from one band to the next: a band as an array and as it is written, and a plan.
#[derive(Default)]
struct BandMemory {
    array: Vec<u64>,
    moved: Vec<u64>,
    kept: KeptPlan,
}

/// The widest column of a table. Longer texts move what follows.
const WIDEST: usize = 60;

/// The least memory of a worker, unless it is alone.
const LEAST_MEMORY: usize = 2 * SPAN;

/// The least memory of all: a piece that is read at once, and a short band.
const LEAST: usize = SPAN + LONG;

impl Repack {
    /// Plans what rules make of a checkpoint. The output's extension says its format: .safetensors, .gguf or .npy. With
    /// several ranks, `model.safetensors` stands for `model.rank0.safetensors` and so on.
    ///
    /// # Errors
    /// - A tensor fits no rule, or a rule cannot be applied to a tensor.
    /// - Two outputs have the same name, or the format does not have what an output holds.
    /// - The output is one of the inputs.
    /// - The memory is less than 1088 KiB, or a band would take more.
    pub fn new(
        checkpoint: Checkpoint,
        rules: &RepackRules,
        output: &Path,
        options: RepackOptions,
    ) -> Result<Self, CheckpointError> {
        if options.memory < LEAST {
            return refuse(format!(
                "the memory is {} bytes, and {} KiB are the least; give more memory",
                options.memory,
                LEAST >> 10
            ));
        }
        let (files, warnings) = RepackFile::all(&checkpoint, rules, output, options)?;
        // One more than the cores, so that some read or write while others move.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let most = (options.memory / LEAST_MEMORY).clamp(1, cores.min(15) + 1);
        let (bands, workers) = cut(&files, options.memory, most)?;
        let starts = starts_of(&bands);
        // A band has another number where processors are more or fewer: their memory cuts tensors.
        let own = (output, options, workers, &starts);
        let identity = identity(&format_args!("{checkpoint:?}{}{own:?}", rules.text));
        let is_cached = options.is_cached;
        Ok(Self { checkpoint, files, bands, warnings, is_cached, identity, starts, workers })
    }

    /// Rules that no tensor fits, and what the output's format does not keep, a sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The bytes of all outputs.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.header.length).sum()
    }

    /// A table of the outputs: names, bytes before and after, and layouts.
    pub fn table(&self) -> String {
        let mut rows = vec![["input", "bytes", "output", "bytes", "layout"].map(String::from)];
        for file in &self.files {
            for tensor in &file.tensors {
                let own = &tensor.stored;
                let layout = own
                    .layout
                    .clone()
                    .unwrap_or_else(|| format!("{:?} {}", own.shape, own.content));
                let mut output =
                    [own.name.escape_debug().to_string(), own.bytes.to_string(), layout];
                // Tensors that are fused have a line each.
                for (place, &number) in tensor.sources.iter().enumerate() {
                    let source = self.checkpoint.tensor(number).1;
                    let plus = if place > 0 { "+ " } else { "" };
                    let name = format!("{plus}{}", source.name.escape_debug());
                    let [output, after, layout] = std::mem::take(&mut output);
                    rows.push([name, source.bytes.to_string(), output, after, layout]);
                }
            }
        }
        let width =
            |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).min(WIDEST);
        let widths = [0, 1, 2, 3].map(width);
        let mut text = String::new();
        for [input, before, output, after, layout] in &rows {
            let [a, b, c, d] = widths;
            let line = format!("{input:a$}  {before:>b$}  {output:c$}  {after:>d$}  {layout}");
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// Writes all outputs. Each appears under its name when all are whole; before, it has the name with `.partial`. After
    /// a kill or an error, a call with `resumes` goes on. `progress` gets the bytes that are done, from any thread.
    ///
    /// # Errors
    /// - An input or an output cannot be read or written, or an input has changed.
    /// - What should be resumed is another run.
    pub fn run(
        &self,
        resumes: bool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), CheckpointError> {
        let first = &self.files[0].path;
        let journal = with_end(first, "journal");
        let partial = |file: &RepackFile| with_end(&file.path, "partial");
        // No link is followed: another program may have laid it there.
        let is_long = |path: &Path, file: &RepackFile| {
            let own = std::fs::symlink_metadata(path);
            own.is_ok_and(|own| own.is_file() && own.len() == file.header.length)
        };
        // Once more than there are bands: what lies around them is on the disk too.
        let whole = self.starts[self.starts.len() - 1] + 1;
        let every = (self.workers.0 * self.workers.1) as u64;
        let (notes, mut done) = Journal::open(&journal, &self.identity, resumes, every)?;
        done = done.min(whole);
        // After a kill between two renames, some have their names.
        let is_there = |file: &RepackFile| {
            is_long(&partial(file), file) || done == whole && is_long(&file.path, file)
        };
        if !(resumes && self.files.iter().all(is_there)) {
            done = 0;
            notes.begin(&self.identity, done)?;
            for file in &self.files {
                let path = partial(file);
                let removed = match std::fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                    _ => File::create_new(&path),
                };
                removed.map_err(|error| CheckpointError::file(&path, &error))?;
            }
        }
        if done < whole {
            self.write(&notes, done, progress)?;
            notes.note(whole)?;
        }
        self.checkpoint.check_unchanged()?;
        for file in self.files.iter().filter(|file| partial(file).exists()) {
            std::fs::rename(partial(file), &file.path)
                .map_err(|error| CheckpointError::file(&file.path, &error))?;
        }
        // A plain name has an empty parent.
        let folder = first.parent().filter(|own| !own.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            // Some systems do not sync folders.
            let _ = folder.sync_all();
        }
        notes.remove()
    }

    /// Whether all outputs are there with the key of these rules and inputs: a cache need not be written again.
    pub fn is_fresh(&self) -> bool {
        let whole = |file: &RepackFile| {
            std::fs::metadata(&file.path).is_ok_and(|own| own.len() == file.header.length)
        };
        self.is_cached && self.files.iter().all(whole) && matches!(self.another(), Ok(None))
    }

    /// A file with another header than this run writes.
    fn another(&self) -> FileResult<Option<&RepackFile>> {
        for file in &self.files {
            let of = |error| CheckpointError::file(&file.path, &error);
            let mut start = Vec::new();
            let opened = File::open(&file.path).map_err(of)?;
            opened.take(file.header.start.len() as u64).read_to_end(&mut start).map_err(of)?;
            if start != file.header.start {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Reads all outputs back, and compares them with what the inputs give.
    ///
    /// # Errors
    /// Bytes differ, or a file cannot be read.
    pub fn check(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), CheckpointError> {
        if let Some(file) = self.another()? {
            return refuse(format!(
                "{} has another header than was written; write it again",
                file.path.display()
            ));
        }
        let open = |file: &RepackFile| File::open(&file.path);
        self.work(0, progress, &open, |outputs, (file, at, bytes), _| {
            let mut own = vec![0; 64 << 10];
            let output = &mut outputs[file];
            output.seek(SeekFrom::Start(at))?;
            for part in bytes.chunks(own.len()) {
                output.read_exact(&mut own[..part.len()])?;
                if own[..part.len()] != *part {
                    return refuse("bytes differ from those that the inputs give; write it again");
                }
            }
            Ok(())
        })
    }

    /// Writes the bands from number `done` on, and what lies around tensors.
    fn write(
        &self,
        journal: &Journal,
        done: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> FileResult<()> {
        let open = |file: &RepackFile| {
            OpenOptions::new().write(true).open(with_end(&file.path, "partial"))
        };
        for file in &self.files {
            let of = |error| CheckpointError::file(&file.path, &error);
            let mut output = open(file).map_err(of)?;
            output.set_len(file.header.length).map_err(of)?;
            output.write_all(&file.header.start).map_err(of)?;
        }
        // One worker writes to a file at a time: systems let the others wait busily, and these may read and move.
        let turns: Vec<_> = self.files.iter().map(|_| Mutex::new(())).collect();
        self.work(done, progress, &open, |outputs, (file, at, bytes), band| {
            let turn = turns[file].lock();
            outputs[file].seek(SeekFrom::Start(at))?;
            outputs[file].write_all(bytes)?;
            drop(turn);
            journal.add(band, bytes.len() as u64, outputs)
        })?;
        for file in &self.files {
            let synced = open(file).and_then(|output| output.sync_all());
            synced.map_err(|error| CheckpointError::file(&file.path, &error))?;
        }
        Ok(())
    }

    /// Makes all bands from number `done` on, on all threads. `then` gets the bytes of each, and where they lie in
    /// which file. The first error ends all.
    fn work(
        &self,
        done: usize,
        progress: &(dyn Fn(u64) + Sync),
        open: &(dyn Fn(&RepackFile) -> std::io::Result<File> + Sync),
        then: impl Fn(&mut Vec<File>, (usize, u64, &[u8]), usize) -> FileResult<()> + Sync,
    ) -> FileResult<()> {
        let (next, bytes, fails) =
            (AtomicUsize::new(done), AtomicU64::new(0), AtomicBool::new(false));
        let total = self.starts[self.starts.len() - 1];
        let one = || {
            let opened = |file: &RepackFile| {
                open(file).map_err(|error| CheckpointError::file(&file.path, &error))
            };
            let mut outputs = self.files.iter().map(opened).collect::<FileResult<Vec<_>>>()?;
            let mut gather = BandReader::new(&self.checkpoint)?;
            let mut memory = BandMemory::default();
            while !fails.load(Relaxed) {
                let number = next.fetch_add(1, Relaxed);
                if number >= total {
                    break;
                }
                let (file, at, made) = self.make(number, &mut gather, &mut memory)?;
                let path = &self.files[file].path;
                then(&mut outputs, (file, at, made), number)
                    .map_err(|error| CheckpointError::of(path.display(), error))?;
                let before = bytes.fetch_add(made.len() as u64, Relaxed);
                progress(before + made.len() as u64);
            }
            Ok(())
        };
        let watched = || {
            let result: FileResult<()> = one();
            fails.fetch_or(result.is_err(), Relaxed);
            result
        };
        thread::scope(|scope| {
            let all: Vec<_> = (0..self.workers.0).map(|_| scope.spawn(watched)).collect();
            let mut result = Ok(());
            for worker in all {
                let own = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(own);
            }
            result
        })
    }

    /// Makes a band. Returns its file, where its bytes lie there, and the bytes.
    fn make<'m>(
        &self,
        number: usize,
        gather: &mut BandReader<'_>,
        memory: &'m mut BandMemory,
    ) -> FileResult<(usize, u64, &'m [u8])> {
        let mut index = self.starts.partition_point(|&start| start <= number) - 1;
        let band = self.bands[index].band(number - self.starts[index]);
        let (mut file, tensor_number) = (0, index);
        while index >= self.files[file].tensors.len() {
            index -= self.files[file].tensors.len();
            file += 1;
        }
        let tensor = &self.files[file].tensors[index];
        let stored = &self.files[file].header.tensors[index];
        let of = |error| CheckpointError::of(format!("tensor `{}`", stored.name), error);
        let unit = tensor.array.element.bits() / 8;
        let BandMemory { array, moved, kept } = memory;
        let count = band.numel() * unit;
        let bytes = room(array, count);
        if tensor.has_padding() {
            bytes.fill(0);
        }
        gather.read(&tensor.array, &band, bytes)?;
        if let Some(rows) = &tensor.quantized {
            let place = rows.place(&band).map_err(of)?;
            let to = room(moved, place.len());
            to.fill(0);
            let bytes = (filled(array, count), to);
            let own = (tensor_number, kept);
            rows.write(own, &band.ranges[0], tensor.array.element, bytes).map_err(of)?;
            return Ok((file, stored.at + place.start as u64, filled(moved, place.len())));
        }
        let Some((letters, layout)) = &tensor.target else {
            return Ok((file, stored.at + (band.region.start * unit) as u64, filled(array, count)));
        };
        let unit = layout.element().bits();
        let (start, length) =
            (band.region.start * unit / 8, (band.region.len() * unit).div_ceil(8));
        let to = room(moved, length);
        // Else the move writes all.
        if layout.numel() < layout.len() {
            fill(to, layout.fill().unwrap_or(0), unit / 8);
        }
        if band.numel() > 0 {
            let own = layouts_of((letters, layout), tensor, &band).map_err(of)?;
            move_elements((&own.0, &own.1), filled(array, count), to).map_err(of)?;
        }
        Ok((file, stored.at + start as u64, filled(moved, length)))
    }
}

/// The bands of all tensors, and the number of workers and the bytes of memory of each: of at most `most` workers, as many
/// as do not read the same bytes much more often than one would.
pub(crate) fn cut(
    files: &[RepackFile],
    memory: usize,
    most: usize,
) -> FileResult<(Vec<Bands>, (usize, usize))> {
    let tensors = || files.iter().flat_map(|file| &file.tensors);
    let with = |workers: usize| -> FileResult<(Vec<Bands>, u64)> {
        let mut reads = 0u64;
        let bands = tensors().map(|tensor| {
            let bands = tensor.bands(memory / workers)?;
            reads = reads.saturating_add(tensor.reads(&bands));
            Ok(bands)
        });
        Ok((bands.collect::<FileResult<_>>()?, reads))
    };
    let (mut bands, least) = with(1)?;
    let mut workers = most;
    while workers > 1 {
        match with(workers) {
            Ok((own, reads)) if reads / 2 <= least => {
                bands = own;
                break;
            }
            _ => workers /= 2,
        }
    }
    for (tensor, bands) in tensors().zip(&bands) {
        check_bands(tensor, bands)?;
    }
    Ok((bands, (workers, memory / workers)))
}

/// The number of the first band of each tensor, and of all bands.
fn starts_of(bands: &[Bands]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(bands.iter().scan(0, |all, bands| {
        *all += bands.len();
        Some(*all)
    }));
    starts
}

/// Fills memory with elements of these bits.
fn fill(bytes: &mut [u8], value: u64, size: usize) {
    match value {
        0 => bytes.fill(0),
        _ => bytes
            .chunks_exact_mut(size.max(1))
            .for_each(|own| own.copy_from_slice(&value.to_le_bytes()[..own.len()])),
    }
}

/// Returns a line that differs for other inputs, rules, outputs, options and bands.
fn identity(all: &dyn Display) -> String {
    let mut digest = Digest::new();
    // A digest takes any text.
    let _ = fmt::Write::write_fmt(&mut digest, format_args!("{all}"));
    format!("{JOURNAL}{:016x} {}", digest.value(), env!("CARGO_PKG_VERSION"))
}
