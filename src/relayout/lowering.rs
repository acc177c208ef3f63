//! Turns loops over elements into moves of kernels, and says which are too short for one.

use layout_kernels::{Loop, MAX_LOOPS, Move, Padding, SubByte};
use layout_types::nests::{Level, Nest, Pair};
use layout_types::{ElementType, Layout};

/// Returns the move that does what `nest` says with elements of these types. Returns `None` if the nest has more
/// loops than a move can have, or swizzles. If padding of the destination follows groups of elements, the move fills
/// it.
pub(super) const fn lowered(nest: &Nest, pair: &Pair) -> Option<Move> {
    let mut of = Move::new(&[], 1);
    if set_lowered(&mut of, nest, pair) { Some(of) } else { None }
}

/// [`lowered`], in place of a move without loops: copying one takes a part of the time that a plan takes. Returns
/// whether there is such a move.
pub(super) const fn set_lowered(of: &mut Move, nest: &Nest, pair: &Pair) -> bool {
    of.padding = padding(nest, pair.destination());
    let (source, destination) = (pair.source().element(), pair.destination().element());
    set(of, nest, source.bits(), (source.is_high_first(), destination.is_high_first()))
}

/// [`lowered`] without padding.
pub(super) const fn moved_between(nest: &Nest, pair: &Pair) -> Option<Move> {
    let (source, destination) = (pair.source().element(), pair.destination().element());
    moved(nest, source.bits(), (source.is_high_first(), destination.is_high_first()))
}

/// [`moved_between`] for elements of `bits` bits. The flags say on which sides the first element of a byte is in its
/// highest bits.
pub(crate) const fn moved(nest: &Nest, bits: usize, high_first: (bool, bool)) -> Option<Move> {
    let mut of = Move::new(&[], 1);
    if set(&mut of, nest, bits, high_first) { Some(of) } else { None }
}

/// [`moved`], in place of a move without loops. Its padding stays, but elements of less than a byte have none. Returns
/// whether there is such a move.
const fn set(
    of: &mut Move,
    nest: &Nest,
    bits: usize,
    (source_high_first, destination_high_first): (bool, bool),
) -> bool {
    let levels = nest.levels();
    if !nest.is_affine() || levels.len() > MAX_LOOPS {
        return false;
    }
    // The unit of strides in bytes: the size of an element, or one byte for smaller elements.
    let unit = bits.div_ceil(8);
    of.unit = unit;
    if let Some(elements) = SubByte::new(bits) {
        let elements = elements.high_first(source_high_first, destination_high_first);
        *of = Move::of_elements(elements, &[], 1);
    }
    layout_types::each!(i, 0..levels.len(), {
        let Level { size, strides: [source, destination], .. } = levels[i];
        of.push(Loop::new(size, source * unit as isize, destination * unit as isize));
    });
    (of.source, of.destination) = (nest.start().source * unit, nest.start().destination * unit);
    true
}

/// Whether a box without a plan is moved row by row, since making a plan takes longer.
pub(super) fn is_moved_by_rows(nest: &Nest, element: ElementType) -> bool {
    // A little less than what a plan takes.
    const MOST: usize = 600;
    nest.is_affine() && element.per_byte() == 1 && time_by_rows(nest) <= MOST
}

/// Returns the time that a box takes row by row, in units of the time that an element takes.
pub(super) fn time_by_rows(nest: &Nest) -> usize {
    // What a row takes besides its elements.
    const ROW: usize = 15;
    let sizes = || nest.levels().iter().map(|level| level.size);
    let elements = sizes().fold(1, usize::saturating_mul);
    // At least one, or the compiler would see a division by zero.
    let longest = sizes().max().unwrap_or(1).max(1);
    elements.saturating_add(ROW.saturating_mul(elements / longest))
}

/// Returns the padding of a layout, if it follows each group of contiguous elements and `nest` moves all elements.
pub(crate) const fn padding(nest: &Nest, layout: &Layout) -> Option<Padding> {
    let (bits, levels) = (layout.element().bits(), nest.levels());
    let bytes = bits / 8;
    if !bytes.is_power_of_two() || bytes > 8 || nest.start().destination > 0 {
        return None;
    }
    let (mut expected, mut group, mut count) = (1, 0, 1);
    layout_types::each!(rev i, 0..levels.len(), {
        let Level { size, strides: [_, destination], .. } = levels[i];
        if group == 0 && destination > expected {
            group = destination;
            expected = destination;
        }
        if destination != expected {
            return None;
        }
        let (next, overflows) = expected.overflowing_mul(size as isize);
        if overflows {
            return None;
        }
        expected = next;
        count *= size;
    });
    let units = layout.units();
    if group == 0 {
        if expected as usize == units {
            return None;
        }
        group = units as isize;
        expected = group;
    }
    if expected as usize != units || count != layout.numel() || !layout.has_padding() {
        return None;
    }
    Some(Padding { group: group as usize * bytes, fill: fill(layout.unit_of_fill(), bytes) })
}

/// Returns eight bytes that repeat a unit of `bytes` bytes.
const fn fill(unit: u64, bytes: usize) -> [u8; 8] {
    let native = unit.to_ne_bytes();
    let start = if cfg!(target_endian = "big") { 8 - bytes } else { 0 };
    let mut fill = [0; 8];
    layout_types::each!(i, 0..8, {
        fill[i] = native[start + i % bytes];
    });
    fill
}
