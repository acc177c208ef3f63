//! Moves of values on several threads.

use alloc::vec::Vec;

use layout_kernels::LEAST_PART;
use layout_records::RecordError;
use rayon::prelude::*;

use super::plan::{TilePart, ValuePlan};

impl ValuePlan {
    /// Does what [`run`](Self::run) does, on all threads of rayon's pool.
    ///
    /// Each thread takes the tiles of some coordinates of an axis, whose bytes follow those of the coordinates before
    /// in every buffer of the destination, and at least 512 KiB of them. If no axis is like that, or some tiles are smaller
    /// than the others, the calling thread alone computes all values.
    ///
    /// # Errors
    /// The same as [`run`](Self::run).
    pub fn par_run(
        &self,
        source: &[impl AsRef<[u8]>],
        destination: &mut [impl AsMut<[u8]>],
    ) -> Result<(), RecordError> {
        self.par_run_in_parts(LEAST_PART, source, destination)
    }

    /// [`par_run`](Self::par_run) in parts of at least `least_part` bytes, which tests choose small.
    #[doc(hidden)]
    pub fn par_run_in_parts(
        &self,
        least_part: usize,
        source: &[impl AsRef<[u8]>],
        destination: &mut [impl AsMut<[u8]>],
    ) -> Result<(), RecordError> {
        let bytes: usize = self.sides[1].bytes.iter().sum();
        let cut = (0..self.axes.len()).find_map(|axis| Some((axis, self.cuts(axis)?)));
        let Some((axis, cuts)) = cut.filter(|_| bytes > least_part) else {
            return self.run(source, destination);
        };
        let (source, mut destination) = self.checked(source, destination)?;
        let shape = &self.tiles[0];
        let parts = (bytes / least_part.max(1)).clamp(1, shape.counts[axis]);
        let mut rest: Vec<(usize, &mut [u8])> =
            destination.iter_mut().map(|own| (0, &mut **own)).collect();
        let mut all = Vec::new();
        for part in 0..parts {
            let [first, end] = [part, part + 1].map(|i| i * shape.counts[axis] / parts);
            let before: Vec<usize> = rest.iter().map(|own| own.0).collect();
            let mut own = Vec::new();
            for ((at, bytes), (start, step)) in rest.iter_mut().zip(&cuts) {
                let length = if part + 1 < parts { start + end * step - *at } else { bytes.len() };
                let (left, right) = core::mem::take(bytes).split_at_mut(length);
                own.push(left);
                (*at, *bytes) = (*at + length, right);
            }
            all.push((first, end, before, own));
        }
        all.into_par_iter().for_each(|(first, end, before, mut own)| {
            let (mut counts, mut starts) = (shape.counts.clone(), shape.starts.clone());
            counts[axis] = end - first;
            starts[axis] += first * self.axes[axis].tile;
            let part = TilePart { counts: &counts, starts: &starts, before: &before };
            self.run_part(shape, &part, &source, &mut own);
        });
        self.padding.write_padding(&mut destination)
    }

    /// The first byte of the first tile along an axis, and the bytes from each to the next one, for each buffer of the
    /// destination, if no byte belongs to two of these tiles.
    fn cuts(&self, axis: usize) -> Option<Vec<(usize, usize)>> {
        let [shape] = &self.tiles[..] else { return None };
        let (side, tile) = (&self.sides[1], &shape.sides[1]);
        if shape.counts[axis] < 2 {
            return None;
        }
        let firsts = side.firsts(tile, &shape.starts);
        let mut cuts = Vec::new();
        for buffer in 0..side.bytes.len() {
            let (mut least, mut most, mut step) = (i64::MAX, i64::MIN, None);
            for field in side.named().filter(|field| side.fields[*field].buffer == buffer) {
                let bits = side.fields[field].bits;
                let (low, high, own) = tile.span((field, bits), axis, &shape.counts)?;
                least = least.min((firsts[field] + low) / 8);
                most = most.max((firsts[field] + high + 7) / 8);
                if *step.get_or_insert(own) != own || own % 8 != 0 {
                    return None;
                }
            }
            let step = step? / 8;
            if most - least > step {
                return None;
            }
            cuts.push((least as usize, step as usize));
        }
        Some(cuts)
    }
}
