//! The order of elements within a byte.

use super::element::{ElementType, SubByte};
use super::error::LayoutError;
use super::rules::Rule;

impl ElementType {
    /// Returns the same element type with the first element of a byte in its highest bits, as in torchao's packed
    /// `uint4` and in `numpy.packbits`. By default, the first element is in the lowest bits, as in ONNX, GGUF and the
    /// words of AWQ and GPTQ.
    ///
    /// # Errors
    /// The elements have a byte or more.
    pub const fn high_first(self) -> Result<Self, LayoutError> {
        Ok(Self::HighFirst(match self {
            Self::U1 => SubByte::U1,
            Self::I2 => SubByte::I2,
            Self::U2 => SubByte::U2,
            Self::I4 => SubByte::I4,
            Self::U4 => SubByte::U4,
            Self::HighFirst(element) => element,
            element => return Err(LayoutError(Rule::HighFirst { element })),
        }))
    }
}
