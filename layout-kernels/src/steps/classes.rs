//! Classes of runs: which micro-kernel copies runs of a length.

use super::loops::Loop;
use super::thresholds::{LEAST_OVERLAPPING, VECTORS};
use crate::isa::Isa;

/// The class of runs of vectors in a loop.
#[cfg_attr(not(vectors), allow(dead_code, reason = "words have none"))]
pub(crate) const LONG_RUNS: usize = 18;

/// The class of runs whose whole cache lines are stored non-temporally.
pub(crate) const STREAMED_RUNS: usize = 19;

/// The class of runs that are stored non-temporally, 16 bytes at a time, if vectors are shorter than a line.
pub(crate) const STREAMED_BY_16: usize = 20;

/// The class of runs of 9 to 15 bytes that are copied as [overlapping vectors](overlapping_class).
pub(crate) const OVERLAPPING_RUNS: usize = STREAMED_BY_16 + 1;

/// The same of 17 to 31 bytes.
pub(crate) const LONG_OVERLAPPING_RUNS: usize = OVERLAPPING_RUNS + 1;

/// The number of classes of runs.
pub(crate) const COPY_CLASSES: usize = LONG_OVERLAPPING_RUNS + 1;

/// Returns the class of runs of `bytes` bytes: the index of their micro-kernel. Those of up to 256 bytes have no loop.
pub(crate) const fn copy_class(bytes: usize) -> usize {
    match bytes {
        1 => 1,
        2 => 2,
        4 => 3,
        8 => 4,
        16 => 5,
        3 => 6,
        5..8 => 7,
        9..16 => 8,
        17..=32 => 9,
        33..=48 => 10,
        49..=64 => 11,
        65..=96 => 12,
        97..=128 => 13,
        129..=160 => 14,
        161..=192 => 15,
        193..=224 => 16,
        225..=256 => 17,
        257..=VECTORS => LONG_RUNS,
        _ => 0,
    }
}

/// Returns the class of runs of `bytes` bytes along a loop if they may be copied as whole vectors of 16 or 32 bytes, or
/// 0 if not. The runs follow one another in the destination, so each overwrites the excess of the one before. No vector
/// ends after the next run in the source.
pub(crate) const fn overlapping_class(bytes: usize, along: Loop, isa: Isa) -> usize {
    let (class, vector) = match bytes {
        9..=15 => (OVERLAPPING_RUNS, 16),
        17..=31 => (LONG_OVERLAPPING_RUNS, 32),
        _ => return 0,
    };
    let fits = along.follows(bytes) && along.source >= (vector - bytes) as isize;
    if fits && along.size >= LEAST_OVERLAPPING.0 && isa.vector() >= vector { class } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{LONG_RUNS, OVERLAPPING_RUNS, copy_class, overlapping_class};
    use crate::isa::Isa;
    use crate::steps::Loop;
    use crate::steps::thresholds::VECTORS;

    /// The class of a run is that of the shortest runs that are as long, of those whose kernels copy no more than a
    /// run.
    #[test]
    fn runs_have_the_class_of_their_length() {
        let exact = [(1, 1), (2, 2), (4, 3), (8, 4), (16, 5), (3, 6)];
        let most = [
            (7, 7),
            (15, 8),
            (32, 9),
            (48, 10),
            (64, 11),
            (96, 12),
            (128, 13),
            (160, 14),
            (192, 15),
            (224, 16),
            (256, 17),
        ];
        for bytes in 1..=VECTORS + 100 {
            let of_one = exact.iter().find(|own| own.0 == bytes);
            let short = of_one.or(most.iter().find(|own| bytes <= own.0));
            let expected = short.map_or(LONG_RUNS * usize::from(bytes <= VECTORS), |own| own.1);
            assert_eq!(copy_class(bytes), expected, "{bytes} bytes");
        }
    }

    /// Runs are copied as overlapping vectors if each vector ends within the next run on both sides.
    #[test]
    fn vectors_of_overlapping_runs_end_within_the_next_run() {
        for bytes in 1..=70_usize {
            for stride in [-40, -1, 0, 1, 6, 15, 16, 40, 1000] {
                let along = Loop::new(9, stride, bytes as isize);
                for (isa, most) in [(Isa::Portable, 0), (Isa::Sse2, 16), (Isa::Avx512, 32)] {
                    let vector = (bytes + 1).next_power_of_two();
                    let fits = vector <= most && stride + bytes as isize >= vector as isize;
                    let overlaps = fits && bytes > 8 && bytes != 16;
                    let expected = if overlaps { OVERLAPPING_RUNS + vector / 32 } else { 0 };
                    assert_eq!(overlapping_class(bytes, along, isa), expected, "{bytes}, {stride}");
                }
                let apart = Loop { destination: bytes as isize + 1, ..along };
                let few = Loop { size: 4, ..along };
                assert!(
                    [apart, few].iter().all(|own| overlapping_class(bytes, *own, Isa::Avx2) == 0)
                );
            }
        }
    }
}
