//! Accelerators whose memory consists of lanes and banks, one entry each.

use super::check::check_element;
use super::element::ElementType;
use super::error::LayoutError;
use super::rules::Rule;
use super::text::{Name, same_text};

/// The names of the entries of a table.
macro_rules! names {
    ($table:expr) => {{
        let mut names = [""; $table.len()];
        each!(i, 0..$table.len(), {
            names[i] = $table[i].name;
        });
        names
    }};
}
pub(super) use names;

/// The numbers that describe an accelerator with local memory in lanes. Each bank is a part of every lane.
///
/// ```
/// use tensor_layout::chip::Chip;
///
/// // A chip of your own.
/// const MINE: Chip = Chip {
///     name: "mine",
///     lanes: 16,
///     lane_bytes: 64 << 10,
///     banks: 8,
///     alignment: 32,
///     kernel_bytes: 32,
/// };
/// assert_eq!(MINE.bank_of(3 * MINE.bank_bytes() + 1), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chip {
    /// The name in errors and maps.
    pub name: &'static str,
    /// The number of lanes.
    pub lanes: usize,
    /// The bytes of one lane.
    pub lane_bytes: usize,
    /// The number of banks of a lane.
    pub banks: usize,
    /// The alignment of tensors in the aligned storages, in bytes.
    pub alignment: usize,
    /// The bytes of adjacent input channels in convolution kernels, for all element types except `f32`.
    pub kernel_bytes: usize,
}

/// The accelerators that have a name in `layout!`, one entry each.
#[rustfmt::skip]
pub const CHIPS: &[Chip] = &[
    Chip { name: "bm1684x", lanes: 64, lane_bytes: 256 << 10, banks: 16, alignment: 64, kernel_bytes: 64 },
    Chip { name: "bm1688",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
    Chip { name: "cv186x",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
    Chip { name: "bm1690",  lanes: 64, lane_bytes: 256 << 10, banks: 16, alignment: 64, kernel_bytes: 64 },
    Chip { name: "sg2380",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
];

const NAMES: [&str; CHIPS.len()] = names!(CHIPS);

impl Chip {
    /// Returns the chip of this name in [`CHIPS`].
    ///
    /// # Errors
    /// There is no chip of this name.
    pub const fn named(name: &str) -> Result<&'static Self, LayoutError> {
        match position(&NAMES, name) {
            Some(i) => Ok(&CHIPS[i]),
            None => Err(LayoutError(Rule::UnknownChip { name: Name::new(name), known: &NAMES })),
        }
    }

    /// The bytes of one bank in one lane.
    ///
    /// # Panics
    /// If the number of banks is 0, which [`check`](Self::check) reports as an error.
    pub const fn bank_bytes(&self) -> usize {
        self.lane_bytes / self.banks
    }

    /// The bank of an address within a lane, in bytes.
    pub const fn bank_of(&self, address: usize) -> usize {
        address / self.bank_bytes()
    }

    /// The first bank of `bytes` bytes from `address`, and the bank after their last. No bytes have no bank.
    pub const fn banks_of(&self, address: usize, bytes: usize) -> (usize, usize) {
        let first = self.bank_of(address);
        match bytes {
            0 => (first, first),
            _ => (first, self.bank_of(address.saturating_add(bytes - 1)) + 1),
        }
    }

    /// The number of adjacent input channels in a convolution kernel. 0 if an element takes more bytes than a kernel
    /// has for them.
    ///
    /// # Panics
    /// - If the bits of the kernel bytes overflow, which [`check`](Self::check) reports as an error.
    /// - If memory cannot hold an array of the elements, a type of your own.
    pub const fn channels_together(&self, element: ElementType) -> usize {
        if let Err(error) = check_element(element) {
            error.panic()
        }
        match (element, self.kernel_bytes.checked_mul(8)) {
            (ElementType::F32, _) => 1,
            (other, Some(bits)) => bits / other.bits(),
            (_, None) => self.no_memory(Self::KERNEL_IN_LANE).panic(),
        }
    }

    /// Returns the chip if its numbers are valid. `layout!` calls it for a chip of the user's own.
    ///
    /// # Panics
    /// If its numbers describe no memory.
    #[doc(hidden)]
    #[track_caller]
    pub const fn checked(&self) -> &Self {
        match self.check() {
            Ok(()) => self,
            Err(error) => error.panic(),
        }
    }

    /// Returns an error unless the numbers describe a memory.
    pub const fn check(&self) -> Result<(), LayoutError> {
        let remedy = if self.lanes == 0 {
            "at least 1 lane"
        } else if self.banks == 0 || self.lane_bytes == 0 || self.lane_bytes % self.banks != 0 {
            "lane bytes that are a multiple of its banks"
        } else if !self.alignment.is_power_of_two() || self.lane_bytes % self.alignment != 0 {
            "an alignment that is a power of two and divides its lane bytes"
        } else if self.kernel_bytes < 4 || !self.kernel_bytes.is_power_of_two() {
            "kernel bytes that are a power of two of at least 4"
        } else if self.kernel_bytes > self.lane_bytes || self.kernel_bytes > usize::MAX / 8 {
            Self::KERNEL_IN_LANE
        } else {
            return Ok(());
        };
        Err(self.no_memory(remedy))
    }

    const KERNEL_IN_LANE: &str = "kernel bytes that fit in its lane bytes";

    const fn no_memory(&self, remedy: &'static str) -> LayoutError {
        LayoutError(Rule::NoMemory { name: Name::new(self.name), remedy })
    }
}

/// The index of `name` in `names`.
pub(super) const fn position(names: &[&str], name: &str) -> Option<usize> {
    each!(i, 0..names.len(), {
        if same_text(names[i], name) {
            return Some(i);
        }
    });
    None
}
