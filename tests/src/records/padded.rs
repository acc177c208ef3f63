//! Padded records as destinations of quantizing: beside the matrix with its padding, and beside a move that pads.

use tensor_layout::records::{Record, RecordPlan, ValuePlan};

use super::values::{layout, native, run};
use super::vectors::parsed;

/// Numbers of both signs.
fn some(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7919 % 1013) as f32 - 506.0) / 41.0).collect()
}

/// What quantizing a matrix writes to a record of these fields.
fn quantized(rows: usize, columns: usize, numbers: &[f32], fields: &str) -> Vec<u8> {
    let plain = layout(&format!("MK<{rows}, {columns}>, f32"));
    let to = parsed(&format!("MK<{rows}, {columns}>, {fields}"));
    let plan = ValuePlan::new(&plain, &to, None).unwrap_or_else(|e| panic!("{fields}: {e}"));
    let bytes = run(&plan, &native(numbers), to.bytes(0));
    let mut twice = vec![0xa5; bytes.len()];
    plan.par_run_in_parts(1, &[native(numbers)], &mut [&mut twice]).unwrap();
    assert_eq!(twice, bytes, "{fields}");
    bytes
}

#[test]
fn padding_is_that_of_the_padded_matrix() {
    let (rows, columns) = (5, 50);
    let numbers = some(rows * columns);
    // Fields, what `pad` is followed by, the rule, and whether the matrix repeats its last row and column.
    let cases = [
        ("{ d: f16, q: 32k i8 }", "", "d * q", false),
        ("{ d: f16, q: 32k i8 }", "(K = last)", "d * q", true),
        ("{ d: 4m f16, q: 4k 4m 8k i8 }", "", "d * q", false),
        ("{ d: 4m f16, q: 2k/8 4m 8k 2k/16 i4 }", "(M = last, K = last)", "d * q", true),
        ("{ d: f16, q: 16k 2k/16 u4 }", "(K = 8)", "d * (q - 8)", false),
        ("{ d: 4m f16, m: 4m f16, q: 16k 4m 2k/16 u4 }", "(M = last, K = last)", "d * q + m", true),
    ];
    for (fields, pad, rule, repeats) in cases {
        let own = quantized(rows, columns, &numbers, &format!("{fields} pad{pad} = {rule}"));
        let all = if fields.contains("4m") { 8 } else { rows };
        let at = |m: usize, k: usize| match m < rows && k < columns {
            false if !repeats => 0.0,
            _ => numbers[m.min(rows - 1) * columns + k.min(columns - 1)],
        };
        let padded: Vec<f32> = (0..all * 64).map(|i| at(i / 64, i % 64)).collect();
        assert_eq!(
            own,
            quantized(all, 64, &padded, &format!("{fields} = {rule}")),
            "{fields} pad{pad}"
        );
    }
}

#[test]
fn padding_is_that_of_a_move() {
    for (rows, columns) in [(5, 50), (1, 1), (7, 33), (4, 31), (8, 64)] {
        let numbers = some(rows * columns);
        let plain = layout(&format!("MK<{rows}, {columns}>, f32"));
        for (element, rule) in [("i8", "d * q"), ("u4", "d * (q - 8)"), ("f4e2m1", "d * q")] {
            let text = format!(
                "<M = {rows}, K = {columns}>, {{ d: M K/32 f32; q: M K {element} }} = {rule}"
            );
            let apart = parsed(&text);
            let mut parts = [vec![0; apart.bytes(0)], vec![0; apart.bytes(1)]];
            let plan = ValuePlan::new(&plain, &apart, None).unwrap();
            plan.run(&[native(&numbers)], &mut parts).unwrap();
            for pad in [
                "",
                "(M = keep, K = 0)",
                "(M = 0, K = keep)",
                "(M = last, K = 3)",
                "(M = 2, K = last)",
                "(M = keep, K = last)",
            ] {
                for fields in ["{ d: 4m f32, q: 4k 4m 8k E }", "{ q: 2k/16 4m 16k E, d: 4m f32 }"] {
                    let fields = fields
                        .replace("E }", &format!("{element} }}"))
                        .replace(" E,", &format!(" {element},"));
                    let text = format!("{fields} pad{pad} = {rule}");
                    let to = parsed(&format!("MK<{rows}, {columns}>, {text}"));
                    let mut moved = vec![0xa5; to.bytes(0)];
                    RecordPlan::new(&apart, &to).unwrap().run(&parts, &mut [&mut moved]).unwrap();
                    assert_eq!(
                        quantized(rows, columns, &numbers, &text),
                        moved,
                        "{rows}, {columns}: {text}"
                    );
                }
            }
        }
    }
}

/// Digits that are added to others: codes and scales are those of rows side by side.
#[test]
fn quantizing_follows_digits_that_are_added() {
    for (n, k) in [(16, 16), (13, 20), (7, 9), (16, 8192)] {
        let of = |content: &str| parsed(&format!("<N = {n}, K = {k}>, {content} = s * w"));
        let rotated = of("{ N { s: 8n f32, w: K 4k-8n 8n 2k i8 } } pad");
        let (plain, apart) =
            (layout(&format!("NK<N = {n}, K = {k}>, f32")), of("{ s: N f32; w: N K i8 }"));
        let numbers = native(&some(n * k));
        let plan = ValuePlan::new(&plain, &rotated, None).unwrap();
        let own = run(&plan, &numbers, rotated.bytes(0));
        let mut twice = vec![0xa5; own.len()];
        plan.par_run_in_parts(1, &[&numbers], &mut [&mut twice]).unwrap();
        assert_eq!(twice, own, "{n} x {k}");
        let both = || [vec![0xa5; apart.bytes(0)], vec![0xa5; apart.bytes(1)]];
        let (mut expected, mut moved) = (both(), both());
        ValuePlan::new(&plain, &apart, None).unwrap().run(&[&numbers], &mut expected).unwrap();
        RecordPlan::new(&rotated, &apart).unwrap().run(&[&own], &mut moved).unwrap();
        assert_eq!(moved, expected, "{n} x {k}");
        let back = |side: &Record, source: &[Vec<u8>]| {
            let mut numbers = vec![0; n * k * 4];
            ValuePlan::new(side, &plain, None).unwrap().run(source, &mut [&mut numbers]).unwrap();
            numbers
        };
        assert_eq!(back(&rotated, &[own]), back(&apart, &expected), "{n} x {k}");
    }
}
