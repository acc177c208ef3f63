//! Finds free space for tensors in the lanes of a chip.

use crate::local_tensor::{LocalTensor, Misplaced, lane_bytes, share_lane};
use layout_core::chip::Chip;
use layout_core::spec::{LayoutError, Name, Rule};

/// The largest number of attempts to place a tensor. A memory that is not full takes far fewer, and const evaluation
/// can afford it.
const STEPS: usize = 1000;

/// Returns an address for each tensor: the given one, or the lowest at which it conflicts with no tensor placed before
/// it. The tensors of each list of `apart` share no bank.
///
/// Tensors are placed in the given order. If that leaves no free space for one of them, other orders are tried. If any
/// placement exists, one of these orders finds one: take the tensors by ascending address, and move each down as far
/// as possible.
///
/// # Errors
/// The first tensor, in the given order, for which there is no free space.
pub(crate) const fn addresses<const N: usize>(
    chip: &Chip,
    tensors: &[LocalTensor; N],
    apart: &[&[usize]],
) -> Result<[usize; N], Misplaced> {
    let mut room = Room {
        chip,
        tensors,
        bytes: [0; N],
        meet: [[false; N]; N],
        apart: [[false; N]; N],
        addresses: [0; N],
        placed: [false; N],
    };
    room.find_relations(apart);
    // The order of the tensors without a given address, as far as they are placed.
    let mut order = [0; N];
    let (mut depth, mut next) = (0, 0);
    let mut steps = STEPS + N;
    let mut failed = None;
    loop {
        // If a tensor has no free space now, it has none after more tensors are placed.
        if next == 0 {
            if let Some(tensor) = room.without_room() {
                if failed.is_none() {
                    failed = Some(room.misplaced(tensor));
                }
                next = N;
            } else if room.all_placed() {
                return Ok(room.addresses);
            }
        }
        while next < N && room.placed[next] {
            next += 1;
        }
        if next < N && steps > 0 {
            steps -= 1;
            if let Some(address) = room.lowest(next) {
                room.addresses[next] = address;
                room.placed[next] = true;
                order[depth] = next;
                depth += 1;
                next = 0;
                continue;
            }
        }
        // Try another tensor instead of the last one.
        if depth == 0 || steps == 0 {
            match failed {
                Some(error) => return Err(error),
                None => unreachable!(),
            }
        }
        depth -= 1;
        room.placed[order[depth]] = false;
        next = order[depth] + 1;
    }
}

/// The tensors placed so far.
struct Room<'a, const N: usize> {
    chip: &'a Chip,
    tensors: &'a [LocalTensor; N],
    /// The bytes of each tensor in a lane.
    bytes: [usize; N],
    /// Whether two tensors have elements in a common lane, so that they may not share a byte.
    meet: [[bool; N]; N],
    /// Whether two tensors may not share a bank.
    apart: [[bool; N]; N],
    addresses: [usize; N],
    placed: [bool; N],
}

impl<const N: usize> Room<'_, N> {
    const fn find_relations(&mut self, apart: &[&[usize]]) {
        layout_core::each!(i, 0..N, {
            if let Some(address) = self.tensors[i].address {
                self.addresses[i] = address;
                self.placed[i] = true;
            }
            self.bytes[i] = lane_bytes(&self.tensors[i].layout);
            layout_core::each!(j, 0..N, {
                self.meet[i][j] = share_lane(&self.tensors[i].layout, &self.tensors[j].layout);
            });
        });
        layout_core::each!(list, 0..apart.len(), {
            layout_core::each!(a, 0..apart[list].len(), {
                layout_core::each!(b, 0..apart[list].len(), {
                    self.apart[apart[list][a]][apart[list][b]] = true;
                });
            });
        });
    }

    const fn all_placed(&self) -> bool {
        let mut all = true;
        layout_core::each!(i, 0..N, {
            all &= self.placed[i];
        });
        all
    }

    /// The first tensor that has no free space beside those placed.
    const fn without_room(&self) -> Option<usize> {
        layout_core::each!(i, 0..N, {
            if !self.placed[i] && self.lowest(i).is_none() {
                return Some(i);
            }
        });
        None
    }

    /// The lowest address for tensor `i` beside those placed.
    const fn lowest(&self, i: usize) -> Option<usize> {
        let layout = &self.tensors[i].layout;
        let mut address = 0;
        let mut j = 0;
        while j < N {
            match self.after(i, address, j) {
                // The new address may conflict with tensors checked before.
                Some(end) => {
                    let Some(next) = end.checked_next_multiple_of(layout.align()) else {
                        return None;
                    };
                    (address, j) = (next, 0);
                }
                None => j += 1,
            }
        }
        match address.checked_add(self.bytes[i]) {
            Some(end) if end <= self.chip.lane_bytes => Some(address),
            _ => None,
        }
    }

    /// If tensor `i` at `address` conflicts with tensor `j`, the first address after the conflict.
    const fn after(&self, i: usize, address: usize, j: usize) -> Option<usize> {
        if i == j || !self.placed[j] {
            return None;
        }
        let (bytes, other_bytes) = (self.bytes[i], self.bytes[j]);
        let (other, other_end) = (self.addresses[j], self.addresses[j] + other_bytes);
        if self.apart[i][j] {
            let (first, end) = self.chip.banks_of(address, bytes);
            let (other_first, other_end) = self.chip.banks_of(other, other_bytes);
            if first < other_end && other_first < end {
                return Some(other_end * self.chip.bank_bytes());
            }
        }
        if self.meet[i][j] && address < other_end && other < address.saturating_add(bytes) {
            return Some(other_end);
        }
        None
    }

    #[cold]
    const fn misplaced(&self, i: usize) -> Misplaced {
        let error = LayoutError(Rule::NoRoom {
            tensor: Name::new(self.tensors[i].name),
            needs: self.bytes[i],
            has: self.chip.lane_bytes,
        });
        Misplaced { tensor: i, error }
    }
}
