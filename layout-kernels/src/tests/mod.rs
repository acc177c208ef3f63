//! Every set of kernels that the CPU has, forced, over the loops of real layouts.

mod jobs;
mod plan;
mod sets;
mod views;
