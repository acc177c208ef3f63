//! The program `layout`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Run the program with these arguments, and return its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<Vec<u8>>) -> u8 {
    py.detach(|| layout_cli::run(arguments.into_iter().map(argument)))
}

#[cfg(unix)]
fn argument(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn argument(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
