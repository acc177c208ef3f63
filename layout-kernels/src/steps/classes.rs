//! Classes of runs: which micro-kernel copies runs of a length.

/// The maximal length in bytes for which copying by vectors is faster than a call of memcpy.
pub(crate) const VECTORS: usize = 8 << 10;

/// The class of runs of vectors in a loop.
#[cfg_attr(not(vectors), allow(dead_code, reason = "words have none"))]
pub(crate) const LONG_RUNS: usize = 18;

/// The class of runs whose whole cache lines are stored non-temporally.
pub(crate) const STREAMED_RUNS: usize = 19;

/// The class of runs that are stored non-temporally, 16 bytes at a time, if vectors are shorter than a line.
pub(crate) const STREAMED_BY_16: usize = 20;

/// The class of runs of 9 to 15 bytes that are copied as vectors that overlap.
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

#[cfg(test)]
mod tests {
    use super::{LONG_RUNS, VECTORS, copy_class};

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
}
