//! Moves of bytes: any permutation of loops with strides, planned as data and run by vector kernels.
//!
//! In the order in which they are used:
//! - `nest`: a [`Move`], simplified;
//! - `plan`: the choice of a step for it, which makes a [`Plan`];
//! - `drive`: the loops around micro-kernels;
//! - `isa`: the instruction sets, which one is there, and the table of micro-kernels of each;
//! - `pack`: the driver of tiles whose rows or columns go through a scratch;
//! - `nibble`: moves of 4-bit elements;
//! - `known`: moves whose plans are constants;
//! - `micro`: micro-kernels, generic over vectors.
#![cfg_attr(not(feature = "std"), no_std)]

mod drive;
mod isa;
mod known;
mod micro;
mod nest;
mod nibble;
mod pack;
mod plan;

pub use isa::Isa;
pub use known::{KnownMove, run_known};
pub use nest::{Error, Loop, MAX_LOOPS, Move, Padding};
pub use nibble::NibblePlan;
pub use plan::{Plan, Stores};
