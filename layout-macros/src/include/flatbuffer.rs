//! FlatBuffers: tables with offsets to their fields. Every offset and length is compared with the file before it is
//! followed.

/// A table: the position of its first byte.
#[derive(Clone, Copy)]
pub(super) struct FlatTable<'a> {
    file: &'a [u8],
    at: usize,
}

/// The little-endian number of `SIZE` bytes at a position.
fn bytes<const SIZE: usize>(file: &[u8], at: usize) -> Option<[u8; SIZE]> {
    file.get(at..)?.first_chunk().copied()
}

/// The position that the offset at `at` leads to.
fn follow(file: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(bytes(file, at)?) as usize)
}

impl<'a> FlatTable<'a> {
    /// The first table of a file with this identifier.
    pub(super) fn root(file: &'a [u8], identifier: &[u8; 4]) -> Option<Self> {
        let own: [u8; 4] = bytes(file, 4)?;
        Some(Self { file, at: follow(file, 0)? }).filter(|_| own == *identifier)
    }

    /// Bytes of the file.
    pub(super) fn bytes(self, offset: usize, size: usize) -> Option<&'a [u8]> {
        self.file.get(offset..offset.checked_add(size)?)
    }

    /// The position of a field, or `None` inside if the table does not have it.
    fn field(self, number: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(bytes(self.file, self.at)?);
        let entries = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let length = u16::from_le_bytes(bytes(self.file, entries)?);
        let entry = 4 + 2 * number;
        if entry + 2 > usize::from(length) {
            return Some(None);
        }
        let offset = u16::from_le_bytes(bytes(self.file, entries.checked_add(entry)?)?);
        Some((offset != 0).then_some(self.at + usize::from(offset)))
    }

    /// A number, which is 0 where it is left out.
    pub(super) fn number<const SIZE: usize>(self, number: usize) -> Option<[u8; SIZE]> {
        self.field(number)?.map_or(Some([0; SIZE]), |at| bytes(self.file, at))
    }

    pub(super) fn byte(self, number: usize) -> Option<u8> {
        self.number(number).map(u8::from_le_bytes)
    }

    pub(super) fn word(self, number: usize) -> Option<u32> {
        self.number(number).map(u32::from_le_bytes)
    }

    pub(super) fn table(self, number: usize) -> Option<Option<Self>> {
        let Some(at) = self.field(number)? else { return Some(None) };
        Some(Some(Self { at: follow(self.file, at)?, ..self }))
    }

    /// The bytes of a vector of elements of `size` bytes, with the position of the first.
    pub(super) fn vector(self, number: usize, size: usize) -> Option<(usize, &'a [u8])> {
        let Some(at) = self.field(number)? else { return Some((0, &[])) };
        let at = follow(self.file, at)?;
        let length = (u32::from_le_bytes(bytes(self.file, at)?) as usize).checked_mul(size)?;
        let start = at + 4;
        Some((start, self.file.get(start..start.checked_add(length)?)?))
    }

    /// A vector of numbers of `SIZE` bytes.
    pub(super) fn numbers<const SIZE: usize, T>(
        self,
        number: usize,
        read: fn([u8; SIZE]) -> T,
    ) -> Option<Vec<T>> {
        let (_, bytes) = self.vector(number, SIZE)?;
        Some(
            bytes
                .chunks_exact(SIZE)
                .filter_map(|chunk| chunk.first_chunk().copied())
                .map(read)
                .collect(),
        )
    }

    /// A vector of tables.
    pub(super) fn tables(self, number: usize) -> Option<Vec<Self>> {
        let (start, offsets) = self.vector(number, 4)?;
        let places = (0..offsets.len()).step_by(4).map(|i| follow(self.file, start + i));
        places.map(|at| Some(Self { at: at?, ..self })).collect()
    }
}
