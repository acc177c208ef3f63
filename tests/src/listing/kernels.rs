//! Loops over rows, indices and elements have no check left, and are vectorized as loops over slices are.

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

/// Small static relayouts with padding and conversions are what one writes by hand: they call nothing, neither a memset
/// of the destination nor what looks up kernels at run time nor a panic, and use vectors.
#[test]
fn small_static_relayouts_call_nothing() {
    let functions = functions("codegen", &[], &[]);
    let statics: Vec<_> = functions
        .iter()
        .filter(|(name, _)| name.starts_with("static_") && !name.contains("view"))
        .collect();
    assert_eq!(statics.len(), 5, "functions in the listing: {:?}", functions.keys());
    for (name, instructions) in statics {
        let calls: Vec<_> = instructions
            .iter()
            .filter(|line| {
                line.starts_with("call") || line.starts_with("jmp") && !line.contains(".L")
            })
            .collect();
        assert!(calls.is_empty(), "{name}: {calls:?}\n{}", instructions.join("\n"));
        // Bytes of three to four are masked words.
        assert!(
            name.ends_with("bytes") || instructions.iter().any(|line| line.contains("%xmm")),
            "{name} is not vectorized:\n{}",
            instructions.join("\n")
        );
    }
}
