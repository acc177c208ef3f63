//! Fills the padding of a destination.

use layout_types::Layout;
use layout_types::nests::Padding;
use layout_types::plain::{self, Plain};

/// What fills the padding of a layout: a constant, where the layout is one.
#[derive(Clone, Copy)]
pub(crate) struct PaddingFill<U> {
    pub(crate) unit: U,
    /// The bits of the last byte that no element of the layout has. They stay.
    others: u8,
}

impl<U: Plain> PaddingFill<U> {
    pub(crate) const fn of(layout: &Layout) -> Self {
        let bits = layout.len() % 8 * layout.element().bits() % 8;
        let others = match (bits, layout.element().is_high_first()) {
            (0, _) => 0,
            (_, true) => u8::MAX >> bits,
            (_, false) => u8::MAX << bits,
        };
        Self { unit: plain::from_bits(layout.unit_of_fill()), others }
    }

    /// Fills the padding of a buffer.
    #[inline]
    pub(crate) fn pad(self, padding: &Padding, destination: &mut [U]) {
        let before = plain::as_bytes(destination).last().copied();
        padding.fill(destination, self.unit);
        if self.others == 0 {
            return;
        }
        if let (Some(before), Some(last)) = (before, plain::as_bytes_mut(destination).last_mut()) {
            *last = *last & !self.others | before & self.others;
        }
    }
}
