//! The macros everywhere that a user may write them: in every position, inside other macros, without imports, and
//! among names that look like the library's own.

#![allow(
    clippy::type_complexity,
    reason = "clippy counts what a macro expands to; outside of tests an alias is better anyway"
)]
#![allow(unreachable_pub, reason = "items are written as a user's public modules have them")]

mod elements;
mod generics;
mod named;
mod no_imports;
mod positions;
mod user_macros;

mod derives;
/// The user's own names for what the macros expand to.
#[allow(non_camel_case_types, dead_code, unused_macros)]
mod shadowed;

mod include;
mod include_rebuild;

use bytemuck::{Pod, Zeroable};
use tensor_layout::{Element, PlainElement, Relayout, StaticLayout, Tensor, layout, named_format};

/// Compiles only where both layouts are one type.
fn same<L: StaticLayout>(_: L, _: L) {}
