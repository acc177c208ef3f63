//! Cases, the table of conversions, and what is compiled for each of these.

mod case;
#[cfg_attr(few_pairs, allow(dead_code, reason = "all pairs use it"))]
mod native;
mod pairs;
mod table;

#[allow(unused_imports, reason = "only `targets` makes cases of its own")]
pub(crate) use case::{Case, ELEMENTS, View};
pub(crate) use pairs::pair;
pub(crate) use table::cases;
#[allow(unused_imports, reason = "only `targets` has another table")]
pub(crate) use table::cases_of;
