//! The byte order of a file, of this machine, and of the target.

/// The order of the bytes of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The byte order of the machine that compiles.
    pub(super) const HOST: Self =
        if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}
