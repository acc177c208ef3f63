//! Memory orders, to which most names are converted.

use crate::error::NameError;
use crate::system::System;
use layout_core::spec::{
    ElementType, Factor, Format, LayoutError, Letters, MAX_FACTORS, MAX_RANK, Name, Rule,
};
use layout_core::{Layout, LayoutBuilder};

/// The error of a layout without a name, for systems whose names are memory orders.
pub(crate) fn other_order(system: System, layout: &Layout) -> NameError {
    let is_weighted = |factor: &Factor| matches!(factor, Factor::Weighted(..));
    let reason = if layout.swizzle().is_some() {
        "it has a swizzle"
    } else if layout.lanes().is_some() {
        "it is distributed over lanes"
    } else if of_digits(layout).is_some_and(|order| order.factors().iter().any(is_weighted)) {
        "an axis has blocks that are not listed from the outer to the inner"
    } else {
        "no name of the system has these strides and this length"
    };
    NameError::inexpressible(system, layout, reason)
}

/// Axes and blocks, slowest first.
#[derive(Clone, Copy)]
pub(crate) struct FactorOrder {
    factors: [Factor; MAX_FACTORS],
    count: usize,
}

impl FactorOrder {
    pub(crate) const EMPTY: Self = Self { factors: [Factor::Axis('A'); MAX_FACTORS], count: 0 };

    /// Appends a faster factor. A block of one position is always 0, so it is left out.
    pub(crate) fn push(&mut self, factor: Factor) -> Result<(), NameError> {
        match factor {
            Factor::Block(_, 1) | Factor::Weighted(_, 1, _) => return Ok(()),
            Factor::Block(letter, 0) => return Err(LayoutError(Rule::EmptyBlock { letter }).into()),
            _ if self.count == MAX_FACTORS => return Err(LayoutError(Rule::TooManyFactors).into()),
            _ => self.factors[self.count] = factor,
        }
        self.count += 1;
        Ok(())
    }

    pub(crate) fn format(&self) -> Format {
        Format::of(&self.factors[..self.count])
    }
}

/// The layout of a memory order over `extents` of `axes`. `aligned` has an alignment in bytes for each axis, 0 for
/// none. Padding holds zeros.
pub(crate) fn stored(
    format: &Format,
    axes: Letters,
    aligned: &[(char, usize)],
    extents: &[usize],
    element: ElementType,
) -> Result<Layout, NameError> {
    let mut list = [('A', 0); MAX_RANK];
    for (i, &extent) in extents.iter().enumerate() {
        list[i] = (axes.at(i), extent);
    }
    let list = &list[..extents.len()];
    let mut builder = LayoutBuilder::new(format, element);
    for &(axis, bytes) in aligned.iter().filter(|align| align.1 > 0) {
        builder = builder.align(axis, bytes);
    }
    let bare = builder.extents_as_listed(list);
    match bare {
        Ok(layout) if layout.len() == layout.numel() => return bare.map_err(NameError::from),
        Err(LayoutError(Rule::OddRow { .. })) => return bare.map_err(NameError::from),
        _ => {}
    }
    let layout = builder.pad(0).extents_as_listed(list)?;
    // This crate rounds padded rows of elements of less than a byte up to whole bytes. These systems do not.
    if element.bits() < 8 && aligned.iter().all(|align| align.1 == 0) && layout.numel() > 0 {
        let rounded = rounded_count(format, list);
        if rounded != Some(layout.len()) {
            let letter = axes.at(axes.count() - 1);
            let length = rounded.unwrap_or(usize::MAX);
            return Err(LayoutError(Rule::OddRow { letter, length, element }).into());
        }
    }
    Ok(layout)
}

/// The number of elements of a format over these axes, each rounded up to its blocks.
fn rounded_count(format: &Format, axes: &[(char, usize)]) -> Option<usize> {
    axes.iter().try_fold(1usize, |count, &(letter, extent)| {
        let blocks = format.factors().iter().try_fold(1usize, |block, &factor| match factor {
            Factor::Block(axis, size) | Factor::Weighted(axis, size, _) if axis == letter => {
                block.checked_mul(size)
            }
            _ => Some(block),
        })?;
        count.checked_mul(extent.checked_next_multiple_of(blocks)?)
    })
}

/// A memory order as text, in which `*` stands for `number`: `NCHW*c`.
pub(crate) fn written(order: &str, number: usize) -> Result<Format, NameError> {
    let mut text = Name::EMPTY;
    for character in order.chars() {
        match character {
            '*' => text.push_number(number),
            other => text.push_char(other),
        }
    }
    Ok(Format::parse(text.as_str())?)
}

/// Candidates for the memory order of `layout`: that of its digits, and the first formats that it matches. Others
/// differ from these only in the order of axes of extent 1.
pub(crate) fn orders(layout: &Layout) -> impl Iterator<Item = Format> {
    let found = [of_digits(layout), layout.format(), layout.formats().next()];
    found.into_iter().flatten()
}

/// The order of the digits, if each takes memory and begins at 0.
fn of_digits(layout: &Layout) -> Option<Format> {
    let mut order = FactorOrder::EMPTY;
    for digit in &layout.digits() {
        if digit.shift > 0 || (digit.stride <= 0 && digit.size > 1) {
            return None;
        }
        let letter = layout.letters().at(digit.axis);
        let factor = match layout.is_rest(digit) {
            true => Factor::Axis(letter),
            false => Factor::Weighted(letter, digit.size, digit.weight),
        };
        order.push(factor).ok()?;
    }
    Some(order.format())
}

/// Whether both layouts have the same length, and the same offset at every coordinate. Axes are matched by position.
/// False for a layout over lanes, which belong to the chip.
pub(crate) fn is_same(layout: &Layout, named: &Layout) -> bool {
    let comparable = layout.rank() == named.rank() && layout.lanes().is_none();
    comparable
        && layout.len() == named.len()
        && layout.same_map(&named.with_letters(layout.letters()))
}

/// The first name whose layout is this one. If there is none, and the layout of a name differs only in elements that
/// the system does not store, the error says that.
pub(crate) fn first_name<'a>(
    system: System,
    layout: &Layout,
    names: impl Iterator<Item = &'a str>,
    read: impl Fn(&str) -> Result<Layout, NameError>,
    check: impl Fn(&str) -> Result<(), NameError>,
) -> Result<&'a str, NameError> {
    let mut refused = other_order(system, layout);
    let mut is_illegal = false;
    for name in names {
        if read(name).is_ok_and(|named| is_same(layout, &named)) {
            match check(name) {
                Ok(()) => return Ok(name),
                Err(error) if !is_illegal => (refused, is_illegal) = (error, true),
                Err(_) => {}
            }
        }
    }
    Err(refused)
}

/// The name without what programs write before it, which ends with one of these marks.
pub(crate) fn bare<'a>(name: &'a str, marks: &[&str]) -> &'a str {
    let rest = marks.iter().find_map(|&mark| name.rsplit_once(mark));
    rest.map_or(name, |(_, rest)| rest)
}

/// The letters of a text.
pub(crate) fn letters(text: &str) -> Letters {
    text.chars().fold(Letters::EMPTY, Letters::with)
}

/// The first `rank` letters of the alphabet, for axes by position.
pub(crate) fn alphabet(rank: usize) -> Letters {
    letters(&"ABCDEFGHIJKL"[..rank])
}

/// The letters of a tensor of `rank` axes: those of images and volumes, or the alphabet.
pub(crate) fn usual_letters(rank: usize) -> Letters {
    match rank {
        3 => letters("CHW"),
        4 => letters("NCHW"),
        5 => letters("NCDHW"),
        _ => alphabet(rank),
    }
}

/// The format of whole axes in an order.
pub(crate) fn whole_axes(axes: impl Iterator<Item = char>) -> Result<Format, NameError> {
    let mut order = FactorOrder::EMPTY;
    for axis in axes {
        order.push(Factor::Axis(axis))?;
    }
    Ok(order.format())
}

/// Checks that the number of extents is in this range, and that a layout can have it.
pub(crate) fn check_rank(
    system: System,
    name: &str,
    (least, most): (usize, usize),
    given: usize,
) -> Result<(), NameError> {
    let most = most.min(MAX_RANK);
    match least <= given && given <= most {
        true => Ok(()),
        false if least > MAX_RANK => Err(LayoutError(Rule::TooManyAxes).into()),
        false => Err(NameError::Rank { system, name: Name::new(name), least, most, given }),
    }
}

/// Checks that the element type is one of these.
pub(crate) fn check_element(
    system: System,
    name: &str,
    element: ElementType,
    takes: &'static [ElementType],
) -> Result<(), NameError> {
    match takes.contains(&element) {
        true => Ok(()),
        false => {
            let name = Name::new(name);
            Err(NameError::Element { system, name, element, takes })
        }
    }
}

/// The element types of a list with a name for each.
pub(crate) const fn elements<const COUNT: usize>(
    names: &[(ElementType, &str)],
) -> [ElementType; COUNT] {
    let mut elements = [ElementType::U8; COUNT];
    layout_core::each!(i, 0..COUNT, {
        elements[i] = names[i].0;
    });
    elements
}

/// The name of an element type in a list, or `?` if it has none.
pub(crate) fn label_of(
    names: &[(ElementType, &'static str)],
    element: ElementType,
) -> &'static str {
    names.iter().find(|(listed, _)| *listed == element).map_or("?", |(_, name)| name)
}
