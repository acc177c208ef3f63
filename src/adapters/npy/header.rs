//! The header of an .npy file, read without trusting it.
//!
//! npyz allocates a header of the length that the file claims and multiplies extents that may overflow. It passes the
//! text to a parser of all Python literals, whose time doubles with each nested bracket and which panics on some
//! sums. So this module first checks that the text is one that NumPy writes.

use std::format;
use std::io::{Error, ErrorKind, Read, Result};
use std::str;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// NumPy's own limit, in bytes.
const MAX_LENGTH: u32 = 10_000;

/// The maximal depth of brackets. A record of records of arrays takes 6.
const MAX_DEPTH: usize = 8;

/// Reads all bytes before the array.
pub(super) fn read(reader: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = vec![0; 10];
    reader.read_exact(&mut bytes)?;
    // The length follows the two bytes of the version, in two or four bytes.
    let length = match bytes[..] {
        [_, _, _, _, _, _, 1, _, low, high] => u16::from_le_bytes([low, high]).into(),
        [_, _, _, _, _, _, 2 | 3, _, low, high] => {
            let mut rest = [0; 2];
            reader.read_exact(&mut rest)?;
            bytes.extend(rest);
            u32::from_le_bytes([low, high, rest[0], rest[1]])
        }
        // npyz says what is wrong.
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

/// Returns an error unless `text` consists of words, numbers, strings without escapes, and brackets that are not
/// nested too deep.
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

/// Returns an error unless `text` states the shape once and the product of the extents fits `usize`.
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
        // npyz also computes partial products, so an extent of 0 does not prevent an overflow.
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
