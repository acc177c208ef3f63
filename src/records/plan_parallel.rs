//! Moves between records on several threads.

use alloc::vec::Vec;

use layout_kernels::LEAST_PART;
use layout_records::RecordError;
use rayon::prelude::*;

use super::plan::RecordPlan;

impl RecordPlan {
    /// Does what [`run`](Self::run) does, on all threads of rayon's pool.
    ///
    /// Each thread takes tiles that follow one another, with at least 512 KiB of the destination. If no axis is the slowest
    /// of all buffers of both records, the calling thread alone moves all fields.
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
        let (source, mut destination) = self.checked(source, destination)?;
        let tile: Vec<usize> =
            self.tile.iter().flat_map(|tile| &tile.to).map(ExactSizeIterator::len).collect();
        let least = least_part.div_ceil(tile.iter().sum::<usize>().max(1)).max(1);
        let parts = (self.tiles / least).max(1);
        let mut rest: Vec<&mut [u8]> = destination.iter_mut().map(|own| &mut **own).collect();
        let mut all = Vec::new();
        for part in 0..parts {
            let tiles = part * self.tiles / parts..(part + 1) * self.tiles / parts;
            let own = rest.iter_mut().zip(&tile).map(|(bytes, tile)| {
                let (own, after) = core::mem::take(bytes).split_at_mut(tiles.len() * tile);
                *bytes = after;
                own
            });
            all.push((own.collect::<Vec<_>>(), tiles));
        }
        all.into_par_iter()
            .try_for_each(|(mut own, tiles)| self.run_tiles(tiles, &source, &mut own))?;
        self.run_rest(&source, &mut destination)
    }
}
