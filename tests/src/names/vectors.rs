//! `tests/conformance/vectors.json`: what the systems themselves, or their documents, say.

use serde_json::Value;
use tensor_layout::names::{NameError, System, cute, pytorch};
use tensor_layout::{ElementType, Layout};
use test_support::vectors::{assert_offsets, numbers};

use super::{assert_digits, coordinates};

fn vectors() -> Vec<Value> {
    let text = include_str!("../../conformance/vectors.json");
    let all: Value = serde_json::from_str(text).expect("vectors.json");
    all["vectors"].as_array().expect("a list of vectors").clone()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_else(|| panic!("{key} of {vector}"))
}

fn system(name: &str) -> System {
    *System::ALL.iter().find(|system| system.name() == name).expect("a system")
}

fn element(vector: &Value) -> ElementType {
    ElementType::from_name(text(vector, "element")).expect("an element type")
}

#[test]
fn every_vector_is_read_as_its_offsets_and_printed_again() {
    let mut read = 0;
    // CuTe's own texts have no extents beside them.
    for vector in vectors().iter().filter(|vector| vector["extents"].is_array()) {
        let (id, name) = (text(vector, "id"), text(vector, "name"));
        let system = system(text(vector, "system"));
        let extents = numbers(&vector["extents"]);
        let layout = system.parse(name, &extents, element(vector));
        let layout = layout.unwrap_or_else(|error| panic!("{id}: {error}"));
        let offsets: Vec<usize> =
            coordinates(&extents).map(|coordinate| layout.offset(&coordinate)).collect();
        if !vector["offsets"].is_null() || !vector["samples"].is_null() {
            assert_offsets(&offsets, vector, &vector["id"]);
        }
        if let Some(digits) = vector["digits"].as_array() {
            let digit = |digit: &Value| {
                let digit = numbers(digit);
                (digit[0], digit[1], digit[2])
            };
            assert_digits(&layout, &digits.iter().map(digit).collect::<Vec<_>>(), id);
            assert_eq!(layout.len() as u64, vector["length"].as_u64().unwrap(), "{id}");
        }
        if let Some(span) = vector["span"].as_u64() {
            assert_eq!(layout.span() as u64, span, "{id}");
        }
        // Another name may come first; it is one of the same layout.
        let printed = system.print(&layout).unwrap_or_else(|error| panic!("{id}: {error}"));
        let again = system.parse(printed.as_str(), &extents, element(vector)).unwrap();
        assert!(again.same_map(&layout) && again.len() == layout.len(), "{id}: {printed}");
        read += 1;
    }
    assert!(read >= 105, "{read}");
}

#[test]
fn pytorch_has_these_strides_and_answers() {
    let mut checked = 0;
    for vector in vectors().iter().filter(|vector| vector["system"] == "PyTorch") {
        let (id, name) = (text(vector, "id"), text(vector, "name"));
        let extents = numbers(&vector["extents"]);
        let empty = pytorch::parse(name, &extents, ElementType::F32).unwrap();
        let strides = |key: &str| -> Vec<isize> {
            numbers(&vector[key]).into_iter().map(|stride| stride as isize).collect()
        };
        // The stride of an axis of one coordinate may have any value, so offsets are compared.
        let letters = "NCDHW";
        let letters: String = match extents.len() {
            4 => letters.replace('D', ""),
            _ => letters.into(),
        };
        for key in ["strides_empty", "strides_contiguous"] {
            let torch =
                Layout::from_strides(&letters, &extents, &strides(key), ElementType::F32).unwrap();
            assert!(torch.same_map(&empty), "{id}: {torch} and {empty}");
            let answers = vector["is_contiguous"].as_object().unwrap();
            for (format, answer) in answers {
                let own = pytorch::is_contiguous(&torch, format).unwrap();
                assert_eq!(own, answer.as_bool().unwrap(), "{id}, {key}, {format}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 20);
}

#[test]
fn cute_counts_the_first_axis_fastest() {
    for vector in vectors().iter().filter(|vector| vector["size"].is_u64()) {
        let (id, name) = (text(vector, "id"), text(vector, "name"));
        let expected = numbers(&vector["offsets_colexicographic"]);
        let layout = match cute::parse(name, ElementType::F32) {
            Ok(layout) => layout,
            Err(error) => {
                // In CuTe, coordinates may share offsets.
                assert!(matches!(error, NameError::Layout(_)), "{id}: {error}");
                let mut sorted = expected.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert!(sorted.len() < expected.len(), "{id}: {error}");
                continue;
            }
        };
        let extents = layout.extents().to_vec();
        let reversed: Vec<usize> = extents.iter().rev().copied().collect();
        let offsets: Vec<usize> = coordinates(&reversed)
            .map(|coordinate| layout.offset(&coordinate.into_iter().rev().collect::<Vec<usize>>()))
            .collect();
        assert_eq!(offsets, expected, "{id}");
        assert_eq!(layout.span() as u64, vector["cosize"].as_u64().unwrap(), "{id}");
        let printed = cute::print(&layout).unwrap();
        let again = cute::parse(printed.as_str(), ElementType::F32).unwrap();
        assert!(again.same_map(&layout), "{id}: {printed}");
    }
}
