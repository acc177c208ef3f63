//! Pictures of plans.

use alloc::vec::Vec;

use super::ArenaPlan;
use layout_show::{Lifetime, Picture, SharedMemory};

/// With feature `pictures`.
impl<const N: usize, const M: usize> ArenaPlan<N, M> {
    /// Draws a panel for each memory: steps across, addresses down. A cell shows the number of the tensor that has its
    /// bytes at that step. Tensors without a name are left out.
    pub fn picture(&self) -> Picture {
        let memories = (0..M).map(|memory| {
            let is_drawn =
                |&i: &usize| self.memory(i) == memory && !self.tensors[i].name.is_empty();
            let own = (0..N).filter(is_drawn);
            let lifetimes = own.map(|i| {
                let tensor = &self.tensors[i];
                let start = self.address(i);
                let (bytes, steps) = (start..start + tensor.bytes, tensor.first..=tensor.last);
                Lifetime { name: tensor.name.into(), bytes, steps }
            });
            let (bytes, bound) = (self.bytes(memory), self.bound(memory));
            let (name, lifetimes) = (self.memories[memory].name.into(), lifetimes.collect());
            SharedMemory { name, bytes, bound, lifetimes }
        });
        let memories: Vec<_> = memories.collect();
        Picture::lifetimes(memories, self.steps().iter().map(|&name| name.into()).collect())
    }
}
