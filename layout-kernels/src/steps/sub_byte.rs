//! Elements of less than a byte, and the planes by which they are transposed.

/// Elements of less than a byte. Positions count elements from the first byte on. All bytes of a side have the same
/// order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubByte {
    bits: usize,
    pub(crate) source_high_first: bool,
    destination_high_first: bool,
}

impl SubByte {
    /// Returns elements of 1, 2 or 4 bits with the first of each byte in its lowest bits, or `None` for another
    /// number of bits.
    pub const fn new(bits: usize) -> Option<Self> {
        match bits {
            1 | 2 | 4 => {
                Some(Self { bits, source_high_first: false, destination_high_first: false })
            }
            _ => None,
        }
    }

    /// Sets on which sides the first element of each byte is in its highest bits.
    #[must_use]
    pub const fn high_first(self, source: bool, destination: bool) -> Self {
        Self { source_high_first: source, destination_high_first: destination, ..self }
    }

    /// Returns the bits of an element.
    pub(crate) const fn bits(self) -> usize {
        self.bits
    }

    /// Returns the number of elements in a byte.
    pub const fn per_byte(self) -> usize {
        match self.bits {
            1 => 8,
            2 => 4,
            _ => 2,
        }
    }

    /// Returns an element whose bits are all 1.
    pub(crate) const fn mask(self) -> u8 {
        !u8::MAX.wrapping_shl(self.bits as u32)
    }

    /// Whether the elements of a byte have the opposite order in the destination.
    pub(crate) const fn is_reversed(self) -> bool {
        self.source_high_first != self.destination_high_first
    }

    /// Returns the shift of the element at this position of the source within its byte.
    #[inline(always)]
    pub(crate) const fn source_shift(self, position: usize) -> usize {
        self.shift(position, self.source_high_first)
    }

    /// Returns the shift of the element at this position of the destination within its byte.
    #[inline(always)]
    pub(crate) const fn destination_shift(self, position: usize) -> usize {
        self.shift(position, self.destination_high_first)
    }

    #[inline(always)]
    const fn shift(self, position: usize, high_first: bool) -> usize {
        let last = self.per_byte() - 1;
        let own = position & last;
        (if high_first { last - own } else { own }) * self.bits
    }

    /// Returns a byte with its elements in the opposite order.
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

/// Contiguous rows of elements, in groups of one row for each element of a byte. A plane has the elements at one
/// position of all bytes of a row: plane `p` has the columns `c` with `c % per_byte == p`. A byte of a plane has one
/// element of each row of a group. The planes are contiguous, each with the bytes of all groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    pub(crate) of: SubByte,
    pub(crate) groups: usize,
    /// The number of bytes of a row.
    pub(crate) bytes: usize,
    /// The strides from one row to the next, and from one group to the next.
    pub(crate) row: isize,
    pub(crate) group: isize,
}
