//! The inside of the Python package `tensor_layout`: layouts, plans, copies and conversions over buffers.
//!
//! `python/tensor_layout/__init__.py` has what users call. It turns arrays of NumPy, PyTorch and others into buffers of
//! unsigned integers, and allocates results.
//!
//! - `buffer` has the memory of an object, `layout` the class of layouts, `moves` what moves elements, `record` the
//!   class of records, `checkpoint` files, `program` the program `layout`.

mod buffer;
mod checkpoint;
mod layout;
mod moves;
mod program;
mod record;

/// The functions and classes.
#[pyo3::pymodule]
mod _tensor_layout {
    #[pymodule_export]
    use super::checkpoint::{GgufMetadata, read_headers, run_repack, write_file};
    #[pymodule_export]
    use super::layout::{Layout, LayoutError};
    #[pymodule_export]
    use super::moves::{Plan, convert, copy, relayout_cost};
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::record::Record;
}
