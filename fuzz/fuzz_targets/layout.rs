//! Texts of layouts: what the library makes of one agrees with the campaign's table of it.
#![no_main]

use campaign::check::{extremes, views};
use campaign::extreme::Extreme;
use campaign::library;
use campaign::notation::Notation;
use campaign::step::Viewed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(root) = Notation::parse(text, "NCHWABDEFG") else { return };
    let Ok(layout) = library::layout(&root) else { return };
    assert!(!library::facts(&layout).text.is_empty());
    let found = match root.count().is_some_and(|count| count < 500) && layout.len() < 10_000 {
        true => views::check(&Viewed::plain(root)),
        false => extremes::check(&Extreme { root, steps: Vec::new() }),
    };
    assert!(found.is_ok(), "{found:?}");
});
