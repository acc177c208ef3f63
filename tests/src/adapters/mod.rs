//! Tensors in files and in types of other packages.

mod arrays;
mod arrow;
mod dlpack;
mod dlpack_devices;
mod image;
#[macro_use]
mod matrices;
mod nalgebra;
mod ndarray;
mod npy;
mod npy_headers;
mod safetensors;
mod storage;
