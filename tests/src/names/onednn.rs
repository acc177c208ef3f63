//! All of oneDNN's tags and aliases.

use tensor_layout::names::{NameError, onednn};
use tensor_layout::{ElementType, Layout};

use super::assert_digits;

/// Every tag of oneDNN 3.6.2.
const TAGS: &str = include_str!("../../../layout-names/src/onednn_tags.txt");

/// An alias and its tag on each line, out of `dnnl_types.h` of oneDNN 3.6.2.
const ALIASES: &str = include_str!("onednn_aliases.txt");

/// A tag as digits over `extents`, from the rule of oneDNN's documents.
fn digits(tag: &str, extents: &[usize]) -> Vec<(usize, usize, usize)> {
    let axis = |letter: char| letter.to_ascii_lowercase() as usize - 'a' as usize;
    let (mut outer, mut blocks, mut number) = (Vec::new(), Vec::new(), 0);
    for character in tag.chars() {
        match (character.to_digit(10), number) {
            (Some(digit), _) => number = number * 10 + digit as usize,
            (None, 0) => outer.push(axis(character)),
            (None, size) => {
                blocks.push((axis(character), size));
                number = 0;
            }
        }
    }
    let mut weights = vec![1; extents.len()];
    let mut fastest_first = Vec::new();
    for &(axis, size) in blocks.iter().rev() {
        fastest_first.push((axis, size, weights[axis]));
        weights[axis] *= size;
    }
    for &axis in outer.iter().rev() {
        fastest_first.push((axis, extents[axis].div_ceil(weights[axis]), weights[axis]));
    }
    fastest_first.into_iter().rev().collect()
}

fn rank(tag: &str) -> usize {
    let outside = tag.split(|character: char| character.is_ascii_digit()).next();
    // Every tag begins with all of its axes; the last letter before the first number is the last axis.
    outside.map_or(0, str::len)
}

/// Extents that end inside of blocks and fill them, few enough coordinates to look at all.
fn extents(tag: &str, seed: usize) -> Vec<usize> {
    let whole = digits(tag, &vec![1; rank(tag)]);
    let mut left = 4000;
    (0..rank(tag))
        .map(|axis| {
            let block: usize =
                whole.iter().filter(|digit| digit.0 == axis).map(|digit| digit.1).product();
            let extent = if block == 1 { 2 + (axis + seed) % 2 } else { block + (seed + axis) % 5 };
            let extent = extent.min(left).max(1);
            left /= extent;
            extent
        })
        .collect()
}

#[test]
fn every_tag_is_read_and_printed() {
    let mut read = 0;
    for tag in TAGS.lines() {
        let extents = extents(tag, read);
        let layout = onednn::parse(tag, &extents, ElementType::F32)
            .unwrap_or_else(|error| panic!("{tag}: {error}"));
        assert_digits(&layout, &digits(tag, &extents), tag);
        let printed = onednn::print(&layout).unwrap_or_else(|error| panic!("{tag}: {error}"));
        let again = onednn::parse(printed.as_str(), &extents, ElementType::F32).unwrap();
        assert_eq!(again, layout, "{tag} and {printed}");
        read += 1;
    }
    assert_eq!(read, 837);
}

#[test]
fn a_tag_whose_blocks_repeat_prints_as_itself() {
    let mut same = 0;
    for tag in TAGS.lines() {
        let whole = digits(tag, &vec![1; rank(tag)]);
        let block = |axis: usize| -> usize {
            whole.iter().filter(|digit| digit.0 == axis).map(|digit| digit.1).product()
        };
        // Two and more of each block, so that no other order has the same offsets.
        let extents: Vec<usize> = (0..rank(tag)).map(|axis| 2 * block(axis)).collect();
        let layout = onednn::parse(tag, &extents, ElementType::I8).unwrap();
        assert_eq!(onednn::print(&layout).unwrap().as_str(), tag);
        same += 1;
    }
    assert_eq!(same, 837);
}

#[test]
fn every_alias_is_its_tag() {
    let mut read = 0;
    for line in ALIASES.lines() {
        let (alias, tag) = line.split_once(' ').unwrap();
        let extents = extents(tag, read);
        let named = onednn::parse(alias, &extents, ElementType::BF16);
        let named = named.unwrap_or_else(|error| panic!("{alias}: {error}"));
        assert_digits(&named, &digits(tag, &extents), alias);
        let printed = onednn::print(&named).unwrap();
        let again = onednn::parse(printed.as_str(), &extents, ElementType::BF16).unwrap();
        assert_eq!(named.len(), again.len(), "{alias} and {tag}");
        read += 1;
    }
    assert_eq!(read, 770);
}

#[test]
fn what_onednn_does_not_have_is_an_error() {
    let parse = |tag: &str, extents: &[usize]| onednn::parse(tag, extents, ElementType::F32);
    for tag in
        ["", "any", "undef", "aBcd5b", "abcd16b", "ABcd16b", "cd", "aa", "NCHW", "nchw4c", "b"]
    {
        assert!(matches!(parse(tag, &[2, 3, 4, 5]), Err(NameError::Unknown { .. })), "{tag}");
    }
    assert!(matches!(parse("nchw", &[2, 3]), Err(NameError::Rank { .. })));
    assert!(matches!(
        onednn::parse("nchw", &[2, 3, 4, 5], ElementType::I16),
        Err(NameError::Element { .. })
    ));
    // Rows of 4-bit elements that end inside a byte.
    assert!(onednn::parse("ab", &[3, 5], ElementType::I4).is_err());
    assert!(onednn::parse("ab", &[3, 6], ElementType::I4).is_ok());
    let gaps = Layout::from_strides("AB", &[3, 5], &[6, 1], ElementType::F32).unwrap();
    assert!(matches!(onednn::print(&gaps), Err(NameError::Inexpressible { .. })));
}
