//! Accelerators: storages, addresses, and the descriptors that move tensors.

mod place;
mod storage_types;
mod storages;
mod transfers;
