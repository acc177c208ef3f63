//! The constants of a layout whose extents are all known.

use core::fmt::{self, Display};

use super::Code;
use crate::language::{Language, show};
use crate::symbolic::Symbolic;

impl Code<'_> {
    /// Writes extents, length, bytes and alignment.
    pub(crate) fn constants(&self, f: &mut fmt::Formatter<'_>, layout: &Symbolic) -> fmt::Result {
        writeln!(f)?;
        for axis in 0..layout.rank() {
            let name = show(|f| write!(f, "EXTENT_{}", layout.letters.at(axis)));
            self.constant(f, &name, layout.extent(axis).unwrap_or(0))?;
        }
        let Some(len) = layout.known_len() else { return Ok(()) };
        self.constant(f, &"LEN", len)?;
        self.constant(f, &"BYTES", layout.bytes())?;
        self.constant(f, &"ALIGN", layout.align as u64)?;
        if let Some(lanes) = self.heading.and_then(|layout| layout.lanes()) {
            self.constant(f, &"LANES", lanes.count() as u64)?;
            self.constant(f, &"LANE_LEN", lanes.len() as u64)?;
            self.constant(f, &"LANE_BYTES", lanes.bytes() as u64)?;
        }
        Ok(())
    }

    /// Writes one constant. The name of the layout precedes its own.
    pub(crate) fn constant(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: &dyn Display,
        value: u64,
    ) -> fmt::Result {
        // Sizes in bytes may need more bits than indices.
        let mut target = self.target;
        target.wide |= value > u32::MAX.into();
        let (kind, value) = (target.index(), target.number(value));
        let full = self.upper(name);
        match target.language {
            Language::C | Language::OpenCl => writeln!(f, "#define {full} {value}"),
            Language::Cuda => writeln!(f, "constexpr {kind} {full} = {value};"),
            Language::Metal => writeln!(f, "constant constexpr {kind} {full} = {value};"),
            Language::Wgsl => writeln!(f, "const {full}: u32 = {value};"),
            Language::Glsl => writeln!(f, "const uint {full} = {value};"),
        }
    }
}

impl Symbolic {
    /// Returns the bytes of a buffer, if all extents are known.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes =
            self.known_len().and_then(|len| self.element.bytes_of(usize::try_from(len).ok()?));
        bytes.unwrap_or(usize::MAX) as u64
    }
}
