//! The array of an .npy file.

use layout_types::files::{NpyHeader, NpyType};

use super::array::FileArray;

/// Returns the array in a file.
pub(super) fn array<'a>(path: &'a str, file: &'a [u8]) -> Result<FileArray<'a>, String> {
    let again = |error| format!("{error}; save it with `numpy.save`");
    let (header, bytes) = NpyHeader::parse(file).map_err(again)?;
    let stored = NpyType::parse(header.element).map_err(|error| format!("it {error}"))?;
    if stored.is_complex {
        return Err(
            "it holds complex numbers; save their parts as two files, or read it at run time \
                    with the adapter `npy`"
                .into(),
        );
    }
    let shape = Some(header.shape().collect());
    let (element, order, is_fortran) = (stored.number, stored.order, header.is_fortran);
    Ok(FileArray { path, element, order, shape, is_fortran, bytes, blocks: None, stored: None })
}

#[cfg(test)]
mod tests {
    use layout_core::ElementType;
    use layout_types::numbers::ByteOrder;

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
            [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat()
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

    /// `npy_headers` of the tests compares all types with NumPy.
    #[test]
    fn types_are_those_of_the_adapter() {
        let of = |name: &str| {
            let header = format!("{{'descr': '{name}', 'fortran_order': True, 'shape': ()}}");
            let file =
                [b"\x93NUMPY\x01\x00", &[header.len() as u8, 0][..], header.as_bytes()].concat();
            array("", &file).map(|array| (array.element, array.order, array.is_fortran))
        };
        for name in ["f4", "=f4", "f", "float32", "single"] {
            assert_eq!(of(name), Ok((ElementType::F32, ByteOrder::NATIVE, true)), "{name}");
        }
        assert_eq!(of(">i2"), Ok((ElementType::I16, ByteOrder::Big, true)));
        assert_eq!(of("<H"), Ok((ElementType::U16, ByteOrder::Little, true)));
        assert_eq!(of("?"), Ok((ElementType::Bool, ByteOrder::NATIVE, true)));
        let refused = "it holds `U5`, which is not an element type; save it as another type";
        assert_eq!(of("U5"), Err(refused.into()));
        let complex = of("<c8").unwrap_err();
        assert!(complex.starts_with("it holds complex numbers; save their parts "), "{complex}");
    }
}
