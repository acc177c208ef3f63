//! What no plan prints: classes of runs, and how runs of vectors come to lines.

use std::vec::Vec;

use super::thresholds::{LINE, VECTORS, copy_class};
use super::{Align, Loop};

/// The class of a run is that of the shortest runs that are as long, of those whose kernels copy no more than a run.
#[test]
fn runs_have_the_class_of_their_length() {
    let exact = [(1, 1), (2, 2), (4, 3), (8, 4), (16, 5), (3, 6)];
    let most = [(7, 7), (15, 8), (32, 9), (48, 10), (64, 11), (96, 12), (128, 13), (160, 14)];
    for bytes in 1..=VECTORS + 100 {
        let of_one = exact.iter().find(|own| own.0 == bytes);
        let longest = most.iter().find(|own| bytes <= own.0);
        let other = if bytes <= VECTORS { 15 } else { 0 };
        let expected = of_one.or(longest).map_or(other, |own| own.1);
        assert_eq!(copy_class(bytes), expected, "{bytes} bytes");
    }
}

/// Vectors begin at a line after the first steps that lead to one, if any do.
#[test]
fn vectors_come_to_lines() {
    for step in (1..=LINE).filter(|step| LINE % step == 0 || step % 2 == 1) {
        let valid = step * (LINE / step).max(1);
        let align = Align::of(Loop::new(100, 5, step as isize), valid);
        for to in 4096..4096 + LINE {
            let first = (0..LINE).find(|i| (to + i * step) % LINE == 0);
            assert_eq!(
                align.shift(to),
                first.unwrap_or(0) as isize,
                "from {to} in steps of {step}"
            );
        }
    }
    let never: Vec<_> = [(0, 64), (-4, 64), (24, 64)]
        .map(|(step, valid)| Align::of(Loop::new(9, 1, step), valid))
        .to_vec();
    assert!(never.iter().all(|align| (0..LINE).all(|to| align.shift(to) == 0)));
}
