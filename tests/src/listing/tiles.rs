//! What the compiler must not make of kernels. Tiles are transposed in registers: a loop over their vectors
//! would keep them in memory, and takes three times as long.

use std::collections::BTreeMap;

use super::functions::{functions, functions_of_units};

/// The kernels, with names that tell their modules.
fn kernels() -> BTreeMap<String, Vec<String>> {
    functions("tensor-layout-kernels", &["--features", "std"], &["-Csymbol-mangling-version=v0"])
}

/// The functions that transpose tiles, evenly spaced or by tables of offsets. SSE2 has vectors of one length for units of
/// four sizes. AVX2 has those of two lengths, and lines in two vectors for units of two sizes. AVX-512 has lines, and
/// bytes in the vectors of AVX2. The compiler may find some to be the same.
const TILES: usize = 2 * (4 + (4 + 4 + 2) + (4 + 2));

#[test]
fn no_tile_is_left_in_a_loop() {
    let functions = kernels();
    let is_tile = |symbol: &str| {
        let of_set = symbol.contains("6tables3x86") || symbol.contains("6tables7x86");
        of_set && symbol.ends_with("4tile")
    };
    let tiles: Vec<_> = functions.iter().filter(|(symbol, _)| is_tile(symbol)).collect();
    assert!((TILES - 4..=TILES).contains(&tiles.len()), "{}", tiles.len());
    for (symbol, instructions) in tiles {
        let count = |is: &dyn Fn(&str) -> bool| instructions.iter().filter(|i| is(i)).count();
        let shuffles = count(&|line| line.contains("punpck") || line.contains("unpck"));
        assert!(shuffles > 0, "{symbol}: no shuffles");
        // What does not fit the registers goes to the stack and back, but not every vector.
        let on_stack = count(&|line| line.contains("mm") && line.contains("(%rsp"));
        assert!(
            on_stack <= shuffles / 2,
            "{symbol}: {on_stack} vectors on the stack, {shuffles} shuffles"
        );
    }
}

/// Copies of a few vectors are loops of their own, which the compiler must not take for calls of memcpy: one of
/// a line takes longer to call than to copy. One kernel calls it, for runs of any length.
#[test]
fn few_vectors_are_not_a_call() {
    let functions = kernels();
    let calls = |(symbol, instructions): &(&String, &Vec<String>)| {
        let is_kernel = symbol.contains("6tables") || symbol.contains("5micro4copy");
        is_kernel && instructions.iter().any(|line| line.contains("memcpy"))
    };
    let calling: Vec<_> = functions.iter().filter(calls).map(|(symbol, _)| symbol).collect();
    assert!(matches!(calling[..], [any] if any.contains("4copy3any")), "{calling:?}");
}

/// Running a plan has nothing that could panic: firmware that runs plans needs no text for it.
#[test]
fn running_a_plan_does_not_panic() {
    let functions = kernels();
    let parts = [
        "6tables",
        "8portable",
        "5micro",
        "3run5drive",
        "3run5lines",
        "3run7scratch",
        "3run7nibbles",
        "4Plan3run",
    ];
    let runs = |symbol: &String| parts.iter().any(|part| symbol.contains(part));
    let own: Vec<_> = functions.iter().filter(|(symbol, _)| runs(symbol)).collect();
    assert!(own.len() > 100, "each kernel is a function: {}", own.len());
    for (symbol, instructions) in own {
        let panics: Vec<_> = instructions.iter().filter(|line| line.contains("panic")).collect();
        // `Tiles::packing` is part of the choice that plans print.
        assert!(panics.is_empty(), "{symbol}: {panics:?}");
    }
}

/// What kernels give to functions of the library, such as `array::map`, is inlined in the builds of programs too. Else it
/// is called with vectors in memory, since the library's function is compiled for any CPU.
#[test]
fn no_closure_with_vectors_is_a_function() {
    let functions = functions_of_units("tensor-layout-kernels", &["--features", "std,records"]);
    let has_vectors =
        |lines: &[String]| lines.iter().any(|line| line.contains("%ymm") || line.contains("%zmm"));
    let (closures, others): (Vec<_>, Vec<_>) = functions
        .iter()
        .filter(|(_, lines)| has_vectors(lines))
        .map(|(symbol, _)| symbol)
        .partition(|symbol| symbol.starts_with("RNC"));
    assert!(others.len() > 50, "each kernel is a function: {}", others.len());
    assert!(closures.is_empty(), "{closures:?}");
}
