//! Tensors in files and in types of other packages.

mod arrays;
mod dlpack;
mod image;
mod nalgebra;
mod ndarray;
mod npy;
mod safetensors;
