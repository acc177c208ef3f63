//! Accelerators: storages, addresses, and the descriptors that move tensors.

mod own_storages;
mod place;
mod storage_types;
mod storages;
mod transfers;
