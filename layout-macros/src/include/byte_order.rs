//! The order of bytes, of a file, of this machine, and of the target.

/// In which order the bytes of an element lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// That of the machine that compiles.
    pub(super) const HOST: Self =
        if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}
