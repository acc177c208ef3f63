//! Remembers which bands of an output are on the disk, so that a run that was killed can go on.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{CheckpointError, FileResult, refuse};

/// How the line of each run begins.
pub(crate) const JOURNAL: &str = "layout repack ";

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
        check_no_link(path)?;
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(of)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return refuse(format!(
                    "another run writes this output, and holds {}; wait for its end, or name another output",
                    path.display()
                ));
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                return Err(of(error));
            }
            _ => {}
        }
        // A run that has ended since has removed the file.
        if !path.exists() {
            return refuse(format!("another run of {} has just ended; try again", path.display()));
        }
        let mut text = Vec::new();
        (&file).take(1 << 24).read_to_end(&mut text).map_err(of)?;
        let mut text = String::from_utf8_lossy(&text);
        if !text.starts_with(JOURNAL) && !JOURNAL.starts_with(&*text) {
            return refuse(format!(
                "{} is not a journal of a repack; move it away, or name another output",
                path.display()
            ));
        }
        if !resumes {
            text = "".into();
        }
        // A line that was cut off is none.
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        if lines.next().is_some_and(|line| line != run) {
            return refuse(format!(
                "{} is that of another run: inputs, rules, options or the number of processors differ; start \
                 again without `resume`",
                path.display()
            ));
        }
        let done = lines.filter_map(|line| line.parse().ok()).max().unwrap_or(0);
        let (before, after) = (done, BTreeSet::new());
        let state = JournalState { file, before, after, bytes: 0, is_syncing: false };
        let new = Self { path: path.into(), state: Mutex::new(state), every };
        new.begin(run, done)?;
        Ok((new, done))
    }

    /// Writes the file anew, so that no line continues one that was cut off.
    pub(crate) fn begin(&self, run: &str, done: usize) -> FileResult<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.before = done;
        let file = &mut state.file;
        let written = file.set_len(0).and_then(|()| file.rewind());
        let start = if done == 0 { format!("{run}\n") } else { format!("{run}\n{done}\n") };
        let written = written.and_then(|()| file.write_all(start.as_bytes()));
        written.map_err(|error| CheckpointError::file(&self.path, &error))
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

    /// Notes the number of bands on the disk.
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

/// Returns an error if there is something other than a file.
fn check_no_link(path: &Path) -> FileResult<()> {
    match std::fs::symlink_metadata(path).is_ok_and(|own| !own.is_file()) {
        true => refuse(format!(
            "{} is a link or no file; remove it, or name another output",
            path.display()
        )),
        false => Ok(()),
    }
}
