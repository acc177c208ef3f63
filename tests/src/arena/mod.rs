//! Tensors that share memory: their plans, and runs of their steps.

mod plans;
mod runs;
