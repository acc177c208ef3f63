//! Moves of bytes: any permutation of loops with strides, planned as data and run by vector kernels.
//!
//! A [`Move`] is a list of loops, each with a size and a stride in bytes on both sides, around a unit of bytes. A [`Plan`]
//! is how this machine moves it: plain data, made in about a microsecond or in const evaluation, that prints its path.
//!
//! ```
//! use layout_kernels::{Loop, Move, Plan};
//!
//! // 64 planes of 3136 bytes to 3136 pixels of 64 bytes.
//! let loops = [Loop::new(64, 3136, 1), Loop::new(3136, 1, 64)];
//! let plan = Plan::new(&Move::new(&loops, 1))?;
//! let (planes, mut pixels) = (vec![7; 64 * 3136], vec![0; 64 * 3136]);
//! assert!(plan.run(&planes, &mut pixels));
//! assert_eq!(pixels, planes);
//! println!("{plan}");
//! # Ok::<(), layout_kernels::Error>(())
//! ```
//!
//! In the order in which they are used:
//! - `nest`: a move, simplified;
//! - `plan`: the choice of a step for it: copies of runs, a transpose in tiles, or a byte permute; every threshold;
//! - `code`: the micro-kernels that a plan runs;
//! - `drive`: the loops around micro-kernels;
//! - `pack`: the driver of tiles whose rows or columns go through a scratch;
//! - `nibble`: moves of 4-bit elements;
//! - `known`: moves whose plans are constants; `inlined`: those without vectors, in place;
//! - `convert`: plain loops that change elements, compiled for each instruction set;
//! - `isa`: the instruction sets, which of them the CPU has, and the table of micro-kernels of each;
//! - `micro`: micro-kernels, generic over vectors.
//!
//! Bytes of the destination that no unit covers stay as they are. A plan reads and writes inside the slices that it is
//! given alone.
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod code;
mod convert;
mod drive;
#[cfg(any(test, not(all(target_arch = "x86_64", feature = "std"))))]
mod inlined;
mod isa;
mod known;
mod micro;
mod nest;
mod nibble;
mod pack;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;

pub use convert::{Convert, Converter, PERIOD, Runs, best as converter, sets as converters};
pub use isa::Isa;
pub use known::{KnownMove, known, run_known};
pub use nest::{Error, Loop, MAX_LOOPS, Move, Padding};
#[cfg(feature = "rayon")]
pub use parallel::par_run;
pub use plan::{LINE, Plan, Stores};
