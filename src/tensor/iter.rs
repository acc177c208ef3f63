//! All elements of a tensor with their coordinates, one run of evenly spaced elements at a time.

use core::fmt;
use core::iter::FusedIterator;

use super::Tensor;
use super::axis_runs::Runs;
use super::checked::{read_inside, shared_axis, write_inside};
use crate::buffers::{check_length, refuse_length};
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, LayoutType, MemoryOrder, Run, UnitOf};

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Iterates over all elements with their coordinates in coordinate order, whatever the format: the last axis is
    /// the fastest.
    ///
    /// `for_each`, `fold`, `sum` and similar methods cost the same as nested loops. A `for` loop also checks for each
    /// element whether the last axis ends.
    ///
    /// # Panics
    /// If the buffer has become shorter since the tensor was made.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("KM", &[2, 2], ElementType::U8)?;
    /// let matrix = Tensor::with_layout(Dynamic::<u8, 2>::new(layout)?, [1, 2, 3, 4])?;
    /// assert!(matrix.iter().eq([([0, 0], 1), ([0, 1], 3), ([1, 0], 2), ([1, 1], 4)]));
    /// assert!(matrix.iter_in_memory().map(|(_, element)| element).eq([1, 2, 3, 4]));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn iter(&self) -> Elements<'_, L> {
        Elements { units: self.checked_units(), left: 0, runs: Runs::new(&self.layout) }
    }

    /// Iterates over all elements with their coordinates in memory order, from the first address to the last. It
    /// skips padding. [`Coordinates`](crate::Coordinates) describes the order.
    ///
    /// # Panics
    /// The same as [`iter`](Self::iter).
    #[track_caller]
    pub fn iter_in_memory(&self) -> ElementsInMemory<'_, L> {
        ElementsInMemory::new(self.checked_units(), self.layout.layout())
    }

    /// Returns all units that the layout takes.
    #[inline]
    #[track_caller]
    fn checked_units(&self) -> &[UnitOf<L>] {
        let units = self.buffer();
        match self.layout.units() {
            needed if needed == units.len() => units,
            needed => refuse_length("buffer", needed, units.len()),
        }
    }

    /// Calls `change` for each coordinate and element, in the order of [`iter`](Self::iter). Elements of the buffer
    /// that are not part of a view stay unchanged.
    ///
    /// # Errors
    /// - Several coordinates share an element.
    /// - The buffer has become shorter since the tensor was made.
    ///
    /// On an error, no element is changed.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("MK", &[2, 3], ElementType::F32)?;
    /// let mut matrix = Tensor::with_layout(Dynamic::<f32, 2>::new(layout)?, [1.0; 6])?;
    /// let mut column = matrix.view_mut::<1>(|layout| layout.index('K', 1))?;
    /// column.for_each_mut(|[m], number| *number += m as f32)?;
    /// assert_eq!(matrix.buffer(), [1.0, 1.0, 1.0, 1.0, 2.0, 1.0]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn for_each_mut(
        &mut self,
        mut change: impl FnMut(L::Coordinate, &mut L::Element),
    ) -> Result<(), LayoutError>
    where
        B: AsMut<[UnitOf<L>]>,
    {
        if let Some(letter) = shared_axis(&self.layout) {
            return Err(LayoutError(Rule::SharedElements { letter }));
        }
        let units = self.buffer.as_mut();
        check_length("buffer", self.layout.units(), units.len())?;
        let mut runs = Runs::new(&self.layout);
        while runs.advance() {
            runs.fold(runs.length, (), |(), coordinate, offset| {
                // SAFETY: the offset belongs to a coordinate inside the extents, and the check above found that the
                // buffer has the layout's length.
                let mut element = unsafe { read_inside::<L>(units, offset) };
                change(coordinate, &mut element);
                // SAFETY: the same proof as for reading.
                unsafe { write_inside::<L>(units, offset, element) };
            });
        }
        Ok(())
    }
}

/// An iterator over the elements of a tensor with their coordinates; see [`iter`](Tensor::iter).
pub struct Elements<'a, L: LayoutType> {
    units: &'a [UnitOf<L>],
    runs: Runs<'a, L>,
    /// The number of elements left in the run.
    left: usize,
}

impl<L: LayoutType> Iterator for Elements<'_, L> {
    type Item = (L::Coordinate, L::Element);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            if !self.runs.advance() {
                return None;
            }
            self.left = self.runs.length;
        }
        self.left -= 1;
        let (coordinate, offset) = self.runs.step();
        // SAFETY: the offset belongs to a coordinate inside the extents, and `iter` checked that the units have the
        // layout's length.
        let element = unsafe { read_inside::<L>(self.units, offset) };
        Some((coordinate, element))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left + self.runs.rest;
        (left, Some(left))
    }

    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(mut self, first: A, mut fold: F) -> A {
        let mut folded = first;
        let units = self.units;
        let mut left = self.left;
        loop {
            folded = self.runs.fold(left, folded, |folded, coordinate, offset| {
                // SAFETY: the same proof as in `next`.
                let element = unsafe { read_inside::<L>(units, offset) };
                fold(folded, (coordinate, element))
            });
            if !self.runs.advance() {
                return folded;
            }
            left = self.runs.length;
        }
    }
}

/// An iterator over the elements of a tensor in memory order; see [`iter_in_memory`](Tensor::iter_in_memory).
pub struct ElementsInMemory<'a, L: LayoutType> {
    units: &'a [UnitOf<L>],
    order: MemoryOrder,
    coordinate: L::Coordinate,
    offset: usize,
    run: Run,
    /// The number of elements left in the run.
    left: usize,
}

impl<'a, L: LayoutType> ElementsInMemory<'a, L> {
    fn new(units: &'a [UnitOf<L>], layout: Layout) -> Self {
        let (order, run) = (MemoryOrder::new(layout), Run { length: 0, ..Run::ONE });
        Self { units, order, coordinate: L::ORIGIN, offset: 0, run, left: 0 }
    }

    /// Moves on to the next run. Returns false at the end.
    fn advance(&mut self) -> bool {
        if self.run.length > 0 {
            self.order.skip(&self.run);
        }
        let Some((coordinate, offset)) = self.order.cursor.current() else {
            self.run.length = 0;
            return false;
        };
        self.coordinate.as_mut().copy_from_slice(coordinate);
        self.offset = offset;
        self.run = self.order.run();
        self.left = self.run.length;
        true
    }
}

impl<L: LayoutType> Iterator for ElementsInMemory<'_, L> {
    type Item = (L::Coordinate, L::Element);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 && !self.advance() {
            return None;
        }
        let coordinate = self.coordinate;
        // SAFETY: the offset belongs to a coordinate inside the extents, and `iter_in_memory` checked that the units
        // have the layout's length.
        let element = unsafe { read_inside::<L>(self.units, self.offset) };
        self.left -= 1;
        if let Some(index) = self.coordinate.as_mut().get_mut(self.run.axis) {
            *index = index.wrapping_add(self.run.up);
        }
        self.offset = self.offset.wrapping_add(self.run.stride);
        Some((coordinate, element))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.order.cursor.left() - (self.run.length - self.left);
        (left, Some(left))
    }
}

/// Implements what all these iterators have, but for the field that is no `Copy`.
macro_rules! elements {
    ($($name:ident $order:ident)*) => {$(
        impl<L: LayoutType> Clone for $name<'_, L> {
            fn clone(&self) -> Self {
                Self { $order: self.$order.clone(), ..*self }
            }
        }

        impl<L: LayoutType> fmt::Debug for $name<'_, L> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut fields = formatter.debug_struct(stringify!($name));
                fields.field("left", &self.len()).finish_non_exhaustive()
            }
        }

        impl<L: LayoutType> ExactSizeIterator for $name<'_, L> {}

        impl<L: LayoutType> FusedIterator for $name<'_, L> {}
    )*};
}

elements!(Elements runs ElementsInMemory order);
