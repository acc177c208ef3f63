//! Swizzles: an XOR of some bits of an offset into others.

use core::fmt;

use super::element::ElementType;
use super::error::LayoutError;
use super::factor::Swizzling;
use super::rules::Rule;
use super::text::position;

/// CuTe's `Swizzle<B, M, S>`: XORs the `B` bits of an offset from bit `M + S` into the `B` bits from bit `M`. If `S`
/// is negative, it XORs the bits from `M` into those from `M + |S|`.
///
/// A swizzle is a permutation of all offsets and its own inverse. It keeps groups of `2^M` consecutive offsets
/// together.
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
    /// The swizzle in elements, for rows of `row` elements.
    ///
    /// # Errors
    /// The swizzle is invalid, or it does not fit these elements and rows.
    pub(crate) const fn of(self, element: ElementType, row: usize) -> Result<Swizzle, LayoutError> {
        match self {
            Self::Elements(bits, base, shift) => Swizzle::checked_new(bits, base, shift),
            Self::Bytes(bits, base, shift) => {
                ok!(Swizzle::checked_new(bits, base, shift)).of_elements(element)
            }
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
    /// The swizzle of byte addresses with this name in `swizzle = NAME`.
    #[doc(hidden)]
    pub const fn named(name: &str) -> Option<Self> {
        const NAMED: [Swizzle; 4] =
            [Swizzle::B32, Swizzle::B64, Swizzle::B128, Swizzle::B128_ATOM_32];
        match position(SWIZZLE_NAMES, name) {
            Some(i) => Some(NAMED[i]),
            None => None,
        }
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

    /// CuTe's `Swizzle<B, M, S>`. With `B = 0`, it changes nothing.
    ///
    /// # Errors
    /// - `|S| < B`.
    /// - A bit is beyond the largest offset.
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

    /// Triton's `swizzled_shared(vec, perPhase, maxPhase)` over rows of `row` elements: group `j / vec` of row `i`
    /// moves to group `j / vec ^ (i / per_phase) % max_phase`. All numbers count elements or rows, and must be powers
    /// of two.
    ///
    /// `None` for other numbers, and if `vec * max_phase` is larger than a row.
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

    /// `B`: the number of bits that are read, and of bits that are changed.
    pub const fn bits(self) -> usize {
        self.bits as usize
    }

    /// `M`: the number of lowest bits that are neither read nor changed.
    pub const fn base(self) -> usize {
        self.base as usize
    }

    /// `S`: the distance from the bits that are changed to the bits that are read.
    pub const fn shift(self) -> isize {
        self.shift as isize
    }

    /// Maps an offset to its swizzled offset, and back, since it is its own inverse.
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

    /// Converts a swizzle of byte addresses to one of elements.
    ///
    /// # Errors
    /// - It would split an element.
    /// - The size of an element is not a power of two.
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
        // Count in bits first. An element has a power of two of them.
        let width = bits.trailing_zeros() as usize;
        if !bits.is_power_of_two() || base + 3 < width {
            return Err(LayoutError(Rule::SwizzleUnit { base, element }));
        }
        Self::checked_new(self.bits(), base + 3 - width, self.shift())
    }

    /// Converts a swizzle of elements to one of byte addresses. `None` if the size of an element is not a power of
    /// two, or if it would swap elements inside a byte.
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

    /// The period of the pattern: the swizzle keeps distances that are multiples of it.
    pub const fn period(self) -> usize {
        1 << (self.base() + self.shift.unsigned_abs() as usize + self.bits())
    }

    /// `==` in a `const fn`.
    pub(crate) const fn same(self, other: Self) -> bool {
        self.bits == other.bits && self.base == other.base && self.shift == other.shift
    }

    /// The lowest offset that changes: the lowest bit that is read.
    pub(crate) const fn first_read(self) -> usize {
        let above = if self.shift > 0 { self.shift as usize } else { 0 };
        1 << (self.base() + above)
    }

    /// The swizzle maps each aligned block of this number of offsets to itself.
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

debug_as_display!(Swizzle);
