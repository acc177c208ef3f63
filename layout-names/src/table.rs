//! Systems whose names are a list of formats over the same axes.

use crate::error::{LayoutName, NameError};
use crate::memory_order::{check_element, check_rank, first_name, letters, stored};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::{ElementType, Format};

/// Name, memory order and elements.
pub(crate) type Row = (&'static str, &'static str, &'static [ElementType]);

/// The formats of a system.
pub(crate) struct Table {
    pub(crate) system: System,
    /// The optional text before and after a name.
    pub(crate) around: (&'static str, &'static str),
    /// The axes of all formats, in the order of extents.
    pub(crate) axes: &'static str,
    pub(crate) formats: &'static [Row],
}

impl Table {
    /// The layout of a format. Padding of blocks holds zeros.
    pub(crate) fn parse(
        &self,
        name: &str,
        extents: &[usize],
        element: ElementType,
    ) -> Result<Layout, NameError> {
        let layout = self.read(name, extents, element)?;
        self.check(name, element)?;
        Ok(layout)
    }

    fn row(&self, name: &str) -> Result<&Row, NameError> {
        let (before, after) = self.around;
        let bare = name.strip_prefix(before).unwrap_or(name);
        let bare = bare.strip_suffix(after).unwrap_or(bare);
        let row = self.formats.iter().find(|row| row.0 == bare);
        row.ok_or(NameError::unknown(self.system, name))
    }

    /// The layout, whatever elements the system stores in it.
    fn read(
        &self,
        name: &str,
        extents: &[usize],
        element: ElementType,
    ) -> Result<Layout, NameError> {
        let (&(name, order, _), axes) = (self.row(name)?, letters(self.axes));
        check_rank(self.system, name, (axes.count(), axes.count()), extents.len())?;
        stored(&Format::parse(order)?, axes, &[], extents, element)
    }

    fn check(&self, name: &str, element: ElementType) -> Result<(), NameError> {
        let &(name, _, takes) = self.row(name)?;
        check_element(self.system, name, element, takes)
    }

    /// The name of a layout. Axes are matched by position. If the memory order matches a format that does not take the
    /// elements, the error says that.
    pub(crate) fn print(&self, layout: &Layout) -> Result<LayoutName, NameError> {
        let names = self.formats.iter().map(|row| row.0);
        let read = |name: &str| self.read(name, layout.extents(), layout.element());
        let check = |name: &str| self.check(name, layout.element());
        first_name(self.system, layout, names, read, check).map(LayoutName::new)
    }
}
