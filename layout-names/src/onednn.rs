//! oneDNN's format tags: `acdb`, `aBcd16b`, `ABcd4b16a4b`, and their aliases `nhwc`, `nChw16c`, `OIhw4i16o4i`.
//!
//! The letters before the first number are whole axes in memory order. A capital letter has blocks, which follow, of
//! each axis the outer before the inner. An axis that ends inside a block is padded to the end of the block with
//! zeros, which kernels read. Only the combinations in `dnnl_types.h` exist. The tags are those of oneDNN 3.6.2.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    alphabet, bare, check_element, check_rank, is_same, orders, other_order, stored,
};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{
    self, BF16, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F16, F32, F64, I4, I8, I32, U4, U8,
};
use layout_core::spec::{Factor, Format, Letters, Text};

/// All tags, one on each line.
const TAGS: &str = include_str!("onednn_tags.txt");

/// The data types that this crate has too.
const ELEMENTS: &[ElementType] =
    &[F32, F16, BF16, F64, I32, I8, U8, I4, U4, F8E4M3, F8E5M2, F8E8M0, F4E2M1];

/// The letters of aliases, in the order of oneDNN's dimensions.
const FAMILIES: &[&str] = &[
    "ncdhw", "nchw", "ncw", "nc", "goidhw", "goihw", "goiw", "oidhw", "oihw", "oiw", "oi", "tnc",
    "tn", "ldnc", "ldigo", "ldgo", "ldio", "x",
];

/// The irregular aliases of the header: they have a capital without a block, or axes in another order than the tag.
const IRREGULAR: &[(&str, &str)] = &[
    ("OhwI24o", "Acdb24a"),
    ("OhwI32o", "Acdb32a"),
    ("gOhwI24o", "aBdec24b"),
    ("gOhwI32o", "aBdec32b"),
    ("gIOhw2i8o16i2o", "aBCde2c8b16c2b"),
    ("gIOdhw2i8o16i2o", "aBCdef2c8b16c2b"),
];

/// A tag in letters of the alphabet.
type Tag = Text<64>;

/// Returns the layout of a tag or an alias over `extents`, which are in the order of oneDNN's dimensions. The axes
/// have the letters of the tag. `dnnl_` or `memory::format_tag::` may come before the tag.
///
/// # Errors
/// - oneDNN does not have the tag, or the tag has another number of axes.
/// - oneDNN does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::onednn;
/// use tensor_layout::{ElementType, Layout};
///
/// let blocked = onednn::parse("nChw16c", &[1, 20, 7, 7], ElementType::F32)?;
/// assert_eq!(blocked, Layout::parse("NCHW16c<1, 20, 7, 7>, f32, pad = 0")?);
/// assert_eq!(onednn::print(&blocked)?.as_str(), "aBcd16b");
/// assert_eq!(
///     onednn::parse("nChw5c", &[1, 20, 7, 7], ElementType::F32).unwrap_err().to_string(),
///     "oneDNN has no layout `nChw5c`; write a blocking that has a tag, such as `aBcd16b`",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(tag: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let unknown = NameError::unknown(System::OneDnn, tag);
    let tag = bare(tag, &["format_tag::", "dnnl_"]);
    let family = family(tag).ok_or(unknown)?;
    let canonical = in_alphabet(tag, family.as_str()).ok_or(unknown)?;
    if !TAGS.lines().any(|known| known == canonical.as_str()) {
        return Err(unknown);
    }
    let rank = family.as_str().len();
    check_rank(System::OneDnn, tag, (rank, rank), extents.len())?;
    check_element(System::OneDnn, tag, element, ELEMENTS)?;
    let format = Format::parse(canonical.as_str())?;
    let layout = stored(&format, alphabet(rank), &[], extents, element)?;
    let axes = family.as_str().chars().map(|letter| letter.to_ascii_uppercase());
    Ok(layout.with_letters(axes.fold(Letters::EMPTY, Letters::with)))
}

/// Returns the tag of a layout, in letters of the alphabet, as in oneDNN's log. Axes are matched by position.
///
/// # Errors
/// - No tag describes the layout.
/// - oneDNN does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    check_element(System::OneDnn, "tag", layout.element(), ELEMENTS)?;
    let exact = orders(layout).filter_map(|format| tag_of(&format, layout.letters()));
    // If an axis has extent 1, or at most one block, other tags describe the same layout.
    let of_rank = TAGS
        .lines()
        .filter(|tag| family(tag).is_some_and(|family| family.as_str().len() == layout.rank()));
    let is_own = |tag: &str| {
        parse(tag, layout.extents(), layout.element()).is_ok_and(|named| is_same(layout, &named))
    };
    let found = exact.chain(of_rank.map(Tag::new)).find(|tag| is_own(tag.as_str()));
    match found {
        Some(tag) => Ok(LayoutName::new(tag.as_str())),
        None => Err(other_order(System::OneDnn, layout)),
    }
}

/// The letters of a tag in the order of oneDNN's dimensions.
fn family(tag: &str) -> Option<Tag> {
    let outside = tag.split(|character: char| character.is_ascii_digit()).next()?;
    let is_outside =
        |&letter: &char| outside.chars().any(|other| other.eq_ignore_ascii_case(&letter));
    let pick = |family: &str| family.chars().filter(is_outside).fold(Tag::EMPTY, with);
    // Tags in letters of the alphabet use the first ones.
    let first = ["abcdefghijkl".get(..outside.len()).unwrap_or("")];
    let all = first.iter().chain(FAMILIES);
    let all = all.filter(|family| family.len() == outside.len());
    let mut all = all.map(|family| pick(family));
    all.find(|found| found.as_str().len() == outside.len())
}

fn with(mut tag: Tag, letter: char) -> Tag {
    tag.push_char(letter);
    tag
}

/// The tag of an alias: each letter by its position in `family`.
fn in_alphabet(tag: &str, family: &str) -> Option<Tag> {
    if let Some(&(_, irregular)) = IRREGULAR.iter().find(|(alias, _)| *alias == tag) {
        return Some(Tag::new(irregular));
    }
    tag.chars().try_fold(Tag::EMPTY, |written, character| {
        if character.is_ascii_digit() {
            return Some(with(written, character));
        }
        let position = family.find(character.to_ascii_lowercase())?;
        let letter = char::from(b'a' + u8::try_from(position).ok()?);
        let is_capital = character.is_ascii_uppercase();
        Some(with(written, if is_capital { letter.to_ascii_uppercase() } else { letter }))
    })
}

/// A format as a tag, if its blocks follow all of its axes.
fn tag_of(format: &Format, axes: Letters) -> Option<Tag> {
    let factors = format.factors();
    let blocks = factors.get(axes.count()..)?;
    let mut tag = Tag::EMPTY;
    for (i, &factor) in factors.iter().enumerate() {
        let letter = factor.letter()?;
        let name = char::from(b'a' + u8::try_from(axes.position(letter)?).ok()?);
        match factor {
            Factor::Axis(_) if i < axes.count() => {
                let is_blocked = blocks.iter().any(|block| block.letter() == Some(letter));
                tag.push_char(if is_blocked { name.to_ascii_uppercase() } else { name });
            }
            Factor::Block(_, size) => {
                tag.push_number(size);
                tag.push_char(name);
            }
            _ => return None,
        }
    }
    Some(tag)
}
