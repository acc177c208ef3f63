//! Moves of bytes: any permutation of strided loops, planned as data and run by vector kernels.
//!
//! A [`Move`] is a list of loops around a unit of bytes. Each loop has a size, and a stride in bytes on both sides. A
//! [`Plan`] says how this machine carries out the move. It is plain data, is made in one to four microseconds or in
//! const evaluation, and prints its path.
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
//! The modules, in the order in which they are used:
//! - `isa`: the instruction sets, and detection of those that the CPU has;
//! - `steps`: runs, matrices and byte permutes as data, with loops around them, and the thresholds that choices depend
//!   on;
//! - `micro`: the micro-kernels that move these, generic over vectors, and products of bytes;
//! - `sets`: the vectors and the table of micro-kernels of each instruction set;
//! - `plan`: simplifies a move and chooses a step for it: copies of runs, a transpose in tiles, or a byte permute; or
//!   two steps through a scratch buffer;
//! - `run`: the loops around micro-kernels, moves whose plans are constants, and moves in parts;
//! - `convert`: plain loops that convert elements, compiled for each instruction set; values of codes, and the ends of
//!   groups of numbers.
//!
//! A plan leaves bytes of the destination unchanged if no unit covers them, except padding that it
//! [fills](Plan::pads). It reads and writes only inside the slices that it is given.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(feature = "alloc", feature = "records"))]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod convert;
mod isa;
mod micro;
mod plan;
mod run;
mod sets;
mod steps;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
pub use convert::requantize;
#[cfg(feature = "records")]
pub use convert::{
    CodeBlocks, CodeNumbers, CodePart, CodeRun, CodeStep, extremes, larger, smaller, truncated,
    widen,
};
pub use convert::{
    Convert, Converter, PERIOD, Runs, Work, on as converter, sets as converters, work_on_best,
};
pub use isa::Isa;
pub use micro::products::add_products;
#[cfg(all(feature = "alloc", feature = "records"))]
pub use plan::{BitLoops, BitPermute};
pub use plan::{Choice, Error, Move, Padding, Plan, Reasons, Side, Stores};
#[cfg(feature = "rayon")]
pub use run::{LEAST_PART, par_run, runs_alone};
pub use run::{StaticMove, run_static, static_pads, static_plan};
pub use steps::{LINE, Loop, MAX_LOOPS, SubByte};
