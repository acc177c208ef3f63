//! Views: layouts of other axes over the same buffer. Each operation states its law.
//!
//! A view moves no data. Its length is the length of the layout that it came from. Elements that are not part of the
//! view belong to somebody else: a relayout into a view leaves them unchanged.
//!
//! An axis is named by its letter, `'C'`, or by its position as a digit, `'1'`.

mod diagonal;
mod merge;
mod recast;
mod reshape;
mod slice;
mod tile;
mod whole_axes;

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Letters, MAX_FACTORS, MAX_RANK, Name, Rule};

/// Returns the view that an operation of `view!` made.
///
/// # Panics
/// If the operation failed, with its error.
#[doc(hidden)]
#[track_caller]
pub const fn view(result: Result<Layout, LayoutError>) -> Layout {
    match result {
        Ok(view) => view,
        Err(error) => error.panic(),
    }
}

impl Layout {
    /// The same elements of the same buffer, with gaps that belong to somebody else. A view has no lanes: they are an
    /// ordinary part of its buffer.
    pub(in crate::algebra) const fn view(&self) -> Self {
        let mut view = *self;
        view.buffer.become_view();
        view
    }

    /// The same view without axes: the element at coordinate 0.
    pub(in crate::algebra) const fn origin(&self) -> Self {
        let mut origin = Self::blank(self.element(), Letters::EMPTY);
        origin.buffer = self.buffer;
        origin.buffer.become_view();
        origin
    }

    /// Returns the position of the axis `name`: a letter, or a position as a digit.
    #[doc(hidden)]
    pub const fn axis(&self, name: char) -> Result<usize, LayoutError> {
        match self.position_named(name) {
            Some(axis) => Ok(axis),
            None => Err(self.no_axis(name)),
        }
    }

    /// The position of the axis `name`, if there is one.
    const fn position_named(&self, name: char) -> Option<usize> {
        match name.to_digit(10) {
            Some(position) if (position as usize) < self.rank() => Some(position as usize),
            Some(_) => None,
            None => self.letters().position(name.to_ascii_uppercase()),
        }
    }

    /// The error of a name that no axis has.
    #[cold]
    const fn no_axis(&self, name: char) -> LayoutError {
        let axes = self.letters();
        match name.to_digit(10) {
            Some(position) => {
                LayoutError(Rule::UnknownPosition { position: position as usize, axes })
            }
            None => LayoutError::unknown_axis(name, axes),
        }
    }

    /// Removes an axis and returns its digits. The rest is the layout with all of these digits at 0.
    pub(in crate::algebra) const fn take(&mut self, axis: usize) -> AxisDigits {
        let taken = AxisDigits::of(self, axis);
        self.remove_axis(axis);
        taken
    }

    /// Inserts an axis whose letter is not in use.
    pub(in crate::algebra) const fn put(
        &mut self,
        position: usize,
        letter: char,
        digits: &AxisDigits,
    ) -> Result<(), LayoutError> {
        if self.rank() == MAX_RANK {
            return Err(LayoutError(Rule::ViewRank { letter }));
        }
        if digits.overflow || self.digit_count() + digits.count > MAX_FACTORS {
            return Err(LayoutError(Rule::ViewBlocks { letter }));
        }
        self.buffer.base = self.buffer.base.wrapping_add_signed(digits.start);
        let (blocks, lists) = (digits.count - 1, digits.lists());
        self.insert_axis(position, letter, blocks, (digits.extent, digits.shift), lists);
        Ok(())
    }

    /// Replaces the digits of an axis.
    pub(in crate::algebra) const fn replace(
        &mut self,
        axis: usize,
        digits: &AxisDigits,
    ) -> Result<(), LayoutError> {
        if digits.overflow || self.stored(axis).blocks + 1 != digits.count {
            let letter = self.letters().at(axis);
            self.remove_axis(axis);
            return self.put(axis, letter, digits);
        }
        self.buffer.base = self.buffer.base.wrapping_add_signed(digits.start);
        self.set_axis(axis, (digits.extent, digits.shift), digits.lists());
        Ok(())
    }

    /// The same view with the digits of each axis [normalized](AxisDigits::normalized). Values that no coordinate has, as
    /// those of padding are, are left out.
    ///
    /// **Example.** In `AC2cB<7, 1, 16>`, digit `c` has two values, one 16 elements after the other, but the only
    /// coordinate of `C` has the first. Normalized, `C` has one digit of one value.
    ///
    /// # Errors
    /// The digits are more than a layout has room for.
    pub(in crate::algebra) const fn normalized(&self) -> Result<Self, LayoutError> {
        let mut view = *self;
        each!(axis, 0..view.rank(), {
            let digits = AxisDigits::of(&view, axis);
            ok!(view.replace(axis, &digits.normalized(digits.shift, digits.extent)));
        });
        Ok(view)
    }

    /// Merges `inner`, which was axis `letter`, into `outer`.
    pub(in crate::algebra) const fn joined_axis(
        &self,
        letter: char,
        outer: &AxisDigits,
        inner: &AxisDigits,
    ) -> Result<AxisDigits, LayoutError> {
        if outer.joined_end(inner).is_none() {
            return Err(LayoutError(Rule::TooLarge { element: self.element() }));
        }
        match outer.join(inner) {
            Some(joined) => Ok(joined),
            None => {
                let (block, extent) = (inner.block(), inner.extent);
                Err(LayoutError(Rule::MergeBlock { letter, extent, block }))
            }
        }
    }

    /// The positions of the axes that `names` lists, each at most once.
    #[doc(hidden)]
    pub const fn axes_named(&self, names: &str) -> Result<NamedAxes, LayoutError> {
        let bytes = names.as_bytes();
        // In place, as layouts are changed: a copy of what is just written waits for it.
        let mut result = Ok(NamedAxes { list: [0; MAX_RANK], count: 0 });
        let Ok(axes) = &mut result else { return result };
        let mut named = 0u16;
        each!(i, 0..bytes.len(), {
            if !bytes[i].is_ascii() {
                return Err(LayoutError(Rule::UnknownAxis {
                    name: Name::new(names),
                    axes: self.letters(),
                }));
            }
            let Some(axis) = self.position_named(bytes[i] as char) else {
                return Err(self.no_axis(bytes[i] as char));
            };
            if named >> axis & 1 != 0 {
                return Err(LayoutError(Rule::RepeatedName { letter: self.letters().at(axis) }));
            }
            named |= 1 << axis;
            axes.list[axes.count] = axis;
            axes.count += 1;
        });
        result
    }

    /// Returns `letter` in upper case, or an error if it cannot name a new axis.
    pub(in crate::algebra) const fn new_letter(&self, letter: char) -> Result<char, LayoutError> {
        let upper = letter.to_ascii_uppercase();
        if !upper.is_ascii_uppercase() {
            return Err(LayoutError(Rule::AxisLetter { letter }));
        }
        if self.letters().position(upper).is_some() {
            return Err(LayoutError(Rule::TakenLetter { letter: upper }));
        }
        Ok(upper)
    }
}

/// The positions of some axes of a layout.
#[doc(hidden)]
pub struct NamedAxes {
    list: [usize; MAX_RANK],
    count: usize,
}

impl NamedAxes {
    /// The positions, in the order of the names.
    pub const fn as_slice(&self) -> &[usize] {
        self.list.split_at(self.count).0
    }
}
