//! Buffers with a record.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::Range;

use layout_records::{Record, RecordError, RecordField, UseFault};
use layout_types::plain;
use layout_types::typed::ExtentList;
use layout_types::{Dynamic, Element};

use super::access::{FieldOf, FieldOfMut, FieldView, FieldViewMut};
use super::record_type::{
    FieldName, FieldPlaces, KnownExtents, RecordType, RecordWords, StaticRecord,
};
use crate::tensor::Tensor;

/// The buffers of a record, which are bytes: one, or as many as the record has parts between `;`.
///
/// ```
/// use tensor_layout::records::RecordBuffer;
/// use tensor_layout::{layout, u4};
///
/// type Packed = layout!(<K = 64, N = 8>, { q: K N 8k u4; s: K/32 N f32 });
///
/// let buffers = [vec![0x53; 256], vec![0; 64]];
/// let mut packed = RecordBuffer::<Packed, _, 2>::of_buffers(buffers)?;
/// packed.field_mut::<f32>("s")?.set([40, 7], 1.5).unwrap();
///
/// // Coordinates are those of the record: 32 of k share a scale.
/// assert_eq!(packed.field::<f32>("s")?.get([63, 7]), Some(1.5));
/// assert_eq!(packed.field::<u4>("q")?.get([1, 0]).map(u4::get), Some(5));
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RecordBuffer<R, B, const BUFFERS: usize = 1> {
    record: R,
    buffers: [B; BUFFERS],
}

/// A field of a buffer as a tensor over it.
pub type FieldTensor<'a, E, const RANK: usize> =
    Tensor<Dynamic<E, RANK>, &'a [<E as Element>::Unit]>;

impl<R, B, const BUFFERS: usize> RecordBuffer<R, B, BUFFERS> {
    /// Buffers whose number and lengths are right.
    #[inline(always)]
    pub(super) const fn of_parts(record: R, buffers: [B; BUFFERS]) -> Self {
        Self { record, buffers }
    }

    /// The record.
    pub const fn record(&self) -> &R {
        &self.record
    }

    /// The buffers.
    pub const fn buffers(&self) -> &[B; BUFFERS] {
        &self.buffers
    }

    /// The buffers.
    pub(super) const fn buffers_mut(&mut self) -> &mut [B; BUFFERS] {
        &mut self.buffers
    }

    /// The buffers.
    pub fn into_buffers(self) -> [B; BUFFERS] {
        self.buffers
    }
}

impl<N, X: ExtentList<RANK>, T: RecordWords, const RANK: usize> StaticRecord<N, X, T, RANK> {
    /// Buffers in read-only memory, which `include_tensor!` makes.
    #[doc(hidden)]
    pub const fn included<const BUFFERS: usize>(
        buffers: [&'static [u8]; BUFFERS],
    ) -> RecordBuffer<Self, &'static [u8], BUFFERS> {
        let mut i = 0;
        while i < BUFFERS {
            assert!(buffers[i].len() == Self::RECORD.bytes(i), "a buffer of another length");
            i += 1;
        }
        RecordBuffer::of_parts(Self::VALUE, buffers)
    }
}

impl<R: RecordType, B: AsRef<[u8]>> RecordBuffer<R, B> {
    /// A buffer of the record of a type.
    ///
    /// # Errors
    /// The buffer has another length, or the record has several buffers.
    pub fn new(buffer: B) -> Result<Self, RecordError>
    where
        R::Extents: KnownExtents,
    {
        Self::of_buffers([buffer])
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        self.buffers[0].as_ref()
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes_mut(&mut self) -> &mut [u8]
    where
        B: AsMut<[u8]>,
    {
        self.buffers[0].as_mut()
    }
}

impl<R: RecordType, B: AsRef<[u8]>, const BUFFERS: usize> RecordBuffer<R, B, BUFFERS> {
    /// The buffers of the record of a type, in the order of its text.
    ///
    /// # Errors
    /// A buffer has another length, or the record has another number of buffers.
    pub fn of_buffers(buffers: [B; BUFFERS]) -> Result<Self, RecordError>
    where
        R::Extents: KnownExtents,
    {
        // A type whose extents are known has a value.
        Self::with_record(R::ONLY.unwrap_or_else(|| unreachable!()), buffers)
    }

    /// The buffers of a record, in the order of its text.
    ///
    /// ```
    /// use tensor_layout::records::{Record, RecordBuffer};
    ///
    /// let struct_of_c = Record::parse("N<2>, { x: f32 align(4), kind: u8 }")?;
    /// let bytes = [0, 0, 128, 63, 7, 0, 0, 0, 0, 0, 0, 64, 8, 0, 0, 0];
    /// let all = RecordBuffer::with_record(struct_of_c, [bytes])?;
    /// assert_eq!(all.field::<f32>("x")?.get([1]), Some(2.0));
    /// assert_eq!(all.field::<u8>("kind")?.get([0]), Some(7));
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// A buffer has another length, or the record has another number of buffers.
    pub fn with_record(record: R, buffers: [B; BUFFERS]) -> Result<Self, RecordError> {
        check_record("record", &record, buffers.each_ref().map(|own| own.as_ref().len()))?;
        Ok(Self { record, buffers })
    }

    /// Returns a field by its name, with elements of type `E`.
    ///
    /// # Errors
    /// There is no such field, or its elements are of another type.
    pub fn field<E: Element>(
        &self,
        name: &str,
    ) -> Result<FieldView<'_, E, RecordField>, RecordError> {
        let field = checked_field::<E>(&self.record.record(), name)?;
        Ok(FieldView::new(self.buffer_of(&field), field))
    }

    /// Returns a field by its name, to write. See [`field`](Self::field).
    ///
    /// # Errors
    /// The same as [`field`](Self::field).
    pub fn field_mut<E: Element>(
        &mut self,
        name: &str,
    ) -> Result<FieldViewMut<'_, E, RecordField>, RecordError>
    where
        B: AsMut<[u8]>,
    {
        let field = checked_field::<E>(&self.record.record(), name)?;
        Ok(FieldViewMut::new(self.buffers[field.buffer()].as_mut(), field))
    }

    /// A field that [`record!`](crate::record) has declared.
    #[doc(hidden)]
    #[inline(always)]
    pub fn field_of<F: FieldName>(&self) -> FieldOf<'_, R, F> {
        let places = self.record.places::<F>();
        FieldView::new(self.buffer_of(places.field()), places)
    }

    /// A field that [`record!`](crate::record) has declared, to write.
    #[doc(hidden)]
    #[inline(always)]
    pub fn field_of_mut<F: FieldName>(&mut self) -> FieldOfMut<'_, R, F>
    where
        B: AsMut<[u8]>,
    {
        let places = self.record.places::<F>();
        FieldViewMut::new(self.buffers[places.field().buffer()].as_mut(), places)
    }

    #[inline(always)]
    fn buffer_of(&self, field: &RecordField) -> &[u8] {
        self.buffers[field.buffer()].as_ref()
    }

    /// Returns a field as a tensor over its buffer, with coordinates of its own: 32 columns that share a scale are one
    /// coordinate of it. Elements of less than a byte that begin with their highest bit are `HighFirst<E>`.
    ///
    /// # Errors
    /// - There is no such field, its elements are of another type or order of bits, or it has another number of axes.
    /// - Elements do not lie at multiples of their size. [`field`](Self::field) reads them.
    /// - The buffer does not begin at a multiple of the alignment of an element.
    pub fn tensor<E: Element, const RANK: usize>(
        &self,
        name: &str,
    ) -> Result<FieldTensor<'_, E, RANK>, RecordError> {
        let field = self.record.record().field(name)?;
        let element = E::TYPE.low_first();
        if field.element() != element {
            return Err(fault(UseFault::Element(field.name(), field.element(), element)));
        }
        let layout = field.elements()?;
        if layout.element() != E::TYPE {
            return Err(fault(UseFault::BitOrder(field.name(), element, field.is_high_first())));
        }
        let layout = Dynamic::new(layout).map_err(RecordError::from)?;
        let bytes = self.buffer_of(&field);
        let whole = bytes.len() - bytes.len() % size_of::<E::Unit>();
        let units = plain::try_cast(&bytes[..whole]);
        let units =
            units.ok_or_else(|| fault(UseFault::Unaligned(field.name(), align_of::<E::Unit>())))?;
        Tensor::with_layout(layout, units).map_err(RecordError::from)
    }

    /// Returns rows of an axis as buffers with a record of their own.
    ///
    /// # Errors
    /// - The axis is not the slowest of every buffer.
    /// - The rows do not begin and end at whole blocks and bytes, or reach outside of the axis.
    pub fn rows(
        &self,
        axis: char,
        rows: Range<usize>,
    ) -> Result<RecordBuffer<Record, &[u8], BUFFERS>, RecordError> {
        let own = self.record.record();
        let record = own.rows(axis, rows.clone())?;
        let mut buffers = [&[][..]; BUFFERS];
        for (i, part) in buffers.iter_mut().enumerate() {
            *part = &self.buffers[i].as_ref()[own.row_bytes(i, axis, rows.clone())?];
        }
        RecordBuffer::with_record(record, buffers)
    }

    /// Returns a slice of any axis as the same buffers with a record of its own: see [`Record::slice`].
    ///
    /// # Errors
    /// The same as [`Record::slice`].
    pub fn slice(
        &self,
        axis: char,
        range: Range<usize>,
    ) -> Result<RecordBuffer<Record, &[u8], BUFFERS>, RecordError> {
        let record = self.record.record().slice(axis, range)?;
        RecordBuffer::with_record(record, self.buffers.each_ref().map(AsRef::as_ref))
    }

    /// Returns a slice of any axis to write. A move into it leaves all other elements as they are.
    ///
    /// # Errors
    /// The same as [`Record::slice`].
    pub fn slice_mut(
        &mut self,
        axis: char,
        range: Range<usize>,
    ) -> Result<RecordBuffer<Record, &mut [u8], BUFFERS>, RecordError>
    where
        B: AsMut<[u8]>,
    {
        let record = self.record.record().slice(axis, range)?;
        RecordBuffer::with_record(record, self.buffers.each_mut().map(AsMut::as_mut))
    }
}

#[inline(always)]
pub(super) const fn fault(of: UseFault<'_>) -> RecordError {
    RecordError::of_use(of)
}

/// The buffers of a source and of a destination.
#[cfg(feature = "alloc")]
pub(super) type Buffers<'a, 'b> = (Vec<&'a [u8]>, Vec<&'b mut [u8]>);

/// Returns the buffers of both sides as bytes.
///
/// # Errors
/// Their number or their lengths are not those `needed`.
#[cfg(feature = "alloc")]
pub(super) fn checked_buffers<'a, 'b>(
    needed: [&[usize]; 2],
    source: &'a [impl AsRef<[u8]>],
    destination: &'b mut [impl AsMut<[u8]>],
) -> Result<Buffers<'a, 'b>, RecordError> {
    let source: Vec<&[u8]> = source.iter().map(AsRef::as_ref).collect();
    let destination: Vec<&mut [u8]> = destination.iter_mut().map(AsMut::as_mut).collect();
    check_buffers("source", needed[0], source.iter().map(|own| own.len()))?;
    check_buffers("destination", needed[1], destination.iter().map(|own| own.len()))?;
    Ok((source, destination))
}

/// Returns an error unless buffers of these lengths are those of a record. What a type determines is a constant, so that
/// nothing of it is computed, or could panic, in a program.
pub(super) fn check_record<R: RecordType, const BUFFERS: usize>(
    side: &'static str,
    record: &R,
    given: [usize; BUFFERS],
) -> Result<(), RecordError> {
    const fn lengths<const BUFFERS: usize>(record: &Record) -> (usize, [usize; BUFFERS]) {
        let (count, mut lengths) = (record.buffers(), [0; BUFFERS]);
        let mut i = 0;
        while i < BUFFERS && i < count {
            lengths[i] = record.bytes(i);
            i += 1;
        }
        (count, lengths)
    }
    let known = const {
        match R::STATIC {
            Some(record) => Some(lengths::<BUFFERS>(&record)),
            None => None,
        }
    };
    let (count, needed) = known.unwrap_or_else(|| lengths(&record.record()));
    if count != BUFFERS {
        return Err(fault(UseFault::BufferCount(side, count, BUFFERS)));
    }
    check_buffers(side, &needed, given.into_iter())
}

/// Returns an error unless each length in `needed` is that of a buffer.
pub(super) fn check_buffers(
    side: &'static str,
    needed: &[usize],
    given: impl ExactSizeIterator<Item = usize>,
) -> Result<(), RecordError> {
    if given.len() != needed.len() {
        return Err(fault(UseFault::BufferCount(side, needed.len(), given.len())));
    }
    for (buffer, (&needed, given)) in needed.iter().zip(given).enumerate() {
        if needed != given {
            return Err(fault(UseFault::BufferLength(side, buffer, needed, given)));
        }
    }
    Ok(())
}

/// A field with elements of type `E`.
fn checked_field<E: Element>(record: &Record, name: &str) -> Result<RecordField, RecordError> {
    let field = record.field(name)?;
    if field.element() != E::TYPE {
        return Err(fault(UseFault::Element(field.name(), field.element(), E::TYPE)));
    }
    Ok(field)
}
