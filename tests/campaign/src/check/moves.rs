//! Relayouts against moving elements one by one.

use std::collections::BTreeSet;

use super::views::{Built, build};
use super::{Verdict, bytes, element_of_bits, ensure, first_difference, position, read, write};
use crate::element::Element;
use crate::guard::{Buffer, Position};
use crate::library::{self, How, Plan, Threads};
use crate::step::Viewed;
use crate::table::for_each_coordinate;
use test_support::Random;

/// A move from one view to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What is read.
    pub source: Viewed,
    /// What is written.
    pub destination: Viewed,
    /// What the bytes and the positions of the buffers are made from.
    pub data: u64,
    /// The threads that move it, if the case is about threads.
    pub threads: Option<Threads>,
}

/// The bytes of a move.
pub struct Bytes {
    /// What the source holds.
    pub source: Vec<u8>,
    /// What the destination holds before.
    pub before: Vec<u8>,
    /// What the destination must hold after.
    pub after: Vec<u8>,
}

/// The move succeeds if the two sides match, in every form of running it, and changes nothing else.
///
/// # Errors
/// What went wrong.
pub fn check(case: &Move) -> Result<Verdict, String> {
    let nothing = |_: &Built| Ok(());
    let (Some(from), Some(to)) =
        (build(&case.source, nothing)?, build(&case.destination, nothing)?)
    else {
        return Ok(Verdict::Refused);
    };
    let element = case.destination.root.element;
    let is_one_type = from.element.ordered(false) == element.ordered(false);
    let goes = goes_together(&from, &to) && is_one_type && to.table.is_unique();
    let plan = match library::plan(&from.layout, &to.layout) {
        Ok(plan) => plan,
        Err(error) if goes && !library::facts(&to.layout).is_overlapping => {
            return Err(format!("the plan is refused: {error}"));
        }
        Err(_) => return Ok(Verdict::Refused),
    };
    ensure!(goes, "the plan is accepted; unique: {}", to.table.is_unique());
    let mut random = Random::new(case.data, 0);
    let bytes = expected(&case.destination, &from, &to, &mut random);
    for set in library::instruction_sets() {
        for how in ways(case.threads) {
            library::with_instruction_set(set, || run(&plan, how, element, &bytes, &mut random))
                .map_err(|error| format!("{how:?}, {set}: {error}"))?;
        }
    }
    if case.threads.is_some() {
        return Ok(Verdict::Done);
    }
    refusals(&plan, element, &bytes)?;
    tensors(&from, &to, element, &bytes, &mut random)?;
    in_place(&plan, element, &bytes)?;
    Ok(Verdict::Done)
}

/// How a tensor is moved: in every way, or by some threads, which meet in another order each time.
fn ways(threads: Option<Threads>) -> Vec<How> {
    match threads {
        None => How::ALL.to_vec(),
        Some(threads) => {
            [false, true, false].map(|is_streaming| How::Divided(threads, is_streaming)).into()
        }
    }
}

/// Whether the two sides have the same axes with the same extents.
pub fn goes_together(from: &Built, to: &Built) -> bool {
    let (from, to) = (&from.table, &to.table);
    from.letters.len() == to.letters.len()
        && from.letters.iter().all(|letter| from.extent(*letter) == to.extent(*letter))
}

/// Moves the elements one by one.
pub fn expected(destination: &Viewed, from: &Built, to: &Built, random: &mut Random) -> Bytes {
    let element = destination.root.element;
    let read_as = from.element;
    let source = bytes(random, element.bytes_of(from.length));
    let before = bytes(random, element.bytes_of(to.length));
    let mut after = before.clone();
    if !to.is_view {
        let fill = element_of_bits(destination.root.pad.unwrap_or(0), element.bits());
        let taken: BTreeSet<usize> = to.table.offsets.iter().copied().collect();
        // What of the last byte follows all elements stays.
        let end = if taken.len() < to.length { to.length } else { 0 };
        (0..end).for_each(|offset| write(&mut after, element, offset, &fill));
    }
    let axes: Vec<usize> = from
        .table
        .letters
        .iter()
        .map(|letter| to.table.axis(*letter).expect("the same axes"))
        .collect();
    for_each_coordinate(&to.table.extents, |coordinate| {
        let other: Vec<usize> = axes.iter().map(|&axis| coordinate[axis]).collect();
        let moved = read(&source, read_as, from.table.at(&other));
        write(&mut after, element, to.table.at(coordinate), &moved);
    });
    Bytes { source, before, after }
}

fn unit(element: Element) -> usize {
    element.bits().div_ceil(8)
}

fn run(
    plan: &Plan,
    how: How,
    element: Element,
    bytes: &Bytes,
    random: &mut Random,
) -> Result<(), String> {
    let places = [position(random, 1), position(random, 1)];
    let source = Buffer::new(&bytes.source, places[0]);
    let mut destination = Buffer::new(&bytes.before, places[1]);
    library::relayout(plan, how, unit(element), source.bytes(), destination.bytes_mut())?;
    ensure!(destination.is_guarded(), "writes outside of the destination, {places:?}");
    ensure!(source.is_guarded() && source.bytes() == bytes.source, "writes to the source");
    match first_difference(destination.bytes(), &bytes.after) {
        Some(text) => Err(format!("{text}, {places:?}\n{plan}")),
        None => Ok(()),
    }
}

/// Buffers of other lengths are refused, and nothing is written.
fn refusals(plan: &Plan, element: Element, bytes: &Bytes) -> Result<(), String> {
    let unit = unit(element);
    let longer = [&bytes.source[..], &vec![0; unit]].concat();
    let mut destination = bytes.before.clone();
    let found = library::relayout(plan, How::Plain, unit, &longer, &mut destination);
    ensure!(found.is_err(), "a source that is too long is accepted");
    if destination.len() >= unit {
        let end = destination.len() - unit;
        let found =
            library::relayout(plan, How::Plain, unit, &bytes.source, &mut destination[..end]);
        ensure!(found.is_err(), "a destination that is too short is accepted");
    }
    ensure!(destination == bytes.before, "a refused relayout writes");
    Ok(())
}

/// The same through tensors.
fn tensors(
    from: &Built,
    to: &Built,
    element: Element,
    bytes: &Bytes,
    random: &mut Random,
) -> Result<(), String> {
    if from.table.letters.len() != to.table.letters.len() || from.element != element {
        return Ok(());
    }
    let aligned = |built: &Built, random: &mut Random| {
        position(random, library::facts(&built.layout).alignment.max(8))
    };
    let source = Buffer::new(&bytes.source, aligned(from, random));
    let mut destination = Buffer::new(&bytes.before, aligned(to, random));
    if let Some(found) = library::reads(&from.layout, element, source.bytes()) {
        let number = |offset: &usize| {
            let mut bytes = read(source.bytes(), element, *offset);
            if cfg!(target_endian = "big") {
                bytes.reverse();
            }
            bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
        };
        let expected: Vec<u64> = from.table.offsets.iter().map(number).collect();
        ensure!(found? == expected, "elements of the tensor are not those of the table");
    }
    let moved = library::into(
        (&from.layout, source.bytes()),
        (&to.layout, destination.bytes_mut()),
        element,
    );
    let Some(moved) = moved else { return Ok(()) };
    moved?;
    ensure!(destination.is_guarded(), "`relayout_into` writes outside");
    match first_difference(destination.bytes(), &bytes.after) {
        Some(text) => Err(format!("`relayout_into`: {text}")),
        None => Ok(()),
    }
}

/// The same in one buffer, where the library takes it.
fn in_place(plan: &Plan, element: Element, bytes: &Bytes) -> Result<(), String> {
    let mut buffer = Buffer::new(&bytes.source, Position::END);
    let moved = library::in_place(plan, unit(element), buffer.bytes_mut());
    ensure!(buffer.is_guarded(), "in place: writes outside");
    let expected = if moved.is_ok() { &bytes.after } else { &bytes.source };
    ensure!(buffer.bytes().len() == expected.len(), "in place: sides of different lengths");
    match first_difference(buffer.bytes(), expected) {
        Some(text) => Err(format!("in place, {moved:?}: {text}\n{plan}")),
        None => Ok(()),
    }
}
