//! Moves of small digits in two passes, in every instruction set.

use layout_kernels::{Isa, Loop, Move, Plan};

use super::shapes::check_from;
use super::{Random, naive, range, seeds, strides};

/// Random orders of three to six small digits, some of them flipped, repeated or with gaps, which begin anywhere in the
/// source. Blocks are all of the move or divide one of its loops.
#[test]
fn small_digits_in_any_order() {
    let (random, mut count) = (&mut Random(31), 0);
    let all = seeds().div_ceil(2);
    for _ in 0..all {
        let unit = random.of(&[1, 1, 1, 2, 2, 3, 4, 5]);
        let (mut sizes, mut bytes) = (Vec::new(), unit);
        for _ in 0..3 + random.below(4) {
            let size = random.of(&[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 33]);
            if bytes * size <= 30_000 {
                sizes.push(size);
                bytes *= size;
            }
        }
        let gaps = random.of(&[2, 8, 100]);
        let from = strides(random, &sizes, (unit, gaps), true);
        let to = strides(random, &sizes, (unit, 100), false);
        let (start, end) = (range(&sizes, &from, unit).0, range(&sizes, &to, unit).0);
        let loops: Vec<_> = (0..sizes.len()).map(|i| Loop::new(sizes[i], from[i], to[i])).collect();
        let of = Move::new(&loops, unit).from(start + random.below(3), end);
        check_from(random, &of, &[0, 5]);
        count += usize::from(has_two_passes(&of));
    }
    if Isa::compiled() != Isa::Portable {
        assert!(count * 50 > all as usize, "{count} of {all} moves in two passes");
    }
}

/// Sixteen loops of two iterations. With SSE2, two passes would have too many outer loops, so the move is made in one.
#[test]
fn many_loops() {
    let random = &mut Random(33);
    // Bits of the offset in the destination, each with its position in the source.
    let order = [7, 3, 11, 1, 9, 5, 13, 15, 0, 8, 4, 12, 2, 10, 6, 14];
    let loops: Vec<_> =
        order.into_iter().enumerate().map(|(to, from)| Loop::new(2, 1 << from, 1 << to)).collect();
    let of = Move::new(&loops, 1);
    check_from(random, &of, &[0, 3]);
    let plan = Plan::for_isa(&of, Isa::Sse2).expect("a plan").to_string();
    assert!(!plan.contains("in two passes"), "{plan}");
}

/// Each of several parts of a move has two passes of its own.
#[test]
fn parts_in_two_passes() {
    let loops =
        [Loop::new(9, 60 * 24, 1), Loop::new(8, 3, 9), Loop::new(3, 1, 72), Loop::new(60, 24, 216)];
    let of = Move::new(&loops, 1);
    let source: Vec<u8> = (0..12960).map(|i| (i * 7 % 251) as u8).collect();
    let mut expected = vec![0; source.len()];
    naive(&of, &source, &mut expected);
    // Elsewhere the plan weighs what the kernels of that CPU can pack.
    if cfg!(target_arch = "x86_64") && Isa::compiled() != Isa::Portable {
        let first = Plan::for_part(&of, Isa::Avx2, 0, 4).expect("a plan").to_string();
        assert!(first.contains("in two passes"), "{first}");
    }
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let mut moved = vec![0; source.len()];
        for part in 0..4 {
            let plan = Plan::for_part(&of, isa, part, 4).expect("a plan");
            assert!(plan.run(&source, &mut moved), "{plan}");
        }
        assert!(moved == expected, "{isa}");
    }
}

/// Whether any available instruction set moves in two passes.
fn has_two_passes(of: &Move) -> bool {
    Isa::ALL
        .into_iter()
        .filter(|isa| isa.is_available())
        .any(|isa| Plan::for_isa(of, isa).expect("a plan").to_string().contains("in two passes"))
}
