//! Headers of .npy files against what NumPy reads and writes: `files/npy_headers.json` of `files/npy_headers.py`.

use bytemuck::bytes_of;
use num_complex::Complex;
use serde_json::Value;
use tensor_layout::adapters::{AdapterError, npy};
use tensor_layout::{Dynamic, Element, ElementType, Layout, Tensor, f16};

fn vectors() -> Value {
    let text = include_str!("../../files/npy_headers.json");
    serde_json::from_str(text).expect("npy_headers.json")
}

fn list<'a>(all: &'a Value, key: &str) -> &'a [Value] {
    all[key].as_array().unwrap_or_else(|| panic!("npy_headers.json has no {key}"))
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_else(|| panic!("{entry} has no {key}"))
}

fn sizes(entry: &Value, key: &str) -> Vec<usize> {
    let list = entry[key].as_array().expect("a list");
    list.iter().map(|size| size.as_u64().expect("a size") as usize).collect()
}

/// The bytes of the arrays, as the vectors' `_about` says.
fn data(count: usize) -> Vec<u8> {
    (0..count).map(|index| ((index * 37 + 11) % 64) as u8).collect()
}

/// A file with this dictionary, in NumPy's encoding for the version.
fn file(version: &[usize], dictionary: &str, array: &[u8]) -> Vec<u8> {
    let is_wide = version[0] == 3;
    let bytes: Vec<u8> = match is_wide {
        true => dictionary.bytes().collect(),
        false => dictionary.chars().map(|c| u8::try_from(u32::from(c)).expect("latin 1")).collect(),
    };
    let mut file = b"\x93NUMPY".to_vec();
    file.extend(version.iter().map(|&number| number as u8));
    match version[0] {
        1 => file.extend((bytes.len() as u16).to_le_bytes()),
        _ => file.extend((bytes.len() as u32).to_le_bytes()),
    }
    [&file[..], &bytes, array].concat()
}

fn typed(name: &str, shape: &str) -> String {
    format!("{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}")
}

/// Names of integers with another size on other platforms.
fn is_sized_by_platform(name: &str) -> bool {
    let letter = name.trim_start_matches(['<', '>', '=', '|']);
    let names = ["long", "ulong", "int", "int_", "uint", "intp", "uintp"];
    names.contains(&name) || ["l", "L", "n", "N", "p", "P"].contains(&letter)
}

/// The element type of one of NumPy's own names, which have a byte order, and whether it is complex.
fn element(name: &str) -> Option<(ElementType, bool)> {
    Some(match &name[1..] {
        "b1" => (ElementType::Bool, false),
        "i1" => (ElementType::I8, false),
        "u1" => (ElementType::U8, false),
        "i2" => (ElementType::I16, false),
        "u2" => (ElementType::U16, false),
        "i4" => (ElementType::I32, false),
        "u4" => (ElementType::U32, false),
        "i8" => (ElementType::I64, false),
        "u8" => (ElementType::U64, false),
        "f2" => (ElementType::F16, false),
        "f4" => (ElementType::F32, false),
        "f8" => (ElementType::F64, false),
        "c8" => (Complex::<f32>::TYPE, true),
        "c16" => (Complex::<f64>::TYPE, true),
        _ => return None,
    })
}

/// The error says what the file is or holds, and what to do.
fn is_sentence(error: &AdapterError) -> bool {
    let text = error.to_string();
    let begins = [".npy file holds ", "not a valid .npy file: it", "could not allocate the "];
    begins.iter().any(|begin| text.starts_with(begin))
        && text.contains("; ")
        && text.lines().count() == 1
        && text.len() < 250
}

#[test]
fn every_type_of_a_letter_and_a_size() {
    let all = vectors();
    let mut counts = [0; 3];
    for order in list(&all, "orders").iter().filter_map(Value::as_str) {
        for kind in text(&all, "kinds").chars() {
            for size in list(&all, "sizes").iter().filter_map(Value::as_str) {
                let name = format!("{order}{kind}{size}");
                let numpy = all["product"][&name].as_str();
                let file = file(&[1, 0], &typed(&name, "(0,)"), &[]);
                let found = npy::File::open(&file[..]).and_then(npy::File::array);
                let known = numpy.and_then(element).filter(|_| !is_sized_by_platform(&name));
                match (found, known) {
                    (Ok(array), Some((element, _))) => {
                        assert_eq!(array.element(), element, "{name}")
                    }
                    (Err(error), None) => {
                        assert!(is_sentence(&error), "{error}");
                        let is_unknown = error.to_string().contains("which is not a type of NumPy");
                        assert!(numpy.is_none() || !is_unknown, "{name}: {error}");
                        counts[1 + usize::from(is_unknown)] += 1;
                        continue;
                    }
                    (found, _) => panic!("{name} is {numpy:?} of NumPy: {found:?}"),
                }
                counts[0] += 1;
            }
        }
    }
    assert!(counts[0] > 150 && counts[1] > 1000 && counts[2] > 5000, "{counts:?}");
}

/// Reads the array of `file` with this shape, and gives its elements in C order.
fn elements<E: Element, const RANK: usize>(
    file: &[u8],
    shape: &[usize],
    is_fortran: bool,
    bytes: impl Fn(E) -> Vec<u8>,
) -> Result<Vec<u8>, AdapterError> {
    let letters = &"ABCD"[..RANK];
    let format: String = match is_fortran {
        _ if RANK == 0 => "SCALAR".into(),
        true => letters.chars().rev().collect(),
        false => letters.into(),
    };
    let extents: Vec<_> = letters.chars().zip(shape.iter().copied()).collect();
    let layout = Layout::builder(format.as_str(), E::TYPE).named_extents(&extents)?;
    let tensor = npy::read(Dynamic::<E, RANK>::new(layout)?, file)?;
    let mut found = Vec::new();
    for index in 0..shape.iter().product() {
        let (mut coordinate, mut rest) = ([0; RANK], index);
        for axis in (0..RANK).rev() {
            (coordinate[axis], rest) = (rest % shape[axis], rest / shape[axis]);
        }
        found.extend(bytes(tensor.get(coordinate).expect("a coordinate")));
    }
    Ok(found)
}

/// Reads the array that NumPy finds in `file`.
fn read(file: &[u8], numpy: &Value) -> Result<Vec<u8>, AdapterError> {
    let shape = &sizes(numpy, "shape")[..];
    let is_fortran = numpy["fortran"].as_bool().expect("a truth value");
    macro_rules! of {
        ($type:ty, $bytes:expr, $($rank:literal)*) => {
            match shape.len() {
                $($rank => elements::<$type, $rank>(file, shape, is_fortran, $bytes),)*
                rank => panic!("an array of {rank} axes"),
            }
        };
        ($type:ty, $($rank:literal)*) => { of!($type, |element| bytes_of(&element).to_vec(), $($rank)*) };
    }
    match &text(numpy, "type")[1..] {
        "b1" => of!(bool, |element| vec![u8::from(element)], 0 1 2),
        "i1" => of!(i8, 0 1 2),
        "u1" => of!(u8, 1),
        "i2" => of!(i16, 0 1 2 3 4),
        "u2" => of!(u16, 0 1 2),
        "i4" => of!(i32, 1),
        "u4" => of!(u32, 1),
        "i8" => of!(i64, 1),
        "u8" => of!(u64, 1),
        "f2" => of!(f16, 1),
        "f4" => of!(f32, 1),
        "f8" => of!(f64, 1),
        "c8" => of!(Complex<f32>, 1 2),
        "c16" => of!(Complex<f64>, 1 2),
        other => panic!("`{other}` is not a number"),
    }
}

/// The elements that NumPy finds.
fn expected(numpy: &Value) -> Vec<u8> {
    let digits = text(numpy, "elements");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("a byte");
    let bytes = (0..digits.len()).step_by(2).map(byte);
    match &text(numpy, "type")[1..] {
        "b1" => bytes.map(|byte| u8::from(byte != 0)).collect(),
        _ => bytes.collect(),
    }
}

/// The file is read as NumPy reads it.
fn same(file: &[u8], numpy: &Value, what: &str) {
    let found = read(file, numpy).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(found, expected(numpy), "{what}");
    let array = npy::File::open(file).and_then(npy::File::array).expect("the same file");
    assert_eq!(array.shape(), sizes(numpy, "shape"), "{what}");
    let (element, _) = element(text(numpy, "type")).expect("a number");
    assert_eq!(array.element(), element, "{what}");
}

/// The file is an error, which is returned.
fn refused(file: &[u8], what: &str) -> String {
    let found = npy::File::open(file).and_then(npy::File::array);
    let error = found.map(|array| format!("{array:?}")).expect_err(what);
    assert!(is_sentence(&error), "{what}: {error}");
    error.to_string()
}

#[test]
fn types_by_name_have_the_same_elements() {
    let all = vectors();
    for entry in list(&all, "names") {
        let (name, numpy) = (text(entry, "name"), &entry["loaded"]);
        let file = file(&[3, 0], &typed(name, "(2,)"), &data(64));
        let known = numpy["type"].as_str().and_then(element);
        if known.is_some() && !is_sized_by_platform(name) && name != "1f4" {
            same(&file, numpy, name);
        } else {
            let error = refused(&file, name);
            assert!(numpy.is_null() || !error.contains("not a type of NumPy"), "{error}");
        }
    }
    for (name, reason) in [
        ("f3", "holds `f3`, which is not a type of NumPy; save it again with NumPy"),
        ("<M8[ns]", "holds `<M8[ns]`, which is not an element type; save it as another type"),
        (
            "int",
            "holds `int`, which has 4 bytes on some platforms and 8 on others; save it as `i4` or `i8`",
        ),
        (
            "<V2",
            "holds `<V2`, bytes without a type; save elements that NumPy does not have, such as bf16, in a \
             .safetensors file",
        ),
        ("f4,i4", "holds records, several values in an element; save one field of them"),
        (
            "\u{e9}\u{1b}",
            "holds `\\xc3\\xa9\\x1b`, which is not a type of NumPy; save it again with NumPy",
        ),
    ] {
        let file = file(&[3, 0], &typed(name, "(2,)"), &data(64));
        assert_eq!(refused(&file, name), format!(".npy file {reason}"));
    }
}

#[test]
fn headers_that_numpy_reads_have_the_same_arrays() {
    for entry in list(&vectors(), "read") {
        let dictionary = text(entry, "text");
        same(&file(&sizes(entry, "version"), dictionary, &data(96)), &entry["loaded"], dictionary);
    }
}

#[test]
fn headers_that_are_not_read_are_errors() {
    for entry in list(&vectors(), "refused") {
        let dictionary = text(entry, "text");
        let file = file(&sizes(entry, "version"), dictionary, &data(12));
        let error = refused(&file, dictionary);
        assert!(text(entry, "reason") != "records" || error.contains("holds records"), "{error}");
    }
}

#[test]
fn random_headers_are_read_as_numpy_reads_them() {
    for entry in list(&vectors(), "drawn") {
        let (dictionary, numpy) = (text(entry, "text"), &entry["loaded"]);
        let file = file(&[1, 0], dictionary, &data(12));
        let is_number = numpy["type"].as_str().is_some_and(|name| element(name).is_some());
        let is_foreign = entry["foreign"] == true;
        // A header that NumPy alone may write in such a way is refused, or read as NumPy reads it.
        let found = npy::File::open(&file[..]).and_then(npy::File::array);
        match is_number && (!is_foreign || found.is_ok()) {
            true => same(&file, numpy, dictionary),
            false => drop(refused(&file, dictionary)),
        }
    }
}

#[test]
fn every_end_of_a_header_is_an_error() {
    let whole =
        file(&[2, 0], "{'shape': (2L, 3), 'fortran_order': True, 'descr': u'F'}", &data(48));
    let header = whole.len() - 48;
    for length in 0..whole.len() {
        let found = npy::File::open(&whole[..length]);
        assert_eq!(found.is_ok(), length >= header, "{length}");
        if let Err(error) = found {
            assert!(error.to_string().contains("it ends before its header does"), "{error}");
        }
    }
    // Each byte of the header is another, so that each branch of the grammar is left in the middle.
    for at in 0..header {
        for byte in 0..=255 {
            let mut file = whole.clone();
            file[at] = byte;
            if let Err(error) = npy::File::open(&file[..]).and_then(npy::File::array) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// The file that is written, and what is read of it.
fn written<E: Element<Unit = E> + bytemuck::Pod, const RANK: usize>(
    shape: &[usize],
    element: impl Fn(usize) -> E,
) -> (Vec<u8>, Vec<E>) {
    let format = if RANK == 0 { "SCALAR" } else { &"ABCD"[..RANK] };
    let layout = Dynamic::<E, RANK>::new(Layout::of(format, shape, E::TYPE).unwrap()).unwrap();
    let buffer: Vec<E> = (0..shape.iter().product()).map(element).collect();
    let mut file = Vec::new();
    npy::write(&Tensor::with_layout(layout, buffer).unwrap(), &mut file).unwrap();
    let again = npy::read(layout, &file[..]).unwrap();
    (file, again.buffer().to_vec())
}

#[test]
fn files_are_written_as_numpy_writes_them() {
    for entry in list(&vectors(), "saved") {
        let shape = &sizes(entry, "shape")[..];
        let digits = text(entry, "file");
        macro_rules! of {
            ($type:ty, $element:expr, $($rank:literal)*) => {{
                let (file, again) = match shape.len() {
                    $($rank => written::<$type, $rank>(shape, $element),)*
                    rank => panic!("an array of {rank} axes"),
                };
                assert!(again.into_iter().eq((0..shape.iter().product()).map($element)));
                file
            }};
            ($type:ty, $($rank:literal)*) => { of!($type, |index| index as $type, $($rank)*) };
        }
        let file = match text(entry, "type") {
            "?" => {
                let flags = Tensor::<tensor_layout::layout!(A<2>, bool), _>::new([0u8, 1]).unwrap();
                let mut file = Vec::new();
                npy::write(&flags, &mut file).unwrap();
                file
            }
            "i1" => of!(i8, 1),
            "u1" => of!(u8, 2),
            "<i2" => of!(i16, 0),
            "<u2" => of!(u16, 2),
            "<i4" => of!(i32, 3),
            "<u4" => of!(u32, 1),
            "<i8" => of!(i64, 1),
            "<u8" => of!(u64, 2),
            "<f2" => of!(f16, |index| f16::from_f32(index as f32), 2),
            "<f4" => of!(f32, 4),
            "<f8" => of!(f64, 2),
            "<c8" => of!(Complex<f32>, |index| Complex::new(index as f32, 0.0), 0 2),
            "<c16" => of!(Complex<f64>, |index| Complex::new(index as f64, 0.0), 1 2),
            other => panic!("{other}"),
        };
        let hexadecimal: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hexadecimal, digits, "{entry}");
    }
}

/// Two floats of a struct are not a complex number, and the other way round.
#[test]
fn complex_numbers_are_no_other_elements() {
    #[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(C)]
    struct Point {
        x: f32,
        y: f32,
    }
    impl tensor_layout::PlainElement for Point {}
    type Points = tensor_layout::layout!(A<2>, Point);
    type Signal = tensor_layout::layout!(A<2>, Complex<f32>);
    type Integers = tensor_layout::layout!(A<2>, Complex<i32>);

    let file = |name: &str| file(&[1, 0], &typed(name, "(2,)"), &data(16));
    for (name, text) in [("<c8", "`<c8` but"), ("<f8", "`<f8` but"), ("<c16", "`<c16` but")] {
        let error = npy::read(Points::default(), &file(name)[..]).unwrap_err().to_string();
        assert!(error.starts_with("a .npy file cannot hold `8-byte element`"), "{error}");
        let error = npy::read(Integers::default(), &file(name)[..]).unwrap_err().to_string();
        assert!(error.starts_with("a .npy file cannot hold `8-byte element`"), "{error}");
        if name != "<c8" {
            let error = npy::read(Signal::default(), &file(name)[..]).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
    let bytes = file("<c8");
    let array = npy::File::open(&bytes[..]).and_then(npy::File::array).unwrap();
    let error = array.to_layout::<tensor_layout::layout!(A<_>, Point)>("A").unwrap_err();
    assert!(error.to_string().starts_with(".npy file holds `complex numbers` but"), "{error}");
    let signal = array.to_layout::<tensor_layout::layout!(A<_>, Complex<f32>)>("A").unwrap();
    assert_eq!(bytemuck::cast_slice::<_, u8>(signal.buffer()), data(16));
    let cast = tensor_layout::Conversion::cast();
    let error = array.convert_to::<tensor_layout::layout!(A<_>, f32)>("A", &cast).unwrap_err();
    assert!(!error.to_string().is_empty());
}
