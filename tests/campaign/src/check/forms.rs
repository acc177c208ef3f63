//! One layout in all forms at run time: each is refused in the same words, or is the same layout, which is that of the
//! table.

use std::collections::BTreeMap;
use std::time::Instant;

use super::views::{Built, inspect};
use super::{Verdict, ensure};
use crate::isolation;
use crate::library::{self, Unknown};
use crate::memory::Memory;
use crate::notation::{Notation, Part};
use crate::small::{Bounds, Choices, small};
use crate::table::{Table, for_each_coordinate};

/// How many forms have been compared, each with the first form or with the table.
pub type Compared = usize;

/// All forms are one layout, and the oracle's.
///
/// # Errors
/// What differs.
pub fn check(notation: &Notation) -> Result<(Verdict, Compared), String> {
    let forms = library::forms(notation);
    let (first, expected) = forms[0];
    for (form, found) in &forms[1..] {
        ensure!(*found == expected, "{form}: {}, and {first}: {}", said(found), said(&expected));
    }
    let memory = Some(notation).filter(|notation| is_allowed(notation)).and_then(Memory::new);
    let must = memory.as_ref().map_or(Some(false), |memory| must_work(notation, memory));
    let (layout, memory) = match (expected, memory) {
        (Err(error), _) => {
            ensure!(must != Some(true), "is refused: {error}");
            return Ok((Verdict::Refused, forms.len()));
        }
        (Ok(layout), Some(memory)) if must != Some(false) => (layout, memory),
        (Ok(layout), _) => return Err(format!("is taken: {layout}")),
    };
    let Memory { table, length, .. } = memory;
    let is_view = notation.is_view();
    let built = Built { layout, table, element: notation.element, length, is_view };
    inspect(&built)?;
    let mut compared = forms.len();
    for unknown in subsets(notation) {
        let count = notation.axes.iter().enumerate();
        let is_known = |at| unknown >> at & 1 == 0;
        let is_empty = built.table.count() == 0;
        // A type takes no extent of 0, and what is said of unknown extents is said of those above 0.
        if count.clone().any(|(at, axis)| axis.1 == 0 && is_known(at)) {
            continue;
        }
        mixed(notation, unknown, &built, is_empty).map_err(|error| {
            let names = count.map(|(at, axis)| if is_known(at) { axis.0 } else { '_' });
            format!("with extents of {} known: {error}", names.collect::<String>())
        })?;
        compared += 1;
    }
    Ok((Verdict::Done, compared))
}

/// Compares the forms of every layout within bounds, or of each `step`-th from `first` on, and returns the number of
/// kinds of failures. Failures that begin with the same words are of one kind, and the first of a kind is printed. More
/// than `most` kinds end it.
pub fn enumerate(bounds: Bounds, first: u64, step: u64, most: usize) -> usize {
    let (mut choices, mut number, start) = (Choices::default(), 0, Instant::now());
    let (mut layouts, mut refused, mut compared) = (0u64, 0u64, 0u64);
    let mut kinds = BTreeMap::<String, (u64, String)>::new();
    while kinds.len() <= most {
        let notation = small(&mut choices, bounds);
        if number % step == first % step {
            layouts += 1;
            match isolation::caught(|| check(&notation)) {
                Ok((verdict, forms)) => {
                    compared += forms as u64;
                    refused += u64::from(verdict == Verdict::Refused);
                }
                Err(failure) => {
                    let is_word = |letter: &char| letter.is_ascii_lowercase() || *letter == ' ';
                    let kind = failure.chars().filter(is_word).take(50).collect();
                    let found = kinds.entry(kind);
                    found.or_insert_with(|| (0, format!("{notation}\n  {failure}"))).0 += 1;
                }
            }
        }
        number += 1;
        if !choices.advance() {
            break;
        }
    }
    for (count, failure) in kinds.values() {
        println!("FAILED {count} times: {failure}");
    }
    println!(
        "{layouts} of {number} layouts in {} s, {refused} of them refused by all forms, {compared} forms \
         compared, {} kinds of failures",
        start.elapsed().as_secs(),
        kinds.len()
    );
    kinds.len()
}

fn said(made: &library::Made) -> String {
    match made {
        Ok(layout) => format!("{layout:?}"),
        Err(error) => format!("{error}"),
    }
}

/// The layout with some extents known at run time alone.
fn mixed(notation: &Notation, unknown: usize, built: &Built, is_empty: bool) -> Result<(), String> {
    let Table { extents, .. } = &built.table;
    let unknown = match Unknown::new(notation, unknown, extents) {
        Ok(Some(unknown)) => unknown,
        Ok(None) => return Ok(()),
        Err(_) if is_empty => return Ok(()),
        Err(error) => return Err(format!("is refused whatever they are: {error}")),
    };
    let mut result = Ok(());
    for_each_coordinate(extents, |coordinate| {
        let (found, expected) = (unknown.offset(coordinate), built.table.at(coordinate));
        if result.is_ok() && found != expected {
            result = Err(format!("offset {coordinate:?} is {found}, not {expected}"));
        }
    });
    ensure!(
        unknown.agrees(&built.layout),
        "its offsets are said to be others than those of its layout"
    );
    result
}

/// Which axes are unknown: all subsets of few; of more axes one, all but one, and all.
fn subsets(notation: &Notation) -> Vec<usize> {
    let rank = notation.axes.len();
    let all = (1 << rank) - 1;
    match rank {
        0..=3 => (1..=all).collect(),
        _ => (0..rank).flat_map(|at| [1 << at, all ^ (1 << at)]).chain([all]).collect(),
    }
}

/// Whether the layout breaks no rule that can be judged before a table is made.
fn is_allowed(notation: &Notation) -> bool {
    let is_block = |part: &Part, letter| matches!(part, Part::Block(own, _) | Part::Weighted(own, ..) if *own == letter);
    let has_blocks = |letter| notation.order.iter().any(|part| is_block(part, letter));
    let lanes_fit = notation.lanes.is_none_or(|(letter, lanes, start)| {
        let extent = notation.extent(letter);
        let is_wide = has_blocks(letter) && notation.block(letter) > extent && extent > 0;
        let others = notation.broadcast.contains(&letter) || notation.swizzle.is_some();
        start < lanes && !is_wide && !others
    });
    let swizzle = notation.swizzle.is_none_or(|(bits, _, shift)| shift.unsigned_abs() >= bits);
    notation.is_allowed() && swizzle && lanes_fit && are_strides_allowed(notation)
}

fn are_strides_allowed(notation: &Notation) -> bool {
    let Some(strides) = &notation.strides else { return true };
    let per_byte = notation.element.per_byte();
    let is_row = |stride: usize| stride % per_byte == 0 || per_byte % stride == 0;
    let mut all = notation.axes.iter().zip(strides);
    notation.pad.is_none()
        && notation.align.is_empty()
        && notation.pitch.is_empty()
        && all.all(|((letter, extent), stride)| match notation.broadcast.contains(letter) {
            true => *stride == 0,
            false => *extent <= 1 || *stride != 0 && is_row(stride.unsigned_abs()),
        })
}

/// Whether a layout that is allowed must be taken, or must be refused; `None` where this does not know.
fn must_work(notation: &Notation, memory: &Memory) -> Option<bool> {
    if notation.strides.is_none() {
        return Some(notation.pad.is_some() || !memory.is_odd || memory.table.count() == 0);
    }
    // Which elements are shared by mistake is not known where an axis means to share them.
    let is_unique = memory.table.is_unique();
    (is_unique || notation.broadcast.is_empty()).then_some(is_unique)
}
