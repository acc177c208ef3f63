//! What lies before the array of an .npy file, read without believing it.
//!
//! npyz takes memory for as long a header as the file claims, multiplies extents that may overflow,
//! and hands the text to a parser of all Python literals, which takes twice the time for each bracket
//! inside another and panics on some sums. So here is checked first that it is a text as NumPy writes
//! it.

use std::format;
use std::io::{Error, ErrorKind, Read, Result};
use std::str;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// NumPy's own limit, in bytes.
const MAX_LENGTH: u32 = 10_000;

/// How deep brackets go. A record of records of arrays takes 6.
const MAX_DEPTH: usize = 8;

/// All bytes before the array.
pub(super) fn read(reader: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = vec![0; 10];
    reader.read_exact(&mut bytes)?;
    // The length has two or four bytes behind the two of the version.
    let length = match bytes[..] {
        [_, _, _, _, _, _, 1, _, low, high] => u16::from_le_bytes([low, high]).into(),
        [_, _, _, _, _, _, 2 | 3, _, low, high] => {
            let mut rest = [0; 2];
            reader.read_exact(&mut rest)?;
            bytes.extend(rest);
            u32::from_le_bytes([low, high, rest[0], rest[1]])
        }
        // npyz knows what is wrong.
        _ => return Ok(bytes),
    };
    if length > MAX_LENGTH {
        return Err(invalid(format!(
            "its header would be {length} bytes long, and NumPy reads at most {MAX_LENGTH}"
        )));
    }
    let start = bytes.len();
    bytes.resize(start + length as usize, 0);
    reader.read_exact(&mut bytes[start..])?;
    let text = str::from_utf8(&bytes[start..]);
    let text = text.map_err(|_| invalid("its header is not text".into()))?;
    check_characters(text)?;
    check_shape(text)?;
    Ok(bytes)
}

/// Errors unless `text` is made of words, numbers, strings without escapes, and brackets that do
/// not go too deep.
fn check_characters(text: &str) -> Result<()> {
    let mut quote = None;
    let mut depth = 0usize;
    for character in text.chars() {
        match character {
            '\\' => return Err(invalid("its header has an escape".into())),
            _ if quote == Some(character) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(character),
            '(' | '[' | '{' if depth == MAX_DEPTH => {
                return Err(invalid(format!("its header has brackets more than {MAX_DEPTH} deep")));
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' | ':' => {}
            _ if character.is_ascii_alphanumeric() || character.is_ascii_whitespace() => {}
            _ => return Err(invalid(format!("its header has a `{character}`"))),
        }
    }
    Ok(())
}

/// Errors unless `text` says once what the shape is, and the extents can be multiplied.
fn check_shape(text: &str) -> Result<()> {
    let no_shape = || invalid("its header has no shape".into());
    let mut parts = text.split("shape");
    let (Some(_), Some(rest), None) = (parts.next(), parts.next(), parts.next()) else {
        return Err(no_shape());
    };
    let value = rest.trim_start_matches(['\'', '"', ':', ' ']).strip_prefix(['(', '[']);
    let extents = value.and_then(|value| value.split([')', ']']).next()).ok_or_else(no_shape)?;
    let mut product = 1u64;
    for extent in extents.split(',').map(str::trim).filter(|extent| !extent.is_empty()) {
        // Parts of the product are made as well, so an extent of 0 saves none.
        let next = extent.parse::<u64>().ok().and_then(|extent| product.checked_mul(extent.max(1)));
        product = next.ok_or_else(|| {
            invalid(format!("its shape ({extents}) has more elements than `usize` can count"))
        })?;
    }
    Ok(())
}

fn invalid(problem: String) -> Error {
    Error::new(ErrorKind::InvalidData, problem)
}
