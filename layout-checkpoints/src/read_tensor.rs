//! Tensors of files in memory: in place where a file is mapped, or read into a layout.

use tensor_layout::records::{RecordBuffer, RecordType};
use tensor_layout::{ElementType, Layout, LayoutType, Tensor, UnitOf, plain};

use crate::bands::Bands;
use crate::checkpoint::Checkpoint;
use crate::element_moves::move_elements;
use crate::error::{CheckpointError, FileResult, refuse};
use crate::found_layouts::find_layouts;
use crate::gather::{BandReader, filled, room};
use crate::npy::LETTERS;
use crate::pieced_array::{PiecedArray, array_of};
use crate::stored_tensor::StoredTensor;

impl StoredTensor {
    /// The bytes of the tensor in its file, which is in memory, or mapped.
    ///
    /// # Errors
    /// The file ends before the tensor does.
    pub fn bytes_in<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], CheckpointError> {
        let start = usize::try_from(self.at).ok();
        let end = self.at.checked_add(self.bytes).and_then(|end| usize::try_from(end).ok());
        match start.zip(end).and_then(|(start, end)| file.get(start..end)) {
            Some(bytes) => Ok(bytes),
            None => refuse(format!(
                "the file has {} bytes, and tensor `{}` has {} from byte {} on; copy the whole file again",
                file.len(),
                self.name,
                self.bytes,
                self.at
            )),
        }
    }

    /// The tensor in its file, which is in memory, or mapped: nothing is copied. Where the file says no layout, the tensor
    /// is an array of the layout's axes in C order.
    ///
    /// ```
    /// use layout_checkpoints::{CheckpointHeader, CheckpointWriter, CheckpointFormat, Content, Metadata, StoredTensor};
    /// use tensor_layout::{ElementType, LayoutType, layout};
    ///
    /// type Packed = layout!(MK2m<4, 3>, u8);
    /// let tensor = StoredTensor {
    ///     name: "w".into(),
    ///     content: Content::Element(ElementType::U8),
    ///     shape: vec![2, 3, 2],
    ///     layout: Some(Packed::LAYOUT.to_string()),
    ///     at: 0,
    ///     bytes: 12,
    ///     is_big_endian: false,
    /// };
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// let texts = Metadata::Texts(Vec::new());
    /// let mut writer = CheckpointWriter::new(&mut file, CheckpointFormat::Safetensors, &[tensor], &texts)?;
    /// writer.write(0, 0, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])?;
    ///
    /// // The bytes of a mapped file are such a slice.
    /// let mapped = file.into_inner();
    /// let header = CheckpointHeader::read(&mut &mapped[..])?;
    /// let packed = header.tensors[0].tensor_in(&mapped, Packed::default())?;
    /// assert_eq!(packed[[1, 2]], 5);
    /// assert!(header.tensors[0].tensor_in(&mapped, <layout!(MK<4, 3>, u8)>::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - The file ends before the tensor does, or its layout is another one.
    /// - The bytes are not in this machine's byte order, or not aligned for the elements.
    pub fn tensor_in<'a, L: LayoutType>(
        &self,
        file: &'a [u8],
        layout: L,
    ) -> Result<Tensor<L, &'a [UnitOf<L>]>, CheckpointError> {
        let to = layout.layout();
        let own = match self.layout()? {
            Some(own) => own,
            None if self.shape.len() == to.rank() => {
                array_of(to.letters().as_str(), &self.shape, self.element()?)?
            }
            None => return self.another(&format!("{:?} of {}", self.shape, self.content), &to),
        };
        if own != to {
            return self.another(&own.to_string(), &to);
        }
        if to.element().bits() > 8 && self.is_big_endian != cfg!(target_endian = "big") {
            return refuse(format!(
                "tensor `{}` has another byte order than this machine; read it, which reverses its elements",
                self.name
            ));
        }
        let of = |error| CheckpointError::of(format!("tensor `{}`", self.name), error);
        Tensor::from_bytes(layout, self.bytes_in(file)?).map_err(of)
    }

    /// The blocks of a record in their file, which is in memory, or mapped: nothing is copied.
    ///
    /// # Errors
    /// The file ends before the tensor does, or it holds no blocks of this record.
    pub fn record_in<'a, R: RecordType>(
        &self,
        file: &'a [u8],
        record: R,
    ) -> Result<RecordBuffer<R, &'a [u8]>, CheckpointError> {
        let to = record.record();
        match self.record()? {
            Some(own) if own == to => {
                Ok(RecordBuffer::with_record(record, [self.bytes_in(file)?])?)
            }
            Some(own) => self.another(&own.to_string(), &to),
            None => self.another(&format!("{:?} of {}", self.shape, self.content), &to),
        }
    }

    fn element(&self) -> FileResult<ElementType> {
        match self.content {
            crate::stored_tensor::Content::Element(element) => Ok(element),
            _ => refuse(format!("tensor `{}` holds {}; repack it", self.name, self.content)),
        }
    }

    fn another<T>(&self, own: &str, to: &dyn std::fmt::Display) -> FileResult<T> {
        refuse(format!(
            "tensor `{}` is {own} in its file, and not `{to}`; repack it, or read it into this layout",
            self.name
        ))
    }
}

impl Checkpoint {
    /// Reads a tensor into a layout: from whatever layout or record it has in its file. The values of a record are `f32`.
    /// Where the file names no axes, they are those of the layout, in the order of its coordinates.
    ///
    /// # Errors
    /// - There is no tensor of this name, or it has other axes, extents or elements than the layout.
    /// - A file cannot be read, or memory cannot be allocated.
    pub fn read_tensor<L: LayoutType>(
        &self,
        name: &str,
        layout: L,
    ) -> Result<Tensor<L>, CheckpointError> {
        let of =
            |error: &dyn std::fmt::Display| CheckpointError::of(format!("tensor `{name}`"), error);
        let Some(number) = self.tensors().position(|own| own.name == name) else {
            return refuse(format!("there is no tensor `{name}`; name one of the file"));
        };
        let to = layout.layout();
        let (array, letters) = self.tensor(number).1.values(number).map_err(|error| of(&error))?;
        let letters = letters.unwrap_or_else(|| to.letters().as_str().into());
        let has = |(letter, &extent): (char, &usize)| {
            to.letters().position(letter).is_some_and(|axis| to.extent(axis) == extent)
        };
        if array.element != to.element()
            || array.extents.len() != to.rank()
            || !letters.chars().zip(&array.extents).all(has)
        {
            return refuse(format!(
                "tensor `{name}` has {} of shape {:?} and axes {letters}, which `{to}` has not; read it into another layout",
                array.element, array.extents
            ));
        }
        let mut tensor = Tensor::zeroed_in(layout).map_err(|error| of(&error))?;
        let (memory, bytes) = self.read_array(&array)?;
        let from = array_of(&letters, &array.extents, array.element)?;
        let target = plain::cast_mut(tensor.buffer_mut());
        move_elements((&from, &to), filled(&memory, bytes), target)?;
        Ok(tensor)
    }

    /// Finds the layouts of `raw` whose elements are those of the one tensor of the checkpoint, as [`find_layouts`] does.
    /// Without `letters`, axes are named as in the file, or from `A` on.
    ///
    /// # Errors
    /// - The checkpoint has several tensors, or the file cannot be read.
    /// - [`find_layouts`] returns an error.
    pub fn find_layouts(
        &self,
        raw: &[u8],
        letters: Option<&str>,
    ) -> Result<Vec<Layout>, CheckpointError> {
        let mut tensors = self.tensors();
        let (Some(tensor), None) = (tensors.next(), tensors.next()) else {
            return refuse(format!(
                "the known tensor is one, and the file has {}; save it as .npy",
                self.tensors().len()
            ));
        };
        let (array, own) = tensor.values(0)?;
        let usual = || LETTERS.get(..array.extents.len()).unwrap_or_default();
        let letters = letters.or(own.as_deref()).unwrap_or_else(usual);
        let (memory, bytes) = self.read_array(&array)?;
        find_layouts(raw, filled(&memory, bytes), letters, &array.extents, array.element)
    }

    /// Reads all of an array. Returns its memory and its bytes.
    fn read_array(&self, array: &PiecedArray) -> FileResult<(Vec<u64>, usize)> {
        let bytes = array.extents.iter().product::<usize>() * array.element.bits() / 8;
        let mut memory = Vec::new();
        let all = Bands::of_array(&array.extents, usize::MAX, |_| 0).map(|bands| bands.band(0));
        if let Some(band) = all.filter(|_| bytes > 0) {
            BandReader::new(self)?.read(array, &band, room(&mut memory, bytes))?;
        }
        Ok((memory, bytes))
    }
}
