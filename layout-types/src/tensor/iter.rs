//! All elements of a tensor with their coordinates.

use core::iter::FusedIterator;

use super::Tensor;
use crate::algebra::{CoordinateOrder, MemoryOrder};
use crate::element::Element;
use crate::typed::{LayoutType, UnitOf};

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// All elements with their coordinates, the last axis fastest, whatever the format.
    ///
    /// ```
    /// use layout_types::{Dynamic, ElementType, Format, Layout, Tensor};
    ///
    /// let layout = Layout::of(&Format::parse("KM")?, &[2, 2], ElementType::U8)?;
    /// let matrix = Tensor::with_layout(Dynamic::<u8, 2>::new(layout)?, [1, 2, 3, 4])?;
    /// assert!(matrix.iter().eq([([0, 0], 1), ([0, 1], 3), ([1, 0], 2), ([1, 1], 4)]));
    /// assert!(matrix.iter_in_memory().map(|(_, element)| element).eq([1, 2, 3, 4]));
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub fn iter(&self) -> Elements<'_, L> {
        let order = Order::Coordinate(CoordinateOrder::new(self.layout.layout()));
        Elements { units: self.buffer(), order }
    }

    /// All elements with their coordinates from the first address to the last, padding left out;
    /// as [`Coordinates`](crate::Coordinates) orders them.
    pub fn iter_in_memory(&self) -> Elements<'_, L> {
        let order = Order::Memory(MemoryOrder::new(self.layout.layout()));
        Elements { units: self.buffer(), order }
    }
}

/// The elements of a tensor with their coordinates; see [`iter`](Tensor::iter).
///
/// It ends early where a buffer is no longer as long as it was when the tensor was made.
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
    fn current(&self) -> Option<(&[usize], usize)> {
        match self {
            Self::Coordinate(order) => order.current(),
            Self::Memory(order) => order.current(),
        }
    }

    #[inline]
    fn advance(&mut self) {
        match self {
            Self::Coordinate(order) => order.advance(),
            Self::Memory(order) => order.advance(),
        }
    }

    const fn left(&self) -> usize {
        match self {
            Self::Coordinate(order) => order.left(),
            Self::Memory(order) => order.left(),
        }
    }
}

impl<L: LayoutType> Iterator for Elements<'_, L> {
    type Item = (L::Coordinate, L::Element);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (coordinate, offset) = self.order.current()?;
        let coordinate = L::Coordinate::try_from(coordinate).ok()?;
        let element = L::Element::read(self.units, offset)?;
        self.order.advance();
        Some((coordinate, element))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.order.left(), Some(self.order.left()))
    }
}

impl<L: LayoutType> ExactSizeIterator for Elements<'_, L> {}

impl<L: LayoutType> FusedIterator for Elements<'_, L> {}
