//! Elements in bytes, at any bit, in little-endian order.

use layout_types::Element;
use layout_types::numbers::bits_of;
use layout_types::plain;

/// The number of bits of an element.
const fn width_of<E: Element>() -> usize {
    E::TYPE.value_bits()
}

/// The element with these bits.
#[inline(always)]
fn element_of<E: Element>(bits: u64) -> Option<E> {
    let mut units = [plain::zero::<E::Unit>()];
    let bytes = plain::as_bytes_mut(&mut units);
    let count = bytes.len();
    let source = bits.to_le_bytes();
    bytes.copy_from_slice(source.get(..count)?);
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    E::read(&units, 0)
}

/// Reads the element whose first bit is `bit`, its lowest one, or its highest one if it is high first. `None` past the
/// end of the bytes.
#[inline(always)]
pub(super) fn read<E: Element>(bytes: &[u8], bit: u64, high_first: bool) -> Option<E> {
    let (width, first) = (const { width_of::<E>() }, (bit / 8) as usize);
    let mut bits = 0;
    if width % 8 == 0 && bit % 8 == 0 && !high_first {
        let own = bytes.get(first..)?.get(..const { width_of::<E>() / 8 })?;
        for (i, byte) in own.iter().enumerate() {
            bits |= u64::from(*byte) << (8 * i);
        }
    } else if const { matches!(width_of::<E>(), 1 | 2 | 4) } && !high_first {
        // Whole within a byte, as those before it are.
        let within = u64::from(*bytes.get(first)?) >> (bit % 8);
        let next = if (bit % 8) as usize + width > 8 {
            u64::from(*bytes.get(first + 1)?) << (8 - bit % 8)
        } else {
            0
        };
        bits = (within | next) & ((1 << width) - 1);
    } else {
        for i in 0..width {
            let (at, place) = place(bit + i as u64, high_first);
            let to = if high_first { width - 1 - i } else { i };
            bits |= u64::from(*bytes.get(at)? >> place & 1) << to;
        }
    }
    element_of(bits)
}

/// Writes an element, and no other bit. Returns `None`, and writes nothing, past the end of the bytes.
#[inline(always)]
pub(super) fn write<E: Element>(
    bytes: &mut [u8],
    bit: u64,
    high_first: bool,
    element: E,
) -> Option<()> {
    let (width, first) = (const { width_of::<E>() }, (bit / 8) as usize);
    let bits = bits_of(element);
    if width % 8 == 0 && bit % 8 == 0 && !high_first {
        let own = bytes.get_mut(first..)?.get_mut(..const { width_of::<E>() / 8 })?;
        for (i, byte) in own.iter_mut().enumerate() {
            *byte = (bits >> (8 * i)) as u8;
        }
        return Some(());
    }
    bytes.get(((bit + width as u64 - 1) / 8) as usize)?;
    for i in 0..width {
        let (at, place) = place(bit + i as u64, high_first);
        let from = if high_first { width - 1 - i } else { i };
        let byte = bytes.get_mut(at)?;
        *byte = *byte & !(1 << place) | ((bits >> from & 1) as u8) << place;
    }
    Some(())
}

/// The byte of a bit, and its place in the byte from the lowest one on.
const fn place(bit: u64, high_first: bool) -> (usize, u64) {
    ((bit / 8) as usize, if high_first { 7 - bit % 8 } else { bit % 8 })
}
