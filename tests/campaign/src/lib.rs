//! A campaign against `tensor-layout`: random layouts, views, relayouts, conversions, chunks and
//! files, each compared with tables of offsets that the campaign makes from the notation alone.
//!
//! The order of the modules is that of a case: random numbers make a [`notation`], [`memory`]
//! places it in a [`table`], [`step`]s make views of tables, [`generate`] and [`case`] choose,
//! [`check`] compares the [`library`] with the table, [`run`] runs and [`reduce`] simplifies.
//!
//! [`small`] lists all small layouts, whose forms [`check::forms`] compares, and [`types`] writes programs of random
//! layout types, which `tests/types.rs` compiles.
//!
//! Only [`library`] names the library. The README says what each kind of case cannot see.

#[cfg(feature = "moves")]
pub mod arithmetic;
#[cfg(feature = "moves")]
pub mod case;
pub mod check;
pub mod element;
pub mod extreme;
pub mod generate;
#[cfg(feature = "moves")]
pub mod guard;
pub mod isolation;
pub mod library;
pub mod memory;
pub mod notation;
#[cfg(feature = "moves")]
pub mod reduce;
#[cfg(feature = "moves")]
pub mod run;
pub mod small;
pub mod step;
pub mod table;
#[cfg(feature = "moves")]
pub mod types;
