//! Elements of less than a byte, and how transposes take them apart.

/// Elements several of which share a byte. Their positions count from the first byte on; which element of a byte is
/// the first is the same in all bytes of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubByte {
    bits: usize,
    source_high_first: bool,
    destination_high_first: bool,
}

impl SubByte {
    /// Elements of 1, 2 or 4 bits, the first of each byte in its lowest bits; `None` for others.
    pub const fn new(bits: usize) -> Option<Self> {
        match bits {
            1 | 2 | 4 => {
                Some(Self { bits, source_high_first: false, destination_high_first: false })
            }
            _ => None,
        }
    }

    /// The same with the first element of each byte in its highest bits, on the sides that this is true for.
    #[must_use]
    pub const fn high_first(self, source: bool, destination: bool) -> Self {
        Self { source_high_first: source, destination_high_first: destination, ..self }
    }

    /// The bits of an element.
    pub(crate) const fn bits(self) -> usize {
        self.bits
    }

    /// How many elements share a byte.
    pub(crate) const fn per_byte(self) -> usize {
        match self.bits {
            1 => 8,
            2 => 4,
            _ => 2,
        }
    }

    /// An element whose bits are all 1.
    pub(crate) const fn mask(self) -> u8 {
        match self.bits {
            1 => 1,
            2 => 3,
            _ => 15,
        }
    }

    /// Whether bytes change on the way: the first element of one lies elsewhere in the destination.
    pub(crate) const fn is_reversed(self) -> bool {
        self.source_high_first != self.destination_high_first
    }

    /// Whether the first element of a byte of the source lies in its highest bits.
    pub(crate) const fn is_source_high_first(self) -> bool {
        self.source_high_first
    }

    /// Above which bits of its byte the element at this position of the source lies.
    #[inline(always)]
    pub(crate) const fn source_shift(self, position: usize) -> usize {
        self.shift(position, self.source_high_first)
    }

    /// Above which bits of its byte the element at this position of the destination lies.
    #[inline(always)]
    pub(crate) const fn destination_shift(self, position: usize) -> usize {
        self.shift(position, self.destination_high_first)
    }

    #[inline(always)]
    const fn shift(self, position: usize, high_first: bool) -> usize {
        let last = self.per_byte() - 1;
        let place = position & last;
        (if high_first { last - place } else { place }) * self.bits
    }

    /// A byte with its elements in the opposite order.
    #[inline(always)]
    pub(crate) const fn reversed(self, byte: u8) -> u8 {
        match self.bits {
            1 => byte.reverse_bits(),
            2 => {
                let halves = byte.rotate_left(4);
                (halves & 0x33) << 2 | halves >> 2 & 0x33
            }
            _ => byte.rotate_left(4),
        }
    }
}

/// Rows of elements that are contiguous, as many in a group as share a byte. The first elements of all bytes of a row
/// are those of its first column and every one after as many as share a byte: a plane. A byte of a plane has one
/// element of each row of a group. The planes follow one another, each with the bytes of all groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    pub(crate) of: SubByte,
    pub(crate) groups: usize,
    /// The bytes of a row.
    pub(crate) bytes: usize,
    /// From one row to the next, and from one group to the next.
    pub(crate) row: isize,
    pub(crate) group: isize,
}
