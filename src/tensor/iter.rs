//! All elements of a tensor with their coordinates.

use core::iter::FusedIterator;

use super::Tensor;
use crate::buffers::check_length;
use layout_types::Element;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{CoordinateOrder, Cursor, MemoryOrder};
use layout_types::{LayoutType, UnitOf};

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// All elements with their coordinates, the last axis fastest, whatever the format.
    ///
    /// # Panics
    /// If the buffer is no longer as long as it was when the tensor was made.
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
    #[track_caller]
    pub fn iter(&self) -> Elements<'_, L> {
        self.elements(Order::Coordinate(CoordinateOrder::new(self.layout.layout())))
    }

    /// All elements with their coordinates from the first address to the last, padding left out;
    /// as [`Coordinates`](crate::Coordinates) orders them.
    ///
    /// # Panics
    /// As [`iter`](Self::iter).
    #[track_caller]
    pub fn iter_in_memory(&self) -> Elements<'_, L> {
        self.elements(Order::Memory(MemoryOrder::new(self.layout.layout())))
    }

    /// The elements in this order, all of which the buffer holds.
    #[track_caller]
    fn elements(&self, order: Order) -> Elements<'_, L> {
        let units = self.buffer();
        if let Err(error) = check_length("buffer", self.layout.layout().units(), units.len()) {
            error.panic()
        }
        Elements { units, order }
    }

    /// Changes all elements, each with its coordinate, in the order of [`iter`](Self::iter). What
    /// lies between the elements of a view stays as it is.
    ///
    /// # Errors
    /// Coordinates that share elements, and a buffer that is no longer as long as it was; nothing is
    /// changed then.
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
        let layout = self.layout.layout();
        if let Some(letter) = layout.shared_axis() {
            return Err(LayoutError(Rule::SharedElements { letter }));
        }
        let units = self.buffer.as_mut();
        check_length("buffer", layout.units(), units.len())?;
        let mut order = CoordinateOrder::new(layout);
        while let Some((coordinate, offset)) = order.cursor.current() {
            let element = L::Element::read(units, offset);
            if let (Ok(coordinate), Some(mut element)) = (coordinate.try_into(), element) {
                change(coordinate, &mut element);
                L::Element::write(units, offset, element);
            }
            order.advance();
        }
        Ok(())
    }
}

/// The elements of a tensor with their coordinates; see [`iter`](Tensor::iter).
pub struct Elements<'a, L: LayoutType> {
    units: &'a [UnitOf<L>],
    order: Order,
}

enum Order {
    Coordinate(CoordinateOrder),
    Memory(MemoryOrder),
}

impl Order {
    #[inline]
    fn cursor(&self) -> &Cursor {
        match self {
            Self::Coordinate(order) => &order.cursor,
            Self::Memory(order) => &order.cursor,
        }
    }

    #[inline]
    fn advance(&mut self) {
        match self {
            Self::Coordinate(order) => order.advance(),
            Self::Memory(order) => order.advance(),
        }
    }
}

impl<L: LayoutType> Iterator for Elements<'_, L> {
    type Item = (L::Coordinate, L::Element);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (coordinate, offset) = self.order.cursor().current()?;
        let coordinate = L::Coordinate::try_from(coordinate).ok()?;
        let element = L::Element::read(self.units, offset)?;
        self.order.advance();
        Some((coordinate, element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.order.cursor().left(), Some(self.order.cursor().left()))
    }
}

impl<L: LayoutType> ExactSizeIterator for Elements<'_, L> {}

impl<L: LayoutType> FusedIterator for Elements<'_, L> {}
