//! All systems at once.

use core::fmt;
use core::iter::FusedIterator;

use crate::error::LayoutName;
use crate::system::System;
use layout_core::Layout;

/// Returns the names of `layout` in all systems that can express it.
///
/// ```
/// use tensor_layout::{ElementType, Layout, names};
///
/// let act = Layout::of("NCHW16c", &[1, 32, 7, 7], ElementType::F16)?;
/// let found: Vec<String> = names::of(&act).map(|named| named.to_string()).collect();
/// assert_eq!(found, [
///     "oneDNN aBcd16b",
///     "TVM NCHW16c",
///     "TensorRT kCHW16",
///     "Ascend NC1HWC0",
///     "XLA {3,2,1,0:T(16,1,1)}",
///     "CuTe (1,(16,2),7,7):(1568,(1,784),112,16)",
///     "MLIR inner_dims_pos = [1] inner_tiles = [16]",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of(layout: &Layout) -> Names {
    Names { layout: *layout, next: 0 }
}

/// An iterator over the names of a layout. [`of`] returns it.
#[derive(Clone, Debug)]
pub struct Names {
    layout: Layout,
    next: usize,
}

/// The name of a layout in one system. It prints as the system and the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// The system.
    pub system: System,
    /// The name.
    pub name: LayoutName,
}

impl fmt::Display for Named {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.system, self.name)
    }
}

impl Iterator for Names {
    type Item = Named;

    fn next(&mut self) -> Option<Named> {
        while let Some(&system) = System::ALL.get(self.next) {
            self.next += 1;
            if let Ok(name) = system.print(&self.layout) {
                return Some(Named { system, name });
            }
        }
        None
    }
}

impl FusedIterator for Names {}
