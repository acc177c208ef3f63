//! All systems at once.

use core::fmt;
use core::iter::FusedIterator;

use crate::error::{LayoutName, NameError};
use crate::system::{System, each_system};
use layout_core::Layout;
use layout_core::spec::ElementType;

macro_rules! dispatch {
    ($($(#[$doc:meta])* $system:ident $module:ident $parse:ident = $name:literal, $limits:literal;)*) => {
        impl System {
            /// Returns the layout that the system calls `name`. Extents are in the coordinate order of the system's
            /// module. CuTe's names contain the extents, which must be the same.
            ///
            /// # Errors
            /// The errors of the system's module.
            ///
            /// ```
            /// use tensor_layout::ElementType;
            /// use tensor_layout::names::System;
            ///
            /// let act = System::Ascend.parse("NC1HWC0", &[1, 32, 7, 7], ElementType::F16)?;
            /// assert_eq!(System::OneDnn.print(&act)?.as_str(), "aBcd16b");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn parse(
                self,
                name: &str,
                extents: &[usize],
                element: ElementType,
            ) -> Result<Layout, NameError> {
                match self {
                    $(Self::$system => crate::$module::$parse(name, extents, element),)*
                }
            }

            /// Returns the name of the layout in the system.
            ///
            /// # Errors
            /// - The system cannot express the layout.
            /// - The system does not store these elements in this format.
            pub fn print(self, layout: &Layout) -> Result<LayoutName, NameError> {
                match self {
                    $(Self::$system => crate::$module::print(layout),)*
                }
            }
        }
    };
}

each_system!(dispatch);

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
