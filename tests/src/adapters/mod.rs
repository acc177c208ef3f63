//! Tensors in files and in types of other packages.

mod dlpack;
mod ndarray;
mod npy;
mod safetensors;
