//! The table of element types, against one that is written by hand from the specifications.

use tensor_layout::{ElementType, Layout};
use test_support::elements::{elements, range};

/// Each reader of the table of element types, against one written by hand.
#[test]
fn element_types_are_those_of_the_specifications() {
    let named: Vec<_> = elements().collect();
    assert_eq!(named.len(), ElementType::NAMED.len());
    let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    for own in &named {
        let element = ElementType::from_name(own.name).expect(own.name);
        assert!(ElementType::NAMED.contains(&element), "{}", own.name);
        assert_eq!(element.name().as_str(), own.name);
        assert_eq!((element.value_bits(), element.bits()), own.bits, "{}", own.name);
        assert_eq!(element.align(), own.bits.1.div_ceil(8), "{}", own.name);
        assert_eq!(element.integer_range(), range(own.kind, own.bits.0), "{}", own.name);
        assert!(element.is_number(), "{}", own.name);
        assert_eq!(element.numpy_name(), some(own.numpy), "{}", own.name);
        assert_eq!(element.safetensors_name(), some(own.safetensors), "{}", own.name);
        assert_eq!(element.dlpack_code(), own.dlpack, "{}", own.name);
        assert_eq!(element.high_first().is_ok(), own.bits.1 < 8, "{}", own.name);
        let text = format!("MK<4, 8>, {}", own.name);
        let layout = Layout::parse(&text).expect(&text);
        assert_eq!((layout.to_string(), layout.bytes()), (text, own.bits.1 * 4), "{}", own.name);
        if let Ok(high) = element.high_first() {
            let text = format!("MK<4, 8>, {}, high_first", own.name);
            assert_eq!(Layout::parse(&text).map(|layout| layout.element()), Ok(high));
        }
    }
    // Names of files lead back.
    let by = |found: Option<ElementType>| found.map(|element| element.name().as_str().to_string());
    for own in &named {
        let name = Some(own.name.to_string());
        if !own.numpy.is_empty() {
            assert_eq!(by(ElementType::from_numpy_name(own.numpy)), name);
        }
        if !own.safetensors.is_empty() {
            assert_eq!(by(ElementType::from_safetensors_name(own.safetensors)), name);
        }
        if let Some(code) = own.dlpack {
            assert_eq!(by(ElementType::from_dlpack(code, own.bits.1)), name);
            assert_eq!(ElementType::from_dlpack(code, 12), None);
        }
    }
    let unknown = ["F128", "F6_E2M3", "f3"];
    for name in unknown {
        let found = (ElementType::from_numpy_name(name), ElementType::from_safetensors_name(name));
        assert_eq!(found, (None, None), "{name}");
    }
}

/// Integers of every width: their bits, their values, and the fills that they take.
#[test]
fn integers_of_every_width() {
    for (bits, kind) in (1..=64).flat_map(|bits| [(bits, 'i'), (bits, 'u')]) {
        let name = format!("{kind}{bits}");
        let element = ElementType::from_name(&name).expect(&name);
        let stored = match bits {
            1 | 2 | 4 => bits,
            _ => [8, 16, 32, 64].into_iter().find(|&stored| stored >= bits).expect("64 at most"),
        };
        assert_eq!((element.value_bits(), element.bits()), (bits, stored), "{name}");
        assert_eq!(element.align(), stored.div_ceil(8), "{name}");
        assert_eq!(element.integer_range(), range(kind, bits), "{name}");
        assert_eq!(element.dlpack_code().is_some(), matches!(bits, 8 | 16 | 32 | 64), "{name}");
        let (low, high) = range(kind, bits).expect("an integer");
        for value in [low, -1, 0, 1, high].into_iter().filter(|value| (low..=high).contains(value))
        {
            let text = format!("M64m<3>, {name}, pad = {value}");
            let layout = Layout::parse(&text).expect(&text);
            let mask = if stored == 64 { u64::MAX } else { (1 << stored) - 1 };
            assert_eq!(layout.fill(), Some(value as u64 & mask), "{text}");
            assert_eq!(Layout::parse(&layout.to_string()), Ok(layout), "{text}");
            let bits = format!("M64m<3>, {name}, pad = {name}::from_bits({})", value as u64 & mask);
            assert_eq!(Layout::parse(&bits), Ok(layout), "{bits}");
        }
        for value in [low - 1, high + 1] {
            assert!(Layout::parse(&format!("M64m<3>, {name}, pad = {value}")).is_err(), "{name}");
        }
        if kind == 'i' && bits < stored {
            // The bits above a value equal its sign.
            let text = format!("M64m<3>, {name}, pad = {name}::from_bits({})", 1u64 << (bits - 1));
            assert!(Layout::parse(&text).is_err(), "{text}");
        }
    }
    for name in ["i0", "u0", "i65", "u128", "i07", "u", "i1_6"] {
        assert_eq!(ElementType::from_name(name), None, "{name}");
    }
}
