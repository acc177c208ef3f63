//! Every set of kernels that the CPU has, forced, over the loops of real layouts.
//!
//! `pairs` makes jobs of two layouts; `forced` runs them with each set, `strided` those of views; and `sets` sees
//! that no set is left out.

mod forced;
mod pairs;
mod sets;
mod strided;
