//! Reshapes: other axes over the same coordinates in the same order.

use crate::algebra::AxisDigits;
use crate::algebra::views::tile::{SplitAxis, product};
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_RANK, Rule};

impl Layout {
    /// Returns a view with new axes over the same elements, in the same order: coordinates are counted with the last
    /// axis fastest, before and after. Each entry of `axes` is a letter and an extent.
    ///
    /// If one stride cannot describe a new axis, the axis gets blocks. The reshape fails only if a new axis would cut
    /// existing blocks.
    ///
    /// Law: `offset(reshape, c) == offset(self, d)`, where `c` and `d` are preceded by the same number of coordinates.
    ///
    /// # Errors
    /// - The product of the new extents is not the number of coordinates.
    /// - A letter is repeated.
    /// - A new axis would cut blocks.
    /// - The result would have more than 12 axes, or more than 16 axes and blocks.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let tokens = Layout::of("MK", &[128, 768], ElementType::F32)?;
    /// let heads = tokens.reshape(&[('S', 128), ('H', 12), ('D', 64)])?;
    /// assert_eq!(heads.offset(&[2, 3, 4]), 2 * 768 + 3 * 64 + 4);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn reshape(&self, axes: &[(char, usize)]) -> Result<Self, LayoutError> {
        let mut view = self.origin();
        if axes.len() > MAX_RANK {
            return Err(LayoutError(Rule::ViewRank { letter: axes[MAX_RANK].0 }));
        }
        let (count, given) = (self.checked_count(), product(axes));
        match (count, given) {
            (Some(count), Some(given)) if count == given => {}
            (Some(count), given) => {
                return Err(LayoutError(Rule::Reshape { count, given }));
            }
            (None, _) => return Err(LayoutError(Rule::TooLarge { element: self.element() })),
        }
        // With no old axis, nothing can be cut.
        let nothing = SplitAxis::Axes { slowest: 'A', inside: 1 };
        if self.numel() == 0 {
            let none = AxisDigits::single(0, 1);
            ok!(view.put_tiles(0, nothing, none, axes));
            return Ok(view);
        }
        match self.reshaped_in_groups(view, axes) {
            Ok(view) => Ok(view),
            // An old axis that begins inside a block can be split, though not merged.
            Err(error) => match self.reshaped_by_splits(view, axes) {
                Some(view) => Ok(view),
                None => Err(error),
            },
        }
    }

    /// Puts the new axes into `view` in groups of old and new axes with equal products of extents, each as small as
    /// possible: the old axes of a group are merged, and then split into the new ones.
    const fn reshaped_in_groups(
        &self,
        mut view: Self,
        axes: &[(char, usize)],
    ) -> Result<Self, LayoutError> {
        let nothing = SplitAxis::Axes { slowest: 'A', inside: 1 };
        let (mut old, mut new) = (0, 0);
        while old < self.rank() || new < axes.len() {
            if old < self.rank() && self.extent(old) == 1 {
                // No coordinate uses its stride.
                let distance = AxisDigits::of(self, old).offset(0);
                view.buffer.base = view.base().wrapping_add_signed(distance);
                old += 1;
                continue;
            }
            // New axes after the last old one have extent 1 and its stride.
            let mut merged = AxisDigits::single(1, view.fastest());
            let (first_old, first_new) = (old, new);
            let mut wanted = 1;
            loop {
                let old_is_due = merged.extent < wanted || old == first_old;
                let new_is_due = merged.extent > wanted || new == first_new;
                if old_is_due && old < self.rank() {
                    let letter = self.letters().at(old);
                    let inner = AxisDigits::of(self, old);
                    merged = ok!(self.joined_axis(letter, &merged, &inner));
                    old += 1;
                } else if new_is_due && new < axes.len() {
                    wanted *= axes[new].1;
                    new += 1;
                } else {
                    break;
                }
            }
            let tiles = axes.split_at(new).0.split_at(first_new).1;
            let made_of = if first_old < old {
                let inside = merged.extent / self.extent(first_old);
                SplitAxis::Axes { slowest: self.letters().at(first_old), inside }
            } else {
                nothing
            };
            ok!(view.put_tiles(view.rank(), made_of, merged, tiles));
        }
        Ok(view)
    }

    /// Puts the new axes into `view` from the fastest to the slowest. Each is split from what is left of the old axes,
    /// which are merged only as far as a new axis needs several of them.
    const fn reshaped_by_splits(&self, mut view: Self, axes: &[(char, usize)]) -> Option<Self> {
        let mut rest = AxisDigits::single(1, self.fastest());
        let mut old = self.rank();
        each!(rev new, 0..axes.len(), {
            let (letter, size) = axes[new];
            while rest.extent % size != 0 {
                if old == 0 {
                    return None;
                }
                old -= 1;
                let Ok(joined) = self.joined_axis('A', &AxisDigits::of(self, old), &rest) else {
                    return None;
                };
                rest = joined;
            }
            let Some((outer, inner)) = rest.split(size) else { return None };
            let Ok(letter) = view.new_letter(letter) else { return None };
            if view.put(0, letter, &inner).is_err() {
                return None;
            }
            rest = outer;
        });
        // Axes of one coordinate that are left say where the first one is.
        while old > 0 {
            old -= 1;
            let Ok(joined) = self.joined_axis('A', &AxisDigits::of(self, old), &rest) else {
                return None;
            };
            rest = joined;
        }
        view.buffer.base = view.base().wrapping_add_signed(rest.offset(0));
        Some(view)
    }

    /// The stride of the last axis, or of its fastest block.
    const fn fastest(&self) -> isize {
        match self.rank().checked_sub(1) {
            Some(last) => AxisDigits::of(self, last).strides[0],
            None => 1,
        }
    }

    /// The number of coordinates. `None` beyond `usize::MAX`, which only broadcast axes can reach.
    pub(in crate::algebra) const fn checked_count(&self) -> Option<usize> {
        let mut count = Some(1usize);
        each!(i, 0..self.rank(), {
            count = match count {
                _ if self.extent(i) == 0 => return Some(0),
                Some(count) => count.checked_mul(self.extent(i)),
                None => None,
            };
        });
        count
    }
}
