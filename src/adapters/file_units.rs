//! The units of an array of a file: in the file's memory, or copied.

use layout_types::LayoutError;
use layout_types::numbers::ByteOrder;
use layout_types::plain::{self, Plain};

use crate::tensor::HeapBuffer;

/// The units of a tensor that was read: borrowed from the file, or a copy with the alignment of the layout.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "safetensors"),
    expect(unreachable_pub, reason = "only .safetensors files lend their memory")
)]
pub enum Units<'a, U> {
    /// The file's memory.
    InFile(&'a [U]),
    /// A copy on the heap.
    Copied(HeapBuffer),
}

impl<U: Plain> AsRef<[U]> for Units<'_, U> {
    #[inline]
    fn as_ref(&self) -> &[U] {
        match self {
            Self::InFile(units) => units,
            Self::Copied(buffer) => buffer.as_ref(),
        }
    }
}

impl<'a, U: Plain> Units<'a, U> {
    /// Returns the bytes of elements of `size` bytes as units that begin at a multiple of `align` bytes: borrowed if the
    /// bytes do and are in this machine's byte order, else copied.
    ///
    /// # Errors
    /// Memory for a copy cannot be allocated.
    pub(super) fn of(
        bytes: &'a [u8],
        align: usize,
        size: usize,
        order: ByteOrder,
    ) -> Result<Self, LayoutError> {
        let align = align.max(align_of::<U>());
        let is_native = order == ByteOrder::NATIVE || size <= 1;
        match plain::try_cast(bytes) {
            Some(units) if is_native && bytes.as_ptr().addr() % align == 0 => {
                Ok(Self::InFile(units))
            }
            _ => {
                let mut copy = HeapBuffer::copied(bytes, align)?;
                if !is_native {
                    let bytes: &mut [u8] = copy.as_mut();
                    bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
                }
                Ok(Self::Copied(copy))
            }
        }
    }
}
