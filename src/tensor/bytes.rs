//! Tensors over bytes that come from elsewhere, such as files, messages and mapped memory, and the bytes of tensors.

use super::Tensor;
use layout_types::plain;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{LayoutType, UnitOf};

impl<'a, L: LayoutType> Tensor<L, &'a [UnitOf<L>]> {
    /// Returns the tensor in `bytes`, which are in this machine's byte order.
    ///
    /// # Errors
    /// - The number of bytes differs from the layout's.
    /// - The bytes are not aligned for the layout's elements.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// let layout = Layout::of("HW", &[2, 2], ElementType::U16)?;
    /// let layout: Dynamic<u16, 2> = layout.try_into()?;
    /// let words = [0x0100u64.to_le()];
    /// let tensor = Tensor::from_bytes(layout, bytemuck::bytes_of(&words))?;
    /// assert_eq!(tensor[[0, 0]], 0x0100u16.to_le());
    /// assert!(Tensor::from_bytes(layout, &[0; 7]).is_err());
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn from_bytes(layout: L, bytes: &'a [u8]) -> Result<Self, LayoutError> {
        check_bytes(&layout, bytes)?;
        match plain::try_cast(bytes) {
            Some(units) => Self::with_layout(layout, units),
            None if bytes.is_empty() => Self::with_layout(layout, &[]),
            None => Err(unaligned::<L>(bytes)),
        }
    }
}

impl<'a, L: LayoutType> Tensor<L, &'a mut [UnitOf<L>]> {
    /// Returns the mutable tensor in `bytes`, which are in this machine's byte order.
    ///
    /// # Errors
    /// The same as [`from_bytes`](Tensor::from_bytes).
    pub fn from_bytes_mut(layout: L, bytes: &'a mut [u8]) -> Result<Self, LayoutError> {
        check_bytes(&layout, bytes)?;
        let (is_empty, unaligned) = (bytes.is_empty(), unaligned::<L>(bytes));
        match plain::try_cast_mut(bytes) {
            Some(units) => Self::with_layout(layout, units),
            None if is_empty => Self::with_layout(layout, &mut []),
            None => Err(unaligned),
        }
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    /// Returns the bytes of the buffer in this machine's byte order, including padding and gaps.
    /// [`from_bytes`](Tensor::from_bytes) is the inverse.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Scales = layout!(C<C = 2>, f32);
    ///
    /// let scales: Tensor<Scales, _> = [0.5, 2.0].into();
    /// assert_eq!(scales.as_bytes(), [0.5f32.to_ne_bytes(), 2.0f32.to_ne_bytes()].concat());
    ///
    /// // Reads a file straight into a tensor; here the file is a slice.
    /// let mut file = scales.as_bytes();
    /// let mut read = Tensor::<Scales>::zeroed();
    /// std::io::Read::read_exact(&mut file, read.as_bytes_mut())?;
    /// assert_eq!(read, scales);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        plain::cast(self.buffer())
    }

    /// The mutable version of [`as_bytes`](Self::as_bytes).
    pub fn as_bytes_mut(&mut self) -> &mut [u8]
    where
        B: AsMut<[UnitOf<L>]>,
    {
        plain::cast_mut(self.buffer_mut())
    }
}

/// Returns an error unless the number of bytes is the layout's.
fn check_bytes<L: LayoutType>(layout: &L, bytes: &[u8]) -> Result<(), LayoutError> {
    let needed = layout.layout().bytes();
    match bytes.len() {
        given if given == needed => Ok(()),
        given => Err(LayoutError(Rule::BufferBytes { needed, given })),
    }
}

/// Returns the error of unaligned bytes, the only fault that bytes of the right number can have.
fn unaligned<L: LayoutType>(bytes: &[u8]) -> LayoutError {
    let (address, needed) = (bytes.as_ptr().addr() as u64, align_of::<UnitOf<L>>());
    LayoutError(Rule::BufferAlignment { address, needed })
}
