//! The one module that names the library.

mod chips;
#[cfg(feature = "moves")]
mod conversions;
#[cfg(feature = "moves")]
mod files;
mod forms;
mod layouts;
#[cfg(feature = "moves")]
mod moves;
mod questions;
#[cfg(feature = "moves")]
mod statics;
#[cfg(feature = "moves")]
mod tensors;
#[cfg(feature = "texts")]
mod texts;
#[cfg(feature = "moves")]
mod threads;
#[cfg(feature = "moves")]
pub mod typed;

pub use forms::{Made, Unknown, forms, violations};
pub use layouts::*;
pub use questions::questions;
#[cfg(feature = "moves")]
pub use {
    conversions::{PAIRS, convert, convert_chunks},
    files::npy,
    moves::{How, Plan, in_place, instruction_sets, plan, plans, relayout, with_instruction_set},
    statics::{STATICS, StaticMove},
    tensors::{first_parts, into, parts, reads},
    threads::Threads,
};
