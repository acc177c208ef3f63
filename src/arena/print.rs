//! A plan as text, and as a picture.

use core::fmt;

use super::ArenaPlan;
#[cfg(feature = "pictures")]
use layout_show::{Lifetime, Picture, SharedMemory};

/// Writes the bytes of each memory, with what every plan needs, and a line for each tensor: its first byte, its size,
/// and its first and last step.
///
/// ```text
/// SRAM: 212 of 4096 bytes, at least 212 in every plan
/// tensor  memory  address   bytes  steps
/// input   SRAM    0x00000     100  0-1
/// ```
impl<const N: usize, const M: usize> fmt::Display for ArenaPlan<N, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = |names: &mut dyn Iterator<Item = &str>, least: &str| {
            names.map(str::len).max().unwrap_or(0).max(least.len())
        };
        for (i, memory) in self.memories.iter().enumerate() {
            write!(formatter, "{}: {}", memory.name, self.bytes(i))?;
            if let Some(size) = memory.bytes {
                write!(formatter, " of {size}")?;
            }
            writeln!(formatter, " bytes, at least {} in every plan", self.bound(i))?;
        }
        let width = longest(&mut self.tensors.iter().map(|tensor| tensor.name), "tensor");
        let memories = longest(&mut self.memories.iter().map(|memory| memory.name), "memory");
        let (tensor, memory) = ("tensor", "memory");
        write!(formatter, "{tensor:width$}  {memory:memories$}  address   bytes  steps")?;
        for (i, tensor) in self.tensors.iter().enumerate() {
            let (name, bytes, first, last) = (tensor.name, tensor.bytes, tensor.first, tensor.last);
            let (memory, address) = (self.memories[self.memory(i)].name, self.address(i));
            write!(formatter, "\n{name:width$}  {memory:memories$}  0x{address:05x} {bytes:7}  ")?;
            write!(formatter, "{first}-{last}")?;
        }
        Ok(())
    }
}

/// With feature `pictures`.
#[cfg(feature = "pictures")]
impl<const N: usize, const M: usize> ArenaPlan<N, M> {
    /// Draws a panel for each memory: steps across, addresses down. A cell shows the number of the tensor that has its
    /// bytes at that step. Tensors without a name are left out.
    pub fn picture(&self) -> Picture {
        let memories = (0..M).map(|memory| {
            let is_drawn =
                |&i: &usize| self.memory(i) == memory && !self.tensors[i].name.is_empty();
            let drawn = (0..N).filter(is_drawn);
            let lifetimes = drawn.map(|i| {
                let tensor = &self.tensors[i];
                let start = self.address(i);
                let (bytes, steps) = (start..start + tensor.bytes, tensor.first..=tensor.last);
                Lifetime { name: tensor.name.into(), bytes, steps }
            });
            let (bytes, bound) = (self.bytes(memory), self.bound(memory));
            let (name, lifetimes) = (self.memories[memory].name.into(), lifetimes.collect());
            SharedMemory { name, bytes, bound, lifetimes }
        });
        Picture::lifetimes(
            memories.collect(),
            self.steps().iter().map(|&name| name.into()).collect(),
        )
    }
}
