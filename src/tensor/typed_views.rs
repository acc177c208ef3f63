//! Views whose layout is a type. Indexing such a view costs the same as indexing a tensor of a static layout.

use core::fmt::Display;

use super::Tensor;
use crate::buffers::refuse_length;
use layout_types::spec::broken;
use layout_types::typed::{Operation, Viewed};
use layout_types::{StaticLayout, UnitOf, WholeElement};

/// A view whose layout is a type, over a part of a buffer.
pub type StaticView<'a, L, O> = Tensor<Viewed<L, O>, &'a [UnitOf<L>]>;

/// The mutable version of [`StaticView`].
pub type StaticViewMut<'a, L, O> = Tensor<Viewed<L, O>, &'a mut [UnitOf<L>]>;

/// Views whose layout is a type.
///
/// The compiler checks what the type states. Only the coordinate of [`At`](layout_types::typed::At) and the first one
/// of [`Window`](layout_types::typed::Window) come from run time: they decide where the view's part of the buffer
/// begins, and indexing does not check them again.
impl<L: StaticLayout<Element: WholeElement>, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Returns the view that an operation makes: [`At`](layout_types::typed::At),
    /// [`Window`](layout_types::typed::Window), [`Slice`](layout_types::typed::Slice),
    /// [`Transpose`](layout_types::typed::Transpose) or [`Flip`](layout_types::typed::Flip).
    ///
    /// # Panics
    /// - If the coordinate of `At`, or a window, lies outside the extent.
    /// - If a window begins inside a block.
    /// - If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::typed::{At, Flip, Slice, Window};
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Act = layout!(NCHW4<4, 8, 4, 4>, u8);
    /// let act = Tensor::<Act>::from_fn(|[n, c, h, w]| (64 * n + 16 * c + 4 * h + w) as u8);
    /// for n in 0..4 {
    ///     let image = act.viewed(At::<'N'>(n)); // of coordinates [c, h, w]
    ///     for h in 0..4 - 1 {
    ///         let rows = image.viewed(Window::<'H', 2>(h));
    ///         assert_eq!(rows[[5, 1, 2]], act[[n, 5, h + 1, 2]]);
    ///     }
    /// }
    /// let crop = act.viewed(Slice::<'H', 1, 1, 2>);
    /// assert_eq!(crop.viewed(Flip::<'W'>)[[0, 5, 1, 0]], act[[0, 5, 2, 3]]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn viewed<O: Operation<L::Coordinate>>(&self, operation: O) -> StaticView<'_, L, O> {
        part(self.buffer.as_ref(), start_of::<L, O>(operation))
    }

    /// The mutable version of [`viewed`](Self::viewed).
    ///
    /// # Panics
    /// The same as [`viewed`](Self::viewed).
    #[inline]
    #[track_caller]
    pub fn viewed_mut<O>(&mut self, operation: O) -> StaticViewMut<'_, L, O>
    where
        O: Operation<L::Coordinate>,
        B: AsMut<[UnitOf<L>]>,
    {
        part_mut(self.buffer.as_mut(), start_of::<L, O>(operation))
    }
}

/// Returns where the buffer of a view begins.
///
/// # Panics
/// - If the coordinates that are selected leave the extent.
/// - If there are several and the first is inside a block.
#[inline(always)]
#[track_caller]
fn start_of<L: StaticLayout, O: Operation<L::Coordinate>>(operation: O) -> usize {
    let start = const { Viewed::<L, O>::START };
    let Some(first) = operation.first() else { return start };
    let (axis, length) = const { Viewed::<L, O>::SELECTED };
    let extent = L::VALUE.extent_of(axis);
    // The length and the block are constants, so that a program has the texts of its own views alone.
    let is_inside = first < extent && length <= extent - first;
    let letter = const { L::LAYOUT.letters().at(Viewed::<L, O>::SELECTED.0) };
    let block = const { Viewed::<L, O>::BLOCK };
    match length == 1 {
        true if !is_inside => refuse(broken::OutOfBounds { letter, extent, coordinate: first }),
        false if !is_inside => refuse(broken::Window { letter, start: first, length, extent }),
        false if first % block != 0 => refuse(broken::WindowStart { letter, start: first, block }),
        _ => {}
    }
    let mut coordinate = L::ORIGIN;
    let origin = L::VALUE.offset_of(coordinate);
    coordinate.as_mut()[axis] = first;
    start.wrapping_add(L::VALUE.offset_of(coordinate).wrapping_sub(origin))
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse(rule: impl Display) -> ! {
    panic!("{rule}")
}

/// Returns the tensor over the units from `start` on.
#[inline(always)]
#[track_caller]
fn part<V: StaticLayout>(units: &[UnitOf<V>], start: usize) -> Tensor<V, &[UnitOf<V>]> {
    let needed = const { V::LAYOUT.units() };
    match units.get(start..).and_then(|rest| rest.get(..needed)) {
        Some(buffer) => Tensor { layout: V::VALUE, buffer, space: core::marker::PhantomData },
        None => refuse_length("buffer", start + needed, units.len()),
    }
}

/// The mutable version of [`part`].
#[inline(always)]
#[track_caller]
fn part_mut<V: StaticLayout>(units: &mut [UnitOf<V>], start: usize) -> Tensor<V, &mut [UnitOf<V>]> {
    let needed = const { V::LAYOUT.units() };
    let given = units.len();
    match units.get_mut(start..).and_then(|rest| rest.get_mut(..needed)) {
        Some(buffer) => Tensor { layout: V::VALUE, buffer, space: core::marker::PhantomData },
        None => refuse_length("buffer", start + needed, given),
    }
}
