//! The cases of the table, and what is compiled for each of them.

mod native;
mod pairs;
mod table;

pub(crate) use pairs::pair;
pub(crate) use table::{Case, cases};
