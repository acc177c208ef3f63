//! Moves of fields with a digit that is added to another one.

use tensor_layout::records::{FieldChange, RecordPlan};

use super::moves::{check, noise, parse, same};

/// What no strides express, in tiles and in one, with padding and constants.
#[test]
fn digits_that_are_added_to_others_move() {
    let rotated = "{ N { b: 8n i32, w: K 4k-8n 8n 2k i8 } }";
    let plain = "{ b: N i32; w: K N i8 }";
    for (n, k) in [(16, 16), (4096, 24)] {
        let of = |content: &str| format!("<N = {n}, K = {k}>, {content}");
        same(&of(rotated), &of(plain));
    }
    same("<M = 8, K = 16>, { q: K M 8k^4m 4m u4 }", "<M = 8, K = 16>, { q: M K u4 high_first }");
    same("<M = 9, K = 6>, { q: K M 3k-3m 3m u5 }", "<K = 6, M = 9>, { q: K M 3k+3m 3m u5 }");

    let is_past = |at: &[(char, usize, usize)], letter: char| {
        at.iter().any(|(own, at, extent)| *own == letter && at >= extent)
    };
    check(
        "<N = 13, K = 9>, { b: N i32; w: N K i8 }",
        &format!("<N = 13, K = 9>, {rotated} pad(N = keep, K = 3)"),
        &format!("<N = 16, K = 16>, {rotated}"),
        0,
        |at| if is_past(at, 'N') { None } else { Some(Err(3)) },
    );
    check(
        "<M = 3, K = 5>, { q: M K u4 } = (q - 8)",
        "<M = 3, K = 5>, { q: M K 8k^4m 4m i4 } pad(M = last, K = last) = q",
        "<M = 4, K = 8>, { q: M K 8k^4m 4m i4 }",
        8,
        |at| Some(Ok(at.iter().map(|(_, at, extent)| (*at).min(extent - 1)).collect())),
    );
    let (from, to) =
        (parse("K<4>, { v: u8 }"), parse("<K = 4, N = 2>, { v: 4k u8, w: 2k-2n 2k 2n u4 }"));
    let add = [FieldChange::add("w", tensor_layout::u4::from_bits(9))];
    let mut moved = noise(&to, 4);
    RecordPlan::with_changes(&from, &to, &add).unwrap().run(&[[1, 2, 3, 4]], &mut moved).unwrap();
    assert_eq!(moved[0], [1, 2, 3, 4, 0x99, 0x99, 0x99, 0x99]);
}
