//! TVM's layout names: `NHWC`, `NCHW4c`, `OIHW16i16o`.
//!
//! A capital letter is a whole axis, and a number with a lower-case letter is a block of it. An axis has at most one
//! block. If an axis ends inside a block, TVM does not keep its extent, so it must be kept beside the name. Padding
//! holds zeros. Brackets around blocks, `OIHW[4o4i]`, make one dimension of them and do not change the memory order.
//!
//! Index maps express any order of blocks: [`index_map`] and [`parse_index_map`].

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
pub use crate::index_map::{index_map, parse_index_map};
use crate::memory_order::{is_same, orders, other_order, stored};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::{ElementType, Factor, Format, Letters, MAX_RANK, Name};

/// Returns the layout of a name over `extents`, which are in coordinate order, as for [`Layout::of`].
///
/// # Errors
/// - The text is not a name of TVM.
/// - An axis has several blocks.
/// - The name has another number of axes.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::tvm;
/// use tensor_layout::{ElementType, Layout};
///
/// let packed = tvm::parse("NCHW4c", &[1, 8, 3, 3], ElementType::I8)?;
/// assert_eq!(packed, Layout::of("NCHW4c", &[1, 8, 3, 3], ElementType::I8)?);
/// assert!(tvm::parse("OIHW4i16o4i", &[16, 16, 3, 3], ElementType::I8).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(name: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let format = format(name)?;
    let axes = format.coordinate_order();
    format.axes_of(extents)?;
    stored(&format, axes, &[], extents, element)
}

/// Returns the layout of a name over named axes in coordinate order, each with its extent. Use it for coordinates
/// in another order than that of the letters.
///
/// # Errors
/// The errors of [`parse`]. In addition, the axes are not those of the name.
pub fn parse_named(
    name: &str,
    axes: &[(char, usize)],
    element: ElementType,
) -> Result<Layout, NameError> {
    let format = format(name)?;
    let (mut letters, mut extents) = (Letters::EMPTY, [0; MAX_RANK]);
    let is_own = |&(letter, _): &(char, usize)| format.axes().position(letter).is_some();
    let rank = format.axes().count();
    let is_twice = (1..axes.len()).any(|i| axes[..i].iter().any(|axis| axis.0 == axes[i].0));
    if axes.len() != rank || is_twice || !axes.iter().all(is_own) {
        let (name, given) = (Name::new(name), axes.len());
        return Err(NameError::Rank { system: System::Tvm, name, least: rank, most: rank, given });
    }
    for (i, &(letter, extent)) in axes.iter().enumerate() {
        (letters, extents[i]) = (letters.with(letter), extent);
    }
    stored(&format, letters, &[], &extents[..rank], element)
}

/// Parses a name to a format.
fn format(name: &str) -> Result<Format, NameError> {
    let unknown = NameError::unknown(System::Tvm, name);
    let fused = unfused(name).ok_or(unknown)?;
    let name = fused.as_str();
    let mut before = None;
    for character in name.chars() {
        let is_block = before.is_some_and(|before: char| before.is_ascii_digit());
        let is_cased = match is_block {
            true => !character.is_ascii_uppercase(),
            false => !character.is_ascii_lowercase(),
        };
        if !is_cased {
            return Err(unknown);
        }
        before = Some(character);
    }
    // Names such as `NCHW4`, which this crate has, are not TVM's.
    let ends_in_letter = before.is_some_and(|last| last.is_ascii_alphabetic());
    let format = Format::parse(name)?;
    if !ends_in_letter || has_two_blocks(&format) || name.len() < format.axes().count() {
        return Err(unknown);
    }
    Ok(format)
}

/// Returns a name without the brackets around blocks, or `None` if they are around something else.
fn unfused(name: &str) -> Option<LayoutName> {
    let mut text = LayoutName::EMPTY;
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, after) = after.split_once(']')?;
        inside.strip_prefix(|first: char| first.is_ascii_digit())?;
        text.push(before);
        text.push(inside);
        rest = after;
    }
    text.push(rest);
    (!text.is_cut() && !rest.contains(']')).then_some(text)
}

/// Returns the name of a layout, in the letters of its axes.
///
/// # Errors
/// - The layout has no axes.
/// - An axis has several blocks.
/// - The layout has gaps, or strides that are not those of a memory order.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    for format in orders(layout) {
        if has_two_blocks(&format) || layout.rank() == 0 {
            continue;
        }
        let named = stored(&format, layout.letters(), &[], layout.extents(), layout.element());
        if named.is_ok_and(|named| is_same(layout, &named)) {
            let mut text = LayoutName::EMPTY;
            let _ = write!(text, "{format}");
            return Ok(text);
        }
    }
    Err(other_order(System::Tvm, layout))
}

fn has_two_blocks(format: &Format) -> bool {
    let factors = format.factors();
    factors.iter().enumerate().any(|(i, factor)| {
        let same = |other: &Factor| other.is_block() && other.letter() == factor.letter();
        factor.is_block() && factors[i + 1..].iter().any(same)
    })
}
