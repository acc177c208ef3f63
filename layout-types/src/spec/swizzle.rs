//! Swizzles: an XOR of some bits of an offset into others.

use core::fmt;

use super::element::ElementType;
use super::error::LayoutError;
use super::factor::Swizzling;
use super::rules::Rule;
use super::text::same_text;

/// CuTe's `Swizzle<B, M, S>`: `B` bits of an offset, from bit `M + S` on, are XORed into the bits from `M`
/// on. A negative `S` reads the bits from `M` on and changes those from `M + |S|` on.
///
/// The result is a permutation of all offsets and its own inverse. It keeps groups of `2^M` consecutive
/// offsets together.
///
/// ```
/// use tensor_layout::Swizzle;
///
/// const ROWS: Swizzle = Swizzle::new(3, 4, 3);
/// assert_eq!(ROWS.apply(128 + 5), 128 + 16 + 5); // the second row of 128 bytes
/// assert_eq!(ROWS.apply(128 + 16 + 5), 128 + 5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzling {
    /// The swizzle of elements, for rows of `row` elements.
    ///
    /// # Errors
    /// No swizzle, or not of these elements and rows.
    pub(crate) const fn of(self, element: ElementType, row: usize) -> Result<Swizzle, LayoutError> {
        match self {
            Self::Elements(bits, base, shift) => Swizzle::checked_new(bits, base, shift),
            Self::Bytes(bits, base, shift) => match Swizzle::checked_new(bits, base, shift) {
                Ok(swizzle) => swizzle.of_elements(element),
                Err(error) => Err(error),
            },
            Self::Phases(vec, per_phase, max_phase) => {
                match Swizzle::phases(vec, per_phase, max_phase, row) {
                    Some(swizzle) => Ok(swizzle),
                    None => Err(LayoutError(match are_powers(vec, per_phase, max_phase) {
                        true => Rule::SwizzleRow { groups: max_phase, vec, row },
                        false => Rule::SwizzlePhases { vec, per_phase, max_phase },
                    })),
                }
            }
        }
    }
}

const fn are_powers(vec: usize, per_phase: usize, max_phase: usize) -> bool {
    vec.is_power_of_two() && per_phase.is_power_of_two() && max_phase.is_power_of_two()
}

/// Swizzles of other systems, on addresses in bytes.
impl Swizzle {
    /// 32 bytes in CUTLASS and TMA (`SW32`): `(1, 4, 3)` on bytes. Buffers begin at multiples of 256 bytes.
    pub const B32: Self = Self::new(1, 4, 3);

    /// 64 bytes in CUTLASS and TMA (`SW64`): `(2, 4, 3)` on bytes. Buffers begin at multiples of 512 bytes.
    pub const B64: Self = Self::new(2, 4, 3);

    /// 128 bytes in CUTLASS and TMA (`SW128`): `(3, 4, 3)` on bytes. Buffers begin at multiples of 1024 bytes.
    pub const B128: Self = Self::new(3, 4, 3);

    /// 128 bytes in groups of 32 (`128B_ATOM_32B` of TMA): `(2, 5, 2)` on bytes.
    pub const B128_ATOM_32: Self = Self::new(2, 5, 2);
}

/// The names of [`Swizzle::named`].
#[doc(hidden)]
pub const SWIZZLE_NAMES: &[&str] = &["b32", "b64", "b128", "b128_atom32"];

impl Swizzle {
    /// The swizzle of addresses in bytes that `swizzle = NAME` says.
    #[doc(hidden)]
    pub const fn named(name: &str) -> Option<Self> {
        const NAMED: [Swizzle; 4] =
            [Swizzle::B32, Swizzle::B64, Swizzle::B128, Swizzle::B128_ATOM_32];
        let mut i = 0;
        while i < NAMED.len() {
            if same_text(SWIZZLE_NAMES[i], name) {
                return Some(NAMED[i]);
            }
            i += 1;
        }
        None
    }

    /// CuTe's `Swizzle<B, M, S>`.
    ///
    /// # Panics
    /// With the error of [`checked_new`](Self::checked_new).
    #[track_caller]
    pub const fn new(bits: usize, base: usize, shift: isize) -> Self {
        match Self::checked_new(bits, base, shift) {
            Ok(swizzle) => swizzle,
            Err(error) => error.panic(),
        }
    }

    /// CuTe's `Swizzle<B, M, S>`. Without bits (`B = 0`) it changes nothing.
    ///
    /// # Errors
    /// `|S| < B`, or bits past those of the largest offset.
    pub const fn checked_new(bits: usize, base: usize, shift: isize) -> Result<Self, LayoutError> {
        if shift.unsigned_abs() < bits {
            return Err(LayoutError(Rule::SwizzleShift { bits, shift }));
        }
        let most = isize::BITS as usize - 1;
        if bits > most || base > most || bits + base + shift.unsigned_abs() > most {
            return Err(LayoutError(Rule::SwizzleRange { bits, base, shift }));
        }
        Ok(Self { bits: bits as u8, base: base as u8, shift: shift as i8 })
    }

    /// Triton's `swizzled_shared(vec, perPhase, maxPhase)` over rows of `row` elements: group
    /// `j / vec` of row `i` lies at `j / vec ^ (i / per_phase) % max_phase`, in elements. All of them
    /// are powers of two.
    ///
    /// `None` for other numbers, and where `vec * max_phase` is more than a row.
    pub const fn phases(
        vec: usize,
        per_phase: usize,
        max_phase: usize,
        row: usize,
    ) -> Option<Self> {
        let powers = are_powers(vec, per_phase, max_phase) && row.is_power_of_two();
        if !powers || vec > row || max_phase > row / vec {
            return None;
        }
        let (bits, base) = (max_phase.trailing_zeros(), vec.trailing_zeros());
        let shift = (row.trailing_zeros() + per_phase.trailing_zeros() - base) as isize;
        match Self::checked_new(bits as usize, base as usize, shift) {
            Ok(swizzle) => Some(swizzle),
            Err(_) => None,
        }
    }

    /// `B`: how many bits are read, and how many changed.
    pub const fn bits(self) -> usize {
        self.bits as usize
    }

    /// `M`: how many of the lowest bits neither change nor are read.
    pub const fn base(self) -> usize {
        self.base as usize
    }

    /// `S`: how far apart the bits are that are read and changed.
    pub const fn shift(self) -> isize {
        self.shift as isize
    }

    /// Where `offset` lies, and what lies at `offset`: it is its own inverse.
    #[inline(always)]
    pub const fn apply(self, offset: usize) -> usize {
        let mask = (1 << self.bits) - 1;
        if self.shift >= 0 {
            offset ^ ((offset >> (self.base as u32 + self.shift as u32)) & mask) << self.base
        } else {
            let to = self.base as u32 + self.shift.unsigned_abs() as u32;
            offset ^ ((offset >> self.base) & mask) << to
        }
    }

    /// Whether no offset changes.
    pub const fn is_identity(self) -> bool {
        self.bits == 0
    }

    /// The swizzle of elements that does what this one does to addresses in bytes.
    ///
    /// # Errors
    /// Elements that it would split, or whose size is not a power of two.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Swizzle};
    ///
    /// assert_eq!(Swizzle::B128.of_elements(ElementType::F16)?, Swizzle::new(3, 3, 3));
    /// assert_eq!(Swizzle::B128.of_elements(ElementType::I4)?, Swizzle::new(3, 5, 3));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn of_elements(self, element: ElementType) -> Result<Self, LayoutError> {
        let (base, bits) = (self.base(), element.bits());
        // In bits first, of which an element has a power of two.
        let width = bits.trailing_zeros() as usize;
        if !bits.is_power_of_two() || base + 3 < width {
            return Err(LayoutError(Rule::SwizzleUnit { base, element }));
        }
        Self::checked_new(self.bits(), base + 3 - width, self.shift())
    }

    /// The swizzle of addresses in bytes that does what this one does to elements, or `None` where the
    /// size of an element is not a power of two, or it swaps halves of bytes.
    pub const fn of_bytes(self, element: ElementType) -> Option<Self> {
        let bits = element.bits();
        let base = self.base() + bits.trailing_zeros() as usize;
        if !bits.is_power_of_two() || base < 3 {
            return None;
        }
        match Self::checked_new(self.bits(), base - 3, self.shift()) {
            Ok(swizzle) => Some(swizzle),
            Err(_) => None,
        }
    }

    /// How many offsets a period of the pattern takes: distances that are multiples of it are kept.
    pub const fn period(self) -> usize {
        1 << (self.base() + self.shift.unsigned_abs() as usize + self.bits())
    }

    /// `==` in a `const fn`.
    pub(crate) const fn same(self, other: Self) -> bool {
        self.bits == other.bits && self.base == other.base && self.shift == other.shift
    }

    /// The lowest offset that changes another bit than its own: the lowest bit that is read.
    pub(crate) const fn first_read(self) -> usize {
        let above = if self.shift > 0 { self.shift as usize } else { 0 };
        1 << (self.base() + above)
    }

    /// Multiples of this many offsets are kept together: offsets below one of them stay below it.
    pub(crate) const fn block(self) -> usize {
        let above = if self.shift < 0 { self.shift.unsigned_abs() as usize } else { 0 };
        1 << (self.base() + above + self.bits())
    }
}

/// `swizzle(3, 4, 3)`
impl fmt::Display for Swizzle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "swizzle({}, {}, {})", self.bits, self.base, self.shift)
    }
}

impl fmt::Debug for Swizzle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
