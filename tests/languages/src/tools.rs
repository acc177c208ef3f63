//! Compilers and other programs that tests run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// A folder of a test, removed after it.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one.
    pub fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("tensor-layout-{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// A file in it.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a program of this Debian package, and returns what it prints.
pub fn run(command: &mut Command, package: &str) -> String {
    let done = command.output().unwrap_or_else(|error| {
        panic!("{:?} does not run: {error}; install {package}", command.get_program())
    });
    let texts = [&done.stderr, &done.stdout].map(|text| String::from_utf8_lossy(text));
    let [errors, printed] = texts.map(|text| text.chars().take(4000).collect::<String>());
    assert!(done.status.success(), "{command:?}: {}\n{errors}{printed}", done.status);
    printed
}
