//! Tensors in the local memory of one chip: the rules that their addresses obey.

use super::local_tensor::{LocalTensor, Misplaced, share_lane};
use super::{Chip, placement};
use crate::spec::{LayoutError, Name, Rule};

/// Where `N` tensors lie in the local memory of a chip. Prints as a map, banks across and tensors
/// down.
///
/// `place!` makes one while the program compiles.
///
/// ```
/// use tensor_layout::chip::{Chip, LocalMemory, LocalTensor, Storage};
/// use tensor_layout::ElementType;
///
/// let (chip, storage) = (Chip::named("bm1684x")?, Storage::named("aligned")?);
/// let layout = storage.layout(chip, "NCHW", &[1, 64, 28, 28], ElementType::I8, 0, None)?;
/// let tensors = [
///     LocalTensor { name: "input", layout, address: Some(0x1000) },
///     LocalTensor { name: "output", layout, address: None },
/// ];
/// // Two operands that are to share no bank.
/// let memory = LocalMemory::new(chip, &tensors, &[&[0, 1]])?;
/// assert_eq!(memory.address(1), 0x4000);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LocalMemory<const N: usize> {
    pub(super) chip: Chip,
    pub(super) tensors: [LocalTensor; N],
}

impl<const N: usize> LocalMemory<N> {
    /// Finds an address for each tensor that has none; the tensors of each list of `apart`, by
    /// index, share no bank.
    ///
    /// # Errors
    /// The first thing wrong: a chip that cannot be, a tensor that is not distributed over its lanes, does
    /// not fit, begins at a wrong multiple, overlaps another or finds no room, or tensors that
    /// share a bank and shall not.
    ///
    /// # Panics
    /// If `apart` has an index that is no tensor's.
    pub const fn new(
        chip: &Chip,
        tensors: &[LocalTensor; N],
        apart: &[&[usize]],
    ) -> Result<Self, LayoutError> {
        if let Err(error) = chip.check() {
            return Err(error);
        }
        match Self::given(chip, tensors).placed(apart) {
            Ok(placed) => Ok(placed),
            Err(Misplaced { error, .. }) => Err(error),
        }
    }

    /// The tensors as they are given; nothing is checked.
    #[doc(hidden)]
    pub const fn given(chip: &Chip, tensors: &[LocalTensor; N]) -> Self {
        Self { chip: *chip, tensors: *tensors }
    }

    /// The same with addresses for the tensors that have none.
    ///
    /// # Errors
    /// The first broken rule, of [`check_tensor`](Self::check_tensor), then of
    /// [`check_member`](Self::check_member), or the first tensor for which there is no room.
    pub const fn placed(&self, apart: &[&[usize]]) -> Result<Self, Misplaced> {
        let mut i = 0;
        while i < N {
            if let Err(error) = self.check_tensor(i) {
                return Err(Misplaced { tensor: i, error });
            }
            i += 1;
        }
        let mut list = 0;
        while list < apart.len() {
            let mut member = 0;
            while member < apart[list].len() {
                if let Err(error) = self.check_member(apart[list], member) {
                    return Err(Misplaced { tensor: apart[list][member], error });
                }
                member += 1;
            }
            list += 1;
        }
        match placement::addresses(&self.chip, &self.tensors, apart) {
            Ok(addresses) => {
                let mut placed = *self;
                let mut i = 0;
                while i < N {
                    placed.tensors[i].address = Some(addresses[i]);
                    i += 1;
                }
                Ok(placed)
            }
            Err(error) => Err(error),
        }
    }

    /// Checks tensor `i`, and where it is given to lie, beside those before it.
    ///
    /// # Errors
    /// A tensor that is not distributed over the chip's lanes, does not fit in one, begins at a wrong
    /// multiple, or overlaps one before it.
    #[doc(hidden)]
    pub const fn check_tensor(&self, i: usize) -> Result<(), LayoutError> {
        let LocalTensor { name, layout, address } = &self.tensors[i];
        // What a chip that cannot be has no place for is not the tensor's fault.
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
        let (needs, has) = (layout.lane_bytes(), self.chip.lane_bytes);
        if start.saturating_add(needs) > has {
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
        let mut j = 0;
        while j < i {
            if let (Some(first), true) = (self.tensors[j].address, self.shares_lane(i, j)) {
                let start = if first > address { first } else { address };
                let (end, own_end) = (self.end(j), self.end(i));
                let end = if end < own_end { end } else { own_end };
                if start < end {
                    let other = Name::new(self.tensors[j].name);
                    return Err(LayoutError(Rule::LocalOverlap { tensor, other, start, end }));
                }
            }
            j += 1;
        }
        Ok(())
    }

    /// Checks that member `member` of `list` shares no bank with one before it, where addresses are
    /// given.
    ///
    /// # Errors
    /// A bank that it shares.
    #[doc(hidden)]
    pub const fn check_member(&self, list: &[usize], member: usize) -> Result<(), LayoutError> {
        let i = list[member];
        if self.chip.check().is_err() {
            return Ok(());
        }
        let mut k = 0;
        while k < member {
            let j = list[k];
            let given = self.tensors[i].address.is_some() && self.tensors[j].address.is_some();
            let ((first, end), (other_first, other_end)) = (self.banks(i), self.banks(j));
            let bank = if first > other_first { first } else { other_first };
            if given && i != j && bank < end && bank < other_end {
                let tensor = Name::new(self.tensors[i].name);
                let other = Name::new(self.tensors[j].name);
                return Err(LayoutError(Rule::SharedBank { tensor, other, bank }));
            }
            k += 1;
        }
        Ok(())
    }

    /// The chip.
    pub const fn chip(&self) -> &Chip {
        &self.chip
    }

    /// The tensors, in the order in which they were given, each with its address once it is placed.
    pub const fn tensors(&self) -> &[LocalTensor; N] {
        &self.tensors
    }

    /// Where tensor `i` begins in each lane, in bytes; 0 until it has an address.
    pub const fn address(&self, i: usize) -> usize {
        match self.tensors[i].address {
            Some(address) => address,
            None => 0,
        }
    }

    /// Where tensor `i` ends in each lane, in bytes.
    pub const fn end(&self, i: usize) -> usize {
        self.address(i).saturating_add(self.tensors[i].layout.lane_bytes())
    }

    /// The first bank of tensor `i`, and the one behind its last.
    pub const fn banks(&self, i: usize) -> (usize, usize) {
        self.chip.banks_of(self.address(i), self.tensors[i].layout.lane_bytes())
    }

    const fn shares_lane(&self, i: usize, j: usize) -> bool {
        share_lane(&self.tensors[i].layout, &self.tensors[j].layout)
    }
}

/// Stops const evaluation with the error of `found`, if there is one: what `place!` does for each
/// of its lines.
#[doc(hidden)]
#[track_caller]
pub const fn report(found: Result<(), LayoutError>) {
    if let Err(error) = found {
        error.panic()
    }
}

/// The error of tensor `i` if there is no room for it: what else may be wrong with it is reported
/// on its own.
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
