//! Tests of the whole library, one program: from what a layout is to what moves it.
//!
//! `support` stands below all; `cargo test --package tensor-layout-tests views::` runs a part.
#![allow(clippy::type_complexity, reason = "layouts are written where they are used")]

mod support;

mod layouts;

mod algebra;
mod names;
mod views;

mod access;

mod arena;

mod tensors;

mod relayouts;

mod strided;

mod chips;

mod pictures;

mod adapters;

mod macros;

mod recipes;

mod records;

mod examples;

mod listing;

mod structure;
