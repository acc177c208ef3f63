//! The header of .npy files, versions 1 to 3: a magic string, a version, a length, and a Python
//! dictionary such as `{'descr': '<f4', 'fortran_order': False, 'shape': (64, 3, 7, 7), }`.
//!
//! Source: numpy.lib.format.

use layout_core::ElementType;

use super::array::Array;
use super::byte_order::ByteOrder;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Returns the array in a file.
pub(super) fn array<'a>(path: &'a str, file: &'a [u8]) -> Result<Array<'a>, String> {
    let rest = file
        .strip_prefix(MAGIC)
        .ok_or("it does not start as .npy files do; save it with `numpy.save`")?;
    let short = "its header is incomplete; save the file again";
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (u32::from_le_bytes([*low, *high, 0, 0]), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        [1..=3, ..] | [] => return Err(short.into()),
        [version, ..] => {
            return Err(format!("its version is {version}; save it as version 1 to 3"));
        }
    };
    let (header, bytes) = rest.split_at_checked(length as usize).ok_or(short)?;
    let header =
        std::str::from_utf8(header).map_err(|_| "its header is not text; save the file again")?;
    let (element, order) = element(value(header, "descr")?)?;
    let is_fortran = match value(header, "fortran_order")? {
        text if text.starts_with("False") => false,
        text if text.starts_with("True") => true,
        _ => {
            return Err("`fortran_order` is neither `True` nor `False`; save the file again".into());
        }
    };
    let shape = shape(value(header, "shape")?)?;
    Ok(Array { path, element, order, shape: Some(shape), is_fortran, bytes })
}

/// Returns the text after a key of the dictionary.
fn value<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let missing = || format!("its header has no `{key}`; save the file again");
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let found = quoted.iter().find_map(|quoted| header.split_once(quoted.as_str()));
    let (_, rest) = found.ok_or_else(missing)?;
    rest.trim_start().strip_prefix(':').map(str::trim_start).ok_or_else(missing)
}

/// Parses an element type as NumPy writes it: `'<f4'`.
fn element(text: &str) -> Result<(ElementType, ByteOrder), String> {
    let mut quoted = text.splitn(3, ['\'', '"']);
    let (before, name) = (quoted.next(), quoted.next());
    let (Some(""), Some(name)) = (before, name) else {
        return Err("its elements are records; save one field of them".into());
    };
    let unknown =
        || format!("it holds `{name}`, which is not an element type; save it as another type");
    let (order, rest) = name.split_at_checked(1).ok_or_else(unknown)?;
    let order = if order == ">" { ByteOrder::Big } else { ByteOrder::Little };
    let element = ElementType::from_numpy_name(rest).ok_or_else(unknown)?;
    Ok((element, order))
}

/// Parses a tuple of sizes: `()`, `(3,)`, `(2, 3)`.
fn shape(text: &str) -> Result<Vec<usize>, String> {
    let broken = || "its shape is not a tuple of sizes; save the file again".to_string();
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')')).ok_or_else(broken)?.0;
    let inner = inner.trim();
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    let inner = inner.strip_suffix(',').unwrap_or(inner);
    let sizes = inner.split(',').map(|size| size.trim().trim_end_matches('L').parse());
    sizes.collect::<Result<_, _>>().map_err(|_| broken())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../tests/files/weights_f32.npy");

    #[test]
    fn every_file_that_is_cut_short_is_an_error_or_short_of_bytes() {
        let whole = array("", FILE).unwrap();
        assert_eq!(whole.shape.as_deref(), Some(&[8, 4, 3, 3][..]));
        for length in 0..FILE.len() {
            let found = array("", &FILE[..length]);
            assert_eq!(found.is_ok(), length >= 128, "{length}: a header takes 128 bytes here");
            assert_eq!(found.map_or(0, |array| array.bytes.len()), length.saturating_sub(128));
        }
    }

    #[test]
    fn headers_that_claim_anything() {
        let file = |header: &str| {
            let length = u16::try_from(header.len()).unwrap().to_le_bytes();
            [MAGIC, &[1, 0], &length, header.as_bytes()].concat()
        };
        let shape_of = |shape: &str| {
            let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}");
            array("", &file(&header)).map(|array| array.shape)
        };
        assert_eq!(shape_of("()"), Ok(Some(vec![])));
        assert_eq!(shape_of("(3,)"), Ok(Some(vec![3])));
        assert_eq!(shape_of("(3, 2L)"), Ok(Some(vec![3, 2])));
        for wrong in ["", "(", "(-1,)", "(1.5,)", "(99999999999999999999,)", "(,)", "None"] {
            assert!(shape_of(wrong).is_err(), "{wrong}");
        }
        for wrong in
            ["", "{}", "'descr'", "{'descr': 3}", "{'descr': '<f4'}", "{'descr': '<\u{e9}4'}"]
        {
            assert!(array("", &file(wrong)).is_err(), "{wrong}");
        }
        assert!(array("", b"\x93NUMPY\x09\x00").is_err());
    }
}
