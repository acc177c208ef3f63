//! The part of `tensor-layout` that layout-core provides: layouts, and relayouts element by element. Transfers too,
//! whose loops are those of layout-core.
//!
//! Tests of the workspace that use nothing else of `tensor-layout` are built with this package instead. Checking a
//! mutant of layout-core then takes seconds, since no macros, kernels or tensors are built.

use layout_core::nests::{Pair, move_elements};
pub use layout_core::*;

/// Chips, and transfers of their memories.
pub mod chip {
    pub use layout_chip::*;
    pub use layout_core::chip::*;
}

/// The plan of a relayout.
#[derive(Clone, Copy, Debug)]
pub struct Plan(Pair);

impl Plan {
    /// The plan between two layouts.
    ///
    /// # Errors
    /// As `tensor_layout::Plan::new`.
    pub const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        match Pair::of_equal_elements(source, destination) {
            Ok(pair) => Ok(Self(pair)),
            Err(error) => Err(error),
        }
    }

    /// Moves the elements of a tensor, and leaves padding as it is.
    ///
    /// # Errors
    /// Never: `tensor_layout::Plan::run` compares the buffers' lengths, which here is left to indexing.
    ///
    /// # Panics
    /// If a buffer is shorter than its layout.
    pub fn run<U: Copy>(&self, source: &[U], destination: &mut [U]) -> Result<(), LayoutError> {
        move_elements(&self.0, source, destination);
        Ok(())
    }
}
