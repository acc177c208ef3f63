//! What the compiler makes of the library, read in assembly listings.

mod codegen;
mod functions;
#[cfg(target_arch = "x86_64")]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod unused;
