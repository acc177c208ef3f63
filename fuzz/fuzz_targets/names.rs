//! Names of layouts in other systems. The first line has an element type and extents, and what follows is the name:
//! each system reads it. A layout that one of them makes keeps its offsets below its length, and is read again from its
//! own text and from the name that the system prints.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::names::{NameError, System, cute, rknn, tvm, xla};
use tensor_layout::{ElementType, Layout};

fuzz_target!(|text: &str| {
    let (first, name) = text.split_once('\n').unwrap_or(("", text));
    let mut words = first.split(' ');
    let element = element(words.next().unwrap_or_default());
    let extents: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    for system in System::ALL {
        check(system, system.parse(name, &extents, element));
    }
    check(System::Cute, cute::parse(name, element));
    check(System::Xla, xla::parse_shape(name));
    check(System::Rknn, rknn::nc1hwc2(&extents, element, name.len()));
    let letters = name.chars().filter(char::is_ascii_uppercase);
    let axes: Vec<(char, usize)> = letters.zip(extents.iter().copied()).collect();
    check(System::Tvm, tvm::parse_named(name, &axes, element));
});

/// An element type by its name, or a type of the user's own by its size and alignment, which may be wrong: `12/4`.
fn element(word: &str) -> ElementType {
    let plain = |(bytes, align): (&str, &str)| {
        Some(ElementType::Plain { bytes: bytes.parse().ok()?, align: align.parse().ok()? })
    };
    let own = word.split_once('/').and_then(plain);
    own.or(ElementType::from_name(word)).unwrap_or(ElementType::U8)
}

fn check(system: System, found: Result<Layout, NameError>) {
    let layout = match found {
        Ok(layout) => layout,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let all = if layout.numel() < 2000 { layout.numel() } else { 0 };
    let extents = layout.extents();
    for coordinate in (0..all).map(|number| coordinate(extents, number)) {
        assert!(layout.offset(&coordinate) < layout.len(), "{layout} at {coordinate:?}");
    }
    assert_eq!(layout.to_string().parse(), Ok(layout), "{layout}");
    let Ok(name) = system.print(&layout) else { return };
    let name = name.as_str();
    let again = match system {
        // Its names need not have letters of a usual order.
        System::Tvm => {
            let letters = (0..layout.rank()).map(|axis| layout.letters().at(axis));
            let axes: Vec<(char, usize)> = letters.zip(extents.iter().copied()).collect();
            tvm::parse_named(name, &axes, layout.element())
        }
        system => system.parse(name, extents, layout.element()),
    };
    let again = again.unwrap_or_else(|error| panic!("{system} {name} of {layout}: {error}"));
    assert_eq!(again.extents(), extents, "{system} {name} of {layout}");
    let keeps_length = !matches!(system, System::Cute | System::PyTorch);
    assert!(!keeps_length || again.len() == layout.len(), "{system} {name} of {layout}: {again}");
    for coordinate in (0..all).map(|number| coordinate(extents, number)) {
        let [before, after] = [&layout, &again].map(|layout| layout.offset(&coordinate));
        assert!(before == after, "{system} {name} of {layout}: {again} at {coordinate:?}");
    }
}

/// A coordinate by its number, the last axis fastest.
fn coordinate(extents: &[usize], mut number: usize) -> Vec<usize> {
    let mut coordinate = vec![0; extents.len()];
    for (index, extent) in coordinate.iter_mut().zip(extents).rev() {
        (*index, number) = (number % extent, number / extent);
    }
    coordinate
}
