//! Remembers which bands of an output are on the disk, so that a run that was killed can go on.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{CheckpointError, FileResult, refuse};

/// A file: a line that names the run, then after each sync the number of the bands before which all are done.
pub(crate) struct Journal {
    path: PathBuf,
    state: Mutex<JournalState>,
    /// The bytes that are written between two syncs.
    every: u64,
}

struct JournalState {
    file: File,
    /// All bands before this one are written.
    before: usize,
    /// Those after it that are written.
    after: BTreeSet<usize>,
    /// The bytes written since the last sync.
    bytes: u64,
    is_syncing: bool,
}

impl Journal {
    /// Begins a journal, or goes on with one of the same run. Returns the number of bands that are done.
    pub(crate) fn open(
        path: &Path,
        run: &str,
        resumes: bool,
        every: u64,
    ) -> FileResult<(Self, usize)> {
        let of = |error| CheckpointError::file(path, &error);
        let mut text = String::new();
        if resumes && path.exists() {
            let file = File::open(path).map_err(of)?;
            file.take(1 << 24).read_to_string(&mut text).map_err(of)?;
        }
        // A line that was cut off is none.
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let is_new = match lines.next() {
            None => true,
            Some(line) if line == run => false,
            Some(_) => {
                return refuse(format!(
                    "{} is that of another run: inputs, rules or options differ; leave out --resume to start again",
                    path.display()
                ));
            }
        };
        let done = lines.filter_map(|line| line.parse().ok()).max().unwrap_or(0);
        // Written anew, so that no line continues one that was cut off.
        let mut file = File::create(path).map_err(of)?;
        let start = if is_new { format!("{run}\n") } else { format!("{run}\n{done}\n") };
        file.write_all(start.as_bytes()).map_err(of)?;
        let state = JournalState {
            file,
            before: done,
            after: BTreeSet::new(),
            bytes: 0,
            is_syncing: false,
        };
        Ok((Self { path: path.into(), state: Mutex::new(state), every }, done))
    }

    /// Notes that a band is written. At times, one of the callers syncs the outputs.
    pub(crate) fn add(&self, band: usize, bytes: u64, outputs: &[File]) -> FileResult<()> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = lock();
        state.after.insert(band);
        loop {
            let before = state.before;
            if !state.after.remove(&before) {
                break;
            }
            state.before += 1;
        }
        state.bytes += bytes;
        if state.bytes < self.every || state.is_syncing {
            return Ok(());
        }
        (state.bytes, state.is_syncing) = (0, true);
        let before = state.before;
        drop(state);
        // All bands before that one are written, and now they reach the disk.
        let synced = outputs.iter().try_for_each(File::sync_data);
        lock().is_syncing = false;
        synced.map_err(|error| CheckpointError::file(&self.path, &error))?;
        self.note(before)
    }

    /// Notes that as many bands are on the disk.
    pub(crate) fn note(&self, done: usize) -> FileResult<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = state.file.write_all(format!("{done}\n").as_bytes());
        noted.map_err(|error| CheckpointError::file(&self.path, &error))
    }

    /// Removes the file.
    pub(crate) fn remove(self) -> FileResult<()> {
        std::fs::remove_file(&self.path).map_err(|error| CheckpointError::file(&self.path, &error))
    }
}
