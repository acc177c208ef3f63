//! Micro-kernels: the code that moves bytes, compiled for each instruction set and vector width.
//!
//! - [`vector`] has the operations that the vectors of each instruction set implement.
//! - [`copy`] copies runs.
//! - [`transpose`] transposes in register tiles, whose rows and columns [`offsets`] finds. `stream` does so with
//!   non-temporal stores.
//! - [`byte_network`] permutes bytes.
//! - `block_moves` permutes bytes whose bits move within them, in blocks.
//! - [`products`] multiplies bytes, for kernels of convolutions.
//! - [`words`] transposes without vectors, and makes planes of elements of less than a byte.
#![cfg_attr(not(vectors), allow(dead_code, reason = "there are no vectors"))]

#[cfg(all(feature = "alloc", feature = "records"))]
pub(crate) mod block_moves;
#[cfg(vectors)]
pub(crate) mod byte_network;
pub(crate) mod copy;
pub(crate) mod offsets;
pub(crate) mod products;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod stream;
pub(crate) mod transpose;
pub(crate) mod vector;
pub(crate) mod words;
