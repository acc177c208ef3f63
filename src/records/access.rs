//! Fields of a record in a buffer: their elements by coordinates of the record.

use core::marker::PhantomData;

use layout_records::RecordField;
use layout_types::Element;
use layout_types::numbers::bits_of;
use layout_types::spec::PerAxis;

use super::bits::read;
use super::record_type::{FieldName, FieldPlaces, RecordType};

/// A field of a record in a buffer. Coordinates are those of the record: those that share an element read the same.
///
/// It reads elements at any byte and bit, in little-endian order. [`RecordBuffer::tensor`](super::RecordBuffer::tensor)
/// makes a tensor of a field whose elements lie as those of a tensor do.
#[derive(Clone, Copy, Debug)]
pub struct FieldView<'a, E, P> {
    bytes: &'a [u8],
    places: P,
    element: PhantomData<E>,
}

/// A field of a record in a buffer, to read and to write. See [`FieldView`].
#[derive(Debug)]
pub struct FieldViewMut<'a, E, P> {
    bytes: &'a mut [u8],
    places: P,
    element: PhantomData<E>,
}

/// The field `F` of a buffer with record `R`.
pub type FieldOf<'a, R, F> = FieldView<'a, <F as FieldName>::Element, <R as RecordType>::Places<F>>;

/// The field `F` of a buffer with record `R`, to read and to write.
pub type FieldOfMut<'a, R, F> =
    FieldViewMut<'a, <F as FieldName>::Element, <R as RecordType>::Places<F>>;

impl<'a, E: Element, P: FieldPlaces> FieldView<'a, E, P> {
    #[inline(always)]
    pub(super) const fn new(bytes: &'a [u8], places: P) -> Self {
        Self { bytes, places, element: PhantomData }
    }

    /// Where the field lies.
    pub fn places(&self) -> &RecordField {
        self.places.field()
    }

    /// Returns the element at a coordinate of the record, one index for each of its axes, or `None` outside of it.
    #[inline(always)]
    pub fn get(&self, coordinate: impl AsRef<[usize]>) -> Option<E> {
        let bit = self.places.bit(coordinate.as_ref())?;
        read(self.bytes, bit, self.places.field())
    }

    /// Returns the bytes of the field, if its elements lie in whole bytes one after another. In a block of a record it is
    /// the fastest way to many codes.
    #[inline(always)]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        let (start, end) = self.places.byte_range()?;
        self.bytes.get(start..end)
    }
}

impl<'a, E: Element, P: FieldPlaces + Copy> FieldView<'a, E, P> {
    /// Iterates over all elements, each once, with the first coordinate of the record that has it. The last axis is the
    /// fastest.
    ///
    /// ```
    /// use tensor_layout::records::{Record, RecordBuffer};
    ///
    /// let record = Record::parse("<M = 2, K = 4>, { M { d: 2k/2 u8, q: K i8 } }")?;
    /// let rows = RecordBuffer::with_record(record, [[1, 2, 10, 11, 12, 13, 3, 4, 20, 21, 22, 23]])?;
    /// let mut scales = rows.field::<u8>("d")?.iter().map(|(at, scale)| (at[0], at[1], scale));
    /// assert!(scales.eq([(0, 0, 1), (0, 2, 2), (1, 0, 3), (1, 2, 4)]));
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (PerAxis<usize>, E)> + use<'a, E, P> {
        let view = *self;
        let all = self.places().coordinates();
        all.map_while(move |at| Some((at, view.get(at.as_slice())?)))
    }
}

impl<'a, E: Element, P: FieldPlaces> FieldViewMut<'a, E, P> {
    #[inline(always)]
    pub(super) const fn new(bytes: &'a mut [u8], places: P) -> Self {
        Self { bytes, places, element: PhantomData }
    }

    /// Returns the element at a coordinate of the record. See [`FieldView::get`].
    #[inline(always)]
    pub fn get(&self, coordinate: impl AsRef<[usize]>) -> Option<E> {
        let bit = self.places.bit(coordinate.as_ref())?;
        read(self.bytes, bit, self.places.field())
    }

    /// Writes the element at a coordinate of the record, for all coordinates that share it. Returns `None`, and writes
    /// nothing, outside of the record.
    #[inline(always)]
    pub fn set(&mut self, coordinate: impl AsRef<[usize]>, element: E) -> Option<()> {
        let bit = self.places.bit(coordinate.as_ref())?;
        self.places.field().set_bits_at(self.bytes, bit, bits_of(element))
    }

    /// Returns the bytes of the field. See [`FieldView::bytes`].
    #[inline(always)]
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        let (start, end) = self.places.byte_range()?;
        self.bytes.get_mut(start..end)
    }
}
