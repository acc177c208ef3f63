//! An offset of a literal layout costs what the expression written by hand costs: the machine
//! code of both has the same instructions, in whatever order and registers.

use super::functions::functions;

/// The names of a function's instructions, sorted: what it costs. That it is right is for other
/// tests to say.
fn operations(function: &[String]) -> Vec<&str> {
    let mut names: Vec<_> =
        function.iter().filter_map(|line| line.split_whitespace().next()).collect();
    names.sort();
    names
}

#[test]
fn offsets_compile_to_the_expressions_written_by_hand() {
    let functions = functions("codegen", &[], &[]);

    let mut compared = 0;
    for (name, ours) in &functions {
        let Some(pair) = name.strip_suffix("_ours") else { continue };
        let hand = &functions[&format!("{pair}_by_hand")];
        let merged = |one: &[String], other: &str| match one {
            [jump] => jump.starts_with(['j', 'b']) && jump.ends_with(other),
            _ => false,
        };
        let same = operations(ours) == operations(hand)
            || merged(ours, &format!("{pair}_by_hand"))
            || merged(hand, &format!("{pair}_ours"));
        assert!(same, "{pair}\nours:\n{}\nby hand:\n{}", ours.join("\n"), hand.join("\n"));
        compared += 1;
    }
    assert_eq!(compared, 18, "functions in the listing: {:?}", functions.keys());
}
