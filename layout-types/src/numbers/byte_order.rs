//! The byte order of a file, of this machine, or of a target.

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest byte is the first.
    Little,
    /// The highest byte is the first.
    Big,
}

impl ByteOrder {
    /// The byte order of the machine that this code is compiled for.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}
