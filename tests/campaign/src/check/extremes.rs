//! Layouts that no table can hold: every question is answered or refused, without a panic and soon.

use super::{Verdict, ensure};
use crate::extreme::Extreme;
use crate::library;
use crate::table::Table;

/// Asks all questions, whatever the answers are.
///
/// # Errors
/// Facts that contradict one another; panics and delays are found by the caller.
pub fn check(case: &Extreme) -> Result<Verdict, String> {
    let Ok(mut layout) = library::layout(&case.root) else { return Ok(Verdict::Refused) };
    ask(&layout)?;
    for step in &case.steps {
        if let Ok(next) = library::step(&layout, step) {
            layout = next;
            ask(&layout).map_err(|error| format!("after {step}: {error}"))?;
        }
    }
    Ok(Verdict::Done)
}

fn ask(layout: &library::Layout) -> Result<(), String> {
    let facts = library::facts(layout);
    library::format(layout);
    library::questions(layout)?;
    ensure!(library::is_same_map(layout, layout), "is not the same map as itself");
    let first = vec![0; facts.extents.len()];
    match facts.count {
        0 => {
            ensure!(facts.range == (0..0), "no elements from {:?}", facts.range);
            ensure!(
                library::checked_offset(layout, &first).is_none() || facts.extents.is_empty(),
                "an element of none"
            );
        }
        _ => {
            let last: Vec<usize> = facts.extents.iter().map(|extent| extent - 1).collect();
            for coordinate in [first, last] {
                let offset = library::checked_offset(layout, &coordinate);
                let inside = offset
                    .is_some_and(|offset| facts.range.contains(&offset) && offset < facts.length);
                ensure!(
                    inside,
                    "{coordinate:?} has offset {offset:?} of {:?}, length {}",
                    facts.range,
                    facts.length
                );
            }
        }
    }
    #[cfg(feature = "moves")]
    {
        library::plans(layout);
        for &axis in facts.letters.iter().filter(|_| facts.length == 0) {
            let _ = library::first_parts(layout, axis, 1);
        }
    }
    // Tables are for what is small.
    let small = facts.extents.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent));
    if small.is_some_and(|count| count < 1000) {
        let offset = |coordinate: &[usize]| library::offset(layout, coordinate);
        let table = Table::from_fn(facts.letters, facts.extents, offset);
        ensure!(table.is_unique() == facts.is_unique, "`is_unique` is {}", facts.is_unique);
    }
    Ok(())
}
