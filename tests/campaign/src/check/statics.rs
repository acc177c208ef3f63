//! Derived relayouts, whose plans the compiler makes.

use super::moves::expected;
use super::views::build;
use super::{Verdict, ensure, first_difference, position};
use crate::guard::Buffer;
use crate::library::{self, STATICS};
use crate::notation::Notation;
use crate::step::Viewed;
use test_support::Random;

/// A derived relayout with random bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Static {
    /// Which one.
    pub index: usize,
    /// What the bytes and the positions are made from.
    pub data: u64,
}

/// The view that a `layout!` text stands for.
pub fn viewed(text: &str) -> Option<Viewed> {
    let text = text.replace('\n', " ");
    let orders = ["NCHW", "OIHW", "MK"];
    let letters: Vec<char> =
        text.split('<').next()?.chars().filter(char::is_ascii_uppercase).collect();
    let order = orders.iter().find(|order| letters.iter().all(|letter| order.contains(*letter)))?;
    Notation::parse(&text, order).map(Viewed::plain)
}

/// The move leaves what moving one by one leaves.
///
/// # Errors
/// What went wrong.
pub fn check(case: &Static) -> Result<Verdict, String> {
    let chosen = &STATICS[case.index];
    let sides = viewed(chosen.source).zip(viewed(chosen.destination));
    let (source, destination) = sides.ok_or("is not in the notation that the campaign reads")?;
    let (Some(from), Some(to)) = (build(&source, |_| Ok(()))?, build(&destination, |_| Ok(()))?)
    else {
        return Err("is refused at run time".to_string());
    };
    let mut random = Random::new(case.data, 3);
    let bytes = expected(&destination, &from, &to, &mut random);
    let align = source.root.element.bits().div_ceil(8);
    for set in library::instruction_sets() {
        let buffer = Buffer::new(&bytes.source, position(&mut random, align));
        let mut moved = Buffer::new(&bytes.before, position(&mut random, align));
        library::with_instruction_set(set, || (chosen.run)(buffer.bytes(), moved.bytes_mut()));
        ensure!(moved.is_guarded() && buffer.is_guarded(), "{set}: writes outside");
        if let Some(text) = first_difference(moved.bytes(), &bytes.after) {
            return Err(format!("{set}: {text}"));
        }
    }
    Ok(Verdict::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_derived_relayout_is_right_once() {
        for (index, chosen) in STATICS.iter().enumerate() {
            let text = format!("{} to {}", chosen.source, chosen.destination);
            assert_eq!(check(&Static { index, data: 7 }), Ok(Verdict::Done), "{text}");
        }
    }
}
