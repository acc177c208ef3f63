//! Fills the padding of a destination.

use bytemuck::Pod;

use super::units::{as_bytes, as_bytes_mut, unit_from_bits};
use layout_types::Layout;
use layout_types::nests::Padding;

/// Fills the padding of `layout`, whose buffer is `destination`. Elements of less than a byte may end inside the last
/// byte; its other bits stay.
#[inline]
pub(crate) fn fill_padding<U: Pod>(padding: &Padding, layout: &Layout, destination: &mut [U]) {
    let own = layout.len() % 8 * layout.element().bits() % 8;
    let before = as_bytes(destination).last().copied();
    padding.fill(destination, unit_from_bits(layout.unit_of_fill()));
    if own == 0 {
        return;
    }
    if let (Some(before), Some(last)) = (before, as_bytes_mut(destination).last_mut()) {
        let is_high_first = layout.element().is_high_first();
        let others = if is_high_first { u8::MAX >> own } else { u8::MAX << own };
        *last = *last & !others | before & others;
    }
}
