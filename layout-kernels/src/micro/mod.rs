//! Micro-kernels: the only code that is compiled for each instruction set and width.
//!
//! [`copy`]: runs. [`tile`]: transposes in register tiles, whose rows and columns [`offsets`] gives. [`permute`]: byte
//! permutes. [`words`]: transposes without vectors.
#![cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    allow(dead_code, reason = "there are no vectors")
)]

pub(crate) mod copy;
pub(crate) mod offsets;
pub(crate) mod permute;
pub(crate) mod tile;
pub(crate) mod words;
