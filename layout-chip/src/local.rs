//! Tensors in the local memory of one chip, and the rules for their addresses.
//! It prints as a map: one column for each bank, one row for each tensor.

use crate::local_tensor::{LocalTensor, Misplaced, lane_bytes, lanes_used, share_lane};
use crate::placement;
use core::fmt;
use layout_core::chip::Chip;
use layout_core::spec::{LayoutError, Name, Rule};

/// The addresses of `N` tensors in the local memory of a chip. It prints as a map with one column for each bank and
/// one row for each tensor.
///
/// `place!` makes one at compile time.
///
/// ```
/// use tensor_layout::Layout;
/// use tensor_layout::chip::{Chip, LocalMemory, LocalTensor};
///
/// let chip = Chip::named("bm1684x")?;
/// let layout = Layout::parse("NCHW<1, 64, 28, 28>, i8, bm1684x::aligned")?;
/// let tensors = [
///     LocalTensor { name: "input", layout, address: Some(0x1000) },
///     LocalTensor { name: "output", layout, address: None },
/// ];
/// // Two operands that must not share a bank.
/// let memory = LocalMemory::new(chip, &tensors, &[&[0, 1]])?;
/// assert_eq!(memory.address(1), 0x4000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LocalMemory<const N: usize> {
    pub(crate) chip: Chip,
    pub(crate) tensors: [LocalTensor; N],
}

impl<const N: usize> LocalMemory<N> {
    /// Chooses an address for each tensor that has none. The tensors of each list of `apart`, by index, share no bank.
    ///
    /// # Errors
    /// The first of these that it finds:
    /// - The numbers of the chip describe no memory.
    /// - A tensor is not distributed over the chip's lanes, or does not fit in one.
    /// - A given address is not a multiple of the alignment, or two tensors overlap.
    /// - Two tensors that must be apart share a bank.
    /// - There is no free space for a tensor.
    ///
    /// # Panics
    /// If `apart` has an index that is not below `N`.
    pub const fn new(
        chip: &Chip,
        tensors: &[LocalTensor; N],
        apart: &[&[usize]],
    ) -> Result<Self, LayoutError> {
        layout_core::ok!(chip.check());
        match Self::given(chip, tensors).placed(apart) {
            Ok(placed) => Ok(placed),
            Err(Misplaced { error, .. }) => Err(error),
        }
    }

    /// The tensors as given, without any check.
    #[doc(hidden)]
    pub const fn given(chip: &Chip, tensors: &[LocalTensor; N]) -> Self {
        Self { chip: *chip, tensors: *tensors }
    }

    /// Chooses addresses for the tensors that have none.
    ///
    /// # Errors
    /// The first rule that [`check_tensor`](Self::check_tensor) or then [`check_member`](Self::check_member) finds
    /// broken, or the first tensor for which there is no free space.
    pub const fn placed(&self, apart: &[&[usize]]) -> Result<Self, Misplaced> {
        layout_core::each!(i, 0..N, {
            if let Err(error) = self.check_tensor(i) {
                return Err(Misplaced { tensor: i, error });
            }
        });
        layout_core::each!(list, 0..apart.len(), {
            layout_core::each!(member, 0..apart[list].len(), {
                if let Err(error) = self.check_member(apart[list], member) {
                    return Err(Misplaced { tensor: apart[list][member], error });
                }
            });
        });
        let addresses = layout_core::ok!(placement::addresses(&self.chip, &self.tensors, apart));
        let mut placed = *self;
        layout_core::each!(i, 0..N, {
            placed.tensors[i].address = Some(addresses[i]);
        });
        Ok(placed)
    }

    /// Checks tensor `i` and its given address against the tensors before it.
    ///
    /// # Errors
    /// - It is not distributed over the chip's lanes, or does not fit in one.
    /// - Its address is not a multiple of its alignment.
    /// - It overlaps a tensor before it.
    #[doc(hidden)]
    pub const fn check_tensor(&self, i: usize) -> Result<(), LayoutError> {
        let LocalTensor { name, layout, address } = &self.tensors[i];
        // If the chip is invalid, that error is reported instead.
        if self.chip.check().is_err() {
            return Ok(());
        }
        let (tensor, chip) = (Name::new(name), Name::new(self.chip.name));
        let lanes = match layout.lanes() {
            Some(lanes) => lanes.count(),
            None => 0,
        };
        if lanes != self.chip.lanes {
            return Err(LayoutError(Rule::LaneCount {
                tensor,
                chip,
                lanes,
                needed: self.chip.lanes,
            }));
        }
        let start = if let Some(address) = *address { address } else { 0 };
        let (needs, has) = (lane_bytes(layout), self.chip.lane_bytes);
        if needs > has || start > has - needs {
            let lane = if let Some(lanes) = layout.lanes() { lanes.last() } else { 0 };
            return Err(LayoutError(Rule::LaneCapacity {
                tensor,
                address: start,
                needs,
                has,
                lane,
            }));
        }
        let Some(address) = *address else { return Ok(()) };
        let alignment = layout.align();
        if address % alignment != 0 {
            return Err(LayoutError(Rule::AddressAlignment { tensor, address, alignment }));
        }
        layout_core::each!(j, 0..i, {
            let shared = share_lane(&self.tensors[i].layout, &self.tensors[j].layout);
            if let (Some(first), true) = (self.tensors[j].address, shared) {
                let start = if first > address { first } else { address };
                let (end, own_end) = (self.end(j), self.end(i));
                let end = if end < own_end { end } else { own_end };
                if start < end {
                    let other = Name::new(self.tensors[j].name);
                    return Err(LayoutError(Rule::LocalOverlap { tensor, other, start, end }));
                }
            }
        });
        Ok(())
    }

    /// Checks that member `member` of `list` shares no bank with a member before it, if both have given addresses.
    ///
    /// # Errors
    /// The first bank that they share.
    #[doc(hidden)]
    pub const fn check_member(&self, list: &[usize], member: usize) -> Result<(), LayoutError> {
        let i = list[member];
        if self.chip.check().is_err() {
            return Ok(());
        }
        layout_core::each!(k, 0..member, {
            let j = list[k];
            let given = self.tensors[i].address.is_some() && self.tensors[j].address.is_some();
            let ((first, end), (other_first, other_end)) = (self.banks(i), self.banks(j));
            let bank = if first > other_first { first } else { other_first };
            if given && i != j && bank < end && bank < other_end {
                let tensor = Name::new(self.tensors[i].name);
                let other = Name::new(self.tensors[j].name);
                return Err(LayoutError(Rule::SharedBank { tensor, other, bank }));
            }
        });
        Ok(())
    }

    /// The chip.
    pub const fn chip(&self) -> &Chip {
        &self.chip
    }

    /// The tensors in the given order. Each has its address once it is placed.
    pub const fn tensors(&self) -> &[LocalTensor; N] {
        &self.tensors
    }

    /// The start of tensor `i` in each lane, in bytes; 0 until it has an address.
    pub const fn address(&self, i: usize) -> usize {
        match self.tensors[i].address {
            Some(address) => address,
            None => 0,
        }
    }

    /// The end of tensor `i` in each lane, in bytes.
    pub const fn end(&self, i: usize) -> usize {
        self.address(i).saturating_add(lane_bytes(&self.tensors[i].layout))
    }

    /// The first bank of tensor `i`, and the bank after its last.
    pub const fn banks(&self, i: usize) -> (usize, usize) {
        self.chip.banks_of(self.address(i), lane_bytes(&self.tensors[i].layout))
    }
}

/// The error of tensor `i` if there is no free space for it. Its other errors are reported separately.
#[doc(hidden)]
pub const fn room<const N: usize>(
    placed: &Result<LocalMemory<N>, Misplaced>,
    i: usize,
) -> Result<(), LayoutError> {
    match placed {
        Err(Misplaced { tensor, error: error @ LayoutError(Rule::NoRoom { .. }) })
            if *tensor == i =>
        {
            Err(*error)
        }
        _ => Ok(()),
    }
}

/// Writes each tensor with its first byte, its size in a lane and its lanes, and how much of each bank it takes: `#`
/// all, `+` a part, `.` none.
///
/// ```text
/// bm1684x: 64 lanes of 256 KiB in 16 banks
/// tensor   address   bytes  lanes   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
/// WEIGHTS  0x00000     576  0-63    +  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
/// ```
impl<const N: usize> fmt::Display for LocalMemory<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chip = &self.chip;
        let names = self.tensors.iter().map(|tensor| tensor.name.chars().count());
        let width = names.max().unwrap_or(0).max("tensor".len());
        let (lanes, kib) = (chip.lanes, Size(chip.lane_bytes));
        writeln!(formatter, "{}: {lanes} lanes of {kib} in {} banks", chip.name, chip.banks)?;
        write!(formatter, "{:width$}  address   bytes  lanes ", "tensor")?;
        (0..chip.banks).try_for_each(|bank| write!(formatter, " {bank:2}"))?;
        for (i, tensor) in self.tensors.iter().enumerate() {
            let (name, address) = (tensor.name, self.address(i));
            let bytes = lane_bytes(&tensor.layout);
            let lanes = UsedLanes { used: lanes_used(&tensor.layout), of: chip.lanes };
            write!(formatter, "\n{name:width$}  0x{address:05x} {bytes:7}  {lanes:6}")?;
            (0..chip.banks).try_for_each(|bank| write!(formatter, "  {}", self.mark(i, bank)))?;
        }
        Ok(())
    }
}

impl<const N: usize> LocalMemory<N> {
    /// How much of the bank tensor `i` takes.
    fn mark(&self, i: usize, bank: usize) -> char {
        let size = self.chip.bank_bytes();
        let start = self.address(i).max(bank * size);
        let end = self.end(i).min((bank + 1) * size);
        match end.saturating_sub(start) {
            0 => '.',
            bytes if bytes == size => '#',
            _ => '+',
        }
    }
}

/// `256 KiB`, or bytes if it is not a whole number of KiB.
struct Size(usize);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 1024 {
            0 => write!(formatter, "{} KiB", self.0 / 1024),
            _ => write!(formatter, "{} bytes", self.0),
        }
    }
}

/// `0-63`: the first lane and the last one. `62-1` continues at lane 0.
struct UsedLanes {
    /// The first lane, and the number of lanes.
    used: (usize, usize),
    of: usize,
}

impl fmt::Display for UsedLanes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, count) = self.used;
        let text = match count {
            0 => layout_core::spec::Name::new("none"),
            _ => {
                let mut text = layout_core::spec::Name::EMPTY;
                text.push_number(first);
                if count > 1 {
                    text.push("-");
                    text.push_number((first + count - 1) % self.of);
                }
                text
            }
        };
        fmt::Display::fmt(&text, formatter)
    }
}
