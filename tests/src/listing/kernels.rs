//! Loops over rows, indices and elements have no check left, and are vectorized as loops over slices are.

use std::collections::BTreeMap;

use super::functions::functions;

#[test]
fn loops_over_tensors_keep_no_checks() {
    let functions = functions("codegen", &[], &[]);
    let kernels: Vec<_> =
        functions.iter().filter(|(name, _)| name.starts_with("kernel_")).collect();
    assert_eq!(kernels.len(), 6, "functions in the listing: {:?}", functions.keys());
    for (name, instructions) in kernels {
        // What panics is called. Slices may be too short, which is asked once for each, before the loops.
        let of_slices = if name.ends_with("borrowed") { 3 } else { 0 };
        let (checks, calls): (Vec<_>, Vec<_>) = instructions
            .iter()
            .filter(|line| line.starts_with("call"))
            .partition(|line| line.contains("refuse_length"));
        assert_eq!(checks.len(), of_slices, "{name}: {checks:?}");
        assert!(calls.is_empty(), "{name}: {calls:?}\n{}", instructions.join("\n"));
        assert!(
            instructions.iter().any(|line| line.starts_with("mulps") || line.starts_with("padd")),
            "{name} is not vectorized:\n{}",
            instructions.join("\n")
        );
    }
}

/// The small static relayouts with padding and conversions.
fn statics(functions: &BTreeMap<String, Vec<String>>) -> Vec<(&str, &[String])> {
    let statics: Vec<_> = functions
        .iter()
        .filter_map(|(name, lines)| Some((name.strip_prefix("static_")?, &lines[..])))
        .filter(|(name, _)| !name.contains("view"))
        .collect();
    assert_eq!(statics.len(), 5, "functions in the listing: {:?}", functions.keys());
    statics
}

/// What a function calls, at its end too.
fn calls(instructions: &[String]) -> Vec<&str> {
    let is_call =
        |line: &&str| line.starts_with("call") || line.starts_with("jmp") && !line.contains(".L");
    instructions.iter().map(String::as_str).filter(is_call).collect()
}

/// They are what one writes by hand: they call nothing, neither what looks up kernels at run time nor a panic, and use
/// vectors, but where padding is filled.
#[test]
fn small_static_relayouts_call_nothing() {
    let functions = functions("codegen", &[], &[]);
    for (name, instructions) in statics(&functions) {
        let mut calls = calls(instructions);
        // SSE2 alone has no byte permutes, which fill padding in the pass: it is filled first, and elements follow one by one.
        let is_padded = name.starts_with("padded_");
        calls.retain(|line| !is_padded || !line.contains("memset"));
        assert!(calls.is_empty(), "{name}: {calls:?}\n{}", instructions.join("\n"));
        assert!(
            is_padded || instructions.iter().any(|line| line.contains("%xmm")),
            "{name} is not vectorized:\n{}",
            instructions.join("\n")
        );
    }
}

/// With `std`, which detects the CPU, those of few elements still call nothing and are no longer than loops by hand. The
/// others call what detects and kernels: what fills padding is a constant.
#[test]
fn static_relayouts_with_std_look_nothing_up() {
    let functions = functions("codegen", &["--features", "std"], &[]);
    for (name, instructions) in statics(&functions) {
        let (calls, by_hand) = (calls(instructions), &functions[&format!("hand_{name}")]);
        if name.starts_with("quantized") {
            assert!(calls.is_empty(), "{name}: {calls:?}");
            assert!(
                instructions.len() <= by_hand.len(),
                "{name} has {} instructions, and by hand {}",
                instructions.len(),
                by_hand.len()
            );
        }
        let looks_up = |call: &&&str| call.contains("layout_core") || call.contains("panic");
        let others: Vec<_> = calls.iter().filter(looks_up).collect();
        assert!(others.is_empty(), "{name}: {others:?}");
    }
}
