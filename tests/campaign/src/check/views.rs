//! Layouts and views against tables of offsets.

use std::collections::HashSet;

use super::{Verdict, ensure};
use crate::element::Element;
use crate::library::{self, Layout};
use crate::memory::Memory;
use crate::notation::Notation;
use crate::step::{Step, Viewed};
use crate::table::{Table, for_each_coordinate};

/// A view as the library has it and as the table has it.
#[derive(Clone)]
pub struct Built {
    /// The library's.
    pub layout: Layout,
    /// The oracle's.
    pub table: Table,
    /// The element type.
    pub element: Element,
    /// The elements of the storage.
    pub length: usize,
    /// Whether elements between those of the table are somebody else's.
    pub is_view: bool,
}

/// Makes the view step by step, and hands each layout that comes up to `inspect`. `None` where the
/// library refuses the layout, or where the campaign cannot hold its table.
///
/// # Errors
/// What `inspect` finds, and steps that the library must not refuse.
pub fn build(
    viewed: &Viewed,
    inspect: impl Fn(&Built) -> Result<(), String>,
) -> Result<Option<Built>, String> {
    let Some(Memory { table, length, .. }) = Memory::new(&viewed.root) else { return Ok(None) };
    let layout = match library::layout(&viewed.root) {
        Ok(layout) => layout,
        Err(error) => {
            // Strides may overlap, lanes may be too many, and rows of elements of less than a byte may end inside one.
            let is_simple = viewed.root.is_allowed()
                && !viewed.root.is_view()
                && viewed.root.lanes.is_none()
                && viewed.root.element.bits() >= 8;
            ensure!(!is_simple, "is refused: {error}");
            return Ok(None);
        }
    };
    let element = viewed.root.element;
    let is_view = viewed.root.is_view();
    let mut built = Built { layout, table, element, length, is_view };
    inspect(&built)?;
    for step in &viewed.steps {
        let Some(table) = step.apply(&built.table) else { continue };
        match library::step(&built.layout, step) {
            Ok(layout) => {
                built = Built { layout, table, is_view: true, ..built };
                inspect(&built).map_err(|error| format!("after {step}: {error}"))?;
            }
            Err(error) if step.must_work() => return Err(format!("{step} is refused: {error}")),
            Err(_) => {}
        }
    }
    Ok(Some(built))
}

/// Every layout of the view says of itself what its table says.
///
/// # Errors
/// What differs.
pub fn check(viewed: &Viewed) -> Result<Verdict, String> {
    match build(viewed, inspect)? {
        Some(_) => Ok(Verdict::Done),
        None => Ok(Verdict::Refused),
    }
}

/// [`check`], and the neighbours of every small view.
///
/// # Errors
/// What differs.
pub fn check_closely(viewed: &Viewed) -> Result<Verdict, String> {
    match build(viewed, |built| inspect(built).and_then(|()| probe(built)))? {
        Some(built) => library::questions(&built.layout).map(|()| Verdict::Done),
        None => Ok(Verdict::Refused),
    }
}

/// A layout says of itself what its table says.
pub fn inspect(built: &Built) -> Result<(), String> {
    offsets(built)?;
    facts(built)?;
    inverse(built)?;
    order(built)?;
    format(built)?;
    text(built)
}

/// The most coordinates of a view whose neighbours are tried.
const PROBED: usize = 64;

/// Every short slice of a small view, and every tiling of it into two: where digits begin and end inside
/// blocks, or repeat elements, is rare among random slices.
fn probe(built: &Built) -> Result<(), String> {
    if built.table.count() > PROBED {
        return Ok(());
    }
    for (&axis, &extent) in built.table.letters.iter().zip(&built.table.extents) {
        for (start, length) in (0..extent).flat_map(|start| [(start, 3), (start, 4), (start, 6)]) {
            let slice = Step::Slice { axis, start, step: 1, length };
            let Some(slice) = probed(built, &slice)? else { continue };
            for (outer, inner) in
                [(2, 2), (2, 3), (3, 2)].into_iter().filter(|(a, b)| a * b == length)
            {
                let free = ['Y', 'Z'].iter().all(|letter| slice.table.axis(*letter).is_none());
                let tiles = vec![('Y', outer), ('Z', inner)];
                if free {
                    probed(&slice, &Step::Tile { axis, tiles })?;
                }
            }
        }
    }
    Ok(())
}

/// The view after one step more, where the step fits and the library takes it.
fn probed(built: &Built, step: &Step) -> Result<Option<Built>, String> {
    let Some(table) = step.apply(&built.table) else { return Ok(None) };
    let Ok(layout) = library::step(&built.layout, step) else { return Ok(None) };
    let next = Built { layout, table, is_view: true, ..built.clone() };
    facts(&next).and_then(|()| offsets(&next)).map_err(|error| format!("after {step}: {error}"))?;
    Ok(Some(next))
}

fn offsets(Built { layout, table, length, .. }: &Built) -> Result<(), String> {
    let mut result = Ok(());
    for_each_coordinate(&table.extents, |coordinate| {
        let expected = table.at(coordinate);
        let found = library::offset(layout, coordinate);
        if result.is_ok() && (found != expected || found >= *length) {
            result = Err(format!("offset {coordinate:?} is {found}, not {expected}, of {length}"));
        }
        if result.is_ok() && library::checked_offset(layout, coordinate) != Some(expected) {
            result = Err(format!("`checked_offset` differs at {coordinate:?}"));
        }
    });
    result?;
    for axis in 0..table.extents.len() {
        let mut outside = vec![0; table.extents.len()];
        outside[axis] = table.extents[axis];
        let found = library::checked_offset(layout, &outside);
        ensure!(found.is_none(), "{outside:?} is outside, and has offset {found:?}");
    }
    Ok(())
}

fn facts(Built { layout, table, length, .. }: &Built) -> Result<(), String> {
    let facts = library::facts(layout);
    let Table { letters, extents, offsets } = table;
    ensure!(facts.letters == *letters, "axes {:?}, not {letters:?}", facts.letters);
    ensure!(facts.extents == *extents, "extents {:?}, not {extents:?}", facts.extents);
    ensure!(facts.count == table.count(), "count {}, not {}", facts.count, table.count());
    ensure!(facts.length == *length, "length {}, not {length}", facts.length);
    ensure!(!facts.text.is_empty(), "prints as nothing");
    let distinct: HashSet<usize> = offsets.iter().copied().collect();
    let is_unique = distinct.len() == offsets.len();
    // Of windows that overlap, both may be false where the table says otherwise.
    ensure!(
        facts.is_unique == is_unique || (facts.is_overlapping && !facts.is_unique),
        "`is_unique` is {}: {}",
        facts.is_unique,
        facts.text
    );
    let is_exhaustive = distinct.len() == *length;
    ensure!(
        facts.is_exhaustive == is_exhaustive || (facts.is_overlapping && !facts.is_exhaustive),
        "`is_exhaustive` is {}, with {} of {length} offsets: {}",
        facts.is_exhaustive,
        distinct.len(),
        facts.text
    );
    let is_contiguous = offsets.windows(2).all(|two| two[1] == two[0] + 1);
    // A swizzle may put elements one after the other that strides do not.
    ensure!(
        facts.is_contiguous == is_contiguous || (facts.is_swizzled && !facts.is_contiguous),
        "`is_contiguous` is {}: offsets {:?}.., {}",
        facts.is_contiguous,
        &offsets[..offsets.len().min(8)],
        facts.text
    );
    let range = match (offsets.iter().min(), offsets.iter().max()) {
        (Some(low), Some(high)) => *low..*high + 1,
        _ => 0..0,
    };
    // Of a swizzle, the range may begin below the first element.
    let start = if facts.is_swizzled { facts.range.start } else { range.start };
    ensure!(
        facts.range == (start..range.end) && start <= range.start,
        "`range` is {:?}, not {range:?}: {}",
        facts.range,
        facts.text
    );
    if facts.is_swizzled {
        ensure!(facts.strides.is_none(), "a swizzle with strides: {}", facts.text);
        return Ok(());
    }
    strides(table, facts.strides, &facts.text)
}

fn strides(table: &Table, found: Option<Vec<isize>>, text: &str) -> Result<(), String> {
    let expected = table.strides();
    match (&found, &expected) {
        (Some(found), Some(expected)) => {
            let mut pairs = found.iter().zip(expected);
            let same = pairs.all(|(found, expected)| expected.is_none_or(|step| step == *found));
            ensure!(same, "strides {found:?}, not {expected:?}: {text}");
        }
        (None, Some(expected)) if table.count() > 0 => {
            return Err(format!("`strides` is `None`, where steps are {expected:?}: {text}"));
        }
        (Some(found), None) => {
            return Err(format!("strides {found:?}, where steps differ: {text}"));
        }
        _ => {}
    }
    Ok(())
}

/// Coordinates of offsets.
fn inverse(Built { layout, table, length, .. }: &Built) -> Result<(), String> {
    let taken: HashSet<usize> = table.offsets.iter().copied().collect();
    for offset in 0..(*length).min(2000) {
        match library::coordinate(layout, offset) {
            Some(coordinate) => {
                let inside =
                    coordinate.iter().zip(&table.extents).all(|(index, extent)| index < extent);
                ensure!(
                    inside
                        && coordinate.len() == table.extents.len()
                        && table.at(&coordinate) == offset,
                    "offset {offset} is said to be that of {coordinate:?}"
                );
            }
            None => ensure!(!taken.contains(&offset), "offset {offset} is said to be nobody's"),
        }
    }
    Ok(())
}

/// Coordinates in memory order: each one once, and from the lowest address up where strides nest.
fn order(Built { layout, table, .. }: &Built) -> Result<(), String> {
    let coordinates = library::coordinates(layout);
    ensure!(
        coordinates.len() == table.count(),
        "{} coordinates in memory order",
        coordinates.len()
    );
    let distinct: HashSet<&Vec<usize>> = coordinates.iter().collect();
    ensure!(distinct.len() == coordinates.len(), "a coordinate comes twice in memory order");
    ensure!(library::is_same_map(layout, layout), "is not the same map as itself");
    // A swizzle has no say in the order.
    if is_nested(table) && layout.swizzle().is_none() {
        let sorted = coordinates.iter().map(|coordinate| table.at(coordinate)).is_sorted();
        ensure!(sorted, "coordinates in memory order do not go from low to high offsets");
    }
    Ok(())
}

/// Whether every axis has one stride, which is at least the span of all smaller ones.
fn is_nested(table: &Table) -> bool {
    let Some(strides) = table.strides() else { return false };
    let steps = strides
        .iter()
        .zip(&table.extents)
        .filter_map(|(stride, extent)| Some((stride.as_ref()?, extent)));
    let mut steps: Vec<(usize, usize)> = steps
        .map(|(stride, extent)| (stride.unsigned_abs(), *extent))
        .filter(|step| step.0 > 0)
        .collect();
    steps.sort_unstable();
    let mut span = 1;
    steps.into_iter().all(|(stride, extent)| {
        let is_outside = stride >= span;
        span += stride * (extent - 1);
        is_outside
    })
}

/// The format that a layout names is one whose own table is the same, but for where it begins.
fn format(Built { layout, table, .. }: &Built) -> Result<(), String> {
    let Some(text) = library::format(layout).filter(|_| table.count() > 0) else { return Ok(()) };
    let axes: Vec<(char, usize)> =
        table.letters.iter().copied().zip(table.extents.iter().copied()).collect();
    let extents: Vec<String> =
        axes.iter().map(|(letter, extent)| format!("{letter}={extent}")).collect();
    let extents = if axes.is_empty() { String::new() } else { format!("<{}>", extents.join(",")) };
    let notation = Notation::parse(&format!("{text}{extents}, u8, pad"), "");
    let Some(notation) = notation else { return Err(format!("names the format {text}")) };
    let bits = library::facts(layout).bytes * 8;
    if bits == 0 {
        return Ok(());
    }
    let Some(dense) = Memory::new(&notation) else { return Ok(()) };
    let first = table.offsets[0];
    let same =
        table.offsets.iter().zip(&dense.table.offsets).all(|(own, dense)| *own == first + dense);
    // Rows of elements of less than a byte end at whole bytes, which the notation above knows nothing of.
    let is_odd = layout.element().bits() < 8;
    ensure!(same || is_odd, "is said to be in format {text}, and is not");
    Ok(())
}

/// If a layout prints in the notation, the printed layout has the same offsets.
fn text(Built { layout, table, length, .. }: &Built) -> Result<(), String> {
    let text = library::facts(layout).text;
    ensure!(library::is_read_again(layout), "prints as {text}, which is read as another layout");
    let (written, first, whole) = match text.split_once(", from ") {
        Some((written, place)) => {
            let mut numbers = place.split(" of ").map(str::parse);
            match (numbers.next(), numbers.next()) {
                (Some(Ok(first)), Some(Ok(whole))) => (written, Some(first), Some(whole)),
                _ => return Ok(()),
            }
        }
        None => (text.as_str(), None, None),
    };
    let unnamed: String = table.letters.iter().collect();
    let Some(notation) = Notation::parse(written, &unnamed) else { return Ok(()) };
    // The notation cannot express a start before the swizzle.
    if notation.swizzle.is_some() && first.is_some() {
        return Ok(());
    }
    let strides = notation.strides.as_ref().map_or(notation.axes.len(), Vec::len);
    if strides != notation.axes.len() || matches!(notation.element, Element::Bytes(_)) {
        return Ok(());
    }
    let axes: Vec<(char, usize)> =
        table.letters.iter().copied().zip(table.extents.iter().copied()).collect();
    ensure!(notation.axes == axes, "prints as {text}, with other axes");
    let Some(printed) = Memory::new(&notation).filter(|_| table.count() > 0) else { return Ok(()) };
    let start = printed.table.offsets[0];
    let moved =
        printed.table.offsets.iter().map(|offset| (offset + table.offsets[0]).checked_sub(start));
    let same = moved.eq(table.offsets.iter().copied().map(Some));
    ensure!(same, "prints as {text}, which has other offsets");
    let first = first.unwrap_or(start);
    ensure!(first == table.offsets[0], "prints as {text}, and begins at {}", table.offsets[0]);
    let whole = whole.unwrap_or(printed.length);
    ensure!(whole == *length, "prints as {text}, and has {length} elements");
    Ok(())
}
