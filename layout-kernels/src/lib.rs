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
//! - `isa`: the instruction sets, and which of them the CPU has;
//! - `steps`: runs, matrices and byte permutes as data, with rounds around them; every threshold;
//! - `micro`: micro-kernels that move these, generic over vectors;
//! - `sets`: the vectors and the table of micro-kernels of each instruction set, and those that a step needs;
//! - `plan`: a move, simplified, and the choice of a step for it: copies of runs, a transpose in tiles, or a byte permute;
//! - `run`: the loops around micro-kernels; moves whose plans are constants; moves in parts;
//! - `convert`: plain loops that change elements, compiled for each instruction set.
//!
//! Bytes of the destination that no unit covers stay as they are. A plan reads and writes inside the slices that it is
//! given alone.
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod convert;
mod isa;
mod micro;
mod plan;
mod run;
mod sets;
mod steps;

pub use convert::{Convert, Converter, PERIOD, Runs, best as converter, sets as converters};
pub use isa::Isa;
pub use plan::{Choice, Error, Move, Padding, Plan, Reasons, Stores};
#[cfg(feature = "rayon")]
pub use run::par_run;
pub use run::{KnownMove, known, run_known};
pub use steps::{LINE, Loop, MAX_LOOPS, SubByte};
