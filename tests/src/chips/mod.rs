//! Accelerators: storages, addresses, and the descriptors that move tensors.

mod place;
mod storages;
mod transfers;
