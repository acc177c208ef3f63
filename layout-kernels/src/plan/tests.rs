//! What no plan prints: which rounds of a byte permute may store whole vectors.

use crate::steps::{Loop, Permutation, Round};

/// Rounds, the first of them, whose vectors of `bytes` bytes end where a later round of the run begins or ends.
fn whole(count: usize, apart: usize, first_end: usize, end: usize) -> usize {
    (0..count - 1).take_while(|i| i * apart + first_end <= end).count()
}

#[test]
fn whole_vectors_are_stored_where_later_ones_end_after_them() {
    for bytes in [16, 64] {
        for valid in [1, 3, 12, 15, 16, 24, 48, 60, 63, 64] {
            for (size, chunk, runs) in
                [(1, 1, 1), (2, 1, 3), (9, 1, 1), (9, 2, 5), (100, 3, 2), (1, 1, 7)]
            {
                let step = valid as isize;
                let inner = Round::of(Loop::new(size * chunk, 1, step), chunk);
                let inner = Round {
                    destination: step,
                    last_destination: step * (inner.count as isize - 1),
                    ..inner
                };
                let run = valid * inner.count;
                let next = Round::of(Loop::new(runs, 1, run as isize), 1);
                let mut permutation = Permutation { valid, ..Permutation::NONE };
                permutation.set_rounds(inner, next, Round::ONCE, bytes, Loop::ONCE);
                let text =
                    std::format!("{valid} of {bytes} bytes, {} rounds, {runs} runs", inner.count);
                assert_eq!(permutation.is_whole, valid % bytes == 0, "{text}");
                assert_eq!(
                    permutation.whole_rounds,
                    whole(inner.count, valid, bytes, run),
                    "{text}"
                );
                let last = valid * (inner.count - 1) + bytes;
                assert_eq!(permutation.whole_runs, whole(runs, run, last, run * runs), "{text}");
                // Runs that do not follow one another have nothing after them.
                let apart = Round { destination: next.destination + 1, ..next };
                permutation.whole_runs = 0;
                permutation.set_rounds(inner, apart, Round::ONCE, bytes, Loop::ONCE);
                assert_eq!(permutation.whole_runs, 0, "{text}");
            }
        }
    }
}
