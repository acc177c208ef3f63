//! Accelerators: storages, addresses, and the descriptors that move tensors.

mod descriptors;
mod own_storages;
mod place;
mod storage_types;
mod storages;
mod transfers;
