//! Memory: what functions allocate, and what they do if it is refused. A program of its own, since its allocator counts
//! each allocation.
//!
//! An allocation whose size comes from a layout, a file or a caller is refused with an error. The standard library
//! ends a program whose other allocations are refused, and then so do these tests; with `RUST_BACKTRACE=1`, it says
//! where.

mod allocator;
mod cases;
mod empty;
mod files;
mod listed;
mod pages;
